/*
 * duel.h: two machines, one match, over sound. Version: DUEL_ABI below.
 *
 * Two phones on a table play a deterministic match against each other with no network at all: each plays sound that the
 * other hears. This library is all of it but your game, your window and your audio device. Three levels, each usable alone:
 *
 *   link      messages over sound: duel_link_..., duel_pump_..., duel_guard_..., duel_rig_..., duel_advice_...
 *   match     pairing and lockstep for a game of your own: duel_session_..., duel_game
 *   skirmish  the whole reference duel: duel_skirmish_..., duel_replay_...
 *
 * and duel_room_..., a simulated room with two phones, to test an integration in before there are any.
 *
 * Threads. At most two touch a link, each through a handle of its own:
 *
 *   game thread                                               audio thread (or AudioWorklet)
 *   duel_session - - - duel_link == fixed queues, or messages that you carry == duel_pump - - - microphone, speaker
 *                      duel_link_poll(link, now_us, ...)                        duel_pump_process(pump, in, out, first_frame)
 *
 * Everything but duel_pump and duel_guard belongs to the game's thread. There are no locks, no hidden threads, and no
 * globals but duel_set_panic_hook. Links, pumps and guards take all their memory in ..._new and ..._reset; a session says
 * when it takes more. Every function's comment ends in four lines:
 *
 *   Thread    which one may call it.
 *   Realtime  yes: it neither allocates, locks nor waits, and does bounded work.
 *   Owns      whose the memory is.
 *   Since     the ABI it came with.
 *
 * Statuses. Functions return duel_status: 0 is done, positive is "nothing to do", negative is an error. Out-parameters come
 * last and are written only on success. ..._detail says more about a handle's last error; ..._new, which has no handle yet,
 * takes room for a sentence (why, why_bytes; NULL and 0 if not wanted). DUEL_TEXT_BYTES holds any.
 *
 * Structures are either sized, and begin with struct_size: set it to sizeof, and every other field you do not mean to zero,
 * which is the default; or frozen, and never change. Numbers that stand for words (DUEL_PLAN_..., DUEL_SIDE_...) are int32_t.
 *
 * Time is yours: microseconds of any clock that never goes back. Text is UTF-8, in English, and ends in a zero.
 *
 * Where to go on: docs/EMBEDDING.md for engines and phones, docs/ABI.md for what may change, examples/c for whole programs.
 *
 * An example, whole: a message from one phone to the other in the simulated room.
 *
 *     #include "duel.h"
 *
 *     int main(void)
 *     {
 *         duel_room_config room_config = {.struct_size = sizeof room_config};
 *         duel_link_config config = {.struct_size = sizeof config}; // a host on the high plan, 48 kHz
 *         duel_link *host, *guest;
 *         duel_pump *host_pump, *guest_pump;
 *         duel_room *room;
 *         if (duel_room_new(&room_config, NULL, 0, &room)) return 1;
 *         if (duel_link_new(&config, NULL, 0, &host, &host_pump)) return 1;
 *         config.role = DUEL_ROLE_GUEST;
 *         if (duel_link_new(&config, NULL, 0, &guest, &guest_pump)) return 1;
 *
 *         duel_frame hello = {.bits = "hi", .bit_count = 16};
 *         duel_link_send(host, &hello, 1); // repeated, once a packet, until another list replaces it
 *
 *         duel_link_event event = {.struct_size = sizeof event};
 *         int heard = 0;
 *         for (uint64_t now_us = 0; !heard && now_us < 5000000; now_us += 10000) {
 *             duel_room_run(room, now_us, host_pump, guest_pump); // live: your audio callback calls duel_pump_process
 *             while (duel_link_poll(host, now_us, &event) == DUEL_OK) {}
 *             while (duel_link_poll(guest, now_us, &event) == DUEL_OK)
 *                 heard |= event.kind == DUEL_LINK_PACKET && !memcmp(event.bits, "hi", 2);
 *         }
 *         printf(heard ? "heard: hi\n" : "nothing heard\n");
 *         duel_link_free(host), duel_link_free(guest), duel_pump_free(host_pump), duel_pump_free(guest_pump);
 *         return duel_room_free(room) || !heard;
 *     }
 *
 * Licence: MIT or Apache-2.0, at your choice.
 */

/* Generated from capi/src by `cargo xtask header`: change it there. */

#ifndef DUEL_H
#define DUEL_H

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
/** No handle of this kind: freed, of another kind, or no handle at all, where that can be told. */
#define DUEL_BAD_HANDLE (-2)
/** A value outside its range: an enumeration's number, a count, an index. */
#define DUEL_BAD_ARGUMENT (-3)
/** The library failed inside this handle, now or earlier: a bug. It can only be freed. On wasm the instance traps. */
#define DUEL_PANICKED (-4)
/** `struct_size` is smaller than the structure ever was: forgotten, or another structure. */
#define DUEL_BAD_SIZE (-5)
/** The structure is of a newer header and uses fields that this library does not know. */
#define DUEL_TOO_NEW (-6)
/** Called from inside one of its own callbacks, or from two threads at once. */
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

/**
 * A status code's name, such as `DUEL_EMPTY`, or `DUEL_UNKNOWN`. The string lives as long as the library.
 *
 * Thread: any.
 * Realtime: yes.
 * Owns: nothing.
 * Since: ABI 1.
 */
const char *duel_status_name(duel_status status);

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

/* ============================================================================================================ *
 * Handles
 *
 * Opaque: made by `..._new`, freed by `..._free`.
 * ============================================================================================================ */

/** One end of a link: the game's half. */
typedef struct duel_link duel_link;

/** One end of a link: the audio half. */
typedef struct duel_pump duel_pump;

/** A filter for the game's own audio. */
typedef struct duel_guard duel_guard;

/** The audio life of a live link. */
typedef struct duel_rig duel_rig;

/** Watches one link's measurements. */
typedef struct duel_advice duel_advice;

/** A simulated room with two phones in it. */
typedef struct duel_room duel_room;

/** One phone's half of a duel. */
typedef struct duel_session duel_session;

/* ============================================================================================================ *
 * Link level: the game's half
 *
 * Messages over sound, and nothing else. `duel_link_new` makes both halves of a live link: a `duel_link` for the game's
 * thread and a `duel_pump` for the audio thread. Hand the link the frames you want to be heard; each is repeated, one
 * a packet, until you hand over others. Nothing is acknowledged: packets arrive or do not. A frame is at most
 * `duel_link_capacity_bits` long, 186 or 188 bits; packets always hold that many, filled up with zeros, so a frame has
 * to say itself how long it is.
 *
 * Time is yours: every call takes microseconds of any clock of yours that never goes back.
 * ============================================================================================================ */

/** Bytes that hold the bits of any frame or packet. */
#define DUEL_FRAME_BYTES 32
/** The most frames `duel_link_send` takes. */
#define DUEL_FRAMES_MAX 8
/** The longest message between the two halves of a link, bytes. */
#define DUEL_MESSAGE_BYTES 315

/** How a link is set up. Sized: set `struct_size`, and zero what you do not mean. */
typedef struct duel_link_config {
  /** `sizeof(duel_link_config)`. */
  uint32_t struct_size;
  /** Samples a second of microphone and speaker alike, a multiple of 100; 0: 48,000. */
  uint32_t sample_rate_hz;
  /** The band plan, `DUEL_PLAN_...`. A phone that detects it may say anything here. */
  int32_t plan;
  /** Which band this phone sends in, `DUEL_ROLE_...`. */
  int32_t role;
  /** What it listens to, `DUEL_LISTEN_...`. */
  int32_t listen;
  /** Loudness against -15 dB of full scale, above 0 and at most 1.5; 0: 1. */
  float gain;
  /** 1: only listen, and play silence. */
  int32_t receive_only;
} duel_link_config;

/** A frame to send. Frozen: it never changes. */
typedef struct duel_frame {
  /** Bit `i` is bit `7 - i % 8` of byte `i / 8`. */
  uint8_t bits[32];
  /** How many bits there are. */
  uint32_t bit_count;
  /**
   * Its place in the rotation: keys ascend in one list. A packet carries the first frame whose key is greater than
   * the last one sent.
   */
  uint32_t key;
  /** 1: sent under the session key, so that a recording of another match fails its checksum. */
  int32_t keyed;
} duel_frame;

/** What `duel_link_poll` hands out: `DUEL_LINK_...`. */
typedef int32_t duel_link_event_kind;

/** A packet of the peer's arrived. */
#define DUEL_LINK_PACKET 1
/** A packet of one's own started to go out. */
#define DUEL_LINK_SLOT 2

/** Something that happened on a link. Sized. */
typedef struct duel_link_event {
  /** `sizeof(duel_link_event)`. */
  uint32_t struct_size;
  /** What, `DUEL_LINK_PACKET` or `DUEL_LINK_SLOT`. */
  int32_t kind;
  /** When: a packet's last sample arrived, a slot's first sample left. Never later than the time polled for. */
  uint64_t at_us;
  /** Packet: how many bits there are; always the link's capacity. */
  uint32_t bit_count;
  /** Packet: 1 if it came under the session key. */
  int32_t session;
  /** Packet: its signal-to-noise ratio, not a number where the link measures none. */
  float snr_db;
  /** Slot: the key of the frame it carries, or -1 for none. */
  int64_t key;
  /** Packet: the frame, then zeros. */
  uint8_t bits[32];
} duel_link_event;

/** How a link is doing. Sized. Floats that are not known are not a number, times that are not -1. */
typedef struct duel_link_status {
  /** `sizeof(duel_link_status)`. */
  uint32_t struct_size;
  /** 1: the peer's signal is being followed. */
  int32_t locked;
  /** The band plan in use, `DUEL_PLAN_...`. */
  int32_t plan;
  /** The plan found, or -1 while still detecting. */
  int32_t detected_plan;
  /** The mode now on the air, `DUEL_MODE_...`. */
  int32_t tx_mode;
  /** The peer's mode, or -1 before its first packet. */
  int32_t rx_mode;
  /** Packets received whole. */
  uint64_t rx_good;
  /** Packets expected but not received whole. */
  uint64_t rx_bad;
  /** When the newest packet arrived, or -1. */
  int64_t last_rx_us;
  /** The newest packet's signal-to-noise ratio. */
  float snr_db;
  /** This phone's own signal at its own microphone: under 10 for 3 s means that sound goes elsewhere. */
  float own_snr_db;
  /** From one's own speaker to one's own microphone. */
  float loopback_ms;
  /** How much slower the peer's clock runs, parts per million. */
  float clock_ppm;
  /** The largest input of the last quarter of a second, 0 to 1 and beyond. */
  float input_peak;
  /** Loudness as set. */
  float gain;
  /** The most bits a frame can have now. */
  uint32_t capacity_bits;
  /** Samples a second. */
  uint32_t sample_rate_hz;
  /** Why the modem stopped, `DUEL_FAULT_...`, or 0 while it runs. See `duel_link_reset`. */
  int32_t fault;
  /** 1: a session has the link. */
  int32_t taken;
  /** Reports that the audio half dropped because nobody polled. */
  uint64_t dropped;
} duel_link_status;

/** Why a modem stopped or refused something: `DUEL_FAULT_...`. */
typedef int32_t duel_fault;

