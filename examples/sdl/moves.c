/* moves.c: what a player can do with a phone, and what there is to offer. The other half of phone.h. */
#include "phone.h"

static const uint64_t PEER_DEAF_US = 10000000; /* a peer that is heard has not heard this phone for so long */
static const uint64_t SIGNAL_LOST_US = 5000000;  /* nothing has come through to a paused phone for so long */

/* ---- What to offer. -------------------------------------------------------------------------------------------------- */

bool phone_is_live(const struct phone *phone)
{
    return phone->rig && phone->rig_status.state == DUEL_RIG_IS_LIVE;
}

bool phone_is_over(const struct phone *phone)
{
    return phone->stage == STAGE_DUEL && phone->status.end != DUEL_END_NONE;
}

static bool in_lobby(const struct phone *phone)
{
    return phone->stage == STAGE_DUEL
           && (phone->status.phase == DUEL_PHASE_LOBBY || phone->status.phase == DUEL_PHASE_READY);
}

static bool is_playing(const struct phone *phone)
{
    return phone->stage == STAGE_DUEL && phone->status.phase == DUEL_PHASE_PLAYING;
}

bool phone_may_change(const struct phone *phone)
{
    int32_t pairing = phone->status.pairing;
    return in_lobby(phone) && phone->going == GOING_NOWHERE
           && (pairing == DUEL_PAIRING_LISTENING || pairing == DUEL_PAIRING_MEASURING || pairing == DUEL_PAIRING_FAILED);
}

struct offer phone_offer(const struct phone *phone)
{
    const duel_advice_status *advice = &phone->advice_status;
    bool host = phone->want.role == DUEL_ROLE_HOST;
    struct offer offer = {.reason = NULL, .plan = DUEL_NONE, .role = false};
    if (!phone_may_change(phone) || phone->rematch || !advice->band_text)
        return offer; /* a rematch's band and roles are settled */
    if (advice->band == DUEL_BAND_FAILS) {
        offer.reason = advice->band_text;
        offer.plan = host ? advice->fallback_plan : DUEL_NONE; /* a guest finds its host's plan by itself */
        offer.role = advice->other_role != DUEL_NONE;
    } else if (phone->deaf_since_us && phone->now_us - phone->deaf_since_us >= PEER_DEAF_US) {
        bool high = phone->link_status.plan == DUEL_PLAN_HIGH;
        offer.reason = "You hear your friend, but your friend has not heard you for 10 s.";
        offer.plan = host && high ? DUEL_PLAN_LOW : DUEL_NONE;
        offer.role = high;
    }
    return offer;
}

struct ways phone_ways(const struct phone *phone)
{
    struct ways ways = {false, false};
    if (!is_playing(phone))
        return ways;
    int64_t heard_us = phone->link_status.last_rx_us;
    bool silent = heard_us < 0 || phone->now_us >= (uint64_t)heard_us + SIGNAL_LOST_US;
    ways.resign_and_leave = phone->status.resign_and_leave && !phone->resigning;
    ways.leave = phone->status.overlay_leave || phone->rig_status.offers_leave
                 || (phone->menu_up && (phone->menu_leave || silent));
    return ways;
}

/* ---- What a player does. --------------------------------------------------------------------------------------------- */

void phone_tap(struct phone *phone)
{
    if (phone->rig)
        duel_rig_handle_tap(phone->rig, phone->now_us);
}

void phone_pick(struct phone *phone, int32_t opener)
{
    if (in_lobby(phone))
        duel_session_pick(phone->session, opener); /* one that is not offered is refused, and nothing happens */
}

void phone_retry(struct phone *phone)
{
    if (in_lobby(phone))
        duel_session_retry(phone->session, phone->now_us);
}

/* This phone waits for its player while the menu is up, and while nobody can see it. */
static void set_paused(struct phone *phone)
{
    if (is_playing(phone))
        duel_session_set_paused(phone->session, phone->now_us, phone->menu_up || phone->hidden);
}

void phone_pause(struct phone *phone, bool paused)
{
    if (!is_playing(phone))
        return;
    phone->menu_leave = phone->status.menu_leave; /* as it was before: a pause waits for nobody */
    phone->menu_up = paused;
    phone->menu_sure = false;
    set_paused(phone);
}

void phone_hide(struct phone *phone, bool hidden)
{
    duel_rig_event shown = {.struct_size = sizeof shown, .kind = DUEL_RIG_SHOWN};
    if (phone->hidden == hidden)
        return;
    phone->hidden = hidden;
    set_paused(phone);
    if (hidden && is_playing(phone))
        store_count(&phone->store, phone->session, phone->now_us, true); /* it may never come back */
    else if (!hidden && phone->rig)
        duel_rig_handle_event(phone->rig, phone->now_us, &shown);
}

/* Goes on, and gives the match up: that lands a few ticks later on both phones. */
void phone_resign(struct phone *phone)
{
    phone_pause(phone, false);
    if (is_playing(phone))
        phone->resigning = duel_session_resign(phone->session, phone->now_us) == DUEL_OK;
}

void phone_leave(struct phone *phone)
{
    if (!phone_ways(phone).leave)
        return;
    phone->lost = phone->rig_status.offers_leave || phone->menu_up || phone->status.overlay == DUEL_OVERLAY_SIGNAL_LOST;
    phone->menu_up = false;
    duel_session_leave(phone->session, phone->now_us, 0);
}

void phone_leave_for(struct phone *phone, enum going to)
{
    if (phone->stage != STAGE_DUEL || phone->going != GOING_NOWHERE)
        return;
    phone->going = to;
    duel_session_leave(phone->session, phone->now_us, 0);
}
