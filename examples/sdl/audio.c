/* audio.c: see audio.h. Two SDL_AudioStreams: the speaker's callback takes what the microphone has brought, runs the
 * modem's pump over it, and plays what comes out. This is all of the audio thread there is.
 *
 *   microphone ─► recording stream ─► cushion ─► duel_pump_process ─► playback stream ─► speaker
 *
 * Nothing crosses to the game's thread here: the pump and its duel_link have queues of their own. A pump or a microphone
 * is exchanged under the playback stream's lock, which SDL holds around the callback anyway.
 *
 * Devices are opened and closed on threads of their own: a Bluetooth speaker takes seconds, one that has died may never
 * let go.
 */
#include "audio.h"

#include "devices.h"

#include <SDL3/SDL.h>
#include <stdio.h>

enum {
    ASKED_HZ = 48000,
    PIECE_FRAMES = 1024,   /* processed at once */
    CHANNELS_MAX = 2,      /* of a microphone; the pump hears the louder one */
    CUSHION_FRAMES = 1920, /* two buffers, so that two callbacks that drift never find it dry... */
    CUSHION_MAX = 9600,    /* ...and each time it is dry it grows by what was missing, up to 200 ms */
    SLACK_FRAMES = 4800,   /* what may wait beyond the cushion before it counts as time the speaker has lost */
    KEPT_FRAMES = 48000,   /* the most that waits while no speaker asks at all */
};

static const char *const BUFFER_FRAMES = "960";    /* 20 ms: SDL's default may mean much more */
static const uint64_t SILENT_US = 400000;          /* callbacks that stay away for so long have stopped */
static const uint64_t MICROPHONE_WITHIN_US = 6000000; /* one that has not opened by then does not */

/* What a thread of its own opens. Whoever waits for it no longer frees it when it is done. */
struct opening {
    struct opening *next;
    struct audio *audio;
    SDL_AudioDeviceID device;
    bool recording;
    uint32_t id;      /* the rig's number */
    uint32_t ticket;  /* which speaker's time it belongs to */
    int rate_hz;
    int channels;
    SDL_AudioStream *stream; /* NULL: it did not open */
    SDL_AtomicInt done;
    SDL_Thread *thread;
};

/* Watches a counter that callbacks move. */
struct watch {
    uint32_t count;
    uint64_t moved_us;
    bool stopped;
};

struct audio {
    SDL_AudioDeviceID speaker_device, microphone_device; /* which to open */
    char speaker_name[64], microphone_name[64];
    struct sound_events events;
    struct opening *openings;
    uint32_t ticket;      /* counts on with every speaker asked for or let go */
    uint32_t speaker_id;  /* the rig's numbers; 0: none */
    uint32_t microphone_id;
    uint32_t asked_id;    /* the microphone asked for and not there yet */
    uint64_t asked_at_us;
    SDL_AudioStream *speaker;
    int rate_hz;
    struct watch rendered_watch, captured_watch;
    struct sound_health health;

    /* The audio thread's, or under the playback stream's lock. */
    duel_pump *pump;
    SDL_AudioStream *microphone;
    int channels;
    int cushion_frames;
    bool filling; /* nothing is taken until the cushion is there */
    uint64_t frame;

    /* Written by other threads, read by the game's. */
    SDL_AtomicInt rendered, captured, starved, dropped;
    SDL_AtomicInt overflowed; /* frames dropped and not passed over yet, written by the microphone's thread */
    SDL_AtomicInt closing; /* streams that are being closed */
};

/* ---- The audio thread. ----------------------------------------------------------------------------------------------- */

static int waiting_frames(SDL_AudioStream *microphone, int channels)
{
    return SDL_GetAudioStreamAvailable(microphone) / (int)(sizeof(float) * (size_t)channels);
}

/* The oldest frames that wait. */
static void drop(SDL_AudioStream *microphone, int channels, int frames)
{
    float rubbish[PIECE_FRAMES * CHANNELS_MAX];
    for (; frames > 0; frames -= PIECE_FRAMES)
        SDL_GetAudioStreamData(microphone, rubbish,
                               SDL_min(frames, PIECE_FRAMES) * channels * (int)sizeof(float));
}

/* Microphone frames pile up only while no speaker frames are asked for: time that was lost. Drops them, and counts on: a
 * count that jumps is how the pump learns of it. */