/** The sample rate cannot carry what was asked for. */
#define DUEL_FAULT_RATE 1
/** A message did not decode: the halves are of different versions. */
#define DUEL_FAULT_UNREADABLE 2
/** The audio half is gone: its owner freed it. */
#define DUEL_FAULT_GONE 3
/** The audio half failed while processing: `duel_link_pump_failed`. */
#define DUEL_FAULT_FAILED 4

/**
 * Writes how many bytes `duel_link_new` with this configuration allocates at most, both halves together. Neither half
 * allocates afterwards, but for `duel_link_reset`, which allocates as much again before it frees the old modem.
 *
 * Thread: any.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_link_memory_bytes(const duel_link_config *config, uint64_t *bytes);

/**
 * Makes both halves of a live link. With `pump` NULL there is no audio half: the host makes one elsewhere
 * (`duel_pump_new`) and carries the messages between them.
 *
 * `why` takes a sentence when it fails, cut to `why_bytes`; NULL if not wanted.
 *
 * Thread: the game's; the pump may go to another thread at once.
 * Realtime: no.
 * Owns: the caller owns both, and frees them in any order.
 * Since: ABI 1.
 */
duel_status duel_link_new(const duel_link_config *config, char *why, size_t why_bytes, duel_link **link,
    duel_pump **pump);

/**
 * Gives the link a new modem at another sample rate: for a device that was opened anew. Setup, frames, mode and session
 * key are handed on, counts and the clock go on, and a session on the link notices only a pause. The old pump plays
 * silence from then on: free it. `pump` NULL as in `duel_link_new`.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: the caller owns the new pump.
 * Since: ABI 1.
 */
duel_status duel_link_reset(duel_link *link, uint32_t sample_rate_hz, duel_pump **pump);

/**
 * Frees a link; NULL is fine. Its pump plays silence from then on. A session that has the link keeps it alive.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: takes the handle.
 * Since: ABI 1.
 */
duel_status duel_link_free(duel_link *link);

/**
 * Why the newest call on this handle that failed did so. The string lies in the handle: read it before the next call.
 *
 * Thread: the game's.
 * Realtime: yes.
 * Owns: nothing.
 * Since: ABI 1.
 */
const char *duel_link_detail(duel_link *link);

/**
 * Replaces the frames being sent, at most `DUEL_FRAMES_MAX`; none is fine, and packets of zeros go out then. Each frame
 * is repeated until the next call.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing; the frames are copied.
 * Since: ABI 1.
 */
duel_status duel_link_send(duel_link *link, const duel_frame *frames, size_t count);

/**
 * The next thing that happened up to `now_us`, in order of time; `DUEL_EMPTY` when there is no more. Call it until then,
 * every frame of yours. A `now_us` before the last one counts as the last one.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_link_poll(duel_link *link, uint64_t now_us, duel_link_event *event);

/**
 * The most bits a frame can have now: 188 on the high plan, 186 on the low one or while it is not found; 0 for no
 * handle.
 *
 * Thread: the game's.
 * Realtime: yes.
 * Owns: nothing.
 * Since: ABI 1.
 */
uint32_t duel_link_capacity_bits(duel_link *link);

/**
 * How the link is doing, as of the last poll.
 *
 * Thread: the game's.
 * Realtime: yes.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_link_get_status(duel_link *link, duel_link_status *status);

/* ============================================================================================================ *
 * Link level: setup, gaps and messages
 *
 * What a lobby changes of a link while it runs, what its audio half reports besides packets, and the messages between
 * halves that share no memory.
 * ============================================================================================================ */

/** Input that was missing. Frozen. */
typedef struct duel_gap {
  /** When it started. */
  uint64_t at_us;
  /** How long it was, or -1 while it lasts: each gap is told twice. */
  int64_t lasted_us;
} duel_gap;

/**
 * Sends in this mode, `DUEL_MODE_...`, from the next point at which the link can switch.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_link_set_mode(duel_link *link, duel_mode mode);

/**
 * Frames marked `keyed` go out under this key from now on, and packets under it are told as such. Both phones need the
 * same pair of numbers, 1 to 65,535 each, such as one drawn by either.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_link_set_session_key(duel_link *link, uint32_t host_nonce, uint32_t guest_nonce);

/**
 * Changes plan, role and what is listened to, from the next symbol on: to fall back to the low plan, to switch roles, to
 * begin or end a self-test. A guest's lobby calls it with `DUEL_LISTEN_DETECT`.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_link_set_bands(duel_link *link, duel_plan plan, duel_role role, duel_listen listen);

/**
 * Sets the loudness, 0 to 1.5; 0 is silence, and the modem only listens.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_link_set_gain(duel_link *link, float gain);

/**
 * The next start or end of missing input; `DUEL_EMPTY` when there is none. A rig wants them: `duel_rig_watch` takes
 * them itself.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_link_poll_gap(duel_link *link, duel_gap *gap);

/**
 * The next thing the modem refused, `DUEL_FAULT_...`, its sentence in the detail; `DUEL_EMPTY` when there is none. None of
 * them stops it.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_link_poll_refusal(duel_link *link, duel_fault *fault);

/**
 * Says that the audio half died in a way that it cannot tell of itself: its thread or its wasm instance is gone.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_link_pump_failed(duel_link *link);

/**
 * The next message for the other half (`duel_pump_push_message`), or of a relay for the other end's relay;
 * `DUEL_EMPTY` when there is none. `bytes` has room for `DUEL_MESSAGE_BYTES`. Nothing for a link made with its pump.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_link_poll_message(duel_link *link, uint8_t *bytes, size_t capacity, size_t *length);

/**
 * A message of the other half (`duel_pump_poll_message`), whole; of a relay, bytes of the other end's as they come, cut
 * anywhere. It counts at the next poll.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing; the bytes are copied.
 * Since: ABI 1.
 */
duel_status duel_link_push_message(duel_link *link, const uint8_t *bytes, size_t length);

/**
 * Stops sending and receiving for good: the audio half plays silence from its next block on.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_link_close(duel_link *link);

/**
 * The setup as it is now: with the plan found, and the loudness set. What a pump of its own (`duel_pump_new`) is made
 * with after a reset.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_link_get_config(duel_link *link, duel_link_config *config);

/* ============================================================================================================ *
 * Link level: the audio half
 *
 * One call a block: microphone in, speaker out. It runs on the audio thread (or in an AudioWorklet, an instance of its
 * own), and never allocates, locks, waits, logs or reads a clock. Blocks may have any length.
 *
 * Where the two halves share no memory, the host carries their messages: after each block, `duel_pump_poll_message`
 * until it is empty, each to `duel_link_push_message`; and before the next block the other way round.
 * ============================================================================================================ */

/** The most channels of input that are looked at. */
#define DUEL_CHANNELS_MAX 8

/**
 * Makes an audio half on its own, whose messages the host carries to a link made without one. Both are made with the
 * same configuration.
 *
 * Thread: any; on the web, in the audio thread's instance.
 * Realtime: no.
 * Owns: the caller owns it.
 * Since: ABI 1.
 */
duel_status duel_pump_new(const duel_link_config *config, char *why, size_t why_bytes, duel_pump **pump);

/**
 * Frees an audio half; NULL is fine. Stop the device first. Its link has stopped then, until it is reset.
 *
 * Thread: any, once the audio thread no longer uses it.
 * Realtime: no.
 * Owns: takes the handle.
 * Since: ABI 1.
 */
duel_status duel_pump_free(duel_pump *pump);

/**
 * Why the newest call on this handle that failed did so. The string lies in the handle: read it before the next call.
 *
 * Thread: audio.
 * Realtime: yes.
 * Owns: nothing.
 * Since: ABI 1.
 */
const char *duel_pump_detail(duel_pump *pump);

/**
 * Takes a block of input and fills one of output, both `frames` long. `input` holds a pointer for each channel; of
 * several channels the louder one is heard. With `channels` 0 input is missing, and silence is taken for it.
 * `first_frame` is the device's count of the block's first frame: a count that jumps tells of frames that were lost.
 * `output` is mono, at most -15 dB of full scale loud (RMS): copy it to every channel of the speaker. Input and output
 * must not overlap.
 *
 * `DUEL_CLOSED`: the link is closed or freed, `output` is silence, and the caller may stop.
 *
 * Thread: audio.
 * Realtime: yes. Bounded work; at most one heavy job for every 512 frames.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_pump_process(duel_pump *pump, const float *const *input, uint32_t channels, float *output,
    uint32_t frames, uint64_t first_frame);

/**
 * As `duel_pump_process`, for input whose channels alternate: frame by frame, `channels` samples each. Input and output
 * must not overlap.
 *
 * Thread: audio.
 * Realtime: yes. Bounded work; at most one heavy job for every 512 frames.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_pump_process_interleaved(duel_pump *pump, const float *input, uint32_t channels,
    float *output, uint32_t frames, uint64_t first_frame);

/**
 * The next message for the game's half (`duel_link_push_message`); `DUEL_EMPTY` when there is none. `bytes` has room
 * for `DUEL_MESSAGE_BYTES`. Nothing for a pump made with its link.
 *
 * Thread: audio.
 * Realtime: yes.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_pump_poll_message(duel_pump *pump, uint8_t *bytes, size_t capacity, size_t *length);

/**
 * A message of the game's half (`duel_link_poll_message`), whole.
 *
 * Thread: audio.
 * Realtime: yes.
 * Owns: nothing; the bytes are copied.
 * Since: ABI 1.
 */
duel_status duel_pump_push_message(duel_pump *pump, const uint8_t *bytes, size_t length);

/**
 * Reports left behind because nobody took them, and messages dropped likewise; 0 for no handle.
 *
 * Thread: audio.
 * Realtime: yes.
 * Owns: nothing.
 * Since: ABI 1.
 */
uint64_t duel_pump_dropped(duel_pump *pump);

/* ============================================================================================================ *
 * Link level: the game's own audio
 *
 * A filter in front of the speaker that keeps a game's sound out of the peer's band: high-pass, 10 dB cut, limiter,
 * low-pass. Run the game's mix through it, then add the pump's output.
 * ============================================================================================================ */

/**
 * Writes how many bytes `duel_guard_new` allocates at most.
 *
 * Thread: any.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_guard_memory_bytes(uint32_t sample_rate_hz, uint32_t channels, uint64_t *bytes);

/**
 * Makes a filter for a mix of `channels` interleaved channels, 1 to 8, switched off.
 *
 * Thread: any.
 * Realtime: no.
 * Owns: the caller owns it.
 * Since: ABI 1.
 */
duel_status duel_guard_new(duel_plan plan, uint32_t sample_rate_hz, uint32_t channels, char *why,
    size_t why_bytes, duel_guard **guard);

/**
 * Frees a filter; NULL is fine.
 *
 * Thread: any, once the audio thread no longer uses it.
 * Realtime: no.
 * Owns: takes the handle.
 * Since: ABI 1.
 */
duel_status duel_guard_free(duel_guard *guard);

/**
 * Switches the filter on (1) or off (0), over 50 ms. Off, the mix only comes later.
 *
 * Thread: audio.
 * Realtime: yes.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_guard_set_on(duel_guard *guard, int32_t on);

/**
 * By how many frames the mix comes later, on or off; 0 for no handle.
 *
 * Thread: audio.
 * Realtime: yes.
 * Owns: nothing.
 * Since: ABI 1.
 */
uint32_t duel_guard_latency_frames(duel_guard *guard);

