/* words.c: see words.h. */
#include "words.h"

#include <stdio.h>
#include <string.h>

static void decided(const struct phone *phone, struct headline *headline)
{
    static const char *const SYNC[] = {"Checking sync…", "In sync ✓",
                                       "Not verified: your friend's phone has not said the same"};
    const duel_session_status *status = &phone->status;
    int32_t local = phone->agreed.local_side;
    headline->well = status->winner == local ? 1 : status->winner == DUEL_NONE ? 0 : -1;
    const char *verdict = headline->well > 0 ? "Victory" : headline->well < 0 ? "Defeat" : "Draw";
    headline->sync = SYNC[status->sync];
    if (status->resigned) {
        const char *who = headline->well > 0 ? "Your friend" : headline->well < 0 ? "You" : "Both";
        snprintf(headline->title, sizeof headline->title, "%s resigned · %s", who, verdict);
        return;
    }
    bool own = phone->fallen[local], other = phone->fallen[1 - local];
    snprintf(headline->title, sizeof headline->title, "%s", verdict);
    snprintf(headline->how, sizeof headline->how, "%s",
             own && other ? "Both command centres fell."
             : own        ? "Your command centre fell."
             : other      ? "Your friend's command centre fell."
                          : "");
}

void headline_of(const struct phone *phone, struct headline *headline)
{
    static const char NO_RESULT[] = "The match has no result.";
    memset(headline, 0, sizeof *headline);
    headline->sync = "";
    const char *title = "The match is over", *how = "";
    switch (phone->status.end) {
    case DUEL_END_DECIDED:
        decided(phone, headline);
        return;
    case DUEL_END_DESYNC:
        snprintf(headline->title, sizeof headline->title, "Out of sync");
        snprintf(headline->how, sizeof headline->how,
                 "The two phones' worlds differ, found after tick %u. The match counts for nobody.",
                 phone->status.end_tick);
        return;
    case DUEL_END_PEER_LEFT:
        title = "Your friend left";
        how = NO_RESULT;
        break;
    case DUEL_END_LEFT:
        title = phone->lost ? "Signal lost" : "You left";
        how = phone->lost ? "You left because the phones no longer heard each other. The match has no result." : NO_RESULT;
        break;
    default:
        break;
    }
    snprintf(headline->title, sizeof headline->title, "%s", title);
    snprintf(headline->how, sizeof headline->how, "%s", how);
}

const char *role_word(int32_t role)
{
    return role == DUEL_ROLE_HOST ? "host" : "guest";
}

const char *plan_word(int32_t plan)
{
    return plan == DUEL_PLAN_LOW ? "Low" : "High";
}

const char *side_word(int32_t side)
{
    return side == DUEL_SIDE_RED ? "red" : "blue";
}

const char *band_of(int32_t plan, int32_t role)
{
    static const char *const BANDS[2][2] = {{"9.5–12.5 kHz", "16–19 kHz"}, {"5–6.5 kHz", "8–9.5 kHz"}};
    return BANDS[plan == DUEL_PLAN_LOW][role == DUEL_ROLE_GUEST];
}

const char *name_of(int32_t table, uint32_t index)
{
    static char names[4][96];
    static int turn;
    char *name = names[turn++ % 4];
    if (duel_skirmish_name(table, index, name, sizeof names[0]) != DUEL_OK)
        snprintf(name, sizeof names[0], "?");
    return name;
}

void map_name(const duel_map *map, char *name, size_t bytes)
{
    if (map->random)
        snprintf(name, bytes, "%s %u", name_of(DUEL_NAMES_BIOMES, map->index), map->seed);
    else
        snprintf(name, bytes, "%s", name_of(DUEL_NAMES_MAPS, map->index));
}

void mutator_names(uint32_t mutators, char *names, size_t bytes)
{
    size_t length = 0;
    snprintf(names, bytes, "no mutators");
    for (uint32_t bit = 0; bit < 32 && length < bytes; bit++)
        if (mutators >> bit & 1)
            length += (size_t)snprintf(names + length, bytes - length, length ? ", %s" : "%s",
                                       name_of(DUEL_NAMES_MUTATORS, bit));
}

const char *about_opener(const char *name)
{
    return strcmp(name, "prospector") == 0 ? "one more harvester"
           : strcmp(name, "raiders") == 0  ? "two rifles and a scout"
           : strcmp(name, "fortress") == 0 ? "a turret and barracks"
                                           : "";
}

const char *clock_of(uint32_t ticks, char text[16])
{
    snprintf(text, 16, "%u:%02u", ticks / 600, ticks / 10 % 60);
    return text;
}
