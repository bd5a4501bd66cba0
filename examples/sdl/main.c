/* main.c: a duel by sound in a window: the command line, the loop, and what is on the window when.
 *
 *   audio.c     this machine's speaker and microphone (devices.c: by name): all of the audio thread
 *   practice.c  or a simulated room with a second phone in it
 *   phone.c     one phone from the menu to the report: rig, link, session (moves.c: what its player can do)
 *   lobby.c  match.c  world.c  draw.c  hud.c  cover.c  report.c   what is on the window, and what a click does
 *   ui.c        letters, shapes, buttons
 *   words.c  store.c  tell.c  autopilot.c  args.c  shot.c
 */
#include "args.h"
#include "audio.h"
#include "devices.h"
#include "match.h"
#include "practice.h"
#include "shot.h"
#include "tell.h"

#include <SDL3/SDL_main.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    FRAME_MS = 10,         /* how often the link is looked at */
    UNSEEN_DRAW_MS = 200,  /* a window that nobody sees is drawn seldom */
    LEAVE_WITHIN_MS = 3000,
    PRACTICE_STEP_US = 10000,
    PRACTICE_LATE_US = 250000, /* a practice clock does not run through what the machine slept through */
};

struct app {
    struct args args;
    struct ui ui;
    struct audio *audio;
    struct practice *practice;
    struct phone phone;
    struct match match;
    struct autopilot autopilot;
    struct teller teller;
    struct shot shot;
    bool unseen;          /* the video driver shows nothing */
    uint64_t practice_us; /* the practice clock */
    uint64_t before_us, drawn_ms;
    uint64_t phase_since_us; /* since when it pairs, or plays */
    bool playing;
    char failed[DUEL_TEXT_BYTES]; /* why there was no match */
};

static uint64_t clock_us(void)
{
    return SDL_GetTicksNS() / 1000;
}

/* ---- Setting up. ----------------------------------------------------------------------------------------------------- */

static bool open_devices(struct app *app, char *why, size_t why_bytes)
{
    struct sound sound;
    struct store store;
    uint64_t seed = app->args.seed;
    if (seed == 0 || !app->args.practice) /* a nonce met before would let a recording pass for a phone */
        seed = (uint64_t)time(NULL) * 0x9E3779B97F4A7C15u ^ SDL_GetPerformanceCounter() ^ (uint64_t)SDL_rand_bits() << 32;
    if (!store_init(&store, app->args.out, !app->args.practice)) {
        snprintf(why, why_bytes, "--out %s: %s", app->args.out, SDL_GetError());
        return false;
    }
    if (app->args.practice) {
        app->practice = practice_new(seed, why, why_bytes);
        if (!app->practice)
            return false;
        sound = practice_sound(app->practice);
    } else {
        app->audio = audio_new(app->args.speaker, app->args.microphone, why, why_bytes);
        if (!app->audio)
            return false;
        sound = audio_sound(app->audio);
    }
    phone_init(&app->phone, sound, app->args.want, store, seed);
    if (app->practice)
        practice_invite(app->practice, &app->phone, app->args.peer_ai);
    return true;
}

static bool set_up(struct app *app, char *why, size_t why_bytes)
{
    SDL_InitFlags flags = SDL_INIT_VIDEO | (app->args.practice ? 0 : SDL_INIT_AUDIO);
    if (duel_abi() != DUEL_ABI) {
        snprintf(why, why_bytes, "the library speaks ABI %u, this program %d: build both anew", duel_abi(), DUEL_ABI);
        return false;
    }
    if (!SDL_Init(flags) || !ui_open(&app->ui, "Sound Duel", 1280, 800)) {
        snprintf(why, why_bytes,
                 "no window: %s. Without a screen set SDL_VIDEO_DRIVER=offscreen; without a sound card try --practice",
                 SDL_GetError());
        return false;
    }
    const char *driver = SDL_GetCurrentVideoDriver();
    app->unseen = driver && (SDL_strcmp(driver, "offscreen") == 0 || SDL_strcmp(driver, "dummy") == 0);
    if (app->unseen)
        SDL_SetRenderVSync(app->ui.renderer, 0);
    return open_devices(app, why, why_bytes);
}

static int SDLCALL leave_anyway(void *status)
{
    SDL_Delay(LEAVE_WITHIN_MS);
    _Exit((int)(intptr_t)status);
}