/**
 * Filters a block in place: `samples` of all channels together, a whole number of frames.
 *
 * Thread: audio.
 * Realtime: yes.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_guard_process(duel_guard *guard, float *mix, size_t samples);

/* ============================================================================================================ *
 * Link level: what a rig is told, asks for and is
 *
 * The words and structures of the next section.
 * ============================================================================================================ */

/** How the microphone is asked for: `DUEL_MIC_...`. */
typedef int32_t duel_mic_mode;

/** Echo cancellation, noise suppression and gain control off, one channel. */
#define DUEL_MIC_RAW 0
/** The same with echo cancellation on. */
#define DUEL_MIC_ECHO_CANCELLING 1

/** What happened to the devices: `DUEL_RIG_...`. */
typedef int32_t duel_rig_event_kind;

/** `DUEL_DO_OPEN_AUDIO` is done: `id`, `rate_hz`, and `flag` 1 if it runs, 0 if the system wants a tap first. */
#define DUEL_RIG_AUDIO_OPENED 1
/** It failed: `id`, and `flag` 1 if the modem's audio half was what did not load. */
#define DUEL_RIG_AUDIO_FAILED 2
/** The device renders: `id`. */
#define DUEL_RIG_AUDIO_RUNNING 3
/** The device does not render, and may again by itself (a call came in): `id`. */
#define DUEL_RIG_AUDIO_STOPPED 4
/** The device is suspended and waits to be resumed (a call ended): `id`. */
#define DUEL_RIG_AUDIO_SUSPENDED 5
/** The device is gone for good: `id`. */
#define DUEL_RIG_AUDIO_BROKEN 6
/** `DUEL_DO_ASK_MICROPHONE` is done: `id`, and `rate_hz` where the system tells it, or 0. */
#define DUEL_RIG_MICROPHONE_OPENED 7
/** It was refused, or there is none: `id`, and `flag` 1 if someone said no. */
#define DUEL_RIG_MICROPHONE_FAILED 8
/** The microphone's stream ended: `id`. */
#define DUEL_RIG_MICROPHONE_ENDED 9
/** It delivers nothing for now: `id`. */
#define DUEL_RIG_MICROPHONE_MUTED 10
/** It delivers again: `id`. */
#define DUEL_RIG_MICROPHONE_UNMUTED 11
/** Headphones, Bluetooth or another device came or went. */
#define DUEL_RIG_DEVICES_CHANGED 12
/** A link runs on the rig's device: it was made, or `DUEL_DO_REBUILD_LINK` is done. */
#define DUEL_RIG_LINK_STARTED 13
/** The rig's link was closed by its owner. */
#define DUEL_RIG_LINK_CLOSED 14
/** `DUEL_DO_REBUILD_LINK` failed. */
#define DUEL_RIG_LINK_FAILED 15
/** The screen shows the game again. */
#define DUEL_RIG_SHOWN 16
/** The answer to `DUEL_DO_REQUEST_WAKE_LOCK`: `flag` 1 if the screen will stay on. */
#define DUEL_RIG_WAKE_LOCK 17

/** Something that happened. Sized. */
typedef struct duel_rig_event {
  /** `sizeof(duel_rig_event)`. */
  uint32_t struct_size;
  /** What, `DUEL_RIG_...`. */
  int32_t kind;
  /** Which device or microphone: the number that the action named. */
  uint32_t id;
  /** A sample rate, where the event has one. */
  uint32_t rate_hz;
  /** 0 or 1, where the event has a flag. */
  int32_t flag;
} duel_rig_event;

/** What the host is to do: `DUEL_DO_...`. */
typedef int32_t duel_rig_action_kind;

/** Open audio device `id` at its own rate, for playing and recording, within the tap. */
#define DUEL_DO_OPEN_AUDIO 1
/** Let device `id` start or go on. */
#define DUEL_DO_RESUME_AUDIO 2
/** Close device `id` and whatever ran on it. */
#define DUEL_DO_CLOSE_AUDIO 3
/** Ask for microphone `id` in `mic_mode`, and connect it to the device. */
#define DUEL_DO_ASK_MICROPHONE 4
/** Stop microphone `id`. Always before another is asked for. */
#define DUEL_DO_RELEASE_MICROPHONE 5
/** Give the link a new modem on device `id`: `duel_link_reset`. */
#define DUEL_DO_REBUILD_LINK 6
/** Keep the screen on. */
#define DUEL_DO_REQUEST_WAKE_LOCK 7
/** Let it go. */
#define DUEL_DO_RELEASE_WAKE_LOCK 8

/** Something to do. Sized. */
typedef struct duel_rig_action {
  /** `sizeof(duel_rig_action)`. */
  uint32_t struct_size;
  /** What, `DUEL_DO_...`. */
  int32_t kind;
  /** Which device or microphone. */
  uint32_t id;
  /** How, `DUEL_MIC_...`, where a microphone is asked for. */
  int32_t mic_mode;
} duel_rig_action;

/** Where a rig is: `DUEL_RIG_IS_...`. */
typedef int32_t duel_rig_state;

/** Waiting for the device and the microphone. */
#define DUEL_RIG_IS_OPENING 0
/** All there, but the system wants a tap: "Tap to start sound". */
#define DUEL_RIG_IS_TAP_TO_START 1
/** Sound runs. */
#define DUEL_RIG_IS_LIVE 2
/** "Tap to reconnect the sound link". */
#define DUEL_RIG_IS_LOST 3
/** A tap is being worked on. */
#define DUEL_RIG_IS_RECONNECTING 4
/** Sound runs again, and the capture has to prove itself before the cover goes. */
#define DUEL_RIG_IS_RECOVERING 5
/** It could not open; everything is let go. */
#define DUEL_RIG_IS_FAILED 6
/** Closed by its owner. */
#define DUEL_RIG_IS_CLOSED 7

/** Why a live link was lost: `DUEL_LOST_...`. */
typedef int32_t duel_lost;

/** The microphone's stream ended. */
#define DUEL_LOST_MICROPHONE_ENDED 1
/** The microphone was muted for more than a second. */
#define DUEL_LOST_MICROPHONE_MUTED 2
/** The audio device did not run for more than half a second. */
#define DUEL_LOST_AUDIO_STOPPED 3
/** Headphones, Bluetooth or another device came or went. */
#define DUEL_LOST_DEVICES_CHANGED 4
/** The modem stopped. */
#define DUEL_LOST_MODEM 5

/** A rig, to draw. Sized. */
typedef struct duel_rig_status {
  /** `sizeof(duel_rig_status)`. */
  uint32_t struct_size;
  /** Where it is, `DUEL_RIG_IS_...`. */
  int32_t state;
  /** Why it was lost, `DUEL_LOST_...`, or 0. */
  int32_t lost;
  /** 1: two taps have failed, and the cover offers to leave. */
  int32_t offers_leave;
  /** 1: the phone may lock its screen during a match. */
  int32_t warns_of_auto_lock;
  /** The microphone's mode, `DUEL_MIC_...`, or the one being switched to. */
  int32_t mic_mode;
  /** Why it was lost, as a sentence; empty if it was not. In the rig, until its next call. */
  const char *lost_text;
  /** Why it could not open, or why the last tap failed, as a sentence; empty if neither did. */
  const char *error_text;
  /** What to try about it; empty if there is nothing. */
  const char *error_advice;
  /** How long capture has been free of gaps. A match begins after 1,500,000. */
  uint64_t capture_ok_us;
  /** When to call `duel_rig_handle_time` at the latest, or -1. */
  int64_t next_wake_us;
} duel_rig_status;

/* ============================================================================================================ *
 * Link level: the audio life of a live link
 *
 * A device is opened, a microphone asked for, a call comes in, headphones are pulled, the person taps, sound goes on: a
 * rig knows what to do next, and does nothing itself. Tell it what happened (`duel_rig_handle_event`), do what it says
 * (`duel_rig_poll_action`), draw what it is (`duel_rig_get_status`).
 *
 * Each device and each request for the microphone has a number, so that what comes too late is known as such.
 * ============================================================================================================ */

/** Gap-free capture that a match or the end of a reconnect cover waits for. */
#define DUEL_CAPTURE_OK_US 1500000

/**
 * Begins a rig within a tap, for a link of this role on this plan. Actions wait at once.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: the caller owns it.
 * Since: ABI 1.
 */
duel_status duel_rig_new(uint64_t now_us, duel_plan plan, duel_role role, duel_listen listen,
    duel_mic_mode mic_mode, char *why, size_t why_bytes, duel_rig **rig);

/**
 * Frees a rig; NULL is fine. It does nothing to devices: `duel_rig_close` first, and do what it says.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: takes the handle.
 * Since: ABI 1.
 */
duel_status duel_rig_free(duel_rig *rig);

/**
 * Why the newest call on this handle that failed did so. The string lies in the handle: read it before the next call.
 *
 * Thread: the game's.
 * Realtime: yes.
 * Owns: nothing.
 * Since: ABI 1.
 */
const char *duel_rig_detail(duel_rig *rig);

/**
 * Tells what happened to the devices. Actions may follow.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_rig_handle_event(duel_rig *rig, uint64_t now_us, const duel_rig_event *event);

/**
 * The person tapped: to start sound, or to reconnect.
 *
 * Thread: the game's, within the tap.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_rig_handle_tap(duel_rig *rig, uint64_t now_us);

/**
 * Lets time come: call it every frame, or at `next_wake_us`.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_rig_handle_time(duel_rig *rig, uint64_t now_us);

/**
 * Looks at the rig's link: takes its gaps (`duel_link_poll_gap` has nothing left then), notices that its modem stopped
 * and that its plan was found, and lets time come. Call it every frame, after the link or its session was polled.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_rig_watch(duel_rig *rig, uint64_t now_us, duel_link *link);

/**
 * What to do next; `DUEL_EMPTY` when there is nothing. Call it after every other call, until then.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_rig_poll_action(duel_rig *rig, duel_rig_action *action);

/**
 * How it is, to draw. The texts are in English, and lie in the rig until its next call.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_rig_get_status(duel_rig *rig, uint64_t now_us, duel_rig_status *status);

/**
 * Switches the microphone's mode: the old microphone goes first. A switch that fails falls back by itself.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_rig_set_mic_mode(duel_rig *rig, uint64_t now_us, duel_mic_mode mic_mode);

/**
 * Lets everything go: actions say what to close.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_rig_close(duel_rig *rig, uint64_t now_us);

/* ============================================================================================================ *
 * Link level: what a lobby says of the link
 *
 * From the modem's own measurements: sound goes to the wrong place, the phone is so loud that its microphone clips (and
 * what loudness to set), the band plan does not work on this phone.
 * ============================================================================================================ */

/** Whether the plan in use works on this phone: `DUEL_BAND_...`. */
typedef int32_t duel_band;

/** Too little is known yet. */
#define DUEL_BAND_UNKNOWN 0
/** It works, both ways as far as this phone can tell. */
#define DUEL_BAND_WORKS 1
/** It does not: offer the fall back, or the other role. */
#define DUEL_BAND_FAILS 2

