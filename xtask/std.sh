#!/usr/bin/env bash
# xtask/std.sh TARGET: what cargo needs to compile for TARGET, where rustup offers no standard library for it.
#
# On Debian: takes the distribution's newest compiler and its library's sources, apart from everything installed, and
# compiles the library once, into target/std. `cargo xtask determinism` and `no-std` find it there. Costs about a
# minute and 600 MB; delete target/std to undo it.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${1:?usage: xtask/std.sh TARGET}
if rustup target add "$target" 2>/dev/null; then
    echo "rustup has it: nothing else to do"
    exit 0
fi

kept=$PWD/target/std
own=$kept/root/usr
mkdir -p "$kept"
cd "$kept"
apt-get -o DPkg::Lock::Timeout=600 install -y -q --no-install-recommends libllvm22
for package in rustc-web libstd-rust-web-1.96 libstd-rust-web-dev rust-web-src; do
    ls "${package}"_*.deb >/dev/null 2>&1 || apt-get download -q "$package"
    # Of the sources only the library's: the compiler's are twenty times as many.
    case $package in
        *-src) dpkg --fsys-tarfile "${package}"_*.deb | tar -x -C root --wildcards './usr/src/rustc-*/library/*' ;;
        *) dpkg -x "${package}"_*.deb root ;;
    esac
done
mkdir -p "$own/lib/rustlib/src"
ln -sfn "$(ls -d "$own"/src/rustc-* | head -1)" "$own/lib/rustlib/src/rust"
export RUSTC=$own/bin/rustc LD_LIBRARY_PATH=$own/lib/x86_64-linux-gnu

# An empty crate: what is wanted is what it is compiled with.
mkdir -p empty/src
printf '[package]\nname = "empty"\nversion = "0.0.0"\nedition = "2021"\n[profile.release]\npanic = "abort"\n[workspace]\n' >empty/Cargo.toml
case $target in
    *-none*) parts=core,alloc,compiler_builtins; echo '#![no_std]' >empty/src/lib.rs ;;
    *) parts=std,panic_abort; : >empty/src/lib.rs ;;
esac
(cd empty && RUSTC_BOOTSTRAP=1 cargo build --release -Zbuild-std="$parts" --target "$target" --target-dir ../empty-built)
libraries=$own/lib/rustlib/$target/lib
mkdir -p "$libraries"
cp empty-built/"$target"/release/deps/*.rlib empty-built/"$target"/release/deps/*.rmeta "$libraries"
rm -f "$libraries"/libempty-*
echo "the standard library of $target is in $libraries"
