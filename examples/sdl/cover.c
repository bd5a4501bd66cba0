/* cover.c: what lies over a match: what it waits for, the pause menu, and the cover of a lost sound link. */
#include "screens.h"

#include <stdio.h>

/* A panel in the middle of the window, over everything; returns it without its margin. */
static SDL_FRect popup(struct ui *ui, float width, float height, const char *title, SDL_Color colour)
{
    SDL_FRect box = {(ui->width - width) / 2, (ui->height - height) / 2, width, height};
    ui_panel(ui, box, PANEL, colour);
    ui_text_mid(ui, ui->width / 2, box.y + 22, LARGE, colour.a ? colour : INK, title);
    return (SDL_FRect){box.x + 28, box.y + 62, box.w - 56, box.h - 84};
}

static void leave_button(struct ui *ui, struct phone *phone, SDL_FRect box)
{
    if (ui_button(ui, box, "Leave (no result)", SDLK_L, true))
        phone_leave(phone);
}

static float sentence(struct ui *ui, SDL_FRect body, float y, SDL_Color colour, const char *text)
{
    char whole[DUEL_TEXT_BYTES];
    snprintf(whole, sizeof whole, "%s.", text);
    return ui_paragraph(ui, body.x, y, body.w, BODY, colour, whole);
}

/* ---- The sound link is gone, or being brought back. ------------------------------------------------------------------ */

bool cover_is_up(const struct phone *phone)
{
    int32_t state = phone->rig_status.state;
    return phone->rig && phone->stage != STAGE_MENU
        && (state == DUEL_RIG_IS_TAP_TO_START || state == DUEL_RIG_IS_LOST || state == DUEL_RIG_IS_RECONNECTING
            || state == DUEL_RIG_IS_RECOVERING);
}

bool cover_screen(struct ui *ui, struct phone *phone)
{
    const duel_rig_status *rig = &phone->rig_status;
    const char *title = "", *button = NULL;
    if (!cover_is_up(phone))
        return false;
    switch (rig->state) {
    case DUEL_RIG_IS_TAP_TO_START:
        title = "Tap to start sound";
        button = "Start";
        break;
    case DUEL_RIG_IS_LOST:
        title = "Tap to reconnect the sound link";
        button = "Reconnect";
        break;
    case DUEL_RIG_IS_RECONNECTING:
        title = "Reconnecting…";
        break;
    case DUEL_RIG_IS_RECOVERING:
        title = "The sound is back: listening…";
        break;
    default:
        return false;
    }
    ui_dim(ui, 150);
    SDL_FRect body = popup(ui, 520, 300, title, WARN);
    float y = body.y;
    if (rig->lost_text && rig->lost_text[0])
        y += sentence(ui, body, y, INK, rig->lost_text) + 6;
    if (rig->error_text && rig->error_text[0]) {
        y += sentence(ui, body, y, BAD, rig->error_text);
        y += ui_paragraph(ui, body.x, y, body.w, BODY, FAINT, rig->advice_text ? rig->advice_text : "");
    }
    float bottom = body.y + body.h - 44;
    if (button && ui_button(ui, (SDL_FRect){body.x, bottom, 200, 44}, button, SDLK_RETURN, true))
        phone_tap(phone);
    if (phone_ways(phone).leave)
        leave_button(ui, phone, (SDL_FRect){body.x + 216, bottom, 220, 44});
    ui->captured = true;
    return true;
}

/* ---- The pause menu. ------------------------------------------------------------------------------------------------- */

static void sure(struct ui *ui, struct phone *phone)
{
    SDL_FRect body = popup(ui, 420, 190, "Resign", WARN);
    ui_text_mid(ui, ui->width / 2, body.y, BODY, INK, "Your friend wins. Are you sure?");
    float half = (body.w - 16) / 2, y = body.y + body.h - 44;
    if (ui_button(ui, (SDL_FRect){body.x, y, half, 44}, "Resign", SDLK_Y, true))
        phone_resign(phone);
    if (ui_button(ui, (SDL_FRect){body.x + half + 16, y, half, 44}, "Go on", SDLK_N, true) || ui_key(ui, SDLK_ESCAPE))
        phone->menu_sure = false;
}

static void pause_menu(struct ui *ui, struct phone *phone)
{
    struct ways ways = phone_ways(phone);
    int more = ways.resign_and_leave + ways.leave;
    SDL_FRect body = popup(ui, 360, 220 + 56 * (float)more, "Paused", ACCENT);
    char line[64];
    float y = body.y;
    snprintf(line, sizeof line, "vs your friend · %u ms", phone->agreed.delay_ticks * 100);
    ui_text_mid(ui, ui->width / 2, y - 6, SMALL, FAINT, line);
    y += 26;
    if (ui_button(ui, (SDL_FRect){body.x, y, body.w, 44}, "Go on", SDLK_ESCAPE, true) || ui_key(ui, SDLK_RETURN)
        || ui_key(ui, SDLK_P))
        phone_pause(phone, false);
    y += 56;
    if (ui_button(ui, (SDL_FRect){body.x, y, body.w, 44}, "Resign", SDLK_R, !phone->resigning))
        phone->menu_sure = true;
    y += 56;
    if (ways.resign_and_leave) {
        if (ui_button(ui, (SDL_FRect){body.x, y, body.w, 44}, "Resign and leave", 0, true))
            phone_resign(phone); /* the report that follows is the way out */
        y += 56;
    }
    if (ways.leave)
        leave_button(ui, phone, (SDL_FRect){body.x, y, body.w, 44});
}

/* ---- What the match waits for. --------------------------------------------------------------------------------------- */

static void waiting(struct ui *ui, struct phone *phone)
{
    static const char *const TEXTS[] = {"", "Waiting for your friend…", "Waiting for your friend to load…", "Friend paused",
                                        "Signal lost: bring the phones closer"};
    int32_t overlay = phone->status.overlay;
    bool leave = phone_ways(phone).leave;
    if (overlay == DUEL_OVERLAY_NONE)
        return;
    SDL_Color colour = overlay == DUEL_OVERLAY_SIGNAL_LOST ? WARN : INK;
    float width = SDL_max(ui_text_width(LARGE, TEXTS[overlay]) + 64, 300), height = leave ? 128 : 68;
    SDL_FRect box = {(ui->width - width) / 2, ui->height * 0.3f, width, height};
    ui_panel(ui, box, PANEL, overlay == DUEL_OVERLAY_SIGNAL_LOST ? WARN : EDGE);
    ui_text_mid(ui, ui->width / 2, box.y + 22, LARGE, colour, TEXTS[overlay]);
    if (leave)
        leave_button(ui, phone, (SDL_FRect){ui->width / 2 - 110, box.y + 70, 220, 42});
}

bool overlay_screen(struct ui *ui, struct phone *phone)
{
    if (phone->menu_up) {
        ui_dim(ui, 120);
        if (phone->menu_sure)
            sure(ui, phone);
        else
            pause_menu(ui, phone);
        ui->captured = true;
        return true;
    }
    waiting(ui, phone);
    return false;
}
