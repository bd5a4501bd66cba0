/* lobby.c: the steps before a match: menu, opening, self-test, lobby. */
#include "screens.h"

#include <stdio.h>

/* Stands on every step of a live link, from before the first sound on. */
static const char NOISE[] =
    "⚠ Warning: unpleasant noise. The sound link plays a constant high-pitched noise for the whole match. Many people "
    "find it unpleasant, and it may even cause headaches. Stop if it bothers you.";
static const char PLACEMENT[] =
    "Lay both phones flat, 10–30 cm apart. Turn the volume to about 75 %, silent switch off. Headphones out, Bluetooth "
    "off.";
static const char TIPS[] =
    "Still nothing heard. Check on both: volume at 75 %, nothing plugged in, the phones 10–30 cm apart with nothing "
    "between them, one hosting and one joining.";

enum { SELF_TEST_GOOD = 10 };
static const uint64_t SELF_TEST_LATE_US = 8000000; /* with no packet after so long, a phone does not hear itself */

SDL_FRect sheet(struct ui *ui, const struct phone *phone)
{
    char devices[160];
    float width = SDL_min(ui->width - 64, 820), x = SDL_floorf((ui->width - width) / 2);
    float y = 36 + SDL_max(ui->height - 720, 0) * 0.4f;
    ui_fill(ui, (SDL_FRect){0, 0, ui->width, ui->height}, BACK);
    ui_text(ui, x, y, TITLE, INK, "Sound Duel");
    phone->sound.describe(phone->sound.self, devices, sizeof devices);
    ui_text(ui, x + width - ui_text_width(SMALL, devices), y + 16, SMALL, FAINT, "%s", devices);
    y += 54;
    if (phone->sound.real) {
        SDL_FRect box = {x, y, width, 58};
        ui_panel(ui, box, (SDL_Color){58, 46, 20, 255}, (SDL_Color){122, 96, 40, 255});
        ui_paragraph(ui, x + 14, y + 10, width - 28, SMALL, WARN, NOISE);
        y += box.h + 18;
    } else {
        ui_text(ui, x, y, SMALL, FAINT, "Practice link (no sound)");
        y += 32;
    }
    if (phone->notice[0])
        ui_text(ui, x, ui->height - 40, BODY, WARN, "%s", phone->notice);
    return (SDL_FRect){x, y, width, ui->height - y - 48};
}

/* ---- The menu. ------------------------------------------------------------------------------------------------------- */

static void role_card(struct ui *ui, struct want *want, int32_t role, SDL_FRect box, const char *title, const char *about,
                      SDL_Keycode key)
{
    bool on = want->role == role;
    if (ui_toggle(ui, box, "", key, on))
        want->role = role;
    ui_text(ui, box.x + 18, box.y + 12, LARGE, INK, "%s", title);
    ui_text(ui, box.x + 18, box.y + 42, SMALL, on ? INK : FAINT, "%s", about);
}

static void step_map(struct want *want, int32_t by)
{
    int32_t count = 0;
    char name[64];
    while (duel_skirmish_name(DUEL_NAMES_MAPS, (uint32_t)count, name, sizeof name) == DUEL_OK)
        count++;
    int32_t index = want->map.random ? 0 : (int32_t)want->map.index;
    want->map = (duel_map){0, (uint32_t)((index + by + count) % count), 0};
}

/* A setting with its value between two arrows, or one button that goes on to the next. */
static float setting(struct ui *ui, float x, float y, const char *name, const char *value, SDL_Keycode key, int *step)
{
    ui_text(ui, x, y + 8, BODY, FAINT, "%s", name);
    *step = 0;
    if (ui_button(ui, (SDL_FRect){x + 110, y, 34, 34}, "←", 0, true))
        *step = -1;
    ui_text(ui, x + 158, y + 8, BODY, INK, "%s", value);
    if (ui_button(ui, (SDL_FRect){x + 540, y, 34, 34}, "→", key, true))
        *step = 1;
    return 42;
}

