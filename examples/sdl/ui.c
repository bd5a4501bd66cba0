/* ui.c: see ui.h. */
#include "ui.h"

#include "font_data.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum {
    FONT_SIZE = 32,      /* the letters' size in font_data.h; half of it is where most text is drawn */
    LETTERS_WIDTH = 1024,
    LETTERS_HEIGHT = 128,
    SHAPE_PX = 64,
    TEXT_BYTES = 512,
};

/* Where each letter lies on the texture of letters. */
static SDL_FRect letter_boxes[SDL_arraysize(FONT_GLYPHS)];

/* ---- The letters and the shapes, as textures. ------------------------------------------------------------------------ */

static int base64_value(char letter)
{
    return letter >= 'a'   ? letter - 'a' + 26
           : letter >= 'A' ? letter - 'A'
           : letter >= '0' ? letter - '0' + 52
           : letter == '+' ? 62
                           : 63;
}

static void put_alpha(SDL_Surface *surface, int x, int y, Uint8 alpha)
{
    Uint8 *pixel = (Uint8 *)surface->pixels + y * surface->pitch + 4 * x;
    pixel[0] = pixel[1] = pixel[2] = 255;
    pixel[3] = alpha;
}

static SDL_Texture *texture_of(struct ui *ui, SDL_Surface *surface)
{
    SDL_Texture *texture = SDL_CreateTextureFromSurface(ui->renderer, surface);
    if (texture)
        SDL_SetTextureScaleMode(texture, SDL_SCALEMODE_LINEAR);
    SDL_DestroySurface(surface);
    return texture;
}

static SDL_Texture *make_letters(struct ui *ui)
{
    SDL_Surface *surface = SDL_CreateSurface(LETTERS_WIDTH, LETTERS_HEIGHT, SDL_PIXELFORMAT_RGBA32);
    int left = 1, top = 1;
    if (!surface)
        return NULL;
    for (size_t at = 0; at < SDL_arraysize(FONT_GLYPHS); at++) {
        const struct font_glyph *glyph = &FONT_GLYPHS[at];
        if (left + glyph->columns + 1 > LETTERS_WIDTH) {
            left = 1;
            top += FONT_ROWS + 2;
        }
        letter_boxes[at] = (SDL_FRect){(float)left, (float)top, (float)glyph->columns, FONT_ROWS};
        int pixel = 0;
        for (const char *three = glyph->pixels; *three; three++)
            for (int shift = 4; shift >= 0; shift -= 2, pixel++)
                if (pixel < glyph->columns * FONT_ROWS)
                    put_alpha(surface, left + pixel % glyph->columns, top + pixel / glyph->columns,
                              (Uint8)((base64_value(*three) >> shift & 3) * 85));
        left += glyph->columns + 2;
    }
    return texture_of(ui, surface);
}

/* How far outside of a shape a point is, in pixels; below 0 inside. The shape fills -1 to 1, but for a margin. */
static float outside(enum ui_shape shape, float x, float y)
{
    float radius = sqrtf(x * x + y * y), size = 0.94f, px = SHAPE_PX / 2.0f;
    float ax = fabsf(x), ay = fabsf(y);
    switch (shape) {
    case SHAPE_DISC:
        return (radius - size) * px;
    case SHAPE_RING:
        return (fabsf(radius - size + 0.07f) - 0.06f) * px;
    case SHAPE_BOX: { /* with round corners */
        float corner = 0.3f, dx = fmaxf(ax - size + corner, 0), dy = fmaxf(ay - size + corner, 0);
        return (sqrtf(dx * dx + dy * dy) - corner) * px;
    }
    case SHAPE_TRIANGLE: /* pointing up */
        return fmaxf(y - 0.75f, (2.0f * ax - y - 0.95f) / 2.236f) * px;
    case SHAPE_DIAMOND:
        return (ax + ay - size) * 0.707f * px;
    default:
        return (radius - size) * px;
    }
}

static SDL_Texture *make_shapes(struct ui *ui)
{
    SDL_Surface *surface = SDL_CreateSurface(SHAPE_PX * SHAPES, SHAPE_PX, SDL_PIXELFORMAT_RGBA32);
    if (!surface)
        return NULL;
    for (int at = 0; at < SHAPES * SHAPE_PX * SHAPE_PX; at++) {
        int shape = at / (SHAPE_PX * SHAPE_PX), column = at % SHAPE_PX, row = at / SHAPE_PX % SHAPE_PX;
        float x = ((float)column + 0.5f) / (SHAPE_PX / 2.0f) - 1, y = ((float)row + 0.5f) / (SHAPE_PX / 2.0f) - 1;
        float cover = 0.5f - outside((enum ui_shape)shape, x, y);
        if (shape == SHAPE_GLOW) {
            float fade = fmaxf(1 - sqrtf(x * x + y * y), 0);
            cover = fade * fade;
        }
        put_alpha(surface, shape * SHAPE_PX + column, row, (Uint8)(SDL_clamp(cover, 0.0f, 1.0f) * 255));
    }
    return texture_of(ui, surface);
}

