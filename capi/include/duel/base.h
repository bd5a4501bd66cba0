/*
 * duel/base.h: a part of duel.h, usable alone.
 * What every other part stands on.
 *
 * It holds:
 *   Status codes
 *   The library
 *   Words
 */

/* Generated from capi/src by `cargo xtask header`: change it there. */

#ifndef DUEL_BASE_H
#define DUEL_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ============================================================================================================ *
 * Status codes
 *
 * What a function did. 0 is done; positive means that it worked and there is nothing to do; negative is an error,
 * and the handle's `duel_..._detail` says more. Numbers are never reused.
 * ============================================================================================================ */

/** What a function did: 0 done; positive: normal, nothing to do; negative: an error. */
typedef int32_t duel_status;

/** Done. */
#define DUEL_OK 0
/** Nothing there (now): no event, no packet, no change. */
#define DUEL_EMPTY 1
/** The next tick waits for the peer. */
#define DUEL_STALLED 2
/** The link is closed, or its other half is gone: silence was played, and the caller may stop. */
#define DUEL_CLOSED 3
/** A pointer that has to point somewhere is NULL. */
#define DUEL_NULL (-1)
/** No handle of this kind: freed, of another kind, or any other number. */
#define DUEL_BAD_HANDLE (-2)
/** A value outside its range: an enumeration's number, a count, an index. */
#define DUEL_BAD_ARGUMENT (-3)
/** The library failed inside this handle, now or earlier: a bug. It can only be freed. On wasm the instance traps. */
#define DUEL_PANICKED (-4)
/** `struct_size` is smaller than the structure ever was: forgotten, or another structure. */
#define DUEL_BAD_SIZE (-5)
/** The structure is of a newer header and uses fields that this library does not know. */
#define DUEL_TOO_NEW (-6)
/**
 * Another call is in this handle, or in what it shares with others: from inside one of its own callbacks, or from two
 * threads at once. Nothing was done.
 */
#define DUEL_BUSY (-7)
/** The sound link cannot run at this sample rate. */
#define DUEL_BAD_RATE (-8)
/** Not in this phase. */
#define DUEL_NOT_NOW (-9)
/** This kind of link or game, or a library built without that part, cannot do it. */
#define DUEL_UNSUPPORTED (-10)
/** Understood and not taken: an order that cannot be sent, an opener that is blocked, a map that is not there. */
#define DUEL_REFUSED (-11)
/** Bytes that are no message, record or world. */
#define DUEL_BAD_DATA (-12)
/** The buffer is too small. */
#define DUEL_TOO_SMALL (-13)
/** A session has this link: send and poll through the session. */
#define DUEL_TAKEN (-14)

/* ============================================================================================================ *
 * The library
 *
 * Which library this is, memory for hosts that have no `malloc` beside it, and what to call when the library itself
 * fails.
 * ============================================================================================================ */

/** The ABI's number: a program built against one runs on every library that says the same. */
#define DUEL_ABI 1
/** `duel_features`: the simulated room and the packet air are there. */
#define DUEL_FEATURE_ROOM 1
/** `duel_features`: the reference game is there. */
#define DUEL_FEATURE_SKIRMISH 2
/** The longest text of the library, its ending zero included: room for any `why`. */
#define DUEL_TEXT_BYTES 256

/** Called with a text when the library panics: a bug in it. The text lives for the call only. */
typedef void (*duel_panic_fn)(void *userdata, const char *text);

/**
 * A status code's name, such as `DUEL_EMPTY`, or `DUEL_UNKNOWN`. The string lives as long as the library.
 *
 * Thread: any.
 * Realtime: yes.
 * Owns: nothing.
 * Since: ABI 1.
 */
const char *duel_status_name(duel_status status);

/**
 * The ABI that this library speaks. Compare it with the header's `DUEL_ABI` at start.
 *
 * Thread: any.
 * Realtime: yes.
 * Owns: nothing.
 * Since: ABI 1.
 */
uint32_t duel_abi(void);

