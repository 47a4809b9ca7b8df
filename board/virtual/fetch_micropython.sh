#!/bin/sh
# Put the MicroPython unix port of Debian 13 under build/micropython/<arch>/ beside its own libraries; no root needed.
# apt checks the archive's signatures. A `micropython` 1.24+ on PATH is used instead for the host's own word size.
# usage: fetch_micropython.sh <arch: amd64 | i386> <folder>
set -eu
arch=$1
# Pinned: its libraries are what the release of Debian has, by Debian's signature.
version=1.25.0+ds-1
case $arch in
amd64) sha256=a2c8327c1005cbf0f15c83d1d3b94c20585135c29a97ab1483ada93b82d94a88 ;;
i386) sha256=a72799821cb45442150f8a7f0757bc8e4f9a4b64abccbd837d694a20d6900bb5 ;;
*)
    echo "no MicroPython for '$arch': amd64 or i386" >&2
    exit 2
    ;;
esac
root=$(mkdir -p "$2" && cd "$2" && pwd)
start="$root/micropython-$arch"

if [ -x "$start" ] && "$start" -c 'pass' 2>/dev/null; then
    exit 0
fi
if [ "$arch" = amd64 ] && found=$(command -v micropython) &&
    "$found" -c 'import sys; sys.exit(0 if sys.implementation[1][:2] >= (1, 24) else 1)' 2>/dev/null; then
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$found" >"$start"
    chmod +x "$start"
    echo "MicroPython ($arch): $found"
    exit 0
fi
if ! command -v apt-get >/dev/null || ! command -v dpkg >/dev/null; then
    echo "no MicroPython 1.24 or newer on PATH, and this is not Debian: install the unix port" \
        "(Debian 13: apt install micropython; macOS: brew install micropython; or build ports/unix) and run this again" >&2
    exit 2
fi
work="$root/.$arch"
rm -rf "$work"
mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$work/debs" "$work/root"
uri=$(apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | grep '/debian/*$' | head -n 1)
if [ -z "$uri" ]; then
    echo "apt names no Debian mirror in its sources: install micropython 1.24 or newer by hand" >&2
    exit 2
fi
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
: >"$work/state/status"
cat >"$work/apt.conf" <<CONF
Dir::Etc::sourcelist "$work/sources.list";
Dir::Etc::sourceparts "-";
Dir::State "$work/state";
Dir::State::status "$work/state/status";
Dir::Cache "$work/cache";
APT::Architecture "$arch";
APT::Architectures { "$arch"; };
APT::Sandbox::User "";
Acquire::Languages "none";
CONF
export APT_CONFIG="$work/apt.conf"
# A mirror in the middle of its update has an index that its own signature refuses. `stable` is the same release under
# its other name, and a mirror does not renew both at once.
fetched=
for suite in trixie stable trixie; do
    echo "deb [signed-by=$keyring] $uri $suite main" >"$work/sources.list"
    if apt-get -qq update >"$work/log" 2>&1 &&
        (cd "$work/debs" && apt-get -qq download micropython=$version libc6 libffi8 libmbedcrypto16 libmbedtls21 libmbedx509-7) >>"$work/log" 2>&1; then
        fetched=$suite
        break
    fi
    cat "$work/log" >&2
done
if [ -z "$fetched" ]; then
    echo "could not fetch MicroPython $version ($arch) with apt: try again later, or put a MicroPython 1.24 or newer" \
        "on PATH; when Debian has a newer one, change version and hashes in $0" >&2
    exit 2
fi
if ! echo "$sha256  $(ls "$work"/debs/micropython_*.deb)" | sha256sum --check --quiet -; then
    echo "MicroPython ($arch) as fetched is not the package that $0 names" >&2
    exit 2
fi
for deb in "$work"/debs/*.deb; do
    dpkg -x "$deb" "$work/root"
done
loader=$(find "$work/root" -name 'ld-linux*.so.2' | head -n 1)
libs=$(dirname "$(find "$work/root" -name 'libc.so.6' | head -n 1)")
rm -rf "$root/$arch" && mv "$work/root" "$root/$arch"
loader="$root/$arch${loader#"$work"/root}"
libs="$root/$arch${libs#"$work"/root}"
cat >"$start" <<RUN
#!/bin/sh
exec "$loader" --library-path "$libs" "$root/$arch/usr/bin/micropython" "\$@"
RUN
chmod +x "$start"
rm -rf "$work"
"$start" -c 'import sys; print("MicroPython %d.%d.%d" % sys.implementation[1][:3], "'"$arch"'")'
