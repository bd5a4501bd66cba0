/* args.c: see args.h. */
#include "args.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char ARGS_HELP[] =
    "usage: sound-duel-sdl [options]\n"
    "\n"
    "Two machines play a real-time strategy duel by sound alone: each hears the other's speaker.\n"
    "Warning: the sound link plays a constant high-pitched noise for the whole match.\n"
    "\n"
    "  --practice             no devices, no noise: your friend is an AI in a simulated room\n"
    "  --host | --join        straight into the lobby as the host of a match, or as a guest\n"
    "  --list-devices         name this machine's audio devices and leave\n"
    "  --mic NAME             the microphone, by part of its name [the system's]\n"
    "  --speaker NAME         the speaker [the system's]\n"
    "  --plan auto|high|low   the frequency bands, the host's to choose [auto]\n"
    "  --map INDEX            0 to 5, or BIOME:SEED for a random one, such as 2:12345 [0]\n"
    "  --mutators LIST        names with commas, such as blitz,bonanza [none]\n"
    "  --host-side blue|red   the side the host plays [blue]\n"
    "  --opener INDEX         0 prospector, 1 raiders, 2 fortress [asked for]\n"
    "  --ai LEVEL             an AI plays for you: easy, normal or hard\n"
    "  --friend LEVEL         with --practice: the AI at the other end [easy]\n"
    "  --gain GAIN            how loud, above 0 and at most 1.5 [1]\n"
    "  --out DIR              where to keep records and the score [duel-out]\n"
    "\n"
    "For machines:\n"
    "  --json                 tell what happens in lines of JSON; the last one is the report\n"
    "  --quit-at-end          leave once the match is over; succeeds only if it ended in sync\n"
    "  --rematches COUNT      with --quit-at-end: play on [0]\n"
    "  --speed TIMES          with --practice: both clocks run faster [1]\n"
    "  --screenshot FILE      save a picture of the window (.png or .bmp), and leave unless there is --quit-at-end...\n"
    "  --at WHEN              ...of the menu, the self-test, the lobby, picking, the match, a stall, the pause menu, a\n"
    "                         lost link, or the report: menu, self-test, lobby, picking, match, stall, pause, lost, report\n"
    "                         [match]\n"
    "  --pair-within SECONDS  with --quit-at-end: give up if no friend is found by then [120]\n"
    "  --play-within SECONDS  with --quit-at-end: give up if nothing is decided by then [2400]\n"
    "  --seed SEED            decides what is random in practice\n"
    "\n"
    "Without a screen: SDL_VIDEO_DRIVER=offscreen. In a match: P or Escape pauses.\n";

static int32_t index_in(const char *word, const char *const *names, int32_t count)
{
    for (int32_t at = 0; at < count; at++)
        if (strcmp(word, names[at]) == 0)
            return at;
    return -1;
}

/* The digits that `word` begins with; moves it on behind them. */
static bool take_number(const char **word, uint32_t max, uint32_t *number)
{
    bool digits = isdigit((unsigned char)**word);
    char *end;
    errno = 0;
    unsigned long value = strtoul(*word, &end, 10);
    *word = end;
    *number = (uint32_t)value;
    return digits && errno == 0 && value <= max;
}

static bool read_number(const char *word, uint32_t max, uint32_t *number)
{
    return take_number(&word, max, number) && !*word;
}

static bool read_gain(const char *word, float *gain)
{
    char *end;
    *gain = strtof(word, &end);
    return end != word && !*end && *gain > 0 && *gain <= 1.5f;
}

static bool read_map(const char *word, duel_map *map)
{
    uint32_t width, height;
    *map = (duel_map){strchr(word, ':') != NULL, 0, 0};
    if (!take_number(&word, UINT32_MAX, &map->index))
        return false;
    if (map->random && (*word++ != ':' || !take_number(&word, UINT32_MAX, &map->seed)))
        return false;
    return !*word && duel_skirmish_map_size(map, &width, &height) == DUEL_OK;
}

static bool read_mutators(const char *words, uint32_t *mutators)
{
    *mutators = 0;
    if (strcmp(words, "none") == 0 || strcmp(words, "standard") == 0)
        return true;
    while (*words) {
        size_t length = strcspn(words, ",");
        char name[64];
        uint32_t bit = 0;
        while (duel_skirmish_name(DUEL_NAMES_MUTATORS, bit, name, sizeof name) == DUEL_OK
               && (strlen(name) != length || strncmp(name, words, length) != 0))
            bit++;
        if (duel_skirmish_name(DUEL_NAMES_MUTATORS, bit, name, sizeof name) != DUEL_OK)
            return false;
        *mutators |= 1u << bit;
        words += length + (words[length] == ',');
    }
    return true;
}

