/* devices.h: this machine's audio devices by name. */
#ifndef DEVICES_H
#define DEVICES_H

#include <SDL3/SDL.h>
#include <stdbool.h>

/* Prints every device. */
void device_list(void);
/* The one device whose name holds `wanted`, in any case of letters, and its name; 0 and `why` if there is not one. */
SDL_AudioDeviceID device_choose(bool recording, const char *wanted, char name[64], char *why, size_t why_bytes);

#endif
