/*
 * duel/rig.h: a part of duel.h, usable alone.
 * The audio life of a live link, from the first tap to the last, and what a lobby says of the link.
 *
 * It holds:
 *   Link level: what a rig is told, asks for and is
 *   Link level: the audio life of a live link
 *   Link level: what a lobby says of the link
 */

/* Generated from capi/src by `cargo xtask header`: change it there. */

#ifndef DUEL_RIG_H
#define DUEL_RIG_H

#include "link.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ============================================================================================================ *
 * Handles
 *
 * Opaque: made by `..._new`, freed by `..._free`.
 * ============================================================================================================ */

/** The audio life of a live link. */
typedef struct duel_rig duel_rig;

/** Watches one link's measurements. */
typedef struct duel_advice duel_advice;

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

/** Why a rig could not open, or why a tap failed: `DUEL_RIG_ERROR_...`. Numbers go with some: `error_values`. */
typedef int32_t duel_rig_error;

/** It could, and none did. */
#define DUEL_RIG_ERROR_NONE 0
/** No audio device would open. */
#define DUEL_RIG_ERROR_NO_AUDIO 1
/** The modem's audio half did not load or start. */
#define DUEL_RIG_ERROR_NO_MODEM 2
/** The person or the system said no. */
#define DUEL_RIG_ERROR_MICROPHONE_REFUSED 3
/** There is no microphone, or another program holds it. */
#define DUEL_RIG_ERROR_NO_MICROPHONE 4
/** The device's sample rate is no multiple of 100 Hz: the rate. */
#define DUEL_RIG_ERROR_RATE_ODD 5
/** It is too slow for the plan: the rate, the slowest that would do, and `DUEL_PLAN_...`. */
#define DUEL_RIG_ERROR_RATE_TOO_SLOW 6
/** It is too fast: the rate, and the fastest that would do. */
#define DUEL_RIG_ERROR_RATE_TOO_FAST 7
/** The microphone's own sample rate is too slow (a Bluetooth headset): the rate. */
#define DUEL_RIG_ERROR_MICROPHONE_RATE 8
/** The device did not come back in time. */
#define DUEL_RIG_ERROR_TIMED_OUT 9
/** The modem stopped: `DUEL_FAULT_...`. */
#define DUEL_RIG_ERROR_MODEM 10
/** The link was lost again right after: `DUEL_LOST_...`. */
#define DUEL_RIG_ERROR_LOST_AGAIN 11
/** Something else. */
#define DUEL_RIG_ERROR_OTHER 12

/** What to try about it: `DUEL_TRY_...`. */
typedef int32_t duel_try;

/** There is nothing to be done. */
#define DUEL_TRY_NOTHING 0
/** Again with headphones and Bluetooth disconnected. */
#define DUEL_TRY_DISCONNECTING 1
/** Again with the microphone allowed. */
#define DUEL_TRY_ALLOWING_MICROPHONE 2
/** Again with other apps that use sound closed. */
#define DUEL_TRY_CLOSING_APPS 3

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
  /** Why it could not open, or why the last tap failed, `DUEL_RIG_ERROR_...`. */
  int32_t error;
  /** The numbers that go with it. */
  int32_t error_values[3];
  /** What to try about it, `DUEL_TRY_...`. */
  int32_t advice;
  /** Zero. */
  int32_t reserved;
  /** Why it was lost, as a sentence; empty if it was not. In the rig, until its next call. */
  const char *lost_text;
  /** Why it could not open, or why the last tap failed, as a sentence; empty if neither did. */
  const char *error_text;
  /** What to try about it, as a sentence; empty if there is nothing. */
  const char *advice_text;
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
 * Why the newest call on this handle that failed did so; empty while a call is in it. Read it before the next call.
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

/** Why it does not: `DUEL_BECAUSE_...`. */
typedef int32_t duel_because;

/** It works, or too little is known. */
#define DUEL_BECAUSE_NONE 0
/** The phone hears its peer but not itself: its speaker does not play its own band. */
#define DUEL_BECAUSE_SPEAKER_SILENT 1
/** It hears itself but too little of its peer. */
#define DUEL_BECAUSE_PEER_UNHEARD 2

/** Whether the sound goes where it should: `DUEL_ROUTE_...`. */
typedef int32_t duel_route;

/** It does, as far as is known. */
#define DUEL_ROUTE_FINE 0
/**
 * This phone has not heard its own signal for 3 s: unplug headphones, turn the volume up, or switch the host to the low
 * plan.
 */
#define DUEL_ROUTE_UNHEARD 1
/** The same where the plan cannot be changed: unplug headphones, or turn the volume up. */
#define DUEL_ROUTE_UNHEARD_SETTLED 2

/** What to say in the lobby. Sized. The texts are in English, and lie in the handle until its next call. */
typedef struct duel_advice_status {
  /** `sizeof(duel_advice_status)`. */
  uint32_t struct_size;
  /** Whether the sound goes where it should, `DUEL_ROUTE_...`. */
  int32_t route;
  /** 1: its own signal nearly clips its own microphone. */
  int32_t loud;
  /** The loudness advised. */
  float gain;
  /** Whether the plan works, `DUEL_BAND_...`. */
  int32_t band;
  /** The plan to fall back to, or -1. */
  int32_t fallback_plan;
  /** The role to switch to where that may help, `DUEL_ROLE_...`, or -1. */
  int32_t other_role;
  /** Why the band fails, `DUEL_BECAUSE_...`. */
  int32_t band_code;
  /** What was measured then: packets of a hundred that came from the peer, or -1. */
  int32_t band_good_percent;
  /** The signal that was missed: its own where the speaker is silent, else the peer's; not a number if there is none. */
  float band_snr_db;
  /** The band this phone sends in, from and to; 0 unless the band fails. */
  uint32_t band_hz[2];
  /** Zero. */
  int32_t reserved;
  /** `route` as a sentence; empty if all is fine. */
  const char *route_text;
  /** `band_code` as a sentence, with what was measured; empty if the band does not fail. */
  const char *band_text;
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
 * Why the newest call on this handle that failed did so; empty while a call is in it. Read it before the next call.
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

#ifdef __cplusplus
}
#endif

#endif /* DUEL_RIG_H */
