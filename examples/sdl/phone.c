/* phone.c: see phone.h. How a phone gets its sound, pairs, plays and leaves; the order of calls is what to copy. */
#include "phone.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SECONDS(count) ((uint64_t)(count)*1000000u)

/* A guest that has heard nothing on the plan it found for this long searches both plans again. */
static const uint64_t SEARCH_AGAIN_US = SECONDS(8);
/* How long a notice stays. */
static const uint64_t NOTICE_US = SECONDS(5);

static void run_rig(struct phone *phone);
static void begin_next(struct phone *phone);

void phone_init(struct phone *phone, struct sound sound, struct want want, struct store store, uint64_t seed)
{
    memset(phone, 0, sizeof *phone);
    phone->want = want;
    phone->sound = sound;
    phone->store = store;
    phone->seed = seed;
    phone->rig_status = SIZED(duel_rig_status);
    phone->link_status = SIZED(duel_link_status);
    phone->advice_status = SIZED(duel_advice_status);
    phone->status = SIZED(duel_session_status);
    phone->agreed = SIZED(duel_agreed);
}

void phone_note(struct phone *phone, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(phone->notice, sizeof phone->notice, format, values);
    va_end(values);
    phone->notice_at_us = phone->now_us;
}

static void fail(struct phone *phone, const char *why, const char *advice)
{
    snprintf(phone->failed_why, sizeof phone->failed_why, "%s", why);
    snprintf(phone->failed_advice, sizeof phone->failed_advice, "%s", advice);
    phone->stage = STAGE_FAILED;
}

/* ---- Sound: the rig says what to do, and is told what happened. ------------------------------------------------------ */

/* Ends the session and the link. The pump plays silence from now on, and is freed when another one is run. */
static void drop_link(struct phone *phone)
{
    duel_session_free(phone->session);
    duel_advice_free(phone->advice);
    duel_link_free(phone->link);
    phone->session = NULL;
    phone->advice = NULL;
    phone->link = NULL;
    phone->status = SIZED(duel_session_status);
    phone->link_status = SIZED(duel_link_status);
}

/* Lets the sound go, and goes back to the menu. */
static void silence(struct phone *phone)
{
    drop_link(phone);
    if (phone->rig) {
        duel_rig_close(phone->rig, phone->now_us);
        run_rig(phone); /* it says what to close */
        duel_rig_free(phone->rig);
        phone->rig = NULL;
    }
    phone->stage = STAGE_MENU;
}

void phone_free(struct phone *phone)
{
    silence(phone);
}

static void tell_rig(struct phone *phone, int32_t kind)
{
    duel_rig_event event = {.struct_size = sizeof event, .kind = kind};
    duel_rig_handle_event(phone->rig, phone->now_us, &event);
}

/* The device was opened anew: the same link goes on with a new modem. */
static void rebuild_link(struct phone *phone)
{
    duel_pump *pump;
    if (!phone->link) {
        tell_rig(phone, DUEL_RIG_LINK_CLOSED);
    } else if (duel_link_reset(phone->link, phone->rate_hz, &pump) == DUEL_OK) {
        phone->sound.run_pump(phone->sound.self, pump);
        tell_rig(phone, DUEL_RIG_LINK_STARTED);
    } else {
        tell_rig(phone, DUEL_RIG_LINK_FAILED);
    }
}

static void run_rig(struct phone *phone)
{
    duel_rig_event event = SIZED(duel_rig_event);
    while (phone->sound.poll_event(phone->sound.self, phone->now_us, &event)) {
        if (event.kind == DUEL_RIG_AUDIO_OPENED)
            phone->rate_hz = event.rate_hz;
        if (phone->rig)
            duel_rig_handle_event(phone->rig, phone->now_us, &event);
    }
    if (!phone->rig)
        return;
    if (phone->link)
        duel_rig_watch(phone->rig, phone->now_us, phone->link); /* gaps in the sound, a modem that stopped */
    else
        duel_rig_handle_time(phone->rig, phone->now_us);
    duel_rig_action action = SIZED(duel_rig_action);
    while (duel_rig_poll_action(phone->rig, &action) == DUEL_OK) {
        if (action.kind == DUEL_DO_REBUILD_LINK)
            rebuild_link(phone);
        else
            phone->sound.act(phone->sound.self, phone->now_us, &action);
    }
    duel_rig_get_status(phone->rig, phone->now_us, &phone->rig_status);
}