/* An option with a value; `good` says whether the value is. False if there is no such option. */
static bool read_option(struct args *args, const char *option, const char *word, bool *good)
{
    static const char *const AIS[] = {"none", "easy", "normal", "hard"}, *const PLANS[] = {"high", "low", "auto"},
                      *const SIDES[] = {"blue", "red"};
    static const char *const AT[] = {"menu", "self-test", "lobby", "picking", "match", "stall", "pause", "lost", "report"};
    uint32_t number = 0;
    *good = true;
    if (strcmp(option, "--mic") == 0)
        args->microphone = word;
    else if (strcmp(option, "--speaker") == 0)
        args->speaker = word;
    else if (strcmp(option, "--out") == 0)
        args->out = word;
    else if (strcmp(option, "--screenshot") == 0)
        args->screenshot = word;
    else if (strcmp(option, "--at") == 0)
        *good = index_in(args->at = word, AT, 9) >= 0;
    else if (strcmp(option, "--plan") == 0)
        *good = (args->want.plan = index_in(word, PLANS, 3)) >= 0;
    else if (strcmp(option, "--map") == 0)
        *good = read_map(word, &args->want.map);
    else if (strcmp(option, "--mutators") == 0)
        *good = read_mutators(word, &args->want.mutators);
    else if (strcmp(option, "--host-side") == 0)
        *good = (args->want.host_side = index_in(word, SIDES, 2)) >= 0;
    else if (strcmp(option, "--ai") == 0)
        *good = (args->want.ai = index_in(word, AIS, 4)) >= 0;
    else if (strcmp(option, "--friend") == 0)
        *good = (args->peer_ai = index_in(word, AIS, 4)) > 0;
    else if (strcmp(option, "--opener") == 0) {
        *good = read_number(word, 2, &number);
        args->want.opener = (int32_t)number;
    } else if (strcmp(option, "--gain") == 0)
        *good = read_gain(word, &args->want.gain);
    else if (strcmp(option, "--speed") == 0)
        *good = read_number(word, 1000, &args->speed) && args->speed > 0;
    else if (strcmp(option, "--rematches") == 0)
        *good = read_number(word, 1000, &args->rematches);
    else if (strcmp(option, "--pair-within") == 0)
        *good = read_number(word, 100000, &args->pair_within_s);
    else if (strcmp(option, "--play-within") == 0)
        *good = read_number(word, 100000, &args->play_within_s);
    else if (strcmp(option, "--seed") == 0) {
        *good = read_number(word, UINT32_MAX, &number);
        args->seed = number;
    } else
        return false;
    return true;
}

static bool read_flag(struct args *args, const char *option)
{
    if (strcmp(option, "--practice") == 0)
        args->practice = true;
    else if (strcmp(option, "--host") == 0 || strcmp(option, "--join") == 0) {
        args->want.role = option[2] == 'h' ? DUEL_ROLE_HOST : DUEL_ROLE_GUEST;
        args->go = true;
    } else if (strcmp(option, "--list-devices") == 0)
        args->list_devices = true;
    else if (strcmp(option, "--json") == 0)
        args->json = true;
    else if (strcmp(option, "--quit-at-end") == 0)
        args->quit_at_end = true;
    else if (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0)
        args->help = true;
    else
        return false;
    return true;
}

bool args_read(struct args *args, int count, char **words, char *why, size_t why_bytes)
{
    memset(args, 0, sizeof *args);
    args->want.plan = PLAN_AUTO;
    args->want.opener = DUEL_NONE;
    args->want.gain = 1;
    args->peer_ai = DUEL_AI_EASY;
    args->speed = 1;
    args->out = "duel-out";
    args->at = "match";
    args->pair_within_s = 120;
    args->play_within_s = 2400;
    for (int at = 1; at < count; at++) {
        const char *option = words[at], *value = at + 1 < count ? words[at + 1] : NULL;
        bool good = true;
        if (read_flag(args, option))
            continue;
        if (!value || !read_option(args, option, value, &good)) {
            snprintf(why, why_bytes, "%s: no such option%s; --help names them all", option,
                     value ? "" : ", or its value is missing");
            return false;
        }
        if (!good) {
            snprintf(why, why_bytes, "%s %s: no such value; --help says what there is", option, value);
            return false;
        }
        at++;
    }
    if (args->speed > 1 && !args->practice) {
        snprintf(why, why_bytes, "--speed needs --practice: live sound cannot be hurried");
        return false;
    }
    args->alone = args->quit_at_end || args->screenshot;
    if (args->alone && args->want.ai == DUEL_AI_NONE)
        args->want.ai = DUEL_AI_NORMAL; /* somebody has to play */
    return true;
}
