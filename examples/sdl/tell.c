/* tell.c: see tell.h. */
#include "tell.h"

#include "words.h"

#include <SDL3/SDL.h>
#include <stdarg.h>
#include <stdio.h>

enum thing { LOBBY, ADVICE, OVERLAY, RIG, END, NOTICE };

static const uint64_t TELL_EVERY_US = 10000000; /* how often a running match tells how it does */

/* A string of JSON. The texts hold no control characters. */
static const char *quoted(const char *text, char to[256])
{
    size_t length = 0;
    to[length++] = '"';
    for (; text && *text && length < 250; text++) {
        if (*text == '"' || *text == '\\')
            to[length++] = '\\';
        to[length++] = *text;
    }
    to[length++] = '"';
    to[length] = 0;
    return to;
}

static void line(const struct teller *teller, uint64_t now_us, const char *event, const char *facts)
{
    unsigned ms = (unsigned)(now_us / 1000);
    if (teller->json)
        printf("{\"event\":\"%s\",\"ms\":%u,%s}\n", event, ms, facts);
    else if (teller->lines)
        printf("%u:%02u %s: %s\n", ms / 60000, ms / 1000 % 60, event, facts);
    fflush(stdout);
}

static void say(struct teller *teller, uint64_t now_us, const char *event, const char *format, ...)
{
    char facts[1024];
    va_list values;
    va_start(values, format);
    vsnprintf(facts, sizeof facts, format, values);
    va_end(values);
    line(teller, now_us, event, facts);
}

/* As `say`, but only if it is not what was said last of that thing. */
static void say_changed(struct teller *teller, enum thing thing, uint64_t now_us, const char *event, const char *format,
                        ...)
{
    char facts[320];
    va_list values;
    va_start(values, format);
    vsnprintf(facts, sizeof facts, format, values);
    va_end(values);
    if (SDL_strcmp(teller->last[thing], facts) == 0)
        return;
    SDL_strlcpy(teller->last[thing], facts, sizeof teller->last[thing]);
    line(teller, now_us, event, facts);
}

static void tell_rig(struct teller *teller, const struct phone *phone)
{
    static const char *const STATES[] = {"opening",      "tapToStart", "live",   "lost",
                                         "reconnecting", "recovering", "failed", "closed"};
    const duel_rig_status *rig = &phone->rig_status;
    char reason[256], error[256];
    if (phone->stage == STAGE_FAILED) {
        say_changed(teller, RIG, phone->now_us, "rig", "\"state\":\"failed\",\"reason\":%s", quoted(phone->failed_why, reason));
        return;
    }
    if (!phone->rig)
        return;
    if (rig->state == DUEL_RIG_IS_LIVE && SDL_strstr(teller->last[RIG], "recovering"))
        teller->reconnects++;
    say_changed(teller, RIG, phone->now_us, "rig", "\"state\":\"%s\",\"reason\":%s,\"error\":%s", STATES[rig->state],
                quoted(rig->lost_text, reason), quoted(rig->error_text, error));
}

static void tell_lobby(struct teller *teller, const struct phone *phone)
{
    static const char *const STEPS[] = {"listening", "measuring", "picking", "picked",
                                        "going",     "starting",  "failed",  "otherVersion"};
    char text[256];
    struct offer offer = phone_offer(phone);
    const char *advice = phone->advice_status.route_text;
    say_changed(teller, LOBBY, phone->now_us, "lobby", "\"step\":\"%s\",\"role\":\"%s\"",
                phone->going ? "leaving" : STEPS[phone->status.pairing], role_word(phone->want.role));
    if (!advice || !advice[0])
        advice = offer.reason;
    if (advice)
        say_changed(teller, ADVICE, phone->now_us, "advice", "\"text\":%s", quoted(advice, text));
}

