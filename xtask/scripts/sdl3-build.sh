#!/usr/bin/env bash
# Builds SDL3, a shared library, into a folder, where the system has none:
#
#   sdl3-build.sh PREFIX [SCRATCH]     (default of SCRATCH: a temporary folder, removed at the end)
#
# The sources come with the crate `sdl3-src`, through cargo. Where X11's headers are missing it is built without windows:
# good enough for SDL_VIDEO_DRIVER=offscreen, and said aloud.
#
# Packages: cmake ninja-build libasound2-dev; for windows on Linux: libx11-dev libxext-dev libxcursor-dev libxi-dev
# libxrandr-dev libxfixes-dev libxss-dev libxtst-dev libxkbcommon-dev
set -euo pipefail

version=3.4.18
prefix=${1:?usage: sdl3-build.sh PREFIX [SCRATCH]}
scratch=${2:-}
if [ -z "$scratch" ]; then
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
fi
mkdir -p "$prefix" "$scratch/fetch/src"
prefix=$(cd "$prefix" && pwd)

# A package that does nothing but name the sources.
cat >"$scratch/fetch/Cargo.toml" <<TOML
[package]
name = "fetch"
version = "0.0.0"
edition = "2021"

[dependencies]
sdl3-src = "=$version"

[workspace]
TOML
touch "$scratch/fetch/src/lib.rs"
manifest=$(cargo metadata --format-version 1 --manifest-path "$scratch/fetch/Cargo.toml" |
    grep -o '"manifest_path":"[^"]*sdl3-src[^"]*"' | head -n 1 | cut -d '"' -f 4)
source=$(dirname "$manifest")/SDL

options=()
# All of them: with some, SDL's configuration stops at the first that is missing.
if ! pkg-config --exists x11 xext xcursor xi xrandr xfixes xscrnsaver xtst xkbcommon; then
    echo "sdl3-build: not all of X11's headers here: SDL will have no windows, only SDL_VIDEO_DRIVER=offscreen and dummy" >&2
    options+=(-DSDL_X11=OFF -DSDL_UNIX_CONSOLE_BUILD=ON)
fi
# What a duel has no use for is left out: most of the time that SDL takes to build.
for part in CAMERA DBUS DIALOG GPU HAPTIC HIDAPI IBUS JACK JOYSTICK KMSDRM LIBUDEV OPENGL OPENGLES PIPEWIRE POWER SENSOR \
    SNDIO TRAY VULKAN WAYLAND; do
    options+=("-DSDL_$part=OFF")
done
cmake -S "$source" -B "$scratch/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$prefix" \
    -DCMAKE_INSTALL_LIBDIR=lib -DSDL_SHARED=ON -DSDL_STATIC=OFF -DSDL_TEST_LIBRARY=OFF -DSDL_TESTS=OFF \
    -DSDL_EXAMPLES=OFF -DSDL_INSTALL_DOCS=OFF "${options[@]}" >"$scratch/configure.log" ||
    { cat "$scratch/configure.log" >&2; exit 1; }
cmake --build "$scratch/build"
cmake --install "$scratch/build" >/dev/null
echo "SDL $version: $prefix"
