/* What docs/EMBEDDING.md shows, as a program: an engine's audio callback and its game loop, for two phones in the simulated
 * room. A test compares the page with this file. */
#include "check.h"

enum { BLOCK_MAX = 256, CHANNELS = 2, RATE_HZ = 48000 };

/* One phone, as an engine would hold it. */
struct phone {
    duel_link *link;     /* the game's thread */
    duel_advice *advice; /* the game's thread */
    duel_pump *pump;     /* the audio thread */
    duel_guard *guard;   /* the audio thread */
    uint64_t frames;     /* the device's frame count; the audio thread */
};

/* The filter for the game's own sound, on the plan that the link is on. */
static int make_guard(struct phone *phone, uint32_t rate_hz)
{
    duel_link_status status = {.struct_size = sizeof status};
    duel_guard *old = phone->guard;
    duel_link_get_status(phone->link, &status);
    return duel_guard_new(status.plan, rate_hz, CHANNELS, NULL, 0, &phone->guard) == DUEL_OK
        && duel_guard_set_on(phone->guard, 1) == DUEL_OK
        && duel_guard_free(old) == DUEL_OK; /* its callback runs no more */
}

static int open_phone(struct phone *phone, int32_t role, uint32_t rate_hz, char *why)
{
    duel_link_config config = {.struct_size = sizeof config, .sample_rate_hz = rate_hz, .role = role};
    if (duel_abi() != DUEL_ABI)
        return 0; /* another library than this header's */
    if (role == DUEL_ROLE_GUEST)
        config.listen = DUEL_LISTEN_DETECT; /* finds out which plan the host is on */
    return duel_link_new(&config, why, DUEL_TEXT_BYTES, &phone->link, &phone->pump) == DUEL_OK
        && duel_advice_new(&config, why, DUEL_TEXT_BYTES, &phone->advice) == DUEL_OK
        && make_guard(phone, rate_hz);
}

/* The audio thread. `microphone` is mono, `mix` the game's own sound, interleaved; both are `frames` long. */
static void on_audio(struct phone *phone, const float *microphone, float *mix, uint32_t frames)
{
    float modem[BLOCK_MAX];
    duel_guard_process(phone->guard, mix, (size_t)frames * CHANNELS);
    while (frames > 0) {
        uint32_t block = frames < BLOCK_MAX ? frames : BLOCK_MAX;
        duel_pump_process(phone->pump, &microphone, 1, modem, block, phone->frames);
        for (uint32_t i = 0; i < block * CHANNELS; i++)
            mix[i] += modem[i / CHANNELS];
        microphone += block, mix += block * CHANNELS, phone->frames += block, frames -= block;
    }
}

/* The game's thread, every frame; `now_us` from a clock that never goes back. Returns how many packets came. */
static int on_frame(struct phone *phone, uint64_t now_us)
{
    duel_link_event event = {.struct_size = sizeof event};
    float gain;
    int packets = 0;
    while (duel_link_poll(phone->link, now_us, &event) == DUEL_OK)
        packets += event.kind == DUEL_LINK_PACKET; /* event.bits: what the peer sends */
    duel_advice_watch(phone->advice, phone->link, &gain); /* sets the loudness; DUEL_OK where it has changed */
    return packets;
}

/* The lobby: where the sound goes, told from the signal alone. NULL: all is well. */
static const char *what_is_wrong(struct phone *phone)
{
    duel_link_status status = {.struct_size = sizeof status};
    duel_advice_status advice = {.struct_size = sizeof advice};
    duel_link_get_status(phone->link, &status);
    duel_advice_get_status(phone->advice, 0, &advice);
    if (status.fault)
        return "The modem stopped: see duel_link_detail, and duel_link_reset.";
    if (advice.route)
        return advice.route_text; /* own_snr_db under 10 for 3 s: the earpiece, headphones, or a muted speaker */
    if (advice.band == DUEL_BAND_FAILS)
        return advice.band_text; /* and advice.fallback_plan or advice.other_role say what to offer */
    if (status.clock_ppm > 1000 || status.clock_ppm < -1000)
        return "The sample rate is not what the device says."; /* open the device again */
    return NULL;
}

