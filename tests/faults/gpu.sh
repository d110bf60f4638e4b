#!/usr/bin/env bash
# One tuning run on a GPU among kernels that go wrong and kills of the process that
# measures, beside the same run undisturbed; and a device that is gone for a while.
#
#   gpu.sh BUILD [DEVICE] [--kills N] [--seed S]
#
# BUILD: a folder with autotune, of the preset "static" for instance; DEVICE: cuda:0, or
# host. About a minute. Needs python3. Exit status 1: something did not hold.
command -v python3 >/dev/null || {
	echo "skipped 1: no python3, which this is written in"
	exit 77
}
exec python3 -B "$(dirname "$0")/gpu.py" "$@"