/** What to say in the lobby. Sized. The texts are in English, and lie in the handle until its next call. */
typedef struct duel_advice_status {
  /** `sizeof(duel_advice_status)`. */
  uint32_t struct_size;
  /** 1: this phone has not heard its own signal for 3 s. */
  int32_t route_warning;
  /** 1: its own signal nearly clips its own microphone. */
  int32_t loud;
  /** The loudness advised. */
  float gain;
  /** Whether the plan works, `DUEL_BAND_...`. */
  int32_t band;
  /** The plan to fall back to, or -1. */
  int32_t fallback_plan;
  /** The route warning as a sentence; empty without one. */
  const char *route_text;
  /** Why the band fails, with what was measured; empty if it does not. */
  const char *band_text;
  /** The role to switch to where that may help, `DUEL_ROLE_...`, or -1. */
  int32_t other_role;
  /** Zero. */
  int32_t reserved;
} duel_advice_status;

/**
 * Begins to watch a link set up like this; its gain is the loudest that will be advised.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: the caller owns it.
 * Since: ABI 1.
 */
duel_status duel_advice_new(const duel_link_config *config, char *why, size_t why_bytes,
    duel_advice **advice);

/**
 * Frees it; NULL is fine.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: takes the handle.
 * Since: ABI 1.
 */
duel_status duel_advice_free(duel_advice *advice);

/**
 * Why the newest call on this handle that failed did so. The string lies in the handle: read it before the next call.
 *
 * Thread: the game's.
 * Realtime: yes.
 * Owns: nothing.
 * Since: ABI 1.
 */
const char *duel_advice_detail(duel_advice *advice);

/**
 * Looks at the link: call it every frame. Where the loudness should change, it sets it on the link, writes it to `gain`
 * and says `DUEL_OK`; otherwise `DUEL_EMPTY`. A link that was set up anew is judged anew.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_advice_watch(duel_advice *advice, duel_link *link, float *gain);

/**
 * What to say. `rematch` 1: band and roles are settled, and no sentence offers to change them.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_advice_get_status(duel_advice *advice, int32_t rematch, duel_advice_status *status);

/* ============================================================================================================ *
 * Links without sound
 *
 * For practice and for tests: they are `duel_link` handles like any other, and a session plays over them the same way. A
 * relay moves messages over a byte stream of the host's: what `duel_link_poll_message` gives at one end goes into
 * `duel_link_push_message` at the other. A packet air joins two ends in one program, thousands of times faster than
 * sound.
 * ============================================================================================================ */

/** How a practice link is set up. Sized. */
typedef struct duel_practice_config {
  /** `sizeof(duel_practice_config)`. */
  uint32_t struct_size;
  /** The band plan that is played on: it gives the pace and the capacity, `DUEL_PLAN_...`. */
  int32_t plan;
  /** A relay's own role, `DUEL_ROLE_...`. */
  int32_t role;
  /** From a packet's start to its arrival; at most 2,000. 0: what the packet itself takes, or 250 in a packet air. */
  uint32_t latency_ms;
  /** Packets of a thousand that get lost. */
  uint32_t loss_permille;
  /** What each end says of what it hears; 0: 21. */
  float snr_db;
  /** Decides losses, and when packets start. */
  uint64_t seed;
} duel_practice_config;

/**
 * Makes one end of a relay: carry its messages over any byte stream.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: the caller owns it: `duel_link_free`.
 * Since: ABI 1.
 */
duel_status duel_relay_new(const duel_practice_config *config, char *why, size_t why_bytes, duel_link **link);

/**
 * Makes both ends of a packet air, for tests in one program: no sound, no messages to carry. Both ends on one thread.
 *
 * Thread: the game's, both.
 * Realtime: no.
 * Owns: the caller owns both: `duel_link_free`.
 * Since: ABI 1.
 */
duel_status duel_air_new(const duel_practice_config *config, char *why, size_t why_bytes, duel_link **host,
    duel_link **guest);

/* ============================================================================================================ *
 * The simulated room
 *
 * Two phones on a table, sample by sample: echoes, one's own signal 40 dB louder, harmonics, noise, two clocks. Test an
 * integration in it before there are phones: `duel_room_run` runs two pumps in it, and two links or sessions play as they
 * would live. One room time drives both; everything random comes from one seed.
 * ============================================================================================================ */

/** One of the two phones: `DUEL_PHONE_...`. */
typedef int32_t duel_phone;

/** The first. */
#define DUEL_PHONE_A 0
/** The second. */
#define DUEL_PHONE_B 1

/** What a room is made of. Sized; zero means the default, or that the trouble is not there. */
typedef struct duel_room_config {
  /** `sizeof(duel_room_config)`. */
  uint32_t struct_size;
  /** 1: only the direct sound. */
  int32_t no_echoes;
  /** Decides walls, places, noise and taps. */
  uint64_t seed;
  /** Each phone's sample rate; 0: 48,000. */
  uint32_t sample_rate_hz[2];
  /** How fast each phone's clock runs, parts per million, up to 5,000 either way. */
  double skew_ppm[2];
  /** From handing a sample to the device to its leaving the speaker; 0: 45. */
  double output_latency_ms;
  /** From reaching the microphone to being handed over; 0: 30. */
  double input_latency_ms;
  /** Between the phones, 1 to 1,000; 0: 20. */
  double distance_cm;
  /** Signal over the microphones' noise at 10 cm; 0: 40. */
  double noise_snr10_db;
  /** One's own speaker over the peer's direct sound; 0: 40. */
  double own_path_db;
  /** Taps on the screens a second, each. */
  double taps_per_second;
  /** How loud a tap is over the peer's signal. */
  double taps_over_peer_db;
  /** Game audio below this frequency; 0: none. */
  double jammer_cutoff_hz;
  /** How loud the game audio is, dB of full scale, below 0. */
  double jammer_level_dbfs;
  /** Someone holds a phone and moves it at this speed, metres a second. */
  double motion_speed_m_s;
  /** How far it moves about its place; 0: 5. */
  double motion_reach_cm;
  /** The phones cut off their recordings above this; 0: no. */
  double capture_cutoff_hz;
  /** The microphones' gain steps by this much; 0: no. */
  double agc_step_db;
  /** Seconds between steps; 0: 2. */
  double agc_every_s;
  /** Stretches missing from the recordings, a second. */
  double dropouts_per_second;
  /** How long one lasts; 0: 10. */
  double dropouts_last_ms;
  /** 1: loudspeakers made for voices, whose treble falls off. */
  int32_t poor_treble;
  /** Zero. */
  int32_t reserved;
} duel_room_config;

/** Something that happens to the sound: `DUEL_TROUBLE_...`. */
typedef int32_t duel_trouble;

/** A phone's recording holds only silence. */
#define DUEL_TROUBLE_CAPTURE_GAP 1
/** Neither phone hears the other. */
#define DUEL_TROUBLE_DROPOUT 2
/** A phone is not heard by the other. */
#define DUEL_TROUBLE_UNHEARD 3
/** A phone's audio device stops: it plays nothing and its frames are lost, though they count. */
#define DUEL_TROUBLE_DEVICE_STOP 4

/**
 * Makes a room: a few milliseconds of work.
 *
 * Thread: any.
 * Realtime: no.
 * Owns: the caller owns it.
 * Since: ABI 1.
 */
duel_status duel_room_new(const duel_room_config *config, char *why, size_t why_bytes, duel_room **room);

/**
 * Frees a room; NULL is fine.
 *
 * Thread: any.
 * Realtime: no.
 * Owns: takes the handle.
 * Since: ABI 1.
 */
duel_status duel_room_free(duel_room *room);

/**
 * Why the newest call on this handle that failed did so. The string lies in the handle: read it before the next call.
 *
 * Thread: the room's.
 * Realtime: yes.
 * Owns: nothing.
 * Since: ABI 1.
 */
const char *duel_room_detail(duel_room *room);

/**
 * Runs both phones' pumps until the room's clock shows `until_us`, in blocks of 128 frames. A pump that is NULL is a
 * phone that is switched off; the same pump cannot be both. At most a minute at once. Then poll both links at
 * `until_us`; small steps (10,000) are like a live game loop.
 *
 * Thread: one, for the room and both pumps.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_room_run(duel_room *room, uint64_t until_us, duel_pump *pump_a, duel_pump *pump_b);

/**
 * Writes the phone whose block comes next, `DUEL_PHONE_...`, and the number of its first frame: for hosts that run the
 * phones themselves. Take turns: `duel_room_capture` and `duel_room_play` the same frames of that phone.
 *
 * Thread: the room's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_room_next(duel_room *room, duel_phone *phone, uint64_t *first_frame);

/** The most frames a phone can be handed at once. */
#define DUEL_ROOM_FRAMES_MAX 512

/**
 * What a phone's microphone hears next.
 *
 * Thread: the room's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_room_capture(duel_room *room, duel_phone phone, float *input, uint32_t frames);

/**
 * What a phone's speaker plays for the frames just captured.
 *
 * Thread: the room's.
 * Realtime: no.
 * Owns: nothing; the samples are copied.
 * Since: ABI 1.
 */
duel_status duel_room_play(duel_room *room, duel_phone phone, const float *output, uint32_t frames);

/**
 * Lets something happen to the sound, `DUEL_TROUBLE_...`, at a room time and for a while. `phone` is whose, where the
 * trouble has a phone.
 *
 * Thread: the room's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_room_trouble(duel_room *room, duel_trouble trouble, duel_phone phone, uint64_t at_us,
    uint64_t lasts_us);

/* ============================================================================================================ *
 * Match level: your own game
 *
 * Your game is a deterministic simulation: equal setups and equal orders give equal worlds on both phones. No floats, no
 * clock, no randomness but from the setup's seed. The library calls its functions from `duel_session_run` alone, on the
 * game's thread; what they call back into the same session is refused with `DUEL_BUSY`.
 *
 * Orders are bits of your own, 1 to 83 of them. The library adds one thing: `duel_session_resign`, which ends the match
 * without your game knowing.
 * ============================================================================================================ */

/** The longest order of one's own game, bits. */
#define DUEL_ORDER_BITS 83

/** An order of one's own game. Frozen. */
typedef struct duel_order {
  /** Who gives it, `DUEL_SIDE_...`. */
  int32_t side;
  /** How many bits it has. */
  uint32_t bit_count;
  /** Bit `i` is bit `7 - i % 8` of byte `i / 8`; zeros follow. */
  uint8_t bits[12];
} duel_order;

/** Your game. Sized. The library copies it; `userdata` and the functions must live until the session is freed. */
typedef struct duel_game {
  /** `sizeof(duel_game)`. */
  uint32_t struct_size;
  /** Zero. */
  uint32_t reserved;
  /** Passed to every function. */
  void *userdata;
  /** Runs one tick under `count` orders, blue's before red's. They live for the call only. */
  void (*step)(void *userdata, const duel_order *orders, size_t count);
  /** A digest of everything that can affect the future: once before the first step, and once after each. */
  uint64_t (*hash)(void *userdata);
  /** 1 once the match is decided, with the winning side in `winner` (anything but a side is a draw); otherwise 0. */
  int32_t (*outcome)(void *userdata, int32_t *winner);
  /** Writes the world if it takes at most `capacity` bytes; returns how many it takes. May be NULL. */
  size_t (*save)(void *userdata, uint8_t *bytes, size_t capacity);
  /** Becomes the world that was saved; 0 if that worked. May be NULL. */
  int32_t (*load)(void *userdata, const uint8_t *bytes, size_t length);
} duel_game;

