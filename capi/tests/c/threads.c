/* A host as it should be and as it should not: the audio half on one thread, the game's half on another, the link's status
 * from a third; then a session, and four threads that call and free everything at once. For ThreadSanitizer above all. */
#include "check.h"

#include <pthread.h>

enum { BLOCK = 128, BLOCKS = 1500, RATE_HZ = 48000 };

struct phone {
    duel_link *link;
    duel_pump *pump;
    duel_session *sessions[2];
    duel_link *ends[2];
    /* Beside the library: how far the audio thread is, and whether all is done. */
    pthread_mutex_t lock;
    uint64_t frames;
    int done;
};

static void told(struct phone *phone, uint64_t frames, int done)
{
    pthread_mutex_lock(&phone->lock);
    phone->frames = frames;
    phone->done = done;
    pthread_mutex_unlock(&phone->lock);
}

static uint64_t ask(struct phone *phone, int *done)
{
    uint64_t frames;
    pthread_mutex_lock(&phone->lock);
    frames = phone->frames;
    *done = phone->done;
    pthread_mutex_unlock(&phone->lock);
    return frames;
}

static void *audio(void *userdata)
{
    struct phone *phone = userdata;
    float sound[BLOCK] = {0}, heard[BLOCK];
    const float *channel = heard;
    uint64_t block;
    for (block = 0; block < BLOCKS; block++) {
        memcpy(heard, sound, sizeof heard); /* it hears itself */
        OK(duel_pump_process(phone->pump, &channel, 1, sound, BLOCK, block * BLOCK));
        told(phone, (block + 1) * BLOCK, 0);
    }
    return NULL;
}

/* Reads the status of a link, whatever its owner does. */
static void *watch(void *userdata)
{
    struct phone *phone = userdata;
    uint64_t newest = 0;
    int done = 0;
    while (!done) {
        SIZED(duel_link_status, status);
        ask(phone, &done);
        OK(duel_link_get_status(phone->link, &status));
        CHECK(status.rx_good >= newest && duel_link_capacity_bits(phone->link) >= 186);
        newest = status.rx_good;
    }
    return NULL;
}

static void two_halves_and_a_watcher(void)
{
    SIZED(duel_link_config, config);
    SIZED(duel_link_event, event);
    struct phone phone;
    pthread_t audio_thread, watcher;
    duel_frame frame;
    int packets = 0, done;
    memset(&phone, 0, sizeof phone);
    pthread_mutex_init(&phone.lock, NULL);
    memset(&frame, 0, sizeof frame);
    frame.bit_count = 100;
    config.listen = DUEL_LISTEN_SELF;
    OK(duel_link_new(&config, NULL, 0, &phone.link, &phone.pump));
    OK(duel_link_send(phone.link, &frame, 1));
    CHECK(!pthread_create(&audio_thread, NULL, audio, &phone));
    CHECK(!pthread_create(&watcher, NULL, watch, &phone));
    for (;;) {
        uint64_t frames = ask(&phone, &done);
        duel_status polled;
        while ((polled = duel_link_poll(phone.link, frames * S / RATE_HZ, &event)) == DUEL_OK)
            packets += event.kind == DUEL_LINK_PACKET;
        EXPECT(DUEL_EMPTY, polled); /* never busy: a reading disturbs nobody */
        if (frames == (uint64_t)BLOCKS * BLOCK)
            break;
    }
    told(&phone, 0, 1);
    pthread_join(audio_thread, NULL);
    pthread_join(watcher, NULL);
    CHECK(packets > 5);
    OK(duel_pump_free(phone.pump));
    OK(duel_link_free(phone.link));
}

static int is_fair(duel_status status)
{
    return status == DUEL_OK || status == DUEL_EMPTY || status == DUEL_BUSY || status == DUEL_BAD_HANDLE
        || status == DUEL_TAKEN;
}

/* A reading is never busy. */
static int is_read(duel_status status) { return status == DUEL_OK || status == DUEL_BAD_HANDLE; }

static void *everything(void *userdata)
{
    struct phone *phone = userdata;
    SIZED(duel_link_event, event);
    SIZED(duel_link_status, status);
    uint64_t now_us;
    int at;
    for (now_us = 0; now_us < 5 * S; now_us += 100 * MS) {
        for (at = 0; at < 2; at++) {
            CHECK(is_fair(duel_session_pump(phone->sessions[at], now_us)));
            CHECK(is_fair(duel_link_send(phone->ends[at], NULL, 0)));
            CHECK(is_fair(duel_link_poll(phone->ends[at], now_us, &event)));
            CHECK(is_read(duel_link_get_status(phone->ends[at], &status)));
        }
    }
    for (at = 0; at < 2; at++) {
        CHECK(is_fair(duel_link_free(phone->ends[at])));
        CHECK(is_fair(duel_session_free(phone->sessions[at])));
    }
    return NULL;
}

/* Each call is done whole or refused, and each handle freed once. */
static void everything_at_once(void)
{
    SIZED(duel_practice_config, air);
    SIZED(duel_catalogue, catalogue);
    struct phone phone;
    pthread_t threads[4];
    int at;
    memset(&phone, 0, sizeof phone);
    OK(duel_air_new(&air, NULL, 0, &phone.ends[0], &phone.ends[1]));
    for (at = 0; at < 2; at++) {
        SIZED(duel_session_config, config);
        config.role = at;
        config.seed = 5 + (uint64_t)at;
        OK(duel_session_new(&config, &catalogue, phone.ends[at], NULL, 0, &phone.sessions[at]));
    }
    for (at = 0; at < 4; at++)
        CHECK(!pthread_create(&threads[at], NULL, everything, &phone));
    for (at = 0; at < 4; at++)
        pthread_join(threads[at], NULL);
    for (at = 0; at < 2; at++) {
        /* What was busy each time. */
        CHECK(is_fair(duel_link_free(phone.ends[at])));
        CHECK(is_fair(duel_session_free(phone.sessions[at])));
        EXPECT(DUEL_BAD_HANDLE, duel_link_free(phone.ends[at]));
        EXPECT(DUEL_BAD_HANDLE, duel_session_pump(phone.sessions[at], 0));
    }
}

int main(void)
{
    int round;
    two_halves_and_a_watcher();
    for (round = 0; round < 20; round++)
        everything_at_once();
    printf("threads: none in another's way\n");
    return 0;
}
