/* practice.h: a duel without devices and without noise: two phones of this program in a simulated room, the other one
 * played by an AI. Everything above the devices is what live sound uses. */
#ifndef PRACTICE_H
#define PRACTICE_H

#include "autopilot.h"

struct practice;

/* A room; `seed` decides everything random in it. */
struct practice *practice_new(uint64_t seed, char *why, size_t why_bytes);
void practice_free(struct practice *practice);
/* This phone's devices; valid as long as `practice`. */
struct sound practice_sound(struct practice *practice);
/* The other phone takes its place, in the role that `phone` leaves. */
void practice_invite(struct practice *practice, const struct phone *phone, int32_t ai);
/* Lets time come in the room and for the other phone: call it before this phone's `phone_tick`. */
void practice_tick(struct practice *practice, const struct phone *phone, uint64_t now_us);
/* The other phone, to look at. */
struct phone *practice_peer(struct practice *practice);
/* For a look at what is shown then: neither phone hears the other for a while; this phone's microphone is gone. */
void practice_silence(struct practice *practice, uint64_t now_us, uint64_t lasts_us);
void practice_unplug(struct practice *practice);

#endif