/* A device that has died may never let go, and SDL waits for it: after a while the process ends without. */
static int leave(struct app *app, int status)
{
    fflush(stdout);
    SDL_DetachThread(SDL_CreateThread(leave_anyway, "leave", (void *)(intptr_t)status));
    match_free(&app->match);
    phone_free(&app->phone);
    practice_free(app->practice);
    ui_close(&app->ui);
    audio_free(app->audio);
    SDL_Quit();
    return status;
}

/* ---- The loop. ------------------------------------------------------------------------------------------------------- */

/* A window that cannot be seen pauses this phone, and its peer is told why. */
static void take_window_event(struct app *app, const SDL_Event *event)
{
    if (event->type == SDL_EVENT_WINDOW_MINIMIZED || event->type == SDL_EVENT_WINDOW_HIDDEN
        || event->type == SDL_EVENT_WINDOW_OCCLUDED)
        phone_hide(&app->phone, true);
    else if (event->type == SDL_EVENT_WINDOW_RESTORED || event->type == SDL_EVENT_WINDOW_SHOWN
             || event->type == SDL_EVENT_WINDOW_EXPOSED)
        phone_hide(&app->phone, false);
    else if (event->type == SDL_EVENT_AUDIO_DEVICE_REMOVED && app->audio)
        audio_device_removed(app->audio, event->adevice.which, event->adevice.recording);
}

static void take_events(struct app *app)
{
    SDL_Event event;
    ui_begin(&app->ui);
    SDL_PumpEvents();
    while (SDL_PeepEvents(&event, 1, SDL_PEEKEVENT, SDL_EVENT_FIRST, SDL_EVENT_LAST) > 0 && ui_take(&app->ui, &event)) {
        take_window_event(app, &event);
        SDL_PeepEvents(&event, 1, SDL_GETEVENT, SDL_EVENT_FIRST, SDL_EVENT_LAST);
    }
}

/* Lets time come for everybody at the table. */
static void tick(struct app *app, uint64_t now_us)
{
    if (app->practice)
        practice_tick(app->practice, &app->phone, now_us);
    phone_tick(&app->phone, now_us);
    if (!shot_direct(&app->shot, &app->phone, app->practice) && app->args.alone)
        autopilot_tick(&app->autopilot, &app->phone);
    tell(&app->teller, &app->phone);
}

static void let_time_come(struct app *app)
{
    uint64_t now_us = clock_us(), passed_us = now_us - app->before_us;
    app->before_us = now_us;
    if (!app->practice) {
        tick(app, now_us);
        return;
    }
    uint64_t until_us = app->practice_us + SDL_min(passed_us, PRACTICE_LATE_US) * app->args.speed;
    while (app->practice_us + PRACTICE_STEP_US <= until_us && clock_us() - now_us < PRACTICE_LATE_US) {
        app->practice_us += PRACTICE_STEP_US;
        tick(app, app->practice_us);
    }
    app->before_us -= (until_us - SDL_min(app->practice_us, until_us)) / app->args.speed; /* the rest, next time */
}

static void draw_match(struct app *app)
{
    struct phone *phone = &app->phone;
    struct ui *ui = &app->ui;
    bool still = phone->status.waiting != DUEL_WAIT_NONE || phone->status.paused;
    match_follow(&app->match, phone);
    if (app->match.view.w == 0)
        match_hud(&app->match, ui, phone); /* says where the map goes */
    match_draw(&app->match, ui, phone, still ? 1 : (float)phone->status.pose_permille / 1000);
    struct ui_hands hands = {.key = 0};
    bool asks = phone->menu_up; /* the menu is answered first */
    if (asks)
        hands = ui_withhold(ui);
    match_hud(&app->match, ui, phone);
    if (asks)
        ui_give_back(ui, hands);
    bool covered = overlay_screen(ui, phone);
    if (!covered)
        match_hands(&app->match, ui, phone);
}

static void draw(struct app *app)
{
    struct phone *phone = &app->phone;
    struct ui_hands hands = {.key = 0};
    bool covered = cover_is_up(phone);
    if (covered)
        hands = ui_withhold(&app->ui);
    if (phone_is_over(phone))
        report_screen(&app->ui, phone);
    else if (phone->stage == STAGE_DUEL && phone->status.phase == DUEL_PHASE_PLAYING)
        draw_match(app);
    else
        lobby_screen(&app->ui, phone);
    if (covered)
        ui_give_back(&app->ui, hands);
    cover_screen(&app->ui, phone);
}