/* ---- The window and its input. --------------------------------------------------------------------------------------- */

bool ui_open(struct ui *ui, const char *title, int width, int height)
{
    SDL_zerop(ui);
    if (!SDL_CreateWindowAndRenderer(title, width, height, SDL_WINDOW_RESIZABLE, &ui->window, &ui->renderer))
        return false;
    SDL_SetWindowMinimumSize(ui->window, 1000, 640);
    SDL_SetRenderVSync(ui->renderer, 1);
    SDL_SetRenderDrawBlendMode(ui->renderer, SDL_BLENDMODE_BLEND);
    ui->letters = make_letters(ui);
    ui->shapes = make_shapes(ui);
    return ui->letters && ui->shapes;
}

void ui_close(struct ui *ui)
{
    SDL_DestroyTexture(ui->letters);
    SDL_DestroyTexture(ui->shapes);
    SDL_DestroyRenderer(ui->renderer);
    SDL_DestroyWindow(ui->window);
    SDL_zerop(ui);
}

void ui_begin(struct ui *ui)
{
    int width = 0, height = 0;
    SDL_GetRenderOutputSize(ui->renderer, &width, &height);
    ui->width = (float)width;
    ui->height = (float)height;
    ui->left_pressed = ui->left_released = ui->right_pressed = ui->captured = false;
    ui->wheel = 0;
    ui->key = 0;
    ui->shift = (SDL_GetModState() & SDL_KMOD_SHIFT) != 0;
}

bool ui_take(struct ui *ui, SDL_Event *event)
{
    bool taken = ui->left_pressed || ui->left_released || ui->right_pressed;
    SDL_ConvertEventToRenderCoordinates(ui->renderer, event);
    switch (event->type) {
    case SDL_EVENT_QUIT:
    case SDL_EVENT_WINDOW_CLOSE_REQUESTED:
        ui->quit = true;
        return true;
    case SDL_EVENT_MOUSE_MOTION:
        if (taken)
            return false;
        ui->mouse_x = event->motion.x;
        ui->mouse_y = event->motion.y;
        return true;
    case SDL_EVENT_MOUSE_BUTTON_DOWN:
    case SDL_EVENT_MOUSE_BUTTON_UP:
        if (taken)
            return false;
        ui->mouse_x = event->button.x;
        ui->mouse_y = event->button.y;
        ui->clicks = event->button.clicks;
        if (event->button.button == SDL_BUTTON_LEFT) {
            ui->left_down = event->button.down;
            ui->left_pressed = event->button.down;
            ui->left_released = !event->button.down;
        } else if (event->button.button == SDL_BUTTON_RIGHT) {
            ui->right_pressed = event->button.down;
        }
        return true;
    case SDL_EVENT_MOUSE_WHEEL:
        ui->wheel += event->wheel.y;
        return true;
    case SDL_EVENT_KEY_DOWN:
        if (event->key.repeat)
            return true; /* a key held down counts once */
        if (ui->key)
            return false;
        ui->key = event->key.key;
        return true;
    default:
        return true;
    }
}

struct ui_hands ui_withhold(struct ui *ui)
{
    struct ui_hands hands = {ui->left_pressed, ui->left_released, ui->right_pressed, ui->wheel, ui->key};
    ui_give_back(ui, (struct ui_hands){.key = 0});
    return hands;
}

void ui_give_back(struct ui *ui, struct ui_hands hands)
{
    ui->left_pressed = hands.left_pressed;
    ui->left_released = hands.left_released;
    ui->right_pressed = hands.right_pressed;
    ui->wheel = hands.wheel;
    ui->key = hands.key;
}

/* ---- Text. ----------------------------------------------------------------------------------------------------------- */

static size_t glyph_of(Uint32 codepoint)
{
    if (codepoint >= 32 && codepoint < 127)
        return codepoint - 32;
    for (size_t at = 95; at < SDL_arraysize(FONT_GLYPHS); at++)
        if (FONT_GLYPHS[at].codepoint == codepoint)
            return at;
    return '?' - 32;
}

