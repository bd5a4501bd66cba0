/* ui.h: a window, what the mouse and the keys did in this frame, letters, shapes and buttons. Knows nothing of a duel.
 *
 * Everything is drawn and asked in the same breath: a button is drawn where it is asked whether it was clicked.
 */
#ifndef UI_H
#define UI_H

#include <SDL3/SDL.h>
#include <stdbool.h>

enum ui_shape { SHAPE_DISC, SHAPE_RING, SHAPE_BOX, SHAPE_TRIANGLE, SHAPE_DIAMOND, SHAPE_GLOW, SHAPES };

struct ui {
    SDL_Window *window;
    SDL_Renderer *renderer;
    SDL_Texture *letters;
    SDL_Texture *shapes;
    float width, height;
    /* What happened since the last frame; at most one button and one key a frame, the rest waits for the next. */
    float mouse_x, mouse_y;
    bool left_down, left_pressed, left_released, right_pressed;
    int clicks; /* 2 for a double click */
    bool shift;
    float wheel;
    SDL_Keycode key; /* 0: none */
    bool quit;       /* the window was closed */
    bool captured;   /* the mouse is on something of the surface, and no longer the map's */
};

/* Sizes of letters, pixels. */
#define SMALL 14.0f
#define BODY 16.0f
#define LARGE 20.0f
#define TITLE 32.0f

static const SDL_Color INK = {232, 236, 242, 255};
static const SDL_Color FAINT = {150, 160, 176, 255};
static const SDL_Color GOOD = {126, 214, 140, 255};
static const SDL_Color BAD = {255, 122, 108, 255};
static const SDL_Color WARN = {255, 204, 102, 255};
static const SDL_Color ACCENT = {96, 178, 255, 255};
static const SDL_Color PANEL = {27, 32, 41, 244};
static const SDL_Color EDGE = {62, 72, 88, 255};
static const SDL_Color BACK = {15, 18, 24, 255};

/* Opens the window; false, and SDL_GetError, if that fails. */
bool ui_open(struct ui *ui, const char *title, int width, int height);
void ui_close(struct ui *ui);
/* Begins a frame: forgets the last one's input. Then hand over events, until one is not taken. */
void ui_begin(struct ui *ui);
/* False: this event has to wait for the next frame, since this one has such an event already. */
bool ui_take(struct ui *ui, SDL_Event *event);

/* What hands did is kept from what lies under something that has to be answered first, and given back after it. */
struct ui_hands {
    bool left_pressed, left_released, right_pressed;
    float wheel;
    SDL_Keycode key;
};
struct ui_hands ui_withhold(struct ui *ui);
void ui_give_back(struct ui *ui, struct ui_hands hands);

/* Draws a line of text with its top left corner there, and returns its width. `format` as printf's, in UTF-8. */
float ui_text(struct ui *ui, float x, float y, float size, SDL_Color colour, const char *format, ...);
/* The same in the middle of `x`. */
void ui_text_mid(struct ui *ui, float x, float y, float size, SDL_Color colour, const char *text);
float ui_text_width(float size, const char *text);
/* Wraps text into a width, and returns the height it took. */
float ui_paragraph(struct ui *ui, float x, float y, float width, float size, SDL_Color colour, const char *text);

void ui_fill(struct ui *ui, SDL_FRect box, SDL_Color colour);
/* A panel with round corners; the mouse on it is not on the map. */
void ui_panel(struct ui *ui, SDL_FRect box, SDL_Color fill, SDL_Color edge);
/* A shape in the middle of (x, y), turned clockwise by degrees. */
void ui_shape(struct ui *ui, enum ui_shape shape, float x, float y, float width, float height, double degrees,
              SDL_Color colour);
void ui_line(struct ui *ui, float x0, float y0, float x1, float y1, float thick, SDL_Color colour);
/* Bars of a level: 0 to `of`. */
void ui_bars(struct ui *ui, float x, float y, int level, int of);
/* Dims everything drawn so far. */
void ui_dim(struct ui *ui, Uint8 alpha);

bool ui_hovers(const struct ui *ui, SDL_FRect box);
/* True when it was clicked, or its key was pressed (0: none). Switched off it is drawn faint and never true. */
bool ui_button(struct ui *ui, SDL_FRect box, const char *label, SDL_Keycode key, bool enabled);
/* A button that is on or off. */
bool ui_toggle(struct ui *ui, SDL_FRect box, const char *label, SDL_Keycode key, bool on);
/* The key, if it was pressed in this frame; it counts once. */
bool ui_key(struct ui *ui, SDL_Keycode key);

SDL_Color ui_mix(SDL_Color a, SDL_Color b, float part_of_b);
SDL_Color ui_alpha(SDL_Color colour, Uint8 alpha);
/* Writes the window's picture to a file: PNG, or BMP if it is called so. */
bool ui_save(struct ui *ui, const char *path);

#endif