/* Closing the window says goodbye first, so that the peer need not wait. */
static bool wants_out(struct app *app)
{
    struct phone *phone = &app->phone;
    if (app->ui.quit && (phone->stage != STAGE_DUEL || phone->going != GOING_NOWHERE))
        return true; /* who closes it twice does not want to wait */
    if (app->ui.quit)
        phone_leave_for(phone, GOING_QUIT);
    app->ui.quit = false;
    return phone->stage == STAGE_CLOSED;
}

/* Nobody is there to give up: what did not come in time does not come. */
static bool is_done(struct app *app)
{
    struct phone *phone = &app->phone;
    bool playing = phone->stage == STAGE_DUEL && phone->status.phase == DUEL_PHASE_PLAYING;
    uint32_t within_s = playing ? app->args.play_within_s : app->args.pair_within_s;
    if (!app->args.alone)
        return false;
    if (app->args.screenshot && !app->shot.path && !app->args.quit_at_end)
        return true;
    if (playing != app->playing || phone_is_over(phone))
        app->phase_since_us = phone->now_us;
    app->playing = playing;
    if (phone->stage == STAGE_MENU && app->teller.reports > 0)
        return true;
    if (phone->stage == STAGE_FAILED)
        snprintf(app->failed, sizeof app->failed, "%.120s. %.120s", phone->failed_why, phone->failed_advice);
    else if (phone->stage == STAGE_DUEL && phone->status.pairing == DUEL_PAIRING_OTHER_VERSION)
        snprintf(app->failed, sizeof app->failed, "the phones run different versions: %04X here, %04X there",
                 phone->status.builds[0], phone->status.builds[1]);
    else if (phone->now_us - app->phase_since_us >= (uint64_t)within_s * 1000000 && playing)
        snprintf(app->failed, sizeof app->failed, "no decision in %u s", within_s);
    else if (phone->now_us - app->phase_since_us >= (uint64_t)within_s * 1000000)
        snprintf(app->failed, sizeof app->failed,
                 "not paired after %u s: bring the phones closer, turn the volume up, or try --plan low", within_s);
    return app->failed[0] != 0;
}

static void run(struct app *app)
{
    app->before_us = clock_us();
    app->match.watches = app->args.alone;
    app->autopilot.rematches = (int)app->args.rematches;
    if (app->args.go && !app->args.alone)
        phone_start(&app->phone);
    for (;;) {
        uint64_t now_ms = SDL_GetTicks();
        take_events(app);
        let_time_come(app);
        bool seen = !app->unseen && !app->phone.hidden;
        if (seen || now_ms - app->drawn_ms >= UNSEEN_DRAW_MS || shot_wants(&app->shot, &app->phone)) {
            app->drawn_ms = now_ms;
            draw(app);
            shot_take(&app->shot, &app->ui, &app->phone);
            SDL_RenderPresent(app->ui.renderer);
        }
        if (wants_out(app) || is_done(app))
            return;
        uint64_t spent_ms = SDL_GetTicks() - now_ms;
        if (spent_ms < FRAME_MS) /* otherwise the screen's own pace is the loop's */
            SDL_Delay((Uint32)(FRAME_MS - spent_ms));
    }
}

int main(int count, char **words)
{
    static struct app app;
    char why[DUEL_TEXT_BYTES + 64];
    if (!args_read(&app.args, count, words, why, sizeof why)) {
        fprintf(stderr, "%s\n", why);
        return 2;
    }
    if (app.args.help) {
        fputs(ARGS_HELP, stdout);
        return 0;
    }
    if (app.args.list_devices) {
        if (!SDL_Init(SDL_INIT_AUDIO)) {
            fprintf(stderr, "no audio: %s\n", SDL_GetError());
            return 1;
        }
        device_list();
        return leave(&app, 0);
    }
    app.teller = (struct teller){.json = app.args.json, .lines = app.args.quit_at_end};
    app.shot = (struct shot){.path = app.args.screenshot, .at = app.args.at};
    bool up = set_up(&app, why, sizeof why);
    if (up)
        run(&app);
    else
        fprintf(stderr, "%s\n", why);
    if (app.failed[0])
        fprintf(stderr, "%s\n", app.failed);
    bool played = !app.args.quit_at_end || (app.teller.reports > 0 && app.teller.reports == app.teller.in_sync);
    bool well = up && !app.failed[0] && played && !shot_is_missing(&app.shot);
    return leave(&app, well ? 0 : 1);
}