float ui_text_width(float size, const char *text)
{
    float columns = 0;
    for (Uint32 codepoint; (codepoint = SDL_StepUTF8(&text, NULL)) != 0;)
        columns += (float)FONT_GLYPHS[glyph_of(codepoint)].columns;
    return columns * size / FONT_SIZE;
}

static float draw_text(struct ui *ui, float x, float y, float size, SDL_Color colour, const char *text, size_t bytes)
{
    float start = x, scale = size / FONT_SIZE;
    SDL_SetTextureColorMod(ui->letters, colour.r, colour.g, colour.b);
    SDL_SetTextureAlphaMod(ui->letters, colour.a);
    for (Uint32 codepoint; (codepoint = SDL_StepUTF8(&text, &bytes)) != 0;) {
        const SDL_FRect *from = &letter_boxes[glyph_of(codepoint)];
        SDL_FRect to = {x, y, from->w * scale, from->h * scale};
        if (codepoint != ' ')
            SDL_RenderTexture(ui->renderer, ui->letters, from, &to);
        x += to.w;
    }
    return x - start;
}

float ui_text(struct ui *ui, float x, float y, float size, SDL_Color colour, const char *format, ...)
{
    char text[TEXT_BYTES];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    return draw_text(ui, SDL_roundf(x), SDL_roundf(y), size, colour, text, SDL_strlen(text));
}

void ui_text_mid(struct ui *ui, float x, float y, float size, SDL_Color colour, const char *text)
{
    ui_text(ui, x - ui_text_width(size, text) / 2, y, size, colour, "%s", text);
}

float ui_paragraph(struct ui *ui, float x, float y, float width, float size, SDL_Color colour, const char *text)
{
    float top = y, used = 0, space = ui_text_width(size, " ");
    while (*text) {
        char word[TEXT_BYTES];
        size_t length = SDL_min(strcspn(text, " \n"), sizeof word - 1);
        SDL_memcpy(word, text, length);
        word[length] = 0;
        float needs = ui_text_width(size, word);
        if (used > 0 && used + needs > width) {
            y += size * 1.35f;
            used = 0;
        }
        draw_text(ui, SDL_roundf(x + used), SDL_roundf(y), size, colour, word, length);
        used += needs + space;
        text += length;
        for (; *text == ' ' || *text == '\n'; text++)
            if (*text == '\n') {
                y += size * 1.35f;
                used = 0;
            }
    }
    return y + size * 1.35f - top;
}

/* ---- Shapes. --------------------------------------------------------------------------------------------------------- */

SDL_Color ui_mix(SDL_Color a, SDL_Color b, float part_of_b)
{
    float part_of_a = 1 - part_of_b;
    return (SDL_Color){(Uint8)(a.r * part_of_a + b.r * part_of_b), (Uint8)(a.g * part_of_a + b.g * part_of_b),
                       (Uint8)(a.b * part_of_a + b.b * part_of_b), a.a};
}

SDL_Color ui_alpha(SDL_Color colour, Uint8 alpha)
{
    colour.a = alpha;
    return colour;
}

void ui_fill(struct ui *ui, SDL_FRect box, SDL_Color colour)
{
    SDL_SetRenderDrawColor(ui->renderer, colour.r, colour.g, colour.b, colour.a);
    SDL_RenderFillRect(ui->renderer, &box);
}

void ui_dim(struct ui *ui, Uint8 alpha)
{
    ui_fill(ui, (SDL_FRect){0, 0, ui->width, ui->height}, (SDL_Color){8, 10, 14, alpha});
}

static void use_shape(struct ui *ui, enum ui_shape shape, SDL_Color colour, SDL_FRect *from)
{
    SDL_SetTextureColorMod(ui->shapes, colour.r, colour.g, colour.b);
    SDL_SetTextureAlphaMod(ui->shapes, colour.a);
    *from = (SDL_FRect){(float)(shape * SHAPE_PX), 0, SHAPE_PX, SHAPE_PX};
}

void ui_shape(struct ui *ui, enum ui_shape shape, float x, float y, float width, float height, double degrees,
              SDL_Color colour)
{
    SDL_FRect from, to = {x - width / 2, y - height / 2, width, height};
    use_shape(ui, shape, colour, &from);
    if (degrees == 0)
        SDL_RenderTexture(ui->renderer, ui->shapes, &from, &to);
    else
        SDL_RenderTextureRotated(ui->renderer, ui->shapes, &from, &to, degrees, NULL, SDL_FLIP_NONE);
}

static void round_box(struct ui *ui, SDL_FRect box, SDL_Color colour)
{
    SDL_FRect from;
    float third = SHAPE_PX / 3.0f;
    use_shape(ui, SHAPE_BOX, colour, &from);
    SDL_RenderTexture9Grid(ui->renderer, ui->shapes, &from, third, third, third, third, 0.4f, &box);
}