/** What your game has to choose from: both phones of one build hold the same. Sized. */
typedef struct duel_catalogue {
  /** `sizeof(duel_catalogue)`. */
  uint32_t struct_size;
  /** Hand-made maps, at most 6; 0: one. */
  uint32_t maps;
  /** Kinds of random maps, at most 5. */
  uint32_t biomes;
  /** Mutators that can be switched on, at most 12. */
  uint32_t mutators;
  /** Ways to start, at most 3. With none the picks are skipped as soon as they come. */
  uint32_t openers;
  /** For each opener, the mutators that block it. */
  uint32_t blocked_by[3];
} duel_catalogue;

/**
 * Finds out whether your game is fit to be played on two phones: saves it, steps it `ticks` times (with the orders given
 * in every tick), loads what was saved, steps it again, and compares every hash. A float, a clock, an uninitialised
 * byte or something left out of the save shows here, on one machine. The game ends up `ticks` later; it needs save and
 * load.
 *
 * `DUEL_REFUSED`: it is not, and `why` says in which tick it came out differently.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_game_check(const duel_game *game, const duel_order *orders, size_t count, uint32_t ticks,
    char *why, size_t why_bytes);

/* ============================================================================================================ *
 * Match level: a session
 *
 * One phone's half of a duel: it pairs over a link, and plays the match in lockstep. Call `duel_session_pump` every
 * frame. In the lobby, show `duel_session_get_status` and `duel_session_pick` an opener. Once the phase is
 * `DUEL_PHASE_READY`, build the world from `duel_session_agreed` and `duel_session_begin`. Then `duel_session_run` every
 * frame: it steps every tick that is due, 10 a second. An order given now is applied on both phones a few ticks later.
 *
 * A session allocates when it is made, at most 64 KiB, and when a match begins: the skirmish's world takes at most 2 MiB.
 * While a match runs it grows by what is ordered.
 * ============================================================================================================ */

/** Called with a line for a log: a phase, a wait, a refusal. The text lives for the call only. */
typedef void (*duel_log_fn)(void *userdata, const char *text);

/** How the starting mode is chosen: `DUEL_START_...`. */
typedef int32_t duel_start;

/** Fast if both phones receive well enough for it, robust otherwise. */
#define DUEL_START_MEASURED 0
/** Robust, whatever the phones receive. */
#define DUEL_START_ROBUST 1
/** Fast, whatever the phones receive. */
#define DUEL_START_FAST 2

/** Which map, as numbers of the catalogue. Frozen. */
typedef struct duel_map {
  /** 0: a hand-made map; 1: a random one. */
  int32_t random;
  /** The map's index, or the biome's. */
  uint32_t index;
  /** A random map's own seed. */
  uint32_t seed;
} duel_map;

/** What a phone brings to a duel. Sized. */
typedef struct duel_session_config {
  /** `sizeof(duel_session_config)`. */
  uint32_t struct_size;
  /** Host this match or join one, `DUEL_ROLE_...`: the link's role. */
  int32_t role;
  /** Your build's number, 1 to 65,535: phones with different ones refuse to play. 0: 1, or the skirmish's own. */
  uint32_t build;
  /** 1: the match stays in the mode it starts in. */
  int32_t keep_mode;
  /** Your game's name, as records carry it; NULL: "own". */
  const char *game;
  /** The host's choice: the map. */
  duel_map map;
  /** The host's choice: mutators, bit `i` for mutator `i`. */
  uint32_t mutators;
  /** The side the host plays, `DUEL_SIDE_...`. */
  int32_t host_side;
  /** How the host chooses the starting mode, `DUEL_START_...`. */
  int32_t start;
  /** A log sink, or NULL. */
  duel_log_fn log;
  /** Passed to it. */
  void *log_userdata;
  /** Where nonces are drawn from: unpredictable, and never the same twice. */
  uint64_t seed;
  /**
   * The host's choice: how many ticks pass between giving an order and its being applied, 3 to 8, rematches included;
   * 0: as many as the measured round trip calls for. For practice links and tests: by sound leave it 0.
   */
  uint32_t delay_ticks;
  /** Zero. */
  uint32_t reserved;
} duel_session_config;

/** The match agreed. Sized. Equal on both phones but for `role` and `local_side`. */
typedef struct duel_agreed {
  /** `sizeof(duel_agreed)`. */
  uint32_t struct_size;
  /** The side this phone plays. */
  int32_t local_side;
  /** Its role. */
  int32_t role;
  /** The side the host plays. */
  int32_t host_side;
  /** The map. */
  duel_map map;
  /** The mutators. */
  uint32_t mutators;
  /** The seed of everything random within the match. */
  uint32_t seed;
  /** Blue's and red's opener; -1: none. */
  int32_t openers[2];
  /** How many ticks pass between giving an order and its being applied. */
  uint32_t delay_ticks;
  /** 1: the match starts in fast mode. */
  int32_t fast;
  /** The band plan it was agreed on. */
  int32_t plan;
} duel_agreed;

/** What a pick is called where none was made: see `duel_session_pick`. */
#define DUEL_NO_OPENER (-2)

/**
 * Takes the link, for as long as the session lives: sending and polling go through the session then, everything else
 * through the link. Pairing starts with the first `duel_session_pump`.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: the caller owns it; the link stays the caller's too, and both may be freed in any order.
 * Since: ABI 1.
 */
duel_status duel_session_new(const duel_session_config *config, const duel_catalogue *catalogue,
    duel_link *link, char *why, size_t why_bytes, duel_session **session);

/**
 * Frees a session; NULL is fine. A match in play ends without a word: `duel_session_leave` first.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: takes the handle.
 * Since: ABI 1.
 */
duel_status duel_session_free(duel_session *session);

/**
 * Why the newest call on this handle that failed did so. The string lies in the handle: read it before the next call.
 *
 * Thread: the game's.
 * Realtime: yes.
 * Owns: nothing.
 * Since: ABI 1.
 */
const char *duel_session_detail(duel_session *session);

/**
 * Takes in what the link has brought, and hands it what is new to send. Call it every frame, whatever the phase.
 *
 * Thread: the game's.
 * Realtime: no. Bounded by what has arrived.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_session_pump(duel_session *session, uint64_t now_us);

/**
 * Chooses this phone's opener, while the phase is `DUEL_PAIRING_PICKING`: an index, or `DUEL_NO_OPENER` where none is
 * allowed. It is final. If nothing is picked in time, the library picks the first allowed.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_session_pick(duel_session *session, int32_t opener);

/**
 * Writes which openers can be picked now: bit `i` for opener `i`. None at all means that `DUEL_NO_OPENER` is the pick,
 * if picking is on.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_session_openers(duel_session *session, uint32_t *mask);

/**
 * Pairs again under a fresh nonce: after a failure, a version mismatch, or to start the lobby over.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_session_retry(duel_session *session, uint64_t now_us);

/**
 * The match agreed: build your world from it. `DUEL_NOT_NOW` before.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_session_agreed(duel_session *session, duel_agreed *agreed);

/* ============================================================================================================ *
 * Match level: the match
 *
 * From the agreed match to its end and the next one.
 * ============================================================================================================ */

/**
 * Begins the agreed match with your game, set up and not stepped yet. (The skirmish begins with
 * `duel_skirmish_begin`.)
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing; the game's `userdata` stays the caller's.
 * Since: ABI 1.
 */
duel_status duel_session_begin(duel_session *session, uint64_t now_us, const duel_game *game);

/**
 * Steps every tick that is due, and writes how many (`ticks` may be NULL). `DUEL_STALLED`: the next one waits for the
 * peer. Nothing happens outside of a match.
 *
 * Thread: the game's. Your game's functions are called from here.
 * Realtime: no. At most 5 ticks a call.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_session_run(duel_session *session, uint64_t now_us, uint32_t *ticks);

/**
 * Gives an order of your own game: the first `bit_count` bits of `bits`, 1 to `DUEL_ORDER_BITS`. Orders keep their order.
 * `first` 1: it goes ahead of everything that waits. `DUEL_REFUSED`: too much waits already.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing; the bits are copied.
 * Since: ABI 1.
 */
duel_status duel_session_order(duel_session *session, uint64_t now_us, const uint8_t *bits,
    uint32_t bit_count, int32_t first);

/**
 * Writes this phone's own order number `index` of those that are given and not applied yet, in the order they will be: what
 * to show a player as done already. `DUEL_EMPTY` past the last. One that a newer one replaced is not among them; none are
 * before the match and after its end.
 *
 * Thread: the game's.
 * Realtime: no. Bounded by what waits.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_session_in_flight(duel_session *session, uint32_t index, duel_order *order);

/**
 * Gives up the match: it goes ahead of everything that waits, and both phones end it in the same tick.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_session_resign(duel_session *session, uint64_t now_us);

/**
 * Pauses (1) or resumes (0) this phone: what a hidden window does. The peer stalls and is told why.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_session_set_paused(duel_session *session, uint64_t now_us, int32_t paused);

/**
 * Leaves: the peer is told. Keep pumping until the status says `closable`, about 2 s; then close or free. `desync` 1:
 * ends the match as out of sync, which you found out by other means.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_session_leave(duel_session *session, uint64_t now_us, int32_t desync);

/**
 * Closes the link for good, whether or not everything is said. What is known of the match stays.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_session_close(duel_session *session);

/**
 * Opens the lobby again on the same link, for a rematch: sides swap; roles, map and mutators stay. Both phones call it
 * after their match. `seed` as in the configuration, another than before. The status says `rematch_over` once nothing
 * was heard for a minute.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing; the game of the match before is no longer used.
 * Since: ABI 1.
 */
duel_status duel_session_reset(duel_session *session, uint64_t now_us, uint64_t seed);

/* ============================================================================================================ *
 * Match level: what to show
 *
 * One structure for the lobby, the head-up display and the end. Numbers that are not known are -1, floats not a number.
 * ============================================================================================================ */

/** Where a session stands: `DUEL_PHASE_...`. */
typedef int32_t duel_phase;

/** Pairing: see `pairing`. */
#define DUEL_PHASE_LOBBY 0
/** A match is agreed: build the game and begin. */
#define DUEL_PHASE_READY 1
/** The match runs. */
#define DUEL_PHASE_PLAYING 2
/** The match has ended; its report is on the air. */
#define DUEL_PHASE_OVER 3
/** This phone is saying goodbye. */
#define DUEL_PHASE_LEAVING 4
/** The link is closed. */
#define DUEL_PHASE_CLOSED 5

/** Where a pairing stands: `DUEL_PAIRING_...`. */
typedef int32_t duel_pairing;

/** Nobody heard yet. */
#define DUEL_PAIRING_LISTENING 0
/** A peer is heard: the link is being measured, the match agreed. */
#define DUEL_PAIRING_MEASURING 1
/** The match is agreed but for the openers: `duel_session_pick`, within `pick_left_ms`. */
#define DUEL_PAIRING_PICKING 2
/** This phone has picked; its peer has not, as far as is known. */
#define DUEL_PAIRING_PICKED 3
/** GO is on the air. */
#define DUEL_PAIRING_GOING 4
/** Agreed: the match can begin. */
#define DUEL_PAIRING_STARTED 5
/** This phone gave up, `problem_text` says why: offer `duel_session_retry`. */
#define DUEL_PAIRING_FAILED 6
/** The phones run different software: update both. */
#define DUEL_PAIRING_OTHER_VERSION 7

/** What to tell a player whose phone hears nothing: `DUEL_HINT_...`. */
typedef int32_t duel_hint;

