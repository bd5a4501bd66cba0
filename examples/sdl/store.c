/* store.c: see store.h. */
#include "store.h"

#include <SDL3/SDL.h>
#include <stdio.h>

#define SCORE_FORMAT "{\"wins\":%u,\"losses\":%u,\"draws\":%u,\"abandoned\":%u,\"noContest\":%u}"

static void score_path(const struct store *store, char path[STORE_PATH_BYTES])
{
    snprintf(path, STORE_PATH_BYTES, "%s/score.json", store->folder);
}

bool store_init(struct store *store, const char *folder, bool counts)
{
    SDL_zerop(store);
    store->counts = counts;
    if (!folder)
        return true;
    snprintf(store->folder, sizeof store->folder, "%s", folder);
    if (!SDL_CreateDirectory(folder))
        return false;
    char path[STORE_PATH_BYTES];
    score_path(store, path);
    char *text = SDL_LoadFile(path, NULL);
    duel_score_book book;
    if (text
        && sscanf(text, SCORE_FORMAT, &book.wins, &book.losses, &book.draws, &book.abandoned, &book.no_contest) == 5)
        store->book = book;
    SDL_free(text);
    return true;
}

void store_log(void *userdata, const char *text)
{
    struct store *store = userdata;
    snprintf(store->log[store->log_count++ % STORE_LOG_LINES], STORE_LINE_BYTES, "%s", text);
}

/* Where a match's file goes: host.json, and host-2.json for the next match. */
static void match_path(const struct store *store, int32_t role, const char *what, char path[STORE_PATH_BYTES])
{
    const char *name = role == DUEL_ROLE_HOST ? "host" : "guest";
    if (store->matches < 2)
        snprintf(path, STORE_PATH_BYTES, "%s/%s%s", store->folder, name, what);
    else
        snprintf(path, STORE_PATH_BYTES, "%s/%s-%d%s", store->folder, name, store->matches, what);
}

static bool write_file(const char *path, const void *bytes, size_t length, struct kept *kept)
{
    if (SDL_SaveFile(path, bytes, length))
        return true;
    snprintf(kept->problem, sizeof kept->problem, "%s", SDL_GetError());
    return false;
}

static uint64_t fnv1a(const uint8_t *bytes, size_t length)
{
    uint64_t digest = 0xCBF29CE484222325u;
    for (size_t at = 0; at < length; at++)
        digest = (digest ^ bytes[at]) * 0x100000001B3u;
    return digest;
}

void store_record(struct store *store, duel_session *session, int32_t role, struct kept *kept)
{
    size_t length = 0;
    kept->done = true;
    store->matches++;
    if (duel_session_record(session, NULL, 0, &length) != DUEL_OK)
        return;
    uint8_t *record = SDL_malloc(length);
    if (record && duel_session_record(session, record, length, &length) == DUEL_OK) {
        char path[STORE_PATH_BYTES];
        kept->record_digest = fnv1a(record, length);
        match_path(store, role, ".json", path);
        if (store->folder[0] && write_file(path, record, length, kept))
            SDL_strlcpy(kept->record, path, sizeof kept->record);
    }
    SDL_free(record);
}

void store_debug(struct store *store, int32_t role, struct kept *kept)
{
    static char text[STORE_LOG_LINES * (STORE_LINE_BYTES + 1)];
    size_t length = 0;
    uint32_t first = store->log_count > STORE_LOG_LINES ? store->log_count - STORE_LOG_LINES : 0;
    if (!store->folder[0] || kept->debug[0])
        return;
    for (uint32_t line = first; line < store->log_count; line++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s\n", store->log[line % STORE_LOG_LINES]);
    char path[STORE_PATH_BYTES];
    match_path(store, role, "-debug.txt", path);
    if (write_file(path, text, length, kept))
        SDL_strlcpy(kept->debug, path, sizeof kept->debug);
}

void store_count(struct store *store, duel_session *session, uint64_t now_us, bool hidden)
{
    if (!store->counts || duel_session_count_score(session, now_us, hidden, &store->book) != DUEL_OK
        || !store->folder[0])
        return;
    char path[STORE_PATH_BYTES], text[STORE_LINE_BYTES];
    const duel_score_book *book = &store->book;
    score_path(store, path);
    int length = snprintf(text, sizeof text, SCORE_FORMAT, book->wins, book->losses, book->draws, book->abandoned,
                          book->no_contest);
    SDL_SaveFile(path, text, (size_t)length); /* what cannot be saved now is tried again after the next match */
}