void ui_panel(struct ui *ui, SDL_FRect box, SDL_Color fill, SDL_Color edge)
{
    box = (SDL_FRect){SDL_roundf(box.x), SDL_roundf(box.y), SDL_roundf(box.w), SDL_roundf(box.h)}; /* no seams */
    SDL_FRect inner = {box.x + 2, box.y + 2, box.w - 4, box.h - 4};
    round_box(ui, box, edge);
    round_box(ui, inner, fill);
    ui->captured |= ui_hovers(ui, box);
}

void ui_line(struct ui *ui, float x0, float y0, float x1, float y1, float thick, SDL_Color colour)
{
    float dx = x1 - x0, dy = y1 - y0, length = sqrtf(dx * dx + dy * dy);
    SDL_FColor tint = {colour.r / 255.0f, colour.g / 255.0f, colour.b / 255.0f, colour.a / 255.0f};
    if (length <= 0)
        return;
    float nx = -dy / length * thick / 2, ny = dx / length * thick / 2;
    SDL_Vertex corners[4] = {{{x0 + nx, y0 + ny}, tint, {0, 0}},
                             {{x1 + nx, y1 + ny}, tint, {0, 0}},
                             {{x1 - nx, y1 - ny}, tint, {0, 0}},
                             {{x0 - nx, y0 - ny}, tint, {0, 0}}};
    static const int TRIANGLES[] = {0, 1, 2, 0, 2, 3};
    SDL_RenderGeometry(ui->renderer, NULL, corners, 4, TRIANGLES, 6);
}

void ui_bars(struct ui *ui, float x, float y, int level, int of)
{
    SDL_Color colour = level < 2 ? BAD : level < 4 ? WARN : GOOD;
    for (int at = 0; at < of; at++) {
        float height = 6 + 10.0f * (float)(at + 1) / (float)of;
        ui_fill(ui, (SDL_FRect){x + (float)at * 9, y + 16 - height, 6, height}, at < level ? colour : EDGE);
    }
}

/* ---- Buttons. -------------------------------------------------------------------------------------------------------- */

bool ui_hovers(const struct ui *ui, SDL_FRect box)
{
    return ui->mouse_x >= box.x && ui->mouse_x < box.x + box.w && ui->mouse_y >= box.y && ui->mouse_y < box.y + box.h;
}

bool ui_key(struct ui *ui, SDL_Keycode key)
{
    if (!key || ui->key != key)
        return false;
    ui->key = 0;
    return true;
}

static bool button(struct ui *ui, SDL_FRect box, const char *label, SDL_Keycode key, bool enabled, bool on)
{
    bool hovers = enabled && ui_hovers(ui, box);
    SDL_Color fill = on ? (SDL_Color){36, 78, 122, 255} : (SDL_Color){40, 47, 60, 255};
    if (hovers)
        fill = ui_mix(fill, INK, ui->left_down ? 0.05f : 0.14f);
    if (!enabled)
        fill = ui_mix(fill, BACK, 0.6f);
    ui_panel(ui, box, fill, on ? ACCENT : hovers ? FAINT : EDGE);
    ui_text_mid(ui, box.x + box.w / 2, box.y + box.h / 2 - BODY * 0.55f, BODY, enabled ? INK : ui_alpha(FAINT, 140), label);
    bool clicked = hovers && ui->left_pressed;
    if (clicked)
        ui->left_pressed = false; /* it counts once */
    return clicked || (enabled && ui_key(ui, key));
}

bool ui_button(struct ui *ui, SDL_FRect box, const char *label, SDL_Keycode key, bool enabled)
{
    return button(ui, box, label, key, enabled, false);
}

bool ui_toggle(struct ui *ui, SDL_FRect box, const char *label, SDL_Keycode key, bool on)
{
    return button(ui, box, label, key, true, on);
}

bool ui_save(struct ui *ui, const char *path)
{
    SDL_Surface *picture = SDL_RenderReadPixels(ui->renderer, NULL);
    size_t length = SDL_strlen(path);
    bool saved = false;
    if (!picture)
        return false;
#if SDL_VERSION_ATLEAST(3, 4, 0)
    if (length < 4 || SDL_strcasecmp(path + length - 4, ".bmp") != 0)
        saved = SDL_SavePNG(picture, path);
    else
#endif
        saved = SDL_SaveBMP(picture, path);
    SDL_DestroySurface(picture);
    (void)length;
    return saved;
}