/** Nothing yet. */
#define DUEL_HINT_NONE 0
/** One phone hosts, the other joins: offer to switch. */
#define DUEL_HINT_SWITCH_ROLE 1
/** Tips about volume, distance and headphones. */
#define DUEL_HINT_TIPS 2

/** Why the next tick has to wait: `DUEL_WAIT_...`. */
typedef int32_t duel_wait;

/** It does not. */
#define DUEL_WAIT_NONE 0
/** The peer has not begun. */
#define DUEL_WAIT_LOAD 1
/** The peer is paused. */
#define DUEL_WAIT_PAUSED 2
/** The peer's turns do not get through. */
#define DUEL_WAIT_LINK 3

/** What to show over a match that waits: `DUEL_OVERLAY_...`. */
typedef int32_t duel_overlay;

/** Nothing. */
#define DUEL_OVERLAY_NONE 0
/** "Waiting for your peer..." */
#define DUEL_OVERLAY_WAITING 1
/** "Waiting for your peer to load..." */
#define DUEL_OVERLAY_LOADING 2
/** "Peer paused" */
#define DUEL_OVERLAY_PEER_PAUSED 3
/** "Signal lost: bring the phones closer" */
#define DUEL_OVERLAY_SIGNAL_LOST 4

/** How a match ended: `DUEL_END_...`. */
typedef int32_t duel_end;

/** It has not. */
#define DUEL_END_NONE 0
/** It was decided: `winner`, `resigned`, and `sync` for whether the peer came to the same. */
#define DUEL_END_DECIDED 1
/** The two worlds differ, found out after `end_tick` ticks: no contest. */
#define DUEL_END_DESYNC 2
/** The peer left: no result. */
#define DUEL_END_PEER_LEFT 3
/** This phone left: no result. */
#define DUEL_END_LEFT 4

/** Whether two phones that decided a match came to the same world: `DUEL_SYNC_...`. */
typedef int32_t duel_sync;

/** "Checking sync...": the peer's report is awaited. */
#define DUEL_SYNC_CHECKING 0
/** They did. */
#define DUEL_SYNC_IN_SYNC 1
/** The peer never said: "Not verified". */
#define DUEL_SYNC_NOT_VERIFIED 2

/** How a match counts for this phone: `DUEL_SCORE_...`. */
typedef int32_t duel_score;

/** Not at all yet. */
#define DUEL_SCORE_NONE 0
/** Won. */
#define DUEL_SCORE_WIN 1
/** Lost. */
#define DUEL_SCORE_LOSS 2
/** Drawn. */
#define DUEL_SCORE_DRAW 3
/** It ended without a result. */
#define DUEL_SCORE_ABANDONED 4
/** The worlds differed. */
#define DUEL_SCORE_NO_CONTEST 5

/** What the peer said before this phone began the match: `DUEL_PEER_...`. */
typedef int32_t duel_peer;

/** Nothing. */
#define DUEL_PEER_NONE 0
/** It left: do not begin. */
#define DUEL_PEER_LEFT 1
/** It found the worlds to differ, or its match is long decided. */
#define DUEL_PEER_ENDED 2

/** A session, to show. Sized. */
typedef struct duel_session_status {
  /** `sizeof(duel_session_status)`. */
  uint32_t struct_size;
  /** Where it stands, `DUEL_PHASE_...`. */
  int32_t phase;
  /** Lobby: where the pairing stands, `DUEL_PAIRING_...`. */
  int32_t pairing;
  /** Lobby: time left to pick an opener, or -1. */
  int32_t pick_left_ms;
  /** Lobby: what to tell a player whose phone hears nothing, `DUEL_HINT_...`. */
  int32_t hint;
  /** Lobby: how long ago the peer was last heard, or -1. */
  int32_t since_heard_ms;
  /** Lobby: 1 if the peer was heard hearing this phone within 2 s. */
  int32_t peer_hears_me;
  /** How well this phone hears its peer, 0 to 7 in steps of 3 dB. */
  int32_t rx_quality;
  /** How well the peer says that it hears this phone, or -1. */
  int32_t peer_rx_quality;
  /** The round trip measured in the lobby, or -1. */
  int64_t round_trip_us;
  /** 1: `offer_...` is what the host offers, or what was agreed. */
  int32_t offered;
  /** Offered: the map. */
  duel_map offer_map;
  /** Offered: mutators, bit `i` for mutator `i`. */
  uint32_t offer_mutators;
  /** Offered: the side the host plays, or -1. */
  int32_t offer_host_side;
  /** Offered: 1 if it starts in fast mode. */
  int32_t offer_fast;
  /** Agreed: how many ticks pass between giving an order and its being applied, or -1. */
  int32_t delay_ticks;
  /** Agreed: the side this phone plays, or -1. */
  int32_t local_side;
  /** Picking: this phone's pick, an opener, `DUEL_NO_OPENER`, or -1 for none yet. */
  int32_t own_pick;
  /** Picking: the peer's, once it is final, or -1. */
  int32_t peer_pick;
  /** 1: the host offers what this phone's catalogue does not hold; `problem_text` names it. */
  int32_t offer_refused;
  /** Other version: whose software is older: -1 this phone's, 1 the peer's, 0 unknown. */
  int32_t version_age;
  /** Other version: this phone's build and the peer's. */
  uint32_t builds[2];
  /** What the peer said before this phone began, `DUEL_PEER_...`. */
  int32_t peer_ended;
  /** 1: a rematch's lobby has heard nothing for a minute: back to the menu. */
  int32_t rematch_over;
  /** Match: how many ticks have been stepped. */
  uint32_t tick;
  /** Match: how far the pose is between the last tick and the next, in thousandths. */
  uint32_t pose_permille;
  /** Match: how fast it runs, in thousandths. */
  uint32_t speed_permille;
  /** Match: why the next tick waits, `DUEL_WAIT_...`. */
  int32_t waiting;
  /** Match: for how long. */
  uint32_t waiting_ms;
  /** Match: what to show for it, `DUEL_OVERLAY_...`. */
  int32_t overlay;
  /** Match: 1 if the overlay offers to leave. */
  int32_t overlay_leave;
  /** Match: 1 if the pause menu offers to leave without a result. */
  int32_t menu_leave;
  /** Match: 1 if packets arrive: the way out is "Resign and leave". */
  int32_t resign_and_leave;
  /** Match: 1 if this phone is paused. */
  int32_t paused;
  /** Match: 1 if the peer says that it is. */
  int32_t peer_paused;
  /** Match: 1 if the player should be told that orders wait for the link: "Orders queued". */
  int32_t orders_queued;
  /** Match: pieces of orders that wait. */
  uint32_t orders_waiting;
  /** Match: how long orders took on average, in ticks. */
  float order_delay_ticks;
  /** Match: the longest an order took, in ticks. */
  uint32_t order_delay_max_ticks;
  /** Match: ticks that had to wait. */
  uint32_t stalled_ticks;
  /** Match: time that due ticks waited. */
  uint64_t stall_ms;
  /** Match: of that, the time in which the peer neither loaded nor was paused. */
  uint64_t stall_by_link_ms;
  /** Match: game frames of the peer's that made no sense. */
  uint32_t frames_refused;
  /** The mode this phone asked its link to send in, `DUEL_MODE_...`. */
  int32_t mode;
  /** End: how, `DUEL_END_...`. */
  int32_t end;
  /** End: the winning side, or -1 for a draw. */
  int32_t winner;
  /** End: 1 if by resignation. */
  int32_t resigned;
  /** End: whether the peer came to the same, `DUEL_SYNC_...`. */
  int32_t sync;
  /** End: the tick after which the worlds were found to differ. */
  uint32_t end_tick;
  /** End: 1 once nothing more will become known of it by waiting. */
  int32_t settled;
  /** End: how it counts for this phone, `DUEL_SCORE_...`. */
  int32_t score;
  /** End: 1 if the peer is back in the lobby: offer a rematch. */
  int32_t peer_in_lobby;
  /** 1: nothing more has to be said, and the link may be closed. */
  int32_t closable;
  /**
   * Why the pairing failed, or what is wrong with the offer, in English; empty if nothing is. In the session, until its
   * next call.
   */
  const char *problem_text;
  /** When something will be due that no packet has to bring, or -1. Pump at least every 50 ms besides. */
  int64_t next_wake_us;
} duel_session_status;

/**
 * How the session stands at `now_us`.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_session_get_status(duel_session *session, uint64_t now_us, duel_session_status *status);

/* ============================================================================================================ *
 * Match level: events
 *
 * What happened, in order, for a host that would rather be told than compare statuses.
 * ============================================================================================================ */

/** Something that a host may want to tell its player: `DUEL_EVENT_...`. */
typedef int32_t duel_session_event_kind;

/** The session is in another phase: `value` is `DUEL_PHASE_...`. */
#define DUEL_EVENT_PHASE 1
/** The match waits, or goes on: `value` is `DUEL_WAIT_...`. */
#define DUEL_EVENT_WAITING 2
/** This phone sends in another mode: `value` is `DUEL_MODE_...`. */
#define DUEL_EVENT_MODE 3
/** An order was not taken; the text says why. */
#define DUEL_EVENT_ORDER_REFUSED 4
/** The match has ended, or more is known about its end: `value` is `DUEL_END_...`. */
#define DUEL_EVENT_END 5
/** The peer is back in the lobby: offer a rematch. */
#define DUEL_EVENT_PEER_IN_LOBBY 6

/** Something that happened. Sized. */
typedef struct duel_session_event {
  /** `sizeof(duel_session_event)`. */
  uint32_t struct_size;
  /** What, `DUEL_EVENT_...`. */
  int32_t kind;
  /** What it became, where the kind says so. */
  int32_t value;
  /** Zero. */
  int32_t reserved;
  /** The same in words, for a log. In the session, until its next call. */
  const char *text;
} duel_session_event;

/**
 * The next thing that happened; `DUEL_EMPTY` when there is no more. What nobody asks for is dropped, the oldest first.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_session_poll_event(duel_session *session, duel_session_event *event);

/* ============================================================================================================ *
 * Match level: records and scores
 *
 * A record is one line of JSON with everything needed to play the match again and the hashes to prove it; both phones'
 * records of a decided match are equal byte for byte. Where the tally of wins and losses is kept is the host's matter;
 * this is the arithmetic.
 * ============================================================================================================ */

/** The tally of a phone's matches. Frozen. Zero is an empty one. */
typedef struct duel_score_book {
  /** Matches won. */
  uint32_t wins;
  /** Matches lost. */
  uint32_t losses;
  /** Matches drawn. */
  uint32_t draws;
  /** Matches without a result. */
  uint32_t abandoned;
  /** Matches whose worlds differed. */
  uint32_t no_contest;
} duel_score_book;

