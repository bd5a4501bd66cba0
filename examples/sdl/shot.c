/* shot.c: see shot.h. */
#include "shot.h"

#include <stdio.h>

enum { FIGHT_TICK = 600 }; /* a minute into a match there is something to see */

bool shot_wants(const struct shot *shot, const struct phone *phone)
{
    bool duel = phone->stage == STAGE_DUEL, playing = duel && phone->status.phase == DUEL_PHASE_PLAYING;
    const char *at = shot->at;
    if (!shot->path)
        return false;
    if (SDL_strcmp(at, "menu") == 0)
        return phone->stage == STAGE_MENU;
    if (SDL_strcmp(at, "self-test") == 0)
        return phone->stage == STAGE_SELF_TEST && phone->link_status.rx_good >= 10;
    if (SDL_strcmp(at, "lobby") == 0)
        return duel && phone->status.round_trip_us >= 0;
    if (SDL_strcmp(at, "picking") == 0)
        return duel && phone->status.pairing == DUEL_PAIRING_PICKING;
    if (SDL_strcmp(at, "match") == 0)
        return playing && phone->status.tick >= FIGHT_TICK;
    if (SDL_strcmp(at, "stall") == 0)
        return playing && phone->status.overlay != DUEL_OVERLAY_NONE;
    if (SDL_strcmp(at, "pause") == 0)
        return playing && phone->menu_up;
    if (SDL_strcmp(at, "lost") == 0)
        return duel && phone->rig && phone->rig_status.state == DUEL_RIG_IS_LOST;
    return phone_is_over(phone) && phone->status.settled;
}

void shot_take(struct shot *shot, struct ui *ui, const struct phone *phone)
{
    if (!shot_wants(shot, phone))
        return;
    if (!ui_save(ui, shot->path))
        fprintf(stderr, "%s: %s\n", shot->path, SDL_GetError());
    shot->path = NULL;
}
