#!/bin/sh
# Installs what is needed, builds, and runs: either the tests or autotune itself.
#
#   ./bootstrap.sh tune spaces/matmul.cfg      any arguments of autotune
#   ./bootstrap.sh test                        builds and passes all tests
#   ./bootstrap.sh static                      one executable to carry elsewhere
#
# Packages are installed only when some are missing (Debian, Ubuntu; as root or
# through sudo). The CUDA toolkit is expected on the PATH or in /usr/local/cuda.
set -eu
cd "$(dirname "$0")"

packages="cmake ninja-build gcc g++ pkg-config libconfig-dev libsqlite3-dev libuv1-dev libjansson-dev libxxhash-dev libcmocka-dev"

install_packages() {
	command -v dpkg-query >/dev/null 2>&1 || return 0
	missing=""
	for package in $packages; do
		dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
			missing="$missing $package"
	done
	[ -n "$missing" ] || return 0
	sudo=""
	if [ "$(id -u)" != 0 ]; then
		command -v sudo >/dev/null 2>&1 || {
			echo "bootstrap: these packages are missing, and only root can install them:$missing" >&2
			exit 1
		}
		sudo=sudo
	fi
	echo "bootstrap: installing$missing" >&2
	$sudo apt-get update -qq
	# shellcheck disable=SC2086
	DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

build() {
	cmake --preset "$1" >build-bootstrap.log 2>&1 || { cat build-bootstrap.log >&2; exit 1; }
	cmake --build "$2" >>build-bootstrap.log 2>&1 || { cat build-bootstrap.log >&2; exit 1; }
	rm -f build-bootstrap.log
}

[ $# -ge 1 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2; }
install_packages
case $1 in
test)
	shift
	build default build
	exec ctest --test-dir build --output-on-failure --no-tests=error "$@"
	;;
static)
	build static build-static
	echo "build-static/autotune"
	;;
*)
	build default build
	exec build/autotune "$@"
	;;
esac
