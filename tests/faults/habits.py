"""What compilers do beside their work, and what they say of their version. Functions as those
of inject.py."""

import world as worlds
from common import DEADLINE_S

IMPATIENT = {"AUTOTUNE_PATIENCE": 3}

# what a compiler does beside its work; the object file's name is in $last
HABITS = {
    "server": ('(sleep 1000; :) & exec c++ "$@"', [0]),
    "server that holds all": ("setsid sleep 1000 & exec c++ \"$@\"", [0]),
    "later": ('(sleep 0.3; c++ "$@") & exit 0', [0, 1]),
    "loud": ('c++ "$@"; code=$?; head -c 100000000 /dev/zero | tr "\\0" "w" >&2; exit $code', [1]),
    "loud on 1": ('c++ "$@"; code=$?; yes | head -c 50000000; exit $code', [0]),
    "control": ('printf "\\033[31m\\302\\233\\342\\200\\256\\a\\r warning: x\\n" >&2; exec c++ "$@"', [0]),
    "hangs": ("sleep 1000", [0, 1]),
    "deaf": ('trap "" TERM INT HUP; while :; do sleep 1; done', [0, 1]),
    "stops": ("kill -STOP $$", [0, 1]),
    "other": ('c++ "$@" && printf "\\267\\000" | dd of="$last" bs=1 seek=18 conv=notrunc 2>/dev/null', [0, 1]),
    "32 bits": ('c++ "$@" && printf "\\001" | dd of="$last" bs=1 seek=4 conv=notrunc 2>/dev/null', [0, 1]),
    "half": ('c++ "$@" && truncate -s -2000 "$last"', [0, 1]),
    "twice as long": ('c++ "$@" && cat /bin/sh >>"$last"', [0]),
    "no kernel": ('c++ "$@" && strip -N mishaps -N mishaps_reference "$last"; objcopy '
                  '--globalize-symbol=x --redefine-sym mishaps=x "$last" 2>/dev/null; exit 0', [0, 1]),
    "another each time": ('c++ "$@" && head -c 16 /dev/urandom >>"$last"', [0]),
    "no input": ('c++ "$@"; code=$?; rm -f *.cu *.cpp *.cc "$source"; exit $code', [0, 1]),
    "denied": ('c++ "$@" && chmod 0 "$last"', [0, 1]),
    "read-only": ('c++ "$@" && chmod 0444 "$last"', [0]),
    "link": ('c++ "$@" && mv "$last" "$last.real" && ln -s "$last.real" "$last"', [0, 1]),
    "hole": ('c++ "$@" && truncate -s 3G "$last"', [0, 1]),
    "coloured": ('exec c++ -fdiagnostics-color=always "$@"', [0]),
    "killed": ("kill -KILL $$", [0, 1]),
    "slow": ('sleep 0.2; exec c++ "$@"', [0]),
    "core": ('ulimit -c unlimited; kill -ABRT $$', [0, 1]),
    "fork bomb": ('i=0; while [ $i -lt 300 ]; do sleep 1000 & i=$((i+1)); done; exec c++ "$@"', [0, 1]),
}
HABIT = """#!/bin/sh
[ "$1" = --version ] && {{ echo "g++ of a try"; exit 0; }}
out=
for word in "$@"; do [ "$out" = -o ] && last=$word; out=$word; done
if [ -f {folder}/habit ]; then
	{habit}
else
	exec c++ "$@"
fi
"""


def habit(attempt):
    """What a compiler does each time, as wrappers with servers and caches do."""
    world = attempt.make_world(is_cold=True)
    name = list(HABITS)[attempt.number % len(HABITS)]
    attempt.note = name
    text, codes = HABITS[name]
    path = attempt.folder / "compiler"
    path.write_text(HABIT.format(folder=attempt.folder, habit=text))
    path.chmod(0o755)
    (attempt.folder / "habit").touch()
    world.variables["AUTOTUNE_CXX"] = path
    words = ("--budget", "4s") if name in ("hangs", "deaf", "stops") else ()
    run = world.start(*world.tune_arguments(worlds.CALM, *words), **IMPATIENT)
    run.wait(130 if words else 2 * DEADLINE_S)
    attempt.judge(run, [*codes, 3] if words else codes)
    attempt.note += f", {run.seconds:.0f} s, {run.code}"
    (attempt.folder / "habit").unlink()
    attempt.tune_again()


VERSIONS = {
    "hangs": "sleep 1000",
    "loud": "head -c 100000000 /dev/zero",
    "nothing": "exit 0",
    "fails": "exit 1",
    "time": "date +%N; exit 0",
    "control": 'printf "g++ \\033[31m\\302\\233 1\\n"; exit 0',
    "lines": "yes g++ | head -100000; exit 0",
    "server": "sleep 1000 & echo g++ 1; exit 0",
    "killed": "kill -KILL $$",
    "counts": "echo x >>{folder}/n; wc -l <{folder}/n; exit 0",
}


def versions(attempt):
    """What a compiler says when it is asked for its version."""
    world = attempt.make_world(is_cold=True)
    name = list(VERSIONS)[attempt.number % len(VERSIONS)]
    attempt.note = name
    path = attempt.folder / "compiler"
    path.write_text(
        '#!/bin/sh\nif [ "$1" = --version ]; then\n'
        + VERSIONS[name].format(folder=attempt.folder)
        + '\nfi\nexec c++ "$@"\n'
    )
    path.chmod(0o755)
    run = world.start(*world.tune_arguments(), AUTOTUNE_CXX=path, **IMPATIENT)
    # who waits for a minute and computes nothing is given up
    run.wait(130 if name == "hangs" else 2 * DEADLINE_S)
    attempt.note += f", {run.seconds:.0f} s, {run.code}"
    attempt.judge(run, [0, 1, 2])
    attempt.tune_again()


WAYS = {"habit": habit, "versions": versions}