/**
 * Writes the record of the match so far: one line of JSON, without an ending zero. `capacity` 0 asks only for its length.
 * It grows by what is ordered, about 30 bytes an order, and is written anew each time. `DUEL_NOT_NOW` before a match has
 * begun.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_session_record(duel_session *session, uint8_t *bytes, size_t capacity, size_t *length);

/**
 * Writes the world as the game saves it: your own game through its `save`, the skirmish in a form of its own.
 * `capacity` 0 asks only for its length. `DUEL_UNSUPPORTED`: your game has no `save`.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_session_save(duel_session *session, uint8_t *bytes, size_t capacity, size_t *length);

/**
 * Counts this match in `book`, as far as its end is known: call it every frame after the match, and once when the app goes
 * into the background in mid-match (`hidden` 1: it may never come back). `DUEL_OK`: the book has changed, store it now;
 * otherwise `DUEL_EMPTY`. A match whose sync turns out to be broken is moved over. Practice links never count.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_session_count_score(duel_session *session, uint64_t now_us, int32_t hidden,
    duel_score_book *book);

/* ============================================================================================================ *
 * Skirmish level
 *
 * The whole reference duel behind the same session: `duel_skirmish_new` in place of `duel_session_new`,
 * `duel_skirmish_begin` in place of `duel_session_begin`, and every other function of the match level as it is. Orders
 * are typed, an AI can play, and the world is read for drawing. Positions are 1024ths of a tile, x to the east, y to the
 * south; tiles count from the north-west corner.
 * ============================================================================================================ */

/** What plays a side: `DUEL_AI_...`. */
typedef int32_t duel_ai;

/** A person: nobody but `duel_skirmish_give`. */
#define DUEL_AI_NONE 0
/** Slow to act, and poor. */
#define DUEL_AI_EASY 1
/** A fair opponent. */
#define DUEL_AI_NORMAL 2
/** Quick, and well supplied. */
#define DUEL_AI_HARD 3

/**
 * As `duel_session_new`, for the reference game: `build` 0 and `game` NULL are its own.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: the caller owns it: `duel_session_free`.
 * Since: ABI 1.
 */
duel_status duel_skirmish_new(const duel_session_config *config, duel_link *link, char *why, size_t why_bytes,
    duel_session **session);

/**
 * Begins the agreed match: builds the world and takes this phone's side. `ai` (`DUEL_AI_...`) plays it, on top of
 * what `duel_skirmish_give` gives; `ai_seed` decides what it does.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_begin(duel_session *session, uint64_t now_us, duel_ai ai, uint32_t ai_seed);

/* ============================================================================================================ *
 * Skirmish level: the catalogue
 *
 * What there is to choose from and to build, by index and by name. Indices never change.
 * ============================================================================================================ */

/** A table of names: `DUEL_NAMES_...`. */
typedef int32_t duel_names;

/** Hand-made maps. */
#define DUEL_NAMES_MAPS 0
/** Biomes of random maps. */
#define DUEL_NAMES_BIOMES 1
/** Mutators, by bit. */
#define DUEL_NAMES_MUTATORS 2
/** Openers. */
#define DUEL_NAMES_OPENERS 3
/** Kinds of units. */
#define DUEL_NAMES_UNITS 4
/** Kinds of buildings. */
#define DUEL_NAMES_BUILDINGS 5
/** Powers. */
#define DUEL_NAMES_POWERS 6
/** Kinds of orders. */
#define DUEL_NAMES_ORDERS 7
/** Why an order did nothing, as sentences. */
#define DUEL_NAMES_REFUSALS 8

/** A kind of unit: `DUEL_UNIT_...`. */
typedef int32_t duel_unit_kind;

/** Mines ore and brings it to a refinery. */
#define DUEL_UNIT_HARVESTER 0
/** Fast and far-sighted, weak in a fight. */
#define DUEL_UNIT_SCOUT 1
/** Line infantry. */
#define DUEL_UNIT_RIFLE 2
/** Anti-armour infantry that also reaches aircraft. */
#define DUEL_UNIT_ROCKET 3
/** The line vehicle. */
#define DUEL_UNIT_TANK 4
/** Fires far, but only while anchored. */
#define DUEL_UNIT_ARTILLERY 5
/** Repairs vehicles and buildings nearby. */
#define DUEL_UNIT_REPAIR 6
/** Shoots at aircraft, from the ground. */
#define DUEL_UNIT_FLAK 7
/** Fast aircraft against aircraft and light targets. */
#define DUEL_UNIT_FIGHTER 8
/** Slow aircraft against buildings and vehicles. */
#define DUEL_UNIT_BOMBER 9
/** Air carrier: takes infantry aboard, and lifts a Goliath together with another. */
#define DUEL_UNIT_CONDOR 10
/** Slow heavy tank that Condors can carry. */
#define DUEL_UNIT_GOLIATH 11

/** A kind of building: `DUEL_BUILDING_...`. */
typedef int32_t duel_building_kind;

/** The command centre: a side that loses it is beaten. */
#define DUEL_BUILDING_HQ 0
/** Supplies power. */
#define DUEL_BUILDING_REACTOR 1
/** Takes in ore; comes with a harvester. */
#define DUEL_BUILDING_REFINERY 2
/** Trains infantry. */
#define DUEL_BUILDING_BARRACKS 3
/** Builds vehicles. */
#define DUEL_BUILDING_FACTORY 4
/** Builds aircraft. */
#define DUEL_BUILDING_AIRFIELD 5
/** Shoots at ground units. */
#define DUEL_BUILDING_TURRET 6
/** Enables the powers and sees far. */
#define DUEL_BUILDING_UPLINK 7

/** A power, called down on a point: `DUEL_POWER_...`. */
typedef int32_t duel_power;

/** Heavy damage in a small circle, after a delay. */
#define DUEL_POWER_STRIKE 0
/** Repairs one's own in a circle. */
#define DUEL_POWER_MEND 1
/** Reveals a large circle for a while. */
#define DUEL_POWER_SCAN 2
/** Drops a squad of rifles. */
#define DUEL_POWER_DROP 3

/** What a unit, a building or a power costs and is. Sized. Zero where it does not apply. */
typedef struct duel_skirmish_spec {
  /** `sizeof(duel_skirmish_spec)`. */
  uint32_t struct_size;
  /** What it costs, or -1 for what cannot be built. */
  int32_t cost;
  /** Ticks to make one at full power; of a power, ticks between two uses. */
  uint32_t build_ticks;
  /** Hit points when whole. */
  int32_t hp;
  /** How far it sees, tiles. */
  uint32_t sight_tiles;
  /** How far it shoots, anchored if it can anchor; of a power, the radius of its circle. */
  int32_t range;
  /** Distance a tick on plain ground. */
  int32_t speed;
  /** Half of a unit's width. */
  int32_t radius;
  /** 1: it flies. */
  int32_t flies;
  /** 1: it is infantry, and fits a Condor. */
  int32_t boards;
  /** The building that makes it, or -1. */
  int32_t made_in;
  /** The building its side must own besides, or -1. */
  int32_t needs;
  /** Tiles a building covers, east and south. */
  uint32_t tiles[2];
  /** Power a building supplies, or uses below 0. */
  int32_t power;
} duel_skirmish_spec;

/**
 * Writes the name at an index of a table (`DUEL_NAMES_...`), cut to `bytes`; `DUEL_EMPTY` past its end. In English.
 *
 * Thread: any.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_name(duel_names table, uint32_t index, char *to, size_t bytes);

/**
 * Writes a map's size in tiles; `DUEL_REFUSED` if there is no such map.
 *
 * Thread: any.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_map_size(const duel_map *map, uint32_t *width, uint32_t *height);

/**
 * What a kind of unit (`DUEL_NAMES_UNITS`), building (`DUEL_NAMES_BUILDINGS`) or power (`DUEL_NAMES_POWERS`) costs and
 * is.
 *
 * Thread: any.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_get_spec(duel_names table, uint32_t index, duel_skirmish_spec *spec);

/**
 * Writes which kinds of units and of buildings this match's mutators ban: bit `i` for kind `i`.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_bans(duel_session *session, uint32_t *units, uint32_t *buildings);

/* ============================================================================================================ *
 * Skirmish level: orders
 *
 * One structure for all twenty kinds of order. What breaks the rules does nothing, and comes back as an effect of kind
 * `DUEL_EFFECT_REFUSED` when its tick is stepped.
 * ============================================================================================================ */

/** A kind of order: `DUEL_ORDER_...`. */
typedef int32_t duel_order_kind;

/** `units` go to the place, firing only at what comes into range. */
#define DUEL_ORDER_MOVE 0
/** `units` go to the place, stopping to fight whatever is met. */
#define DUEL_ORDER_ATTACK_MOVE 1
/** `units`, harvesters, mine the ore at the place, then near it. */
#define DUEL_ORDER_HARVEST 2
/** `units` destroy `object`. */
#define DUEL_ORDER_ATTACK 3
/** `units` drop what they do. */
#define DUEL_ORDER_STOP 4
/** `units`, artillery, dig in to fire far. */
#define DUEL_ORDER_ANCHOR 5
/** `units`, artillery, get ready to move. */
#define DUEL_ORDER_PACK_UP 6
/** Building `object` queues a unit of kind `what`. */
#define DUEL_ORDER_PRODUCE 7
/** Building `object` takes the newest unit of kind `what` out of its queue. */
#define DUEL_ORDER_CANCEL_PRODUCE 8
/** Begin a building of kind `what`; one at a time. */
#define DUEL_ORDER_START_BUILDING 9
/** Give up the building begun. */
#define DUEL_ORDER_CANCEL_BUILDING 10
/** Call a reinforcement to the home edge. */
#define DUEL_ORDER_CALL_WAVE 11
/** Put the finished building down, its north-west tile at the place. */
#define DUEL_ORDER_PLACE_BUILDING 12
/** Sell building `object`. */
#define DUEL_ORDER_SELL 13
/** Units made in building `object` go to the place. */
#define DUEL_ORDER_RALLY 14
/** Use power `what` on the place. */
#define DUEL_ORDER_CALLDOWN 15
/** `units`, infantry, get aboard Condor `object`. */
#define DUEL_ORDER_BOARD 16
/** `units`, Condors, put down what they carry: at the place, or (`here`) where each is. */
#define DUEL_ORDER_UNLOAD 17
/** `units`, Condors, lift Goliath `object` together. */
#define DUEL_ORDER_LIFT 18
/** Give up the match; `duel_session_resign` does the same ahead of everything that waits. */
#define DUEL_ORDER_RESIGN 19
/** The most units one order names. */
#define DUEL_ORDER_UNITS_MAX 200

/** An order. Sized. Which fields count depends on its kind. */
typedef struct duel_skirmish_order {
  /** `sizeof(duel_skirmish_order)`. */
  uint32_t struct_size;
  /** Which, `DUEL_ORDER_...`. */
  int32_t kind;
  /** Who: ids of one's own units. */
  const uint32_t *units;
  /** How many. */
  uint32_t unit_count;
  /** The other thing it names by id: a target, a building, a Condor, a Goliath. */
  uint32_t object;
  /** A kind of unit or building, or a power. */
  int32_t what;
  /** The place, 1024ths of a tile. */
  int32_t x;
  /** The place. */
  int32_t y;
  /** Unload: 1 for where each Condor is. */
  int32_t here;
} duel_skirmish_order;

/**
 * Gives an order: it is applied on both phones a few ticks later. `DUEL_REFUSED`: it names no unit, or too much waits.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing; the units are copied.
 * Since: ABI 1.
 */
duel_status duel_skirmish_give(duel_session *session, uint64_t now_us, const duel_skirmish_order *order);

