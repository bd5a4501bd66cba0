/* Messages over sound, with the link level alone: two phones in a simulated room tell each other three sentences each.
 *
 *   cc -std=c99 link_messages.c -I../../include -L../../lib -lsound_duel -lm
 *
 * A link carries frames of at most 188 bits, repeated until replaced, and acknowledges nothing. What this adds is the
 * least that makes messages of it: a number, the number last heard, and the length. Live, duel_room goes away:
 * duel_pump_process runs in your audio callback, and duel_link_poll in your game loop.
 */
#include "duel.h"

#include <stdio.h>
#include <string.h>

enum { SENTENCES = 3, TEXT_MAX = 20 };

static const char *const sentences[2][SENTENCES] = {
    {"Hello over there", "No network here", "Good bye"},
    {"I hear you well", "Only sound", "See you"},
};

struct phone {
    duel_link *link;
    duel_pump *pump;
    uint8_t saying; /* which sentence, from 1; SENTENCES + 1: all are acknowledged */
    uint8_t heard;  /* the number of the newest sentence heard */
};

/* Sends the sentence whose turn it is, and what was heard last. */
static void say(struct phone *phone, int which)
{
    duel_frame frame = {{0}, 0, 0, 0};
    const char *text = phone->saying <= SENTENCES ? sentences[which][phone->saying - 1] : "";
    frame.bits[0] = phone->saying;
    frame.bits[1] = phone->heard;
    frame.bits[2] = (uint8_t)strlen(text);
    memcpy(frame.bits + 3, text, strlen(text));
    frame.bit_count = 8 * (3 + (uint32_t)strlen(text));
    duel_link_send(phone->link, &frame, 1);
}

/* Takes in a packet: a new sentence, or the acknowledgement of one's own. */
static void hear(struct phone *phone, int which, const duel_link_event *event, uint64_t now_us)
{
    uint8_t number = event->bits[0], acknowledged = event->bits[1], length = event->bits[2];
    if (length > TEXT_MAX)
        return;
    if (number == phone->heard + 1 && number <= SENTENCES) {
        phone->heard = number;
        printf("%5.2f s  phone %c hears: %.*s (%.0f dB)\n", (double)now_us / 1e6, 'A' + which, length,
               (const char *)event->bits + 3, event->snr_db);
    }
    if (acknowledged == phone->saying && phone->saying <= SENTENCES)
        phone->saying++;
}

/* One frame of a phone's game loop. */
static void run(struct phone *phone, int which, uint64_t now_us)
{
    duel_link_event event = {0};
    event.struct_size = sizeof event;
    while (duel_link_poll(phone->link, now_us, &event) == DUEL_OK)
        if (event.kind == DUEL_LINK_PACKET)
            hear(phone, which, &event, now_us);
    say(phone, which);
}

int main(void)
{
    struct phone phones[2];
    duel_room_config room_config = {0};
    duel_link_config config = {0};
    duel_room *room;
    char why[DUEL_TEXT_BYTES];
    uint64_t now_us;
    int which, done = 0;

    if (duel_abi() != DUEL_ABI)
        return 1; /* another library than this header's */
    room_config.struct_size = sizeof room_config;
    room_config.distance_cm = 30;
    config.struct_size = sizeof config;
    if (duel_room_new(&room_config, why, sizeof why, &room)) {
        printf("no room: %s\n", why);
        return 1;
    }
    for (which = 0; which < 2; which++) {
        config.role = which; /* the first hosts, the second joins */
        if (duel_link_new(&config, why, sizeof why, &phones[which].link, &phones[which].pump)) {
            printf("no link: %s\n", why);
            return 1;
        }
        phones[which].saying = 1;
        phones[which].heard = 0;
    }
    for (now_us = 0; !done && now_us < 60000000; now_us += 10000) {
        duel_room_run(room, now_us, phones[0].pump, phones[1].pump);
        for (which = 0; which < 2; which++)
            run(&phones[which], which, now_us);
        done = phones[0].saying > SENTENCES && phones[1].saying > SENTENCES;
    }
    for (which = 0; which < 2; which++) {
        duel_link_free(phones[which].link);
        duel_pump_free(phones[which].pump);
    }
    duel_room_free(room);
    printf(done ? "both heard everything\n" : "something was never heard\n");
    return !done;
}
