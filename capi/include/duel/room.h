/*
 * duel/room.h: a part of duel.h, usable alone.
 * To test an integration in before there are phones: a simulated room that two pumps hear each other in, and an air that
 * joins two links without sound.
 *
 * A library that was built without its feature "room" has none of it.
 *
 * It holds:
 *   The simulated room
 *   A packet air
 */

/* Generated from capi/src by `cargo xtask header`: change it there. */

#ifndef DUEL_ROOM_H
#define DUEL_ROOM_H

#include "link.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ============================================================================================================ *
 * Handles
 *
 * Opaque: made by `..._new`, freed by `..._free`.
 * ============================================================================================================ */

/** A simulated room with two phones in it. */
typedef struct duel_room duel_room;

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
 * Why the newest call on this handle that failed did so; empty while a call is in it. Read it before the next call.
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
 * A packet air
 *
 * Two `duel_link` handles in one program that hear each other without sound, thousands of times faster than it.
 * ============================================================================================================ */

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

#ifdef __cplusplus
}
#endif

#endif /* DUEL_ROOM_H */