static float host_settings(struct ui *ui, struct want *want, float x, float y, float width)
{
    static const char *const PLANS[] = {"High (9.5–19 kHz)", "Low (5–9.5 kHz, audible)",
                                        "High, and Low where High does not work"};
    char map[64], name[64];
    float top = y;
    int step;
    map_name(&want->map, map, sizeof map);
    y += setting(ui, x, y, "Map", map, SDLK_M, &step);
    if (step)
        step_map(want, step);
    y += setting(ui, x, y, "Band", PLANS[want->plan], SDLK_B, &step);
    want->plan = (want->plan + step + 3) % 3;
    ui_text(ui, x, y + 6, BODY, FAINT, "Mutators");
    y += 32;
    float cell = (width + 8) / 6;
    uint32_t bit = 0;
    for (; duel_skirmish_name(DUEL_NAMES_MUTATORS, bit, name, sizeof name) == DUEL_OK; bit++) {
        SDL_FRect box = {x + (float)(bit % 6) * cell, y + (float)(bit / 6) * 40, cell - 8, 34};
        if (ui_toggle(ui, box, name, 0, want->mutators >> bit & 1))
            want->mutators ^= 1u << bit;
    }
    return y + (float)((bit + 5) / 6) * 40 - top;
}

static void menu(struct ui *ui, struct phone *phone)
{
    static const char *const PLAYERS[] = {"you", "an AI, easy", "an AI, normal", "an AI, hard"};
    struct want *want = &phone->want;
    SDL_FRect body = sheet(ui, phone);
    float x = body.x, y = body.y, half = (body.w - 16) / 2;
    int step;
    y += ui_paragraph(ui, x, y, body.w, BODY, INK, PLACEMENT) + 12;
    role_card(ui, want, DUEL_ROLE_HOST, (SDL_FRect){x, y, half, 72}, "Host a match", "You choose the map and the mutators.",
              SDLK_H);
    role_card(ui, want, DUEL_ROLE_GUEST, (SDL_FRect){x + half + 16, y, half, 72}, "Join a match",
              "Your friend's phone is found by ear.", SDLK_J);
    y += 90;
    y += setting(ui, x, y, "Player", PLAYERS[want->ai], SDLK_P, &step);
    want->ai = (want->ai + step + 4) % 4;
    if (want->role == DUEL_ROLE_HOST)
        y += host_settings(ui, want, x, y, body.w);
    y += 18;
    if (ui_button(ui, (SDL_FRect){x, y, 220, 46}, want->role == DUEL_ROLE_HOST ? "Host" : "Join", SDLK_RETURN, true))
        phone_start(phone);
    if (ui_button(ui, (SDL_FRect){x + 236, y, 160, 46}, "Self-test", SDLK_S, true))
        phone_self_test(phone);
    if (ui_button(ui, (SDL_FRect){x + body.w - 120, y, 120, 46}, "Quit", SDLK_Q, true))
        ui->quit = true;
    const duel_score_book *book = &phone->store.book;
    if (phone->store.counts)
        ui_text(ui, x, y + 60, SMALL, FAINT, "%u won, %u lost, %u drawn", book->wins, book->losses, book->draws);
}

/* ---- Opening, failed, self-test. ------------------------------------------------------------------------------------- */

static void back_button(struct ui *ui, struct phone *phone, float x, float y)
{
    if (ui_button(ui, (SDL_FRect){x, y, 140, 42}, "Back", SDLK_ESCAPE, true))
        phone_back(phone);
}

static void opening(struct ui *ui, struct phone *phone)
{
    SDL_FRect body = sheet(ui, phone);
    ui_text(ui, body.x, body.y, LARGE, INK, "Opening the microphone and the speaker…");
    back_button(ui, phone, body.x, body.y + 56);
}

static void failed(struct ui *ui, struct phone *phone)
{
    SDL_FRect body = sheet(ui, phone);
    float y = body.y + ui_paragraph(ui, body.x, body.y, body.w, LARGE, BAD, phone->failed_why);
    y += ui_paragraph(ui, body.x, y + 6, body.w, BODY, INK, phone->failed_advice) + 24;
    back_button(ui, phone, body.x, y);
}

