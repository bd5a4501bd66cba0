/* words.h: what things are called on the screen, and how an end is told. */
#ifndef WORDS_H
#define WORDS_H

#include "phone.h"

/* The words of an end. */
struct headline {
    char title[64];   /* "Victory", "Signal lost", ... */
    char how[160];    /* how it came about; may be empty */
    const char *sync; /* whether both worlds agree, where that is a question; or empty */
    int well;         /* it went well for this player (1), badly (-1), or neither (0) */
};

/* The words for the end of the phone's match. */
void headline_of(const struct phone *phone, struct headline *headline);

const char *role_word(int32_t role);
const char *plan_word(int32_t plan);
const char *side_word(int32_t side);
const char *band_of(int32_t plan, int32_t role);
void map_name(const duel_map *map, char *name, size_t bytes);
/* "blitz, swift", or "no mutators". */
void mutator_names(uint32_t mutators, char *names, size_t bytes);
/* A name of one of the library's tables; it lives until the fourth call after this one. */
const char *name_of(int32_t table, uint32_t index);
/* What an opener brings. */
const char *about_opener(const char *name);
/* Minutes and seconds of ticks: "6:08". */
const char *clock_of(uint32_t ticks, char text[16]);
/* A float that may not be known, as a number to print. */
static inline double number(float value)
{
    return value == value ? (double)value : 0.0; /* nothing but "not a number" differs from itself */
}

#endif
