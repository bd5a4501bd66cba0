/* devices.c: see devices.h. */
#include "devices.h"

#include <stdio.h>

static SDL_AudioDeviceID *devices(bool recording)
{
    return recording ? SDL_GetAudioRecordingDevices(NULL) : SDL_GetAudioPlaybackDevices(NULL);
}

void device_list(void)
{
    for (int recording = 0; recording < 2; recording++) {
        SDL_AudioDeviceID *all = devices(recording != 0);
        printf(recording ? "Microphones (--mic NAME):\n" : "Speakers (--speaker NAME):\n");
        printf("  (the system's choice)\n");
        for (int at = 0; all && all[at]; at++)
            printf("  %s\n", SDL_GetAudioDeviceName(all[at]));
        SDL_free(all);
    }
}

SDL_AudioDeviceID device_choose(bool recording, const char *wanted, char name[64], char *why, size_t why_bytes)
{
    SDL_AudioDeviceID found = 0, *all = devices(recording);
    int count = 0;
    for (int at = 0; all && all[at]; at++)
        if (SDL_strcasestr(SDL_GetAudioDeviceName(all[at]), wanted)) {
            found = all[at];
            count++;
        }
    SDL_free(all);
    if (count == 1) {
        SDL_strlcpy(name, SDL_GetAudioDeviceName(found), 64);
        return found;
    }
    snprintf(why, why_bytes, "--%s \"%s\": %s of that name; --list-devices shows them all", recording ? "mic" : "speaker",
             wanted, count ? "more than one device is" : "no device is");
    return 0;
}