static void row(struct ui *ui, SDL_FRect body, float *y, const char *name, const char *value)
{
    ui_text(ui, body.x, *y, BODY, FAINT, "%s", name);
    ui_text(ui, body.x + 200, *y, BODY, INK, "%s", value);
    *y += 28;
}

static void self_test(struct ui *ui, struct phone *phone)
{
    const duel_link_status *link = &phone->link_status;
    SDL_FRect body = sheet(ui, phone);
    float y = body.y;
    char text[64];
    bool known = link->rx_good > 0;
    ui_text(ui, body.x, y, LARGE, INK, "Self-test, %s", band_of(phone->modem.plan, phone->modem.role));
    y += 44;
    snprintf(text, sizeof text, "%u good, %u bad", (unsigned)link->rx_good, (unsigned)link->rx_bad);
    row(ui, body, &y, "Packets", text);
    snprintf(text, sizeof text, known ? "%.0f dB" : "–", number(link->snr_db));
    row(ui, body, &y, "Level", text);
    snprintf(text, sizeof text, known ? "%.0f ms" : "–", number(link->loopback_ms));
    row(ui, body, &y, "Delay", text);
    y += 14;
    if (link->rx_good >= SELF_TEST_GOOD)
        ui_text(ui, body.x, y, BODY, GOOD, "This phone hears itself well: speaker, microphone and band work.");
    else if (!known && phone->now_us - phone->test_since_us >= SELF_TEST_LATE_US)
        ui_paragraph(ui, body.x, y, body.w, BODY, BAD,
                     "This phone does not hear itself. Turn the volume up, unplug headphones, or try the other band.");
    else
        ui_text(ui, body.x, y, BODY, FAINT, "Listening to this phone's own packets…");
    back_button(ui, phone, body.x, y + 64);
}

/* ---- The lobby. ------------------------------------------------------------------------------------------------------ */

static float heading(struct ui *ui, const struct phone *phone, float x, float y)
{
    const duel_session_status *status = &phone->status;
    const duel_map *map = status->offered ? &status->offer_map : &phone->want.map;
    char name[64], mutators[160];
    bool found = phone->want.role == DUEL_ROLE_HOST || phone->link_status.detected_plan != DUEL_NONE;
    ui_text(ui, x, y, LARGE, INK, "%s%s · %s", phone->rematch ? "Rematch · " : "",
            phone->want.role == DUEL_ROLE_HOST ? "You host" : "You join",
            !found ? "finding the band" : phone->link_status.plan == DUEL_PLAN_LOW ? "band Low" : "band High");
    if (!status->offered && phone->want.role == DUEL_ROLE_GUEST)
        return 38;
    map_name(map, name, sizeof name);
    mutator_names(status->offered ? status->offer_mutators : phone->want.mutators, mutators, sizeof mutators);
    ui_text(ui, x, y + 32, BODY, FAINT, "%s, %s%s", name, mutators,
            status->local_side == DUEL_NONE  ? ""
            : status->local_side == DUEL_SIDE_RED ? ", you play red"
                                                  : ", you play blue");
    return 66;
}