/* Opens the sound for what comes next; goes on at once where it runs already. */
static void open_sound(struct phone *phone)
{
    char why[DUEL_TEXT_BYTES];
    if (phone_is_live(phone)) {
        begin_next(phone);
        return;
    }
    silence(phone);
    int32_t plan = phone->want.plan == DUEL_PLAN_LOW ? DUEL_PLAN_LOW : DUEL_PLAN_HIGH;
    int32_t listen = phone->want.role == DUEL_ROLE_GUEST ? DUEL_LISTEN_DETECT : DUEL_LISTEN_PEER;
    if (duel_rig_new(phone->now_us, plan, phone->want.role, listen, DUEL_MIC_RAW, why, sizeof why, &phone->rig)) {
        fail(phone, why, "");
        return;
    }
    phone->stage = STAGE_OPENING;
    run_rig(phone);
}

/* A link on the open device. What is listened to: the peer; both plans' hosts; or, in a self-test, oneself. */
static bool make_link(struct phone *phone, int32_t listen)
{
    char why[DUEL_TEXT_BYTES];
    duel_pump *pump;
    drop_link(phone);
    phone->modem = SIZED(duel_link_config);
    phone->modem.sample_rate_hz = phone->rate_hz;
    phone->modem.plan = phone->want.plan == DUEL_PLAN_LOW ? DUEL_PLAN_LOW : DUEL_PLAN_HIGH;
    phone->modem.role = phone->want.role;
    phone->modem.listen = listen;
    phone->modem.gain = phone->want.gain;
    if (duel_link_new(&phone->modem, why, sizeof why, &phone->link, &pump) != DUEL_OK) {
        silence(phone);
        fail(phone, why, "Choose another speaker, or the low band.");
        return false;
    }
    phone->sound.run_pump(phone->sound.self, pump); /* from here on the audio thread's */
    tell_rig(phone, DUEL_RIG_LINK_STARTED);
    return true;
}

static void begin_self_test(struct phone *phone)
{
    static const duel_frame FRAME = {.bits = "self-test", .bit_count = 72, .key = 1}; /* any bits will do */
    if (!make_link(phone, DUEL_LISTEN_SELF))
        return;
    duel_link_send(phone->link, &FRAME, 1);
    phone->test_since_us = phone->now_us;
    phone->stage = STAGE_SELF_TEST;
}

static uint64_t next_seed(struct phone *phone)
{
    return phone->seed += 0x9E3779B97F4A7C15u;
}

static void forget_match(struct phone *phone)
{
    phone->going = GOING_NOWHERE;
    phone->menu_up = phone->menu_sure = phone->resigning = phone->lost = false;
    phone->unlocked_since_us = phone->deaf_since_us = 0;
    phone->snr_sum_db = 0;
    phone->snr_count = 0;
    memset(&phone->kept, 0, sizeof phone->kept);
}

static void begin_duel(struct phone *phone)
{
    char why[DUEL_TEXT_BYTES];
    duel_session_config config = SIZED(duel_session_config);
    if (!make_link(phone, phone->want.role == DUEL_ROLE_GUEST ? DUEL_LISTEN_DETECT : DUEL_LISTEN_PEER))
        return;
    config.role = phone->want.role;
    config.map = phone->want.map;
    config.mutators = phone->want.mutators;
    config.host_side = phone->want.host_side;
    config.seed = next_seed(phone);
    config.log = store_log;
    config.log_userdata = &phone->store;
    if (duel_skirmish_new(&config, phone->link, why, sizeof why, &phone->session) != DUEL_OK
        || duel_advice_new(&phone->modem, why, sizeof why, &phone->advice) != DUEL_OK) {
        silence(phone);
        fail(phone, why, "");
        return;
    }
    forget_match(phone);
    phone->rematch = false;
    phone->stage = STAGE_DUEL;
}

