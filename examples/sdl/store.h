/* store.h: what a phone keeps: records, a log where worlds differ, the tally of its matches. The only part that writes
 * files. */
#ifndef STORE_H
#define STORE_H

#include "duel.h"

#include <stdbool.h>

enum { STORE_PATH_BYTES = 512, STORE_LOG_LINES = 64, STORE_LINE_BYTES = 160 };

struct store {
    char folder[STORE_PATH_BYTES - 64]; /* empty: nothing is kept */
    bool counts;                        /* matches count: not in practice */
    duel_score_book book;
    int matches; /* kept by this program: each has files of its own */
    char log[STORE_LOG_LINES][STORE_LINE_BYTES]; /* what the sessions said last */
    uint32_t log_count;
};

/* The files of a match. */
struct kept {
    bool done;
    char record[STORE_PATH_BYTES]; /* empty: none */
    char debug[STORE_PATH_BYTES];
    char problem[STORE_PATH_BYTES]; /* what could not be saved */
    uint64_t record_digest;         /* equal on both phones for a decided match (FNV-1a of the record) */
};

/* Keeps everything in `folder`, which is made if it is not there; NULL keeps nothing. A tally that is there goes on.
 * False if the folder cannot be made. */
bool store_init(struct store *store, const char *folder, bool counts);
/* A line of a session's log: a `duel_log_fn`. */
void store_log(void *store, const char *text);
/* The match is over: saves its record, under the role's name. */
void store_record(struct store *store, duel_session *session, int32_t role, struct kept *kept);
/* The worlds differed: saves what explains it. */
void store_debug(struct store *store, int32_t role, struct kept *kept);
/* Counts the match in the tally as far as its end is known; call it every frame. `hidden`: it may never come back. */
void store_count(struct store *store, duel_session *session, uint64_t now_us, bool hidden);

#endif