static void pass_over(struct audio *audio, int frames)
{
    int overflowed = SDL_SetAtomicInt(&audio->overflowed, 0);
    int excess = waiting_frames(audio->microphone, audio->channels) - audio->cushion_frames - frames;
    if (excess <= SLACK_FRAMES)
        excess = 0;
    drop(audio->microphone, audio->channels, excess);
    if (!audio->filling) {
        audio->frame += (uint64_t)excess + (uint32_t)overflowed;
        SDL_AddAtomicInt(&audio->dropped, excess + overflowed);
    }
}

/* Takes up to `frames` from the microphone, whose stream is locked; says how many there were. */
static int take(struct audio *audio, float *input, int frames)
{
    pass_over(audio, frames);
    int waiting = waiting_frames(audio->microphone, audio->channels);
    if (audio->filling && waiting < audio->cushion_frames + frames)
        return 0;
    audio->filling = false;
    int frame_bytes = audio->channels * (int)sizeof(float);
    int taken = SDL_GetAudioStreamData(audio->microphone, input, SDL_min(waiting, frames) * frame_bytes) / frame_bytes;
    if (taken < frames) {
        audio->filling = true;
        audio->cushion_frames = SDL_min(audio->cushion_frames + frames - taken, CUSHION_MAX);
        SDL_AddAtomicInt(&audio->starved, 1);
    }
    return SDL_max(taken, 0);
}

static void SDLCALL on_speaker(void *userdata, SDL_AudioStream *stream, int needed_bytes, int total_bytes)
{
    struct audio *audio = userdata;
    static float input[PIECE_FRAMES * CHANNELS_MAX], output[PIECE_FRAMES];
    (void)total_bytes;
    for (int left = needed_bytes / (int)sizeof(float); left > 0;) {
        int frames = SDL_min(left, PIECE_FRAMES);
        int heard = 0;
        if (audio->microphone) {
            SDL_LockAudioStream(audio->microphone);
            heard = take(audio, input, frames);
            SDL_UnlockAudioStream(audio->microphone);
        }
        if (heard < frames) /* what is missing is silence to the modem, which knows a gap when it sees one */
            SDL_memset(input + heard * audio->channels, 0, sizeof(float) * (size_t)((frames - heard) * audio->channels));
        if (audio->pump)
            duel_pump_process_interleaved(audio->pump, input, heard ? (uint32_t)audio->channels : 0, output,
                                          (uint32_t)frames, audio->frame);
        else
            SDL_memset(output, 0, sizeof(float) * (size_t)frames);
        SDL_PutAudioStreamData(stream, output, frames * (int)sizeof(float));
        audio->frame += (uint64_t)frames;
        SDL_AddAtomicInt(&audio->rendered, frames);
        left -= frames;
    }
}

/* The microphone has brought something: counted, and taken by the speaker's callback. While that does not come, the newest
 * is kept. SDL has locked the stream. */
static void SDLCALL on_microphone(void *userdata, SDL_AudioStream *stream, int added_bytes, int total_bytes)
{
    struct audio *audio = userdata;
    SDL_AudioSpec spec;
    (void)total_bytes;
    SDL_AddAtomicInt(&audio->captured, added_bytes / (int)sizeof(float));
    if (!SDL_GetAudioStreamFormat(stream, NULL, &spec))
        return;
    int excess = waiting_frames(stream, spec.channels) - KEPT_FRAMES;
    if (excess <= 0)
        return;
    drop(stream, spec.channels, excess);
    SDL_AddAtomicInt(&audio->overflowed, excess);
}

/* ---- Opening and closing. -------------------------------------------------------------------------------------------- */

struct closing {
    struct audio *audio;
    SDL_AudioStream *stream;
};

static int SDLCALL close_device(void *userdata)
{
    struct closing *closing = userdata;
    SDL_DestroyAudioStream(closing->stream); /* waits for its callback */
    SDL_AddAtomicInt(&closing->audio->closing, -1);
    SDL_free(closing);
    return 0;
}

static void close_stream(struct audio *audio, SDL_AudioStream *stream)
{
    struct closing *closing = stream ? SDL_malloc(sizeof *closing) : NULL;
    if (!closing)
        return;
    *closing = (struct closing){audio, stream};
    SDL_SetAudioStreamGetCallback(stream, NULL, NULL); /* from here on nothing is taken or counted */
    SDL_SetAudioStreamPutCallback(stream, NULL, NULL);
    SDL_AddAtomicInt(&audio->closing, 1);
    SDL_Thread *thread = SDL_CreateThread(close_device, "close", closing);
    if (thread)
        SDL_DetachThread(thread);
    else
        close_device(closing);
}