/**
 * Writes this phone's own order number `index` (its AI's among them) of those that are given and not applied yet, in the
 * order they will be: what to show a player as done already, so that a second tap within the delay does what it would
 * without one. `DUEL_EMPTY` past the last. Fields that an order's kind does not name are zero; its units lie in the session:
 * read them before the next call. One that a newer one replaced is not among them, one of many units may be several, and
 * none are before the match and after its end.
 *
 * Thread: the game's.
 * Realtime: no. Bounded by what waits.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_in_flight(duel_session *session, uint32_t index, duel_skirmish_order *order);

/* ============================================================================================================ *
 * Skirmish level: the world, for drawing
 *
 * Read-only: nothing here changes anything. Draw it after `duel_session_run`, moving units between their last position
 * and this one by `pose_permille`.
 * ============================================================================================================ */

/** Position units to a tile. */
#define DUEL_SUBS_PER_TILE 1024
/** The most units a building queues. */
#define DUEL_QUEUE_MAX 5

/** What a tile is made of: `DUEL_TERRAIN_...`. */
typedef int32_t duel_terrain;

/** Open ground. */
#define DUEL_TERRAIN_PLAIN 0
/** Slows what drives or walks. */
#define DUEL_TERRAIN_ROUGH 1
/** Blocks the ground. */
#define DUEL_TERRAIN_ROCK 2
/** Blocks the ground. */
#define DUEL_TERRAIN_WATER 3

/** What a unit is doing: `DUEL_ACTIVITY_...`. */
typedef int32_t duel_activity;

/** Nothing. */
#define DUEL_ACTIVITY_IDLE 0
/** Going somewhere. */
#define DUEL_ACTIVITY_MOVING 1
/** Going somewhere, fighting on the way. */
#define DUEL_ACTIVITY_ATTACK_MOVING 2
/** Destroying something it was told to. */
#define DUEL_ACTIVITY_ATTACKING 3
/** Mining, or bringing ore home. */
#define DUEL_ACTIVITY_HARVESTING 4
/** On its way aboard a Condor. */
#define DUEL_ACTIVITY_BOARDING 5
/** On its way to put down what it carries. */
#define DUEL_ACTIVITY_UNLOADING 6
/** On its way to hook a Goliath. */
#define DUEL_ACTIVITY_LIFTING 7

/** The world at a glance. Sized. Pairs are blue's and red's. */
typedef struct duel_skirmish_world {
  /** `sizeof(duel_skirmish_world)`. */
  uint32_t struct_size;
  /** How many ticks have been stepped. */
  uint32_t tick;
  /** The map's size in tiles. */
  uint32_t width;
  /** The map's size in tiles. */
  uint32_t height;
  /** How many units there are. */
  uint32_t units;
  /** How many buildings there are. */
  uint32_t buildings;
  /** Credits. */
  uint32_t credits[2];
  /** Power supplied less power used; below 0 everything is made at half speed. */
  int32_t power[2];
  /** The building begun, a kind, or -1. */
  int32_t site[2];
  /** How far it is, in thousandths; 1000 waits to be placed. */
  uint32_t site_permille[2];
  /** The tick from which the next wave can be called. */
  uint32_t wave_ready[2];
  /** The tick from which each power can be used: blue's four, then red's. */
  uint32_t powers_ready[2][4];
  /** The tile at the middle of each home: x, y. */
  uint32_t homes[2][2];
  /** What a wave costs. */
  uint32_t wave_cost;
  /** Zero. */
  uint32_t reserved;
} duel_skirmish_world;

/** A unit. Frozen. */
typedef struct duel_skirmish_unit {
  /** Its id, for as long as it lives. */
  uint32_t id;
  /** Whose. */
  int32_t side;
  /** What, `DUEL_UNIT_...`. */
  int32_t kind;
  /** Where. */
  int32_t x;
  /** Where. */
  int32_t y;
  /** Hit points left. */
  int32_t hp;
  /** Hit points when whole. */
  int32_t hp_whole;
  /** What it does, `DUEL_ACTIVITY_...`. */
  int32_t activity;
  /** What it shoots at: an id, or -1. */
  int32_t target;
  /** The Condor it is aboard of, or that carries it, or -1: then it is not on the map. */
  int32_t carrier;
  /** Ore aboard, credits. */
  uint32_t load;
  /** 1: dug in, or busy digging in or packing up. */
  int32_t dug_in;
} duel_skirmish_unit;

/** A building. Frozen. */
typedef struct duel_skirmish_building {
  /** Its id, for as long as it stands. */
  uint32_t id;
  /** Whose. */
  int32_t side;
  /** What, `DUEL_BUILDING_...`. */
  int32_t kind;
  /** Its north-west tile. */
  uint32_t tile_x;
  /** Its north-west tile. */
  uint32_t tile_y;
  /** Tiles it covers, east. */
  uint32_t tiles_x;
  /** Tiles it covers, south. */
  uint32_t tiles_y;
  /** Hit points left. */
  int32_t hp;
  /** Hit points when whole. */
  int32_t hp_whole;
  /** What it shoots at: an id, or -1. */
  int32_t target;
  /** 1: units made there go to `rally_x`, `rally_y`. */
  int32_t has_rally;
  /** Where. */
  int32_t rally_x;
  /** Where. */
  int32_t rally_y;
  /** How many units it has in its queue. */
  uint32_t queued;
  /** Their kinds, the first first; -1 after the last. */
  int32_t queue[5];
  /** How far the first is, in thousandths. */
  uint32_t progress_permille;
} duel_skirmish_building;

/**
 * Reads the world at a glance.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_get_world(duel_session *session, duel_skirmish_world *glance);

/**
 * Reads the units, by id: at most `capacity`, and writes how many there are. With `seen_by` a side, only its own and
 * those of its enemy that it sees; with -1 all.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_get_units(duel_session *session, int32_t seen_by, duel_skirmish_unit *units,
    size_t capacity, size_t *count);

/**
 * Reads the buildings, by id: at most `capacity`, and writes how many there are. With `seen_by` a side, only its own and
 * those of its enemy of which it sees a tile; with -1 all.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_get_buildings(duel_session *session, int32_t seen_by,
    duel_skirmish_building *buildings, size_t capacity, size_t *count);

/**
 * Reads the ground, `DUEL_TERRAIN_...` for each tile, row by row from the north-west: width x height bytes. It does not
 * change within a match.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_get_terrain(duel_session *session, uint8_t *tiles, size_t capacity);

/**
 * Reads the ore left, in credits, for each tile as `duel_skirmish_get_terrain`.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_get_ore(duel_session *session, uint16_t *tiles, size_t capacity);

/**
 * Reads what a side sees, for each tile as `duel_skirmish_get_terrain`: 0 never seen, 1 seen before, 2 in sight.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_get_fog(duel_session *session, duel_side side, uint8_t *tiles, size_t capacity);

/**
 * Writes 1 if a building of that kind may be placed with its north-west tile there, 0 if not.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_can_place(duel_session *session, duel_side side, int32_t kind, uint32_t tile_x,
    uint32_t tile_y, int32_t *may);

/* ============================================================================================================ *
 * Skirmish level: effects
 *
 * What happened in the ticks just stepped, for the eye and the ear. Nothing of it feeds back into the world.
 * ============================================================================================================ */

/** Something that happened: `DUEL_EFFECT_...`. */
typedef int32_t duel_effect_kind;

/** A shot from `x`, `y` at `to_x`, `to_y`; `flag` 1 if it bursts. */
#define DUEL_EFFECT_SHOT 1
/** A unit `id` of kind `what` came into the world. */
#define DUEL_EFFECT_UNIT_MADE 2
/** A unit was destroyed. */
#define DUEL_EFFECT_UNIT_LOST 3
/** A building `id` of kind `what` was put down. */
#define DUEL_EFFECT_BUILDING_PLACED 4
/** A building is gone; `flag` 1 if it was sold. */
#define DUEL_EFFECT_BUILDING_LOST 5
/** A building of kind `what` is finished and waits to be placed. */
#define DUEL_EFFECT_BUILDING_READY 6
/** A reinforcement arrived. */
#define DUEL_EFFECT_WAVE 7
/** Power `what` was called down. */
#define DUEL_EFFECT_POWER 8
/** A strike fell. */
#define DUEL_EFFECT_STRIKE 9
/** Goliath `id` was lifted (`flag` 1) or put down (0). */
#define DUEL_EFFECT_GOLIATH 10
/** An order of kind `what` did nothing, for reason `id` of `DUEL_NAMES_REFUSALS`. */
#define DUEL_EFFECT_REFUSED 11
/** A side gave up. */
#define DUEL_EFFECT_RESIGNED 12

/** An effect. Sized. */
typedef struct duel_skirmish_effect {
  /** `sizeof(duel_skirmish_effect)`. */
  uint32_t struct_size;
  /** What, `DUEL_EFFECT_...`. */
  int32_t kind;
  /** The tick it happened in. */
  uint32_t tick;
  /** Whose. */
  int32_t side;
  /** Which, by id, or -1. */
  int32_t id;
  /** A kind of unit, building, power or order, or -1. */
  int32_t what;
  /** 0 or 1. */
  int32_t flag;
  /** Which sides saw the place: 1 blue, 2 red, added up; 3 where there is no place. */
  uint32_t seen_by;
  /** Where. */
  int32_t x;
  /** Where. */
  int32_t y;
  /** Where to. */
  int32_t to_x;
  /** Where to. */
  int32_t to_y;
} duel_skirmish_effect;

/**
 * The next effect of the ticks stepped; `DUEL_EMPTY` when there is no more. The last 1,024 are kept.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_skirmish_poll_effect(duel_session *session, duel_skirmish_effect *effect);

/* ============================================================================================================ *
 * Skirmish level: replays
 *
 * A saved record as a session without a peer: run it, pause it and draw it as a match. Every hash is compared.
 * ============================================================================================================ */

/** What a replay found so far. Sized. */
typedef struct duel_replay_report {
  /** `sizeof(duel_replay_report)`. */
  uint32_t struct_size;
  /** Ticks stepped. */
  uint32_t ticks;
  /** Ticks of the record. */
  uint32_t ticks_recorded;
  /** Hashes that agreed before the first difference. */
  uint32_t hashes_equal;
  /** The first tick whose hash differs, or -1. */
  int32_t differs_at;
  /** 1 once the recorded end was reached with the recorded outcome, and every hash agreed. */
  int32_t agrees;
  /** The build that saved it, and this library's: another one may play it differently. */
  uint32_t builds[2];
} duel_replay_report;

/**
 * Opens a record of the skirmish, as `duel_session_record` wrote it. The session has no peer: it runs, pauses and
 * is drawn; what needs a peer is `DUEL_UNSUPPORTED`.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: the caller owns it: `duel_session_free`. The bytes are copied.
 * Since: ABI 1.
 */
duel_status duel_replay_new(const uint8_t *record, size_t length, char *why, size_t why_bytes,
    duel_session **session);

/**
 * Goes to a tick of the record, or to its end: forward by stepping, back by starting over.
 *
 * Thread: the game's.
 * Realtime: no. Up to a second or so for a long match.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_replay_seek(duel_session *session, uint32_t tick);

/**
 * Sets how fast a replay runs, in thousandths, up to 100,000; but one run steps at most 5 ticks.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_replay_set_speed(duel_session *session, uint32_t permille);

/**
 * What the replay found so far.
 *
 * Thread: the game's.
 * Realtime: no.
 * Owns: nothing.
 * Since: ABI 1.
 */
duel_status duel_replay_get_report(duel_session *session, duel_replay_report *report);

#ifdef __cplusplus
}
#endif

#endif /* DUEL_H */
