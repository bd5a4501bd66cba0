/*
 * duel/link.h: a part of duel.h, usable alone.
 * Messages over sound, and nothing else: both halves of a link, a guard for the game's own audio, and a link without
 * sound.
 *
 * It holds:
 *   Link level: what a link is told and is
 *   Link level: the game's half
 *   Link level: setup, gaps and messages
 *   Link level: the audio half
 *   Link level: the game's own audio
 *   Links without sound
 */

/* Generated from capi/src by `cargo xtask header`: change it there. */

#ifndef DUEL_LINK_H
#define DUEL_LINK_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/* ============================================================================================================ *
 * Link level: what a link is told and is
 *
 * The words and structures of the next sections.
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
 * Why the newest call on this handle that failed did so; empty while a call is in it. Read it before the next call.
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
 * Thread: any, at any time.
 * Realtime: yes.
 * Owns: nothing.
 * Since: ABI 1.
 */
uint32_t duel_link_capacity_bits(duel_link *link);

/**
 * How the link is doing, as of the last call on it or on its session. Never `DUEL_BUSY`, and in no other call's way; leaves
 * no detail.
 *
 * Thread: any, at any time.
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
 * Why the newest call on this handle that failed did so; empty while a call is in it. Read it before the next call.
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
 * Links without sound
 *
 * For practice and for tests: they are `duel_link` handles like any other, and a session plays over them the same way. A
 * relay moves messages over a byte stream of the host's: what `duel_link_poll_message` gives at one end goes into
 * `duel_link_push_message` at the other. (`duel_air_new` joins two ends in one program.)
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

#ifdef __cplusplus
}
#endif

#endif /* DUEL_LINK_H */
