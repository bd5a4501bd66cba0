/* audio.h: this machine's speaker and microphone, through SDL, as a phone's devices. */
#ifndef AUDIO_H
#define AUDIO_H

#include "sound.h"

struct audio;

/* Looks for the devices named (part of a name will do; NULL: the system's choice), and opens nothing yet. NULL if there
 * is no such device, or several of that name: `why` says so. SDL's audio must be up. */
struct audio *audio_new(const char *speaker, const char *microphone, char *why, size_t why_bytes);
/* Waits until the devices have let go. One that has died never does: have a limit, as main.c's `leave`. */
void audio_free(struct audio *audio);
/* The same as a phone's devices; valid as long as `audio`. */
struct sound audio_sound(struct audio *audio);
/* SDL told that a device is gone: SDL_EVENT_AUDIO_DEVICE_REMOVED. */
void audio_device_removed(struct audio *audio, uint32_t which, bool recording);

#endif
