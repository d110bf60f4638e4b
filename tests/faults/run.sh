#!/usr/bin/env bash
# Faults injected into whole runs (faults.txt), and what became of each as a table:
#
#   run.sh BUILD                       each row as often as the table says; hours
#   run.sh BUILD --seconds 40          what fits into a test
#   run.sh BUILD --only kill --tries 20 --seed 7
#   run.sh BUILD --only malloc --try 12 --keep   one that did not hold, again
#   run.sh BUILD --hours 8             all rows in turn
command -v python3 >/dev/null || {
	echo "skipped 1: no python3, which the driver is written in"
	exit 77
}
exec python3 -B "$(dirname "$0")/faults.py" "$@"