static void begin_next(struct phone *phone)
{
    if (phone->self_test_next)
        begin_self_test(phone);
    else
        begin_duel(phone);
}

/* ---- The duel. ------------------------------------------------------------------------------------------------------- */

/* The meters, the advice and its loudness. */
static void follow_link(struct phone *phone)
{
    float gain;
    duel_link_get_status(phone->link, &phone->link_status);
    if (phone->link_status.locked && phone->link_status.snr_db == phone->link_status.snr_db) { /* not "not a number" */
        phone->snr_sum_db += (double)phone->link_status.snr_db;
        phone->snr_count++;
    }
    if (phone->advice) {
        duel_advice_watch(phone->advice, phone->link, &gain); /* sets the loudness by itself */
        duel_advice_get_status(phone->advice, phone->rematch, &phone->advice_status);
    }
}

/* A guest whose host has gone silent, perhaps to the other plan, searches both. */
static void search_again(struct phone *phone)
{
    bool searches = phone->want.role == DUEL_ROLE_GUEST && phone->link_status.detected_plan != DUEL_NONE
                    && !phone->link_status.locked && !phone->rematch;
    if (!searches) {
        phone->unlocked_since_us = 0;
    } else if (phone->unlocked_since_us == 0) {
        phone->unlocked_since_us = phone->now_us;
    } else if (phone->now_us - phone->unlocked_since_us >= SEARCH_AGAIN_US) {
        phone->unlocked_since_us = 0;
        duel_link_set_bands(phone->link, phone->link_status.plan, DUEL_ROLE_GUEST, DUEL_LISTEN_DETECT);
    }
}

static void tick_lobby(struct phone *phone)
{
    const duel_session_status *status = &phone->status;
    uint32_t openers = 0;
    search_again(phone);
    bool heard = status->since_heard_ms >= 0 && status->since_heard_ms < 2000 && phone->link_status.locked;
    if (!heard || status->peer_hears_me)
        phone->deaf_since_us = 0;
    else if (phone->deaf_since_us == 0)
        phone->deaf_since_us = phone->now_us;
    if (status->pairing == DUEL_PAIRING_PICKING) {
        duel_session_openers(phone->session, &openers);
        if (openers == 0)
            duel_session_pick(phone->session, DUEL_NO_OPENER);
        else if (phone->want.opener >= 0 && openers >> phone->want.opener & 1)
            duel_session_pick(phone->session, phone->want.opener);
    } else if (status->pairing == DUEL_PAIRING_FAILED) {
        phone_note(phone, "Pairing starts over: %s", status->problem_text);
        duel_session_retry(phone->session, phone->now_us);
    } else if (status->rematch_over && phone->going == GOING_NOWHERE) {
        phone_note(phone, "Your friend did not come back.");
        phone_leave_for(phone, GOING_MENU);
    }
}

/* The match is agreed. Lockstep starts on a microphone that has proved itself. */
static void begin_match(struct phone *phone)
{
    if (!phone_is_live(phone) || phone->rig_status.capture_ok_us < DUEL_CAPTURE_OK_US)
        return;
    duel_session_agreed(phone->session, &phone->agreed);
    if (duel_skirmish_begin(phone->session, phone->now_us, phone->want.ai, (uint32_t)next_seed(phone)) != DUEL_OK) {
        phone_note(phone, "%s", duel_session_detail(phone->session));
        phone_leave_for(phone, GOING_MENU);
    }
    if (phone->hidden)
        duel_session_set_paused(phone->session, phone->now_us, 1);
}

static void note_fallen(struct phone *phone)
{
    duel_skirmish_building buildings[64];
    size_t count = 0;
    phone->fallen[0] = phone->fallen[1] = true;
    duel_skirmish_get_buildings(phone->session, DUEL_NONE, buildings, 64, &count);
    for (size_t at = 0; at < count && at < 64; at++)
        if (buildings[at].kind == DUEL_BUILDING_HQ)
            phone->fallen[buildings[at].side] = false;
}