/* Both directions of the link. */
static float meters(struct ui *ui, const struct phone *phone, float x, float y, float width)
{
    const duel_link_status *link = &phone->link_status;
    const duel_session_status *status = &phone->status;
    uint64_t heard = link->rx_good + link->rx_bad;
    char trip[32] = "–", own[32] = "–";
    ui_panel(ui, (SDL_FRect){x, y, width, 112}, PANEL, EDGE);
    x += 18;
    ui_text(ui, x, y + 14, BODY, INK, "You hear your friend");
    ui_bars(ui, x + 210, y + 15, status->rx_quality, DUEL_RX_QUALITY_MAX);
    if (heard)
        ui_text(ui, x + 296, y + 14, BODY, FAINT, "%.0f dB, %u %% of packets good", number(link->snr_db),
                (unsigned)(100 * link->rx_good / heard));
    else
        ui_text(ui, x + 296, y + 14, BODY, FAINT, "nothing yet");
    ui_text(ui, x, y + 44, BODY, INK, "Your friend hears you");
    ui_bars(ui, x + 210, y + 45, SDL_max(status->peer_rx_quality, 0), DUEL_RX_QUALITY_MAX);
    if (status->peer_rx_quality < 0)
        ui_text(ui, x + 296, y + 44, BODY, FAINT, "not known yet");
    if (status->round_trip_us >= 0)
        snprintf(trip, sizeof trip, "%d ms", (int)(status->round_trip_us / 1000));
    if (link->own_snr_db == link->own_snr_db) /* not "not a number" */
        snprintf(own, sizeof own, "%.0f dB", (double)link->own_snr_db);
    ui_text(ui, x, y + 80, SMALL, FAINT, "Round trip %s · own sound %s · microphone peak %.0f %% · playing at %.0f %%", trip,
            own, 100 * number(link->input_peak), 100 * number(link->gain));
    return 130;
}

static float listening(struct ui *ui, struct phone *phone, SDL_FRect body, float y)
{
    bool host = phone->want.role == DUEL_ROLE_HOST;
    float top = y;
    ui_text(ui, body.x, y, BODY, INK, host ? "Waiting for a friend who joins…" : "Listening for a friend who hosts…");
    y += 32;
    if (phone->status.hint == DUEL_HINT_TIPS)
        y += ui_paragraph(ui, body.x, y, body.w, BODY, WARN, TIPS) + 8;
    if (phone->status.hint == DUEL_HINT_SWITCH_ROLE && !phone->rematch) {
        ui_text(ui, body.x, y, BODY, WARN, "Nothing heard yet. One phone hosts, the other joins.");
        if (ui_button(ui, (SDL_FRect){body.x, y + 30, 180, 40}, host ? "Join instead" : "Host instead", SDLK_S, true))
            phone_leave_for(phone, GOING_SWITCH_ROLE);
        y += 84;
    }
    return y - top;
}

static float picking(struct ui *ui, struct phone *phone, SDL_FRect body, float y)
{
    uint32_t openers = 0;
    char name[64];
    float width = (body.w - 32) / 3;
    duel_session_openers(phone->session, &openers);
    ui_text(ui, body.x, y, LARGE, INK, "Pick your opener (%d s)", (phone->status.pick_left_ms + 999) / 1000);
    for (uint32_t at = 0; duel_skirmish_name(DUEL_NAMES_OPENERS, at, name, sizeof name) == DUEL_OK; at++) {
        SDL_FRect box = {body.x + (float)at * (width + 16), y + 40, width, 76};
        bool offered = openers >> at & 1;
        if (ui_button(ui, box, "", SDLK_1 + at, offered))
            phone_pick(phone, (int32_t)at);
        ui_text(ui, box.x + 16, box.y + 12, LARGE, offered ? INK : FAINT, "%s", name);
        ui_text(ui, box.x + 16, box.y + 44, SMALL, FAINT, "%s", offered ? about_opener(name) : "not in this match");
    }
    return 136;
}

