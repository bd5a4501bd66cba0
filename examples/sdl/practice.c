/* practice.c: see practice.h. */
#include "practice.h"

#include <SDL3/SDL.h>

enum { ROOM_RATE_HZ = 48000 };

/* One phone's devices: they open at once and never fail. */
struct place {
    struct sound_events events;
    duel_pump *pump;
    bool plays, hears;
    uint32_t microphone_id;
};

struct practice {
    duel_room *room;
    struct place places[2]; /* this phone's and the other's */
    struct phone peer_phone;
    struct autopilot autopilot;
};

static void act(void *self, uint64_t now_us, const duel_rig_action *action)
{
    struct place *place = self;
    (void)now_us;
    switch (action->kind) {
    case DUEL_DO_OPEN_AUDIO:
        place->plays = true;
        sound_events_put(&place->events, DUEL_RIG_AUDIO_OPENED, action->id, ROOM_RATE_HZ, 1);
        break;
    case DUEL_DO_CLOSE_AUDIO:
        place->plays = false;
        break;
    case DUEL_DO_ASK_MICROPHONE:
        place->hears = true;
        place->microphone_id = action->id;
        sound_events_put(&place->events, DUEL_RIG_MICROPHONE_OPENED, action->id, ROOM_RATE_HZ, 0);
        break;
    case DUEL_DO_RELEASE_MICROPHONE:
        place->hears = false;
        break;
    case DUEL_DO_REQUEST_WAKE_LOCK:
        sound_events_put(&place->events, DUEL_RIG_WAKE_LOCK, 0, 0, 1);
        break;
    default:
        break;
    }
}

static void run_pump(void *self, duel_pump *pump)
{
    struct place *place = self;
    duel_pump_free(place->pump);
    place->pump = pump;
}

static bool poll_event(void *self, uint64_t now_us, duel_rig_event *event)
{
    struct place *place = self;
    (void)now_us;
    return sound_events_take(&place->events, event);
}

static void describe(void *self, char *text, size_t bytes)
{
    (void)self;
    SDL_snprintf(text, bytes, "a simulated room, %d Hz", ROOM_RATE_HZ);
}

static void health(void *self, struct sound_health *health)
{
    (void)self;
    SDL_zerop(health);
}

static struct sound sound_of(struct place *place)
{
    return (struct sound){place, act, run_pump, poll_event, describe, health, false};
}

struct practice *practice_new(uint64_t seed, char *why, size_t why_bytes)
{
    struct practice *practice = SDL_calloc(1, sizeof *practice);
    duel_room_config config = SIZED(duel_room_config); /* 20 cm apart, with echoes and noise */
    config.seed = seed;
    if (practice && duel_room_new(&config, why, why_bytes, &practice->room) != DUEL_OK) {
        SDL_free(practice);
        return NULL;
    }
    return practice;
}

struct sound practice_sound(struct practice *practice)
{
    return sound_of(&practice->places[0]);
}

static int32_t other_role(int32_t role)
{
    return role == DUEL_ROLE_HOST ? DUEL_ROLE_GUEST : DUEL_ROLE_HOST;
}

void practice_invite(struct practice *practice, const struct phone *phone, int32_t ai)
{
    struct want want = phone->want;
    struct store nothing;
    want.role = other_role(want.role);
    want.ai = ai;
    want.opener = DUEL_NONE;
    store_init(&nothing, NULL, false);
    phone_init(&practice->peer_phone, sound_of(&practice->places[1]), want, nothing, phone->seed ^ 0x5555);
    practice->autopilot = (struct autopilot){.rematches = -1};
}

struct phone *practice_peer(struct practice *practice)
{
    return &practice->peer_phone;
}

void practice_tick(struct practice *practice, const struct phone *phone, uint64_t now_us)
{
    struct phone *other = &practice->peer_phone;
    struct place *places = practice->places;
    duel_pump *pumps[2];
    for (int at = 0; at < 2; at++)
        pumps[at] = places[at].plays && places[at].hears ? places[at].pump : NULL;
    duel_room_run(practice->room, now_us, pumps[0], pumps[1]);
    if (other->want.role == phone->want.role && other->stage == STAGE_MENU)
        other->want.role = other_role(phone->want.role); /* one hosts, the other joins */
    phone_tick(other, now_us);
    if (other->want.role == phone->want.role && phone_may_change(other))
        phone_leave_for(other, GOING_SWITCH_ROLE);
    else
        autopilot_tick(&practice->autopilot, other);
}

void practice_silence(struct practice *practice, uint64_t now_us, uint64_t lasts_us)
{
    duel_room_trouble(practice->room, DUEL_TROUBLE_DROPOUT, DUEL_PHONE_A, now_us, lasts_us);
}

void practice_unplug(struct practice *practice)
{
    struct place *place = &practice->places[0];
    place->hears = false;
    sound_events_put(&place->events, DUEL_RIG_MICROPHONE_ENDED, place->microphone_id, 0, 0);
}

void practice_free(struct practice *practice)
{
    if (!practice)
        return;
    phone_free(&practice->peer_phone);
    for (int at = 0; at < 2; at++)
        duel_pump_free(practice->places[at].pump);
    duel_room_free(practice->room);
    SDL_free(practice);
}