/* The match has ended, or more is known of its end: saves and counts, at once. */
static void note_end(struct phone *phone)
{
    if (!phone_is_over(phone))
        return;
    phone->menu_up = phone->menu_sure = phone->resigning = false;
    if (!phone->kept.done) {
        note_fallen(phone);
        store_record(&phone->store, phone->session, phone->want.role, &phone->kept);
    }
    if (phone->status.end == DUEL_END_DESYNC)
        store_debug(&phone->store, phone->want.role, &phone->kept);
    store_count(&phone->store, phone->session, phone->now_us, false);
}

/* Goes where the player wanted to, once everything is said. */
static void go_on(struct phone *phone)
{
    enum going going = phone->going;
    if (going == GOING_NOWHERE || !phone->status.closable)
        return;
    phone->going = GOING_NOWHERE;
    switch (going) {
    case GOING_REMATCH: /* the same link, the same roles, sides swapped */
        if (duel_session_reset(phone->session, phone->now_us, next_seed(phone)) == DUEL_OK) {
            forget_match(phone);
            phone->rematch = true;
            return;
        }
        silence(phone);
        break;
    case GOING_SWITCH_ROLE:
        phone->want.role = phone->want.role == DUEL_ROLE_HOST ? DUEL_ROLE_GUEST : DUEL_ROLE_HOST;
        begin_duel(phone);
        break;
    case GOING_OTHER_PLAN:
        phone->want.plan = DUEL_PLAN_LOW;
        begin_duel(phone);
        break;
    default:
        silence(phone);
        phone->stage = going == GOING_QUIT ? STAGE_CLOSED : STAGE_MENU;
    }
}

static void take_events(struct phone *phone)
{
    duel_session_event event = SIZED(duel_session_event);
    while (duel_session_poll_event(phone->session, &event) == DUEL_OK)
        if (event.kind == DUEL_EVENT_ORDER_REFUSED)
            phone_note(phone, "An order was not taken: %s", event.text);
}

static void tick_duel(struct phone *phone)
{
    duel_session_pump(phone->session, phone->now_us);
    follow_link(phone);
    duel_session_get_status(phone->session, phone->now_us, &phone->status);
    if (phone->status.phase == DUEL_PHASE_LOBBY)
        tick_lobby(phone);
    else if (phone->status.phase == DUEL_PHASE_READY)
        begin_match(phone);
    duel_session_run(phone->session, phone->now_us, NULL);
    take_events(phone);
    duel_session_get_status(phone->session, phone->now_us, &phone->status);
    note_end(phone);
    go_on(phone);
}

void phone_tick(struct phone *phone, uint64_t now_us)
{
    duel_link_event event = SIZED(duel_link_event);
    phone->now_us = now_us;
    run_rig(phone);
    if (phone->notice[0] && now_us - phone->notice_at_us >= NOTICE_US)
        phone->notice[0] = 0;
    switch (phone->stage) {
    case STAGE_OPENING:
        if (phone->rig_status.state == DUEL_RIG_IS_LIVE) {
            begin_next(phone);
        } else if (phone->rig_status.state == DUEL_RIG_IS_FAILED) {
            fail(phone, phone->rig_status.error_text, phone->rig_status.advice_text);
            duel_rig_free(phone->rig);
            phone->rig = NULL;
        }
        break;
    case STAGE_SELF_TEST:
        while (duel_link_poll(phone->link, now_us, &event) == DUEL_OK) {
        }
        follow_link(phone);
        break;
    case STAGE_DUEL:
        tick_duel(phone);
        break;
    default:
        break;
    }
}

/* ---- The way in and the way back; what else a player can do is in moves.c. -------------------------------------------- */

void phone_start(struct phone *phone)
{
    if (phone->stage != STAGE_MENU)
        return;
    phone->self_test_next = false;
    open_sound(phone);
}

void phone_self_test(struct phone *phone)
{
    if (phone->stage != STAGE_MENU)
        return;
    phone->self_test_next = true;
    open_sound(phone);
}

void phone_back(struct phone *phone)
{
    if (phone->stage == STAGE_OPENING || phone->stage == STAGE_FAILED || phone->stage == STAGE_SELF_TEST)
        silence(phone);
}