static float step(struct ui *ui, struct phone *phone, SDL_FRect body, float y)
{
    const duel_session_status *status = &phone->status;
    char text[256];
    if (phone->going != GOING_NOWHERE) {
        ui_text(ui, body.x, y, BODY, INK, "Saying goodbye…");
        return 32;
    }
    switch (status->pairing) {
    case DUEL_PAIRING_LISTENING:
    case DUEL_PAIRING_FAILED:
        return listening(ui, phone, body, y);
    case DUEL_PAIRING_MEASURING:
        ui_text(ui, body.x, y, BODY, INK, "Your friend is there. Measuring the link…");
        return status->offer_refused ? 32 + ui_paragraph(ui, body.x, y + 30, body.w, BODY, BAD, status->problem_text) : 32;
    case DUEL_PAIRING_PICKING:
        return picking(ui, phone, body, y);
    case DUEL_PAIRING_PICKED:
        ui_text(ui, body.x, y, BODY, INK, "You picked %s. Waiting for your friend to pick…",
                status->own_pick < 0 ? "none" : name_of(DUEL_NAMES_OPENERS, (uint32_t)status->own_pick));
        return 32;
    case DUEL_PAIRING_OTHER_VERSION:
        snprintf(text, sizeof text,
                 "The phones run different versions of the game (%04X here, %04X there).%s Install the same one on both.",
                 status->builds[0], status->builds[1],
                 status->version_age < 0   ? " This phone's is the older one."
                 : status->version_age > 0 ? " Your friend's is the older one."
                                           : "");
        y += ui_paragraph(ui, body.x, y, body.w, BODY, BAD, text) + 8;
        if (ui_button(ui, (SDL_FRect){body.x, y, 140, 40}, "Try again", SDLK_R, true))
            phone_retry(phone);
        return 110;
    default:
        ui_text(ui, body.x, y, LARGE, GOOD, "Starting…");
        return 36;
    }
}

/* What is wrong with the sound: it goes elsewhere, or it is too loud; one of them at a time. */
static float warning(struct ui *ui, const struct phone *phone, SDL_FRect body, float y)
{
    const duel_advice_status *advice = &phone->advice_status;
    char text[200];
    if (advice->route_text && advice->route_text[0])
        return ui_paragraph(ui, body.x, y, body.w, BODY, WARN, advice->route_text) + 10;
    if (!advice->loud && !(advice->gain > 0 && advice->gain < phone->want.gain))
        return 0;
    snprintf(text, sizeof text,
             "This phone's own sound is too loud at its microphone: it plays at %.0f %% now. Turn the volume down a little.",
             100 * (double)advice->gain);
    return ui_paragraph(ui, body.x, y, body.w, BODY, WARN, text) + 10;
}

/* The other plan or the other role, with the reason that was measured. */
static float offer(struct ui *ui, struct phone *phone, SDL_FRect body, float y)
{
    struct offer offered = phone_offer(phone);
    float top = y, x = body.x;
    if (!offered.reason)
        return 0;
    y += ui_paragraph(ui, x, y, body.w, BODY, WARN, offered.reason) + 8;
    if (offered.plan != DUEL_NONE && ui_button(ui, (SDL_FRect){x, y, 210, 40}, "Switch to band Low", SDLK_F, true))
        phone_leave_for(phone, GOING_OTHER_PLAN);
    if (offered.plan != DUEL_NONE)
        x += 226;
    if (offered.role
        && ui_button(ui, (SDL_FRect){x, y, 400, 40}, "Switch roles: tell your friend to do the same", SDLK_S, true))
        phone_leave_for(phone, GOING_SWITCH_ROLE);
    return y + 56 - top;
}

static void lobby(struct ui *ui, struct phone *phone)
{
    SDL_FRect body = sheet(ui, phone);
    float y = body.y;
    y += heading(ui, phone, body.x, y);
    y += meters(ui, phone, body.x, y, body.w);
    y += step(ui, phone, body, y) + 10;
    y += warning(ui, phone, body, y);
    y += offer(ui, phone, body, y);
    if (phone->rig && phone->rig_status.warns_of_auto_lock) {
        ui_text(ui, body.x, y, BODY, WARN, "Set Auto-Lock to Never: the screen may lock in the match.");
        y += 30;
    }
    if (phone->going == GOING_NOWHERE && ui_button(ui, (SDL_FRect){body.x, y + 8, 140, 42}, "Back", SDLK_ESCAPE, true))
        phone_leave_for(phone, GOING_MENU);
}

void lobby_screen(struct ui *ui, struct phone *phone)
{
    switch (phone->stage) {
    case STAGE_OPENING:
        opening(ui, phone);
        break;
    case STAGE_FAILED:
        failed(ui, phone);
        break;
    case STAGE_SELF_TEST:
        self_test(ui, phone);
        break;
    case STAGE_DUEL:
        lobby(ui, phone);
        break;
    default:
        menu(ui, phone);
    }
}