/* A speaker is asked for 48 kHz, and taken at the rate it then runs at, so that nothing is resampled for nothing. The
 * microphone comes at the speaker's rate: SDL resamples it where it has to. */
static int SDLCALL open_device(void *userdata)
{
    struct opening *opening = userdata;
    SDL_AudioSpec own = {SDL_AUDIO_F32, 1, ASKED_HZ};
    if (opening->recording) {
        SDL_GetAudioDeviceFormat(opening->device, &own, NULL);
        opening->channels = SDL_clamp(own.channels, 1, CHANNELS_MAX);
    } else {
        opening->channels = 1;
        opening->rate_hz = ASKED_HZ;
    }
    SDL_AudioSpec spec = {SDL_AUDIO_F32, opening->channels, opening->rate_hz};
    SDL_AudioStream *stream = SDL_OpenAudioDeviceStream(opening->device, &spec, NULL, NULL);
    if (stream && !opening->recording && SDL_GetAudioDeviceFormat(SDL_GetAudioStreamDevice(stream), &own, NULL)) {
        spec.freq = opening->rate_hz = own.freq - own.freq % 100; /* the modem takes multiples of 100 */
        SDL_SetAudioStreamFormat(stream, &spec, NULL);
    }
    if (stream && opening->recording)
        SDL_SetAudioStreamPutCallback(stream, on_microphone, opening->audio);
    if (stream)
        SDL_ResumeAudioStreamDevice(stream);
    opening->stream = stream;
    SDL_SetAtomicInt(&opening->done, 1);
    return 0;
}

static void start_opening(struct audio *audio, uint32_t id, bool recording)
{
    struct opening *opening = SDL_calloc(1, sizeof *opening);
    if (!opening)
        return;
    opening->audio = audio;
    opening->device = recording ? audio->microphone_device : audio->speaker_device;
    opening->recording = recording;
    opening->id = id;
    opening->ticket = audio->ticket;
    opening->rate_hz = audio->rate_hz;
    opening->next = audio->openings;
    audio->openings = opening;
    opening->thread = SDL_CreateThread(open_device, recording ? "microphone" : "speaker", opening);
    if (!opening->thread)
        SDL_SetAtomicInt(&opening->done, 1);
}

/* The speaker's callback hears this microphone from now on, or none; the one before is closed. */
static void plug(struct audio *audio, SDL_AudioStream *microphone, int channels)
{
    SDL_AudioStream *old = audio->microphone;
    if (audio->speaker)
        SDL_LockAudioStream(audio->speaker);
    audio->microphone = microphone;
    audio->channels = channels;
    audio->cushion_frames = CUSHION_FRAMES;
    audio->filling = true;
    if (audio->speaker)
        SDL_UnlockAudioStream(audio->speaker);
    close_stream(audio, old);
}

static void close_speaker(struct audio *audio)
{
    close_stream(audio, audio->speaker);
    audio->speaker = NULL;
    audio->speaker_id = 0;
    audio->ticket++;
}

static void speaker_opened(struct audio *audio, const struct opening *opening, uint64_t now_us)
{
    if (!opening->stream) {
        audio->health.errors++;
        sound_events_put(&audio->events, DUEL_RIG_AUDIO_FAILED, opening->id, 0, 0);
        return;
    }
    close_stream(audio, audio->speaker);
    audio->speaker = opening->stream;
    audio->rate_hz = opening->rate_hz;
    if (audio->microphone) { /* it stays, at the new speaker's rate */
        SDL_AudioSpec spec = {SDL_AUDIO_F32, audio->channels, audio->rate_hz};
        SDL_SetAudioStreamFormat(audio->microphone, NULL, &spec);
        audio->filling = true;
    }
    SDL_SetAudioStreamGetCallback(audio->speaker, on_speaker, audio); /* not before: there was another speaker's */
    audio->rendered_watch = (struct watch){0, now_us, false};
    sound_events_put(&audio->events, DUEL_RIG_AUDIO_OPENED, opening->id, (uint32_t)opening->rate_hz, 1);
    if (audio->asked_id) {
        audio->asked_at_us = now_us;
        start_opening(audio, audio->asked_id, true);
    }
}