/**
 * The library's version, such as `0.1.0`. The string lives as long as the library.
 *
 * Thread: any.
 * Realtime: yes.
 * Owns: nothing.
 * Since: ABI 1.
 */
const char *duel_version(void);

/**
 * Which optional parts this library was built with: `DUEL_FEATURE_...` added up. The functions of a part that is
 * missing are not there to link with.
 *
 * Thread: any.
 * Realtime: yes.
 * Owns: nothing.
 * Since: ABI 1.
 */
uint32_t duel_features(void);

/**
 * Memory of `bytes` bytes, aligned to 16 and zeroed, or NULL: for hosts that cannot allocate on the library's side
 * themselves, as a page around a wasm instance. C programs use their own.
 *
 * Thread: any.
 * Realtime: no.
 * Owns: the caller owns it, until `duel_dealloc` with the same size.
 * Since: ABI 1.
 */
void *duel_alloc(size_t bytes);

/**
 * Gives back what `duel_alloc` gave for as many bytes. NULL is fine.
 *
 * Thread: any.
 * Realtime: no.
 * Owns: takes the memory.
 * Since: ABI 1.
 */
duel_status duel_dealloc(void *memory, size_t bytes);

/**
 * What to call when the library panics, instead of printing to standard error; NULL prints again. The one thing here
 * that is global to the process: set it once, before anything else. It is called on the thread that failed, on wasm
 * right before the instance traps. A panic is a bug in the library; the handle it happened in answers
 * `DUEL_PANICKED` from then on.
 *
 * Thread: any, but not while another thread is in the library.
 * Realtime: no.
 * Owns: nothing; `userdata` must outlive the library's use.
 * Since: ABI 1.
 */
duel_status duel_set_panic_hook(duel_panic_fn hook, void *userdata);

/* ============================================================================================================ *
 * Words
 *
 * The few words everything shares. They cross as `int32_t`, and every function checks them; zero is the default.
 * ============================================================================================================ */

/** The pair of frequency bands in use: `DUEL_PLAN_...`. */
typedef int32_t duel_plan;

/** Host 9.5-12.5 kHz, guest 16-19 kHz: hardly audible. Needs 44.1 kHz or more. */
#define DUEL_PLAN_HIGH 0
/** Host 5-6.5 kHz, guest 8-9.5 kHz: audible, for phones that cannot play the high bands. Needs 24 kHz or more. */
#define DUEL_PLAN_LOW 1

/** Which band of the plan a phone sends in; it never changes during a pairing: `DUEL_ROLE_...`. */
typedef int32_t duel_role;

/** The phone that chooses the match. */
#define DUEL_ROLE_HOST 0
/** The phone that joins it. */
#define DUEL_ROLE_GUEST 1

/** What a phone listens to: `DUEL_LISTEN_...`. */
typedef int32_t duel_listen;

/** The peer: the other role's band. */
#define DUEL_LISTEN_PEER 0
/** The host's band of either plan, until one is found: what a guest does in the lobby. */
#define DUEL_LISTEN_DETECT 1
/** Its own band: a self-test, which decodes its own packets. */
#define DUEL_LISTEN_SELF 2

/** How packets are modulated; both carry the same bits: `DUEL_MODE_...`. */
typedef int32_t duel_mode;

/** Slower and safer: a packet takes 200 ms on the high plan, 400 ms on the low one. */
#define DUEL_MODE_ROBUST 0
/** A packet takes 100 ms on the high plan, 200 ms on the low one. */
#define DUEL_MODE_FAST 1

/** A side of a match, the same on both phones: `DUEL_SIDE_...`. */
typedef int32_t duel_side;

/** Acts first within a tick. The host plays it, unless a rematch swapped the sides. */
#define DUEL_SIDE_BLUE 0
/** Acts second. */
#define DUEL_SIDE_RED 1
/** Where something is not known, not there, or not yet: in times, sides, openers, picks and ids. */
#define DUEL_NONE (-1)

#ifdef __cplusplus
}
#endif

#endif /* DUEL_BASE_H */
