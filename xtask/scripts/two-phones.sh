#!/usr/bin/env bash
# Two virtual phones on one table, for hosts that want real audio devices where there is no sound card: a private
# PulseAudio server, which runs headless and as any user.
#
#   two-phones.sh up            start the server and make the phones
#   two-phones.sh env           print the variables that lead a program to them: eval "$(two-phones.sh env)"
#   two-phones.sh unplug A      take phone A's microphone away for good; plug A brings a new one
#   two-phones.sh hold A        suspend it, as a call coming in does; go A resumes it
#   two-phones.sh mute A        likewise its speaker; unmute A
#   two-phones.sh down          stop everything
#
# Phone A has the speaker `speakerA` and the microphone `micA`, phone B likewise. A microphone hears its own phone's
# speaker, 6 dB quieter so that nothing clips, and the other phone's PHONES_APART_DB quieter than that.
#
# PHONES_DIR       where the server lives (default: a folder of this user's under /tmp)
# PHONES_RATE      every device's sample rate (48000); PHONES_RATE_B that of phone B's
# PHONES_APART_DB  how much quieter the other phone is (-30)
# PHONES_AIR_MS    how long sound is under way in the server (60)
#
# Packages: pulseaudio pulseaudio-utils
set -euo pipefail

dir=${PHONES_DIR:-/tmp/two-phones-$(id -u)}
rate=${PHONES_RATE:-48000}
rate_b=${PHONES_RATE_B:-$rate}
own=-6
apart=$((own + ${PHONES_APART_DB:--30}))
air=${PHONES_AIR_MS:-60}

export PULSE_RUNTIME_PATH=$dir/run PULSE_STATE_PATH=$dir/state
export PULSE_SERVER=unix:$dir/run/native PULSE_COOKIE=$dir/state/cookie
unset PULSE_SINK PULSE_SOURCE PULSE_CONFIG DBUS_SESSION_BUS_ADDRESS

say_variables() {
    printf 'export %s\n' "PULSE_RUNTIME_PATH=$PULSE_RUNTIME_PATH" "PULSE_STATE_PATH=$PULSE_STATE_PATH" \
        "PULSE_SERVER=$PULSE_SERVER" "PULSE_COOKIE=$PULSE_COOKIE"
}

write_server_config() {
    cat >"$dir/daemon.conf" <<EOF
default-sample-format = float32le
default-sample-rate = $rate
alternate-sample-rate = $rate
default-sample-channels = 2
flat-volumes = no
resample-method = speex-float-5
realtime-scheduling = yes
high-priority = yes
nice-level = -15
exit-idle-time = -1
EOF
}

# A null sink: a speaker, or the air in front of a microphone. With rewinds, opening a microphone takes seconds.
null_sink() { # name rate
    echo "load-module module-null-sink sink_name=$1 rate=$2 channels=1 channel_map=mono format=float32le" \
        "norewinds=1 sink_properties=device.description=$1"
}

# Sound from a speaker to a microphone's air, without the clock corrections that would bend it.
way() { # speaker air
    echo "load-module module-loopback source=$1.monitor sink=$2 latency_msec=$air source_dont_move=true" \
        "sink_dont_move=true remix=no adjust_time=0"
}

microphone() { # phone
    echo "module-remap-source source_name=mic$1 master=air$1.monitor source_properties=device.description=mic$1"
}

write_devices() {
    {
        echo ".fail"
        echo "load-module module-native-protocol-unix socket=$dir/run/native auth-anonymous=1 auth-cookie-enabled=0"
        null_sink speakerA "$rate"
        null_sink speakerB "$rate_b"
        null_sink airA "$rate"
        null_sink airB "$rate_b"
        way speakerA airA
        way speakerB airB
        way speakerA airB
        way speakerB airA
        for phone in A B; do echo "load-module $(microphone $phone)"; done
        echo "set-default-sink speakerA"
        echo "set-default-source micA"
    } >"$dir/devices.pa"
}

up() {
    down
    mkdir -p "$dir/run" "$dir/state"
    chmod 700 "$dir" "$dir/run"
    write_server_config
    write_devices
    PULSE_CONFIG=$dir/daemon.conf setsid pulseaudio --daemonize=no --use-pid-file=no -n --file="$dir/devices.pa" \
        --log-target="newfile:$dir/server.log" --log-level=notice </dev/null >/dev/null 2>&1 &
    echo $! >"$dir/pid"
    for _ in $(seq 100); do
        pactl info >/dev/null 2>&1 && break
        sleep 0.05
    done
    if ! pactl info >/dev/null 2>&1; then
        cat "$dir"/server.log* >&2
        echo "the sound server did not start" >&2
        exit 1
    fi
    # Where the kernel shares the processor out by session, niceness counts only within one.
    { echo -15 >"/proc/$(cat "$dir/pid")/autogroup"; } 2>/dev/null || true
    # The ways, in the order in which they were made: own, own, across, across.
    local at=0
    for level in "$own" "$own" "$apart" "$apart"; do
        pactl set-sink-input-volume "$at" "${level}dB"
        at=$((at + 1))
    done
}

down() {
    if [ -f "$dir/pid" ]; then
        kill "$(cat "$dir/pid")" 2>/dev/null || true
        rm -f "$dir/pid"
    fi
    rm -rf "$dir/run" "$dir/state"
}

unplug() {
    local module
    module=$(pactl list short modules | awk -v name="source_name=mic$1" 'index($0, name) { print $1 }')
    pactl unload-module "$module"
}

case "${1:-}" in
up) up ;;
down) down ;;
env) say_variables ;;
unplug) unplug "$2" ;;
plug) pactl load-module $(microphone "$2") >/dev/null ;; # words on purpose
hold) pactl suspend-source "mic$2" 1 ;;
go) pactl suspend-source "mic$2" 0 ;;
mute) pactl suspend-sink "speaker$2" 1 ;;
unmute) pactl suspend-sink "speaker$2" 0 ;;
*)
    sed -n '2,21s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
