/* shot.c: see shot.h. */
#include "shot.h"

#include <stdio.h>

enum { FIGHT_TICK = 600, TROUBLE_TICK = 300 }; /* from when on there is something to see */

static bool is(const struct shot *shot, const char *at)
{
    return SDL_strcmp(shot->at, at) == 0;
}

static bool is_playing(const struct phone *phone, uint32_t tick)
{
    return phone->stage == STAGE_DUEL && phone->status.phase == DUEL_PHASE_PLAYING && phone->status.tick >= tick;
}

bool shot_direct(struct shot *shot, struct phone *phone, struct practice *practice)
{
    if (!shot->path)
        return false;
    if (is(shot, "self-test"))
        phone_self_test(phone);
    if (is(shot, "menu") || is(shot, "self-test"))
        return true;
    if (is(shot, "picking") && phone->status.pairing == DUEL_PAIRING_PICKING)
        return true;
    if (shot->directed || !is_playing(phone, TROUBLE_TICK))
        return shot->directed && is(shot, "lost");
    shot->directed = true;
    if (is(shot, "pause"))
        phone_pause(phone, true);
    else if (is(shot, "stall") && practice)
        practice_silence(practice, phone->now_us, 12000000);
    else if (is(shot, "lost") && practice)
        practice_unplug(practice);
    return false;
}

bool shot_wants(const struct shot *shot, const struct phone *phone)
{
    bool duel = phone->stage == STAGE_DUEL;
    if (!shot->path)
        return false;
    if (is(shot, "menu"))
        return phone->stage == STAGE_MENU;
    if (is(shot, "self-test"))
        return phone->stage == STAGE_SELF_TEST && phone->link_status.rx_good >= 10;
    if (is(shot, "lobby"))
        return duel && phone->status.round_trip_us >= 0;
    if (is(shot, "picking"))
        return duel && phone->status.pairing == DUEL_PAIRING_PICKING;
    if (is(shot, "match"))
        return is_playing(phone, FIGHT_TICK);
    if (is(shot, "stall"))
        return is_playing(phone, 0) && phone->status.overlay == DUEL_OVERLAY_SIGNAL_LOST;
    if (is(shot, "pause"))
        return is_playing(phone, 0) && phone->menu_up;
    if (is(shot, "lost"))
        return duel && phone->rig && phone->rig_status.state == DUEL_RIG_IS_LOST;
    return phone_is_over(phone) && phone->status.settled;
}

void shot_take(struct shot *shot, struct ui *ui, const struct phone *phone)
{
    if (!shot_wants(shot, phone))
        return;
    shot->failed = !ui_save(ui, shot->path);
    if (shot->failed)
        fprintf(stderr, "%s: the picture cannot be saved: %s\n", shot->path, SDL_GetError());
    shot->path = NULL;
}

bool shot_is_missing(const struct shot *shot)
{
    if (shot->path)
        fprintf(stderr, "%s: no picture: --at %s did not come\n", shot->path, shot->at);
    return shot->path || shot->failed;
}