static void microphone_opened(struct audio *audio, struct opening *opening, uint64_t now_us)
{
    if (opening->id != audio->asked_id) {
        close_stream(audio, opening->stream); /* too late */
        return;
    }
    audio->asked_id = 0;
    if (!opening->stream) {
        audio->health.errors++;
        sound_events_put(&audio->events, DUEL_RIG_MICROPHONE_FAILED, opening->id, 0, 0);
        return;
    }
    plug(audio, opening->stream, opening->channels);
    audio->microphone_id = opening->id;
    audio->captured_watch = (struct watch){0, now_us, false};
    sound_events_put(&audio->events, DUEL_RIG_MICROPHONE_OPENED, opening->id, (uint32_t)opening->rate_hz, 0);
}

static void take_in_openings(struct audio *audio, uint64_t now_us)
{
    for (struct opening **at = &audio->openings; *at;) {
        struct opening *opening = *at;
        if (!SDL_GetAtomicInt(&opening->done)) {
            at = &opening->next;
            continue;
        }
        *at = opening->next;
        SDL_WaitThread(opening->thread, NULL);
        if (opening->ticket != audio->ticket)
            close_stream(audio, opening->stream); /* nobody waits for it any more */
        else if (opening->recording)
            microphone_opened(audio, opening, now_us);
        else
            speaker_opened(audio, opening, now_us);
        SDL_free(opening);
        at = &audio->openings; /* more may have been started */
    }
}

/* ---- As a phone's devices. ------------------------------------------------------------------------------------------- */

static void act(void *self, uint64_t now_us, const duel_rig_action *action)
{
    struct audio *audio = self;
    switch (action->kind) {
    case DUEL_DO_OPEN_AUDIO:
        audio->speaker_id = action->id;
        audio->ticket++;
        start_opening(audio, action->id, false);
        break;
    case DUEL_DO_CLOSE_AUDIO:
        if (audio->speaker_id == action->id)
            close_speaker(audio);
        break;
    case DUEL_DO_ASK_MICROPHONE: /* SDL has no say in echo cancellation: the mode is the system's */
        audio->asked_id = action->id;
        audio->asked_at_us = now_us;
        if (audio->speaker)
            start_opening(audio, action->id, true); /* otherwise once there is a speaker whose callback can hear it */
        break;
    case DUEL_DO_RELEASE_MICROPHONE:
        if (audio->asked_id == action->id)
            audio->asked_id = 0;
        if (audio->microphone_id == action->id) {
            plug(audio, NULL, 1);
            audio->microphone_id = 0;
        }
        break;
    case DUEL_DO_REQUEST_WAKE_LOCK:
        sound_events_put(&audio->events, DUEL_RIG_WAKE_LOCK, 0, 0, SDL_DisableScreenSaver());
        break;
    case DUEL_DO_RELEASE_WAKE_LOCK:
        SDL_EnableScreenSaver();
        break;
    case DUEL_DO_RESUME_AUDIO: /* nothing here pauses a device, and SDL's call would wait for one that is stuck */
    default:
        break;
    }
}

static void run_pump(void *self, duel_pump *pump)
{
    struct audio *audio = self;
    duel_pump *old = audio->pump;
    if (audio->speaker)
        SDL_LockAudioStream(audio->speaker);
    audio->pump = pump;
    if (audio->speaker)
        SDL_UnlockAudioStream(audio->speaker);
    duel_pump_free(old);
}

/* Says when callbacks stop (-1) and when they go on (1). */
static int look(struct watch *watch, uint64_t now_us, SDL_AtomicInt *counter)
{
    uint32_t count = (uint32_t)SDL_GetAtomicInt(counter);
    bool moved = count != watch->count, was_stopped = watch->stopped;
    watch->count = count;
    if (moved) {
        watch->moved_us = now_us;
        watch->stopped = false;
        return was_stopped ? 1 : 0;
    }
    if (was_stopped || now_us - watch->moved_us < SILENT_US)
        return 0;
    watch->stopped = true;
    return -1;
}

