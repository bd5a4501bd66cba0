/* sound.h: what a phone's devices are to the phone. They do what a rig asks, run a modem's pump, and tell what happened.
 *
 * There are two: this machine's own devices through SDL (audio.c), and a place in a simulated room (practice.c).
 */
#ifndef SOUND_H
#define SOUND_H

#include "duel.h"

#include <stdbool.h>

/* A structure of the library's that says its size; everything else is zero, which is the default. */
#define SIZED(type) ((type){.struct_size = sizeof(type)})

/* How devices have kept up so far. */
struct sound_health {
    uint32_t starved; /* times the speaker asked for more than the microphone had brought */
    uint32_t dropped; /* microphone frames passed over */
    uint32_t errors;  /* devices that did not open */
};

struct sound {
    void *self;
    /* Does what the rig asks for. Never waits for a device: what comes of it is told by `poll_event`. */
    void (*act)(void *self, uint64_t now_us, const duel_rig_action *action);
    /* Runs this pump from now on, and owns it; the one before is freed. */
    void (*run_pump)(void *self, duel_pump *pump);
    /* The next thing that happened; false when there is no more. */
    bool (*poll_event)(void *self, uint64_t now_us, duel_rig_event *event);
    /* The devices in words. */
    void (*describe)(void *self, char *text, size_t bytes);
    void (*health)(void *self, struct sound_health *health);
    /* What is played is heard by people near, who have to bear it: warn them first. */
    bool real;
};

/* A few events that wait for the rig. */
enum { SOUND_EVENTS_MAX = 16 };
struct sound_events {
    duel_rig_event waiting[SOUND_EVENTS_MAX];
    int count;
};

static inline void sound_events_put(struct sound_events *events, int32_t kind, uint32_t id, uint32_t rate_hz, int32_t flag)
{
    if (events->count == SOUND_EVENTS_MAX)
        return; /* nobody has listened for a long time */
    duel_rig_event event = {.struct_size = sizeof event, .kind = kind, .id = id, .rate_hz = rate_hz, .flag = flag};
    events->waiting[events->count++] = event;
}

static inline bool sound_events_take(struct sound_events *events, duel_rig_event *event)
{
    if (events->count == 0)
        return false;
    *event = events->waiting[0];
    events->count--;
    for (int at = 0; at < events->count; at++)
        events->waiting[at] = events->waiting[at + 1];
    return true;
}

#endif