static void tell_playing(struct teller *teller, struct phone *phone)
{
    struct sound_health health;
    const duel_session_status *status = &phone->status;
    const duel_link_status *link = &phone->link_status;
    static const char *const OVERLAYS[] = {"none", "waiting", "loading", "peerPaused", "signalLost"};
    say_changed(teller, OVERLAY, phone->now_us, "overlay", "\"overlay\":\"%s\"", OVERLAYS[status->overlay]);
    if (teller->told_at_us && phone->now_us - teller->told_at_us < TELL_EVERY_US)
        return;
    teller->told_at_us = phone->now_us;
    phone->sound.health(phone->sound.self, &health);
    say(teller, phone->now_us, "playing",
        "\"tick\":%u,\"mode\":\"%s\",\"good\":%u,\"bad\":%u,\"snr_db\":%.1f,\"own_snr_db\":%.1f,\"stall_ms\":%u,"
        "\"starved\":%u,\"dropped\":%u,\"errors\":%u",
        status->tick, status->mode == DUEL_MODE_FAST ? "fast" : "robust", (unsigned)link->rx_good, (unsigned)link->rx_bad,
        number(link->snr_db), number(link->own_snr_db), (unsigned)status->stall_ms, health.starved, health.dropped,
        health.errors);
}

static void tell_report(struct teller *teller, struct phone *phone)
{
    struct sound_health health;
    struct headline headline;
    char title[256], record[256], map[256], name[64];
    const duel_session_status *status = &phone->status;
    bool in_sync = status->end == DUEL_END_DECIDED && status->sync == DUEL_SYNC_IN_SYNC;
    headline_of(phone, &headline);
    phone->sound.health(phone->sound.self, &health);
    map_name(&phone->agreed.map, name, sizeof name);
    say(teller, phone->now_us, "report",
        "\"role\":\"%s\",\"plan\":\"%s\",\"side\":\"%s\",\"map\":%s,\"delay_ticks\":%u,\"round_trip_ms\":%d,\"ticks\":%u,"
        "\"result\":%s,\"in_sync\":%s,\"good\":%u,\"bad\":%u,\"snr_db\":%.0f,\"stall_ms\":%u,\"order_delay_ticks\":%.1f,"
        "\"slowest_order_ticks\":%u,\"record\":%s,\"record_digest\":\"%016llx\",\"reconnects\":%u,\"starved\":%u,"
        "\"dropped\":%u,\"errors\":%u",
        role_word(phone->want.role), plan_word(phone->link_status.plan), side_word(phone->agreed.local_side),
        quoted(name, map), phone->agreed.delay_ticks, (int)(status->round_trip_us / 1000), status->tick,
        quoted(headline.title, title), in_sync ? "true" : "false", (unsigned)phone->link_status.rx_good,
        (unsigned)phone->link_status.rx_bad, phone->snr_count ? phone->snr_sum_db / phone->snr_count : 0.0,
        (unsigned)status->stall_by_link_ms, number(status->order_delay_ticks), status->order_delay_max_ticks,
        quoted(phone->kept.record, record), (unsigned long long)phone->kept.record_digest, teller->reconnects,
        health.starved, health.dropped, health.errors);
    teller->reports++;
    teller->in_sync += in_sync;
}

void tell(struct teller *teller, struct phone *phone)
{
    struct headline headline;
    char title[256], how[256], sync[256];
    tell_rig(teller, phone);
    if (phone->notice[0])
        say_changed(teller, NOTICE, phone->now_us, "notice", "\"text\":%s", quoted(phone->notice, title));
    if (phone->stage != STAGE_DUEL)
        return;
    if (phone_is_over(phone)) {
        headline_of(phone, &headline);
        say_changed(teller, END, phone->now_us, "end", "\"title\":%s,\"how\":%s,\"sync\":%s",
                    quoted(headline.title, title), quoted(headline.how, how), quoted(headline.sync, sync));
        if (phone->status.settled && !teller->reported) {
            teller->reported = true;
            tell_report(teller, phone);
        }
    } else if (phone->status.phase == DUEL_PHASE_PLAYING) {
        tell_playing(teller, phone);
    } else {
        teller->reported = false;
        teller->told_at_us = 0;
        tell_lobby(teller, phone);
    }
}
