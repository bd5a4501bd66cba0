/*
 * duel/session.h: a part of duel.h, usable alone.
 * A match of two phones over a link: pairing, lockstep, and a game of your own.
 *
 * It holds:
 *   Match level: your own game
 *   Match level: what a phone brings
 *   Match level: a session
 *   Match level: the match
 *   Match level: where a session stands
 *   Match level: what to show
 *   Match level: events
 *   Match level: records and scores
 */

/* Generated from capi/src by `cargo xtask header`: change it there. */

#ifndef DUEL_SESSION_H
#define DUEL_SESSION_H

#include "link.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ============================================================================================================ *
 * Handles
 *
 * Opaque: made by `..._new`, freed by `..._free`.
 * ============================================================================================================ */

/** One phone's half of a duel. */
typedef struct duel_session duel_session;

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
  /** Ways to start, at most 3. With none there are no picks. */
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
 * Match level: what a phone brings
 *
 * Its choice, and where it wants to be told.
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
  /**
   * Your build's number, 1 to 65,535: phones with different ones refuse to play. 0: a digest of the game's
   * name and catalogue, so that different games refuse each other; the skirmish's own, for the skirmish.
   */
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

/** What a pick is called where none was made: see `duel_session_pick`. */
#define DUEL_NO_OPENER (-2)

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
 * Why the newest call on this handle that failed did so; empty while a call is in it. Read it before the next call.
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
 * Match level: where a session stands
 *
 * The words and the structure of the next section. Numbers that are not known are -1, floats not a number.
 * ============================================================================================================ */

/** The best `rx_quality`. */
#define DUEL_RX_QUALITY_MAX 7

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
/** This phone gave up, `problem` says why: offer `duel_session_retry`. */
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

/** What is wrong with the pairing or the offer: `DUEL_PROBLEM_...`. Two numbers go with it: `problem_values`. */
typedef int32_t duel_problem;

/** Nothing. */
#define DUEL_PROBLEM_NONE 0
/** The peer starts another match than this phone: this phone's digest of it, and the peer's. */
#define DUEL_PROBLEM_OTHER_CONFIG 1
/** The peer has another pick of this phone's than it made: this phone's, and what the peer says. Picks as in `own_pick`. */
#define DUEL_PROBLEM_WRONG_PICK 2
/** The peer changed its pick: what it is now, and what it was. */
#define DUEL_PROBLEM_CHANGED_PICK 3
/** The peer's pick is not one it may make: the pick, and 0. */
#define DUEL_PROBLEM_BLOCKED_PICK 4
/** The phones run different versions of the game: this phone's build, and the peer's. */
#define DUEL_PROBLEM_OTHER_VERSION 5
/** A hand-made map is offered that this phone's catalogue does not hold: its index, and how many there are. */
#define DUEL_PROBLEM_NO_MAP 6
/** A kind of random map that it does not hold: its index, and how many there are. */
#define DUEL_PROBLEM_NO_BIOME 7
/** A mutator that it does not hold: the mask, and how many there are. */
#define DUEL_PROBLEM_NO_MUTATOR 8
/** A map that it counts but has no size for: its index, and 0. */
#define DUEL_PROBLEM_NO_MAP_SIZE 9
/** Something else that went wrong; both numbers are 0. */
#define DUEL_PROBLEM_OTHER 10

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
  /** How well this phone hears its peer, 0 to `DUEL_RX_QUALITY_MAX` in steps of 3 dB. */
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
  /** 1: the host offers what this phone's catalogue does not hold; `problem` names it. */
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
  /** Why the pairing failed, or what is wrong with the offer, `DUEL_PROBLEM_...`. */
  int32_t problem;
  /** The two numbers that it speaks of. */
  int32_t problem_values[2];
  /** Zero. */
  int32_t reserved;
  /** The same in English; empty if nothing is wrong. In the session, until its next call. */
  const char *problem_text;
  /** When something will be due that no packet has to bring, or -1. Pump at least every 50 ms besides. */
  int64_t next_wake_us;
} duel_session_status;

/* ============================================================================================================ *
 * Match level: what to show
 *
 * One structure for the lobby, the head-up display and the end.
 * ============================================================================================================ */

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
/** An order was not taken: `value` is `DUEL_NOT_TAKEN_...`. */
#define DUEL_EVENT_ORDER_REFUSED 4
/** The match has ended, or more is known about its end: `value` is `DUEL_END_...`. */
#define DUEL_EVENT_END 5
/** The peer is back in the lobby: offer a rematch. */
#define DUEL_EVENT_PEER_IN_LOBBY 6

/** Why an order was not taken: `DUEL_NOT_TAKEN_...`. */
typedef int32_t duel_not_taken;

/** Too much waits already. */
#define DUEL_NOT_TAKEN_QUEUE_FULL 1
/** It is none that the game's orders can say. */
#define DUEL_NOT_TAKEN_NOT_ENCODABLE 2

/** Something that happened. Sized. `kind` and `value` say it all. */
typedef struct duel_session_event {
  /** `sizeof(duel_session_event)`. */
  uint32_t struct_size;
  /** What, `DUEL_EVENT_...`. */
  int32_t kind;
  /** What it became, where the kind says so. */
  int32_t value;
  /** Zero. */
  int32_t reserved;
  /** The same in English, for a log. In the session, until its next call. */
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

#ifdef __cplusplus
}
#endif

#endif /* DUEL_SESSION_H */
