#!/usr/bin/env bash
# What is installed works: by cmake --install, from the archive, and as a package of
# Debian, which is installed into a root of its own and removed again. Needs no rights.
# Called by ctest, in a folder to work in:
#
#   package.sh SOURCE BUILD CMAKE CPACK
#
# A line says what cannot be tried here, as in the other tests.
set -euo pipefail
source_dir=$1 build=$2 cmake=$3 cpack=$4
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "$PWD/package-XXXXXX")
trap 'rm -rf "$work"' EXIT
export PATH=$PATH:/usr/sbin:/sbin LC_ALL=C.UTF-8 HOME=$work

fail() {
	echo "package: FAILED: $*" >&2
	exit 1
}
skip() {
	echo "skipped 1: $*"
}
same() {
	[ "$2" = "$3" ] || fail "$1: expected \"$3\", found \"$2\""
}
has() {
	case $2 in
	*"$3"*) ;;
	*) fail "$1: \"$3\" is not in \"$2\"" ;;
	esac
}

version=$(sed -n 's/^project(autotune VERSION \([0-9.]*\).*/\1/p' "$source_dir/CMakeLists.txt")

# The program and what goes with it, below a prefix.
try_prefix() {
	local prefix=$1 zsh=$2 file
	for file in bin/autotune "$(cd "$prefix" && echo share/man/man1/autotune.1*)" \
		share/bash-completion/completions/autotune "share/zsh/$zsh/_autotune" \
		share/fish/vendor_completions.d/autotune.fish \
		share/cmake/autotune/autotune-config.cmake \
		share/cmake/autotune/autotune-config-version.cmake \
		share/cmake/autotune/autotune-kernels.cmake \
		share/doc/autotune/README.md share/doc/autotune/copyright \
		share/autotune/spaces/matmul.cfg share/autotune/templates/matmul.cu \
		share/autotune/results/nvidia-h200/matmul.json include/autotune.h; do
		[ -s "$prefix/$file" ] || fail "$prefix/$file is not there"
	done
	# whatever else deployment needs, and nothing of what packages are made by
	(cd "$source_dir/tuner/share" && find . -name cmake -prune -o -name debian -prune -o -type f -print) |
		while read -r file; do
			[ -s "$prefix/share/autotune/$file" ] || fail "$prefix/share/autotune/$file is not there"
		done
	same version "$("$prefix/bin/autotune" -V)" "autotune $version"
	has help "$("$prefix/bin/autotune" -h)" "usage: autotune"
	has "a space that ships" \
		"$("$prefix/bin/autotune" check --json --quiet "$prefix/share/autotune/spaces/copy.cfg" --arch sm_90 2>/dev/null)" \
		'"space": "copy"'
}

# ---- cmake --install -------------------------------------------------------------
"$cmake" --install "$build" --prefix "$work/prefix" >/dev/null
try_prefix "$work/prefix" site-functions
if find "$work/prefix" -name '*.db*' -o -name 'CMake*' | grep -q .; then
	fail "what belongs to the build is installed"
fi

# ---- the page of the manual --------------------------------------------------------
page=$(echo "$work"/prefix/share/man/man1/autotune.1*)
if command -v man >/dev/null && command -v groff >/dev/null; then
	told=$(man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
	same "what man says" "$told" ""
	# shellcheck disable=SC2016
	has "the manual" "$(man -l -Tascii "$page" | col -bx)" \
		'autotune spaces/matmul.cfg --device cuda:0 --budget 10m'
elif command -v groff >/dev/null; then
	told=$("$work/prefix/bin/autotune" help --man | groff -man -ww -Tutf8 -z 2>&1)
	same "what groff says" "$told" ""
else
	skip "neither man nor groff, to see the page of the manual"
fi

# ---- completions ---------------------------------------------------------------------
mkdir "$work/typing"
(cd "$work/typing" && mkdir folder && touch one.cfg 'two words.cfg' kernel.cu folder/three.cfg cache.json.gz)
"$here/completions.sh" "$work/typing" "$work/prefix/share/bash-completion/completions/autotune" \
	"$work/prefix/share/zsh/site-functions" \
	"$work/prefix/share/fish/vendor_completions.d/autotune.fish"

# ---- the archive ----------------------------------------------------------------------
pack() {
	(cd "$build" && "$cpack" -G "$1" -B "$work/packed" >"$work/cpack.log" 2>&1) ||
		{
			cat "$work/cpack.log" >&2
			fail "cpack -G $1"
		}
}
pack TGZ
mkdir "$work/archive"
tar -xzf "$work"/packed/autotune-*.tar.gz -C "$work/archive" --strip-components 1
try_prefix "$work/archive" site-functions

# ---- a package of Debian -----------------------------------------------------------
for command in dpkg dpkg-deb dpkg-shlibdeps; do
	command -v $command >/dev/null || {
		skip "no $command, to make a package of Debian"
		exit 0
	}
done
(umask 077 && pack DEB)
deb=$(echo "$work"/packed/*.deb)
same package "$(dpkg-deb -f "$deb" Package)" autotune
same version "$(dpkg-deb -f "$deb" Version)" "$version"
same section "$(dpkg-deb -f "$deb" Section)" devel
has depends "$(dpkg-deb -f "$deb" Depends)" libc6
has changelog "$(head -n 1 "$source_dir/tuner/share/debian/changelog")" "autotune ($version)"
same "what others may not read" \
	"$(dpkg-deb -c "$deb" | awk '$1 !~ /^(-rw-r--r--|[-d]rwxr-xr-x)$/')" ""
same "who has it" "$(dpkg-deb -c "$deb" | awk '$2 != "root/root"')" ""

root=$work/root
mkdir -p "$root"/var/lib/dpkg/{info,updates,triggers,alternatives}
touch "$root"/var/lib/dpkg/{status,available}
# what it depends on is in the machine's own root, which is not touched
in_root() {
	dpkg --root="$root" --force-not-root --force-depends --log="$work/dpkg.log" --no-triggers "$@" \
		>"$work/dpkg.out" 2>&1 || {
		cat "$work/dpkg.out" >&2
		fail "dpkg $*"
	}
}
in_root --install "$deb"
has status "$(dpkg-query --admindir="$root/var/lib/dpkg" -W -f '${Status}' autotune)" "ok installed"
try_prefix "$root/usr" vendor-completions
# the same again is an upgrade to itself
in_root --install "$deb"
in_root --purge autotune
same "left behind" "$(find "$root" -path "$root/var/lib/dpkg" -prune -o -type f -print)" ""
same "folders left behind" "$(find "$root" -path "$root/var" -prune -o -mindepth 1 -type d -print)" ""

if command -v lintian >/dev/null; then
	# no address is a real one before somebody publishes packages
	told=$(lintian --allow-root --fail-on error --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog "$deb" 2>&1) ||
		fail "lintian: $told"
fi
