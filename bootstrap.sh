#!/bin/sh
# Installs what is needed, builds, and runs: either the tests or autotune itself.
#
#   ./bootstrap.sh tune spaces/matmul.cfg      any arguments of autotune; what tune finds goes to
#                                              results/local, unless --results names a folder
#   ./bootstrap.sh test                        builds and runs the everyday tests; -L unit, or
#                                              any other arguments of ctest
#   ./bootstrap.sh static                      one executable to carry elsewhere
#
# Packages are installed only when some are missing (Debian, Ubuntu; as root or
# through sudo). The CUDA toolkit is expected on the PATH or in /usr/local/cuda.
set -eu
cd "$(dirname "$0")"

packages="cmake ninja-build gcc g++ pkg-config libsqlite3-dev libuv1-dev libjansson-dev libxxhash-dev zlib1g-dev libjs-chart.js"
# what only the tests need
test_packages="libcmocka-dev"

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

# All on standard error: standard output is autotune's. On a terminal ninja keeps to one
# line; elsewhere a line is shown for each tenth, and whatever the compilers say.
build() {
	echo "bootstrap: configuring $2" >&2
	preset=$1 folder=$2 target=$3
	shift 3
	cmake --preset "$preset" "$@" >build-bootstrap.log 2>&1 || { cat build-bootstrap.log >&2; exit 1; }
	rm -f build-bootstrap.log
	export NINJA_STATUS="building %f of %t: "
	if [ -t 2 ]; then
		cmake --build "$folder" --target "$target" >&2
	else
		{ cmake --build "$folder" --target "$target" 2>&1 || echo "bootstrap: the build failed"; } | awk '
			/^building [0-9]+ of [0-9]+: / {
				if ($2 >= shown + $4 / 10 || $2 == $4 + 0) {
					print "bootstrap: building " $2 " of " $4 + 0
					shown = $2
				}
				fflush()
				next
			}
			{ print; fflush() }
			/^bootstrap: the build failed/ { failed = 1 }
			END { exit failed }' >&2
	fi
}

# Programs that pass with cases left out are told of by ctest as passed, no more.
tell_skipped() {
	awk '
		/^skipped [0-9]+: / {
			reason = $0
			sub(/^skipped [0-9]+: /, "", reason)
			count[reason] += $2
		}
		END {
			for (reason in count)
				print "bootstrap: " count[reason] " cases skipped: " reason
		}' build/Testing/Temporary/LastTest.log | sort >&2
}

# One more than cores: some wait for deadlines. More than four at once disturb each other:
# each uses several cores for moments.
test_jobs() {
	cores=$(nproc 2>/dev/null || echo 2)
	[ "$cores" -lt 4 ] && echo $((cores + 1)) || echo 4
}

[ $# -ge 1 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 2; }
case $1 in
test)
	shift
	packages="$packages $test_packages"
	install_packages
	build default build all -DAT_TESTS=ON
	status=0
	echo "bootstrap: testing, $(test_jobs) at once" >&2
	ctest --test-dir build -j "$(test_jobs)" --output-on-failure --no-tests=error "$@" || status=$?
	tell_skipped
	exit $status
	;;
static)
	install_packages
	build static build-static all
	echo "build-static/autotune"
	;;
*)
	install_packages
	# a folder that has the tests keeps them
	grep -q '^AT_TESTS:BOOL=ON' build/CMakeCache.txt 2>/dev/null && tests=ON || tests=OFF
	build default build autotune -DAT_TESTS=$tests
	# the winners in results/ are those of this project, and in Git
	case "$*" in
	*--results*) ;;
	tune*) set -- "$@" --results results/local ;;
	esac
	exec build/autotune "$@"
	;;
esac