/* The audio device was opened anew: the link goes on with a new audio half. Its callback runs not yet. */
static int reopen(struct phone *phone, uint32_t rate_hz)
{
    duel_pump *old = phone->pump;
    if (duel_link_reset(phone->link, rate_hz, &phone->pump) != DUEL_OK)
        return 0;
    phone->frames = 0;
    return duel_pump_free(old) == DUEL_OK && make_guard(phone, rate_hz);
}

static void close_phone(struct phone *phone)
{
    OK(duel_link_free(phone->link));
    OK(duel_advice_free(phone->advice));
    OK(duel_pump_free(phone->pump));
    OK(duel_guard_free(phone->guard));
}

/* One block of the phone whose turn it is; with `speaker` 0 what it plays goes elsewhere. */
static void one_block(duel_room *room, struct phone phones[2], int speaker)
{
    float microphone[BLOCK_MAX + 64], mix[(BLOCK_MAX + 64) * CHANNELS], mono[BLOCK_MAX + 64];
    uint32_t frames = BLOCK_MAX + 64, i;
    uint64_t first_frame;
    int32_t phone;

    OK(duel_room_next(room, &phone, &first_frame));
    OK(duel_room_capture(room, phone, microphone, frames));
    for (i = 0; i < frames * CHANNELS; i++)
        mix[i] = 0.05f * sinf(0.05f * (float)(first_frame + i / CHANNELS)); /* the game's own sound */
    on_audio(&phones[phone], microphone, mix, frames);
    for (i = 0; i < frames; i++)
        mono[i] = speaker ? 0.5f * (mix[i * CHANNELS] + mix[i * CHANNELS + 1]) : 0.0f;
    OK(duel_room_play(room, phone, mono, frames));
}

/* Runs both phones for so long, and returns how many packets each heard at least. */
static int run(duel_room *room, struct phone phones[2], int speaker, uint64_t *now_us, uint64_t until_us)
{
    int heard[2] = {0, 0}, which;
    while (*now_us < until_us) {
        for (which = 0; which < 2; which++)
            one_block(room, phones, speaker);
        *now_us += (BLOCK_MAX + 64) * 1000000ull / RATE_HZ;
        for (which = 0; which < 2; which++)
            heard[which] += on_frame(&phones[which], *now_us);
    }
    return heard[0] < heard[1] ? heard[0] : heard[1];
}

int main(void)
{
    SIZED(duel_room_config, room_config);
    struct phone phones[2];
    char why[DUEL_TEXT_BYTES] = "";
    duel_room *room;
    uint64_t now_us = 0;
    int which, heard;

    OK(duel_room_new(&room_config, why, sizeof why, &room));
    for (which = 0; which < 2; which++) {
        memset(&phones[which], 0, sizeof phones[which]);
        CHECK(open_phone(&phones[which], which, RATE_HZ, why));
    }
    heard = run(room, phones, 1, &now_us, 3u * S);
    CHECK(heard >= 5);
    for (which = 0; which < 2; which++)
        CHECK(what_is_wrong(&phones[which]) == NULL);

    /* The speakers are unplugged: each phone says so from what it hears of itself. */
    run(room, phones, 0, &now_us, 8u * S);
    for (which = 0; which < 2; which++)
        CHECK(what_is_wrong(&phones[which]) && strstr(what_is_wrong(&phones[which]), "own signal"));

    for (which = 0; which < 2; which++)
        CHECK(reopen(&phones[which], RATE_HZ));
    heard = run(room, phones, 1, &now_us, 11u * S);
    CHECK(heard >= 5);
    for (which = 0; which < 2; which++)
        close_phone(&phones[which]);
    OK(duel_room_free(room));
    printf("embedding: as the page says\n");
    return 0;
}