static bool poll_event(void *self, uint64_t now_us, duel_rig_event *event)
{
    struct audio *audio = self;
    take_in_openings(audio, now_us);
    if (audio->speaker) {
        int told = look(&audio->rendered_watch, now_us, &audio->rendered);
        if (told)
            sound_events_put(&audio->events, told > 0 ? DUEL_RIG_AUDIO_RUNNING : DUEL_RIG_AUDIO_STOPPED, audio->speaker_id,
                             0, 0);
    }
    if (audio->microphone_id) {
        int told = look(&audio->captured_watch, now_us, &audio->captured);
        if (told)
            sound_events_put(&audio->events, told > 0 ? DUEL_RIG_MICROPHONE_UNMUTED : DUEL_RIG_MICROPHONE_MUTED,
                             audio->microphone_id, 0, 0);
    }
    if (audio->asked_id && now_us - audio->asked_at_us >= MICROPHONE_WITHIN_US) {
        sound_events_put(&audio->events, DUEL_RIG_MICROPHONE_FAILED, audio->asked_id, 0, 0);
        audio->asked_id = 0;
    }
    return sound_events_take(&audio->events, event);
}

static bool is_on(SDL_AudioStream *stream, SDL_AudioDeviceID device)
{
    SDL_AudioDeviceID own = stream ? SDL_GetAudioStreamDevice(stream) : 0;
    const char *name = own ? SDL_GetAudioDeviceName(own) : NULL, *gone = SDL_GetAudioDeviceName(device);
    return own == device || (name && gone && SDL_strcmp(name, gone) == 0); /* the system's choice goes by its name */
}

void audio_device_removed(struct audio *audio, uint32_t which, bool recording)
{
    if (!is_on(recording ? audio->microphone : audio->speaker, which))
        return;
    sound_events_put(&audio->events, recording ? DUEL_RIG_MICROPHONE_ENDED : DUEL_RIG_AUDIO_BROKEN,
                     recording ? audio->microphone_id : audio->speaker_id, 0, 0);
}

static void describe(void *self, char *text, size_t bytes)
{
    const struct audio *audio = self;
    int length = snprintf(text, bytes, "%s, %s", audio->speaker_name, audio->microphone_name);
    if (audio->speaker && length > 0 && (size_t)length < bytes)
        snprintf(text + length, bytes - (size_t)length, ", %d Hz", audio->rate_hz);
}

static void health(void *self, struct sound_health *health)
{
    struct audio *audio = self;
    health->starved = (uint32_t)SDL_GetAtomicInt(&audio->starved);
    health->dropped = (uint32_t)SDL_GetAtomicInt(&audio->dropped);
    health->errors = audio->health.errors;
}

struct sound audio_sound(struct audio *audio)
{
    return (struct sound){audio, act, run_pump, poll_event, describe, health, true};
}

/* ---- Its life. ------------------------------------------------------------------------------------------------------- */

static bool choose(struct audio *audio, const char *speaker, const char *microphone, char *why, size_t why_bytes)
{
    audio->speaker_device = SDL_AUDIO_DEVICE_DEFAULT_PLAYBACK;
    audio->microphone_device = SDL_AUDIO_DEVICE_DEFAULT_RECORDING;
    SDL_strlcpy(audio->speaker_name, "the system's speaker", sizeof audio->speaker_name);
    SDL_strlcpy(audio->microphone_name, "the system's microphone", sizeof audio->microphone_name);
    if (speaker)
        audio->speaker_device = device_choose(false, speaker, audio->speaker_name, why, why_bytes);
    if (audio->speaker_device && microphone)
        audio->microphone_device = device_choose(true, microphone, audio->microphone_name, why, why_bytes);
    return audio->speaker_device && audio->microphone_device;
}

struct audio *audio_new(const char *speaker, const char *microphone, char *why, size_t why_bytes)
{
    struct audio *audio = SDL_calloc(1, sizeof *audio);
    if (!audio)
        return NULL;
    SDL_SetHint(SDL_HINT_AUDIO_DEVICE_SAMPLE_FRAMES, BUFFER_FRAMES); /* the environment may say another number */
    audio->channels = 1;
    if (!choose(audio, speaker, microphone, why, why_bytes)) {
        SDL_free(audio);
        return NULL;
    }
    return audio;
}

void audio_free(struct audio *audio)
{
    if (!audio)
        return;
    for (struct opening *opening; (opening = audio->openings) != NULL; SDL_free(opening)) {
        audio->openings = opening->next;
        SDL_WaitThread(opening->thread, NULL);
        close_stream(audio, opening->stream);
    }
    plug(audio, NULL, 1);
    close_speaker(audio);
    while (SDL_GetAtomicInt(&audio->closing))
        SDL_Delay(10);
    duel_pump_free(audio->pump);
    SDL_free(audio);
}
