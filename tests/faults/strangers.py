"""What is strange about a run's surroundings and stays so while it lasts: variables that other
programs heed, folders and file systems, compilers' habits, records with more in them than
autotune puts there. Functions as those of inject.py."""

import os
import pathlib
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import time

import commands
import machines
import oddities
import world as worlds
from common import DEADLINE_S, Missed, Skipped

IMPATIENT = {"AUTOTUNE_PATIENCE": 3}

# ---- variables that compilers, loaders and libraries heed --------------------------------

BROKEN = "#error somebody else's\n"


def broken_headers(world):
    folder = world.folder / "headers"
    folder.mkdir()
    for name in ("cstdio", "stdio.h", "math.h", "cmath", "stdint.h", "cstdint"):
        (folder / name).write_text(BROKEN)
    return folder


def empty_folder(world):
    folder = world.folder / "empty"
    folder.mkdir()
    return folder


# what else a try needs is made by the function
VARIABLES = {
    "CPATH": lambda world: {"CPATH": broken_headers(world)},
    "CPLUS_INCLUDE_PATH": lambda world: {"CPLUS_INCLUDE_PATH": broken_headers(world)},
    "COMPILER_PATH": lambda world: {"COMPILER_PATH": empty_folder(world)},
    "GCC_EXEC_PREFIX": lambda world: {"GCC_EXEC_PREFIX": f"{empty_folder(world)}/"},
    "LIBRARY_PATH": lambda world: {"LIBRARY_PATH": empty_folder(world)},
    "DEPENDENCIES_OUTPUT": lambda world: {"DEPENDENCIES_OUTPUT": world.folder / "deps"},
    "GCC_COMPARE_DEBUG": lambda world: {"GCC_COMPARE_DEBUG": "-gtoggle"},
    "GCC_COLORS": lambda world: {"GCC_COLORS": "error=01;31", "TERM": "xterm"},
    "CC_LOG_DIAGNOSTICS": lambda world: {"CC_LOG_DIAGNOSTICS": "1", "CC_PRINT_OPTIONS": "1"},
    "CCC_OVERRIDE_OPTIONS": lambda world: {"CCC_OVERRIDE_OPTIONS": "+-nonsense"},
    "LD_BIND_NOW": lambda world: {"LD_BIND_NOW": "1", "LD_WARN": "1"},
    "LD_DEBUG": lambda world: {"LD_DEBUG": "all", "LD_DEBUG_OUTPUT": empty_folder(world) / "x"},
    "LD_PRELOAD": lambda world: {"LD_PRELOAD": "/no/such/library.so"},
    "LD_LIBRARY_PATH": lambda world: {"LD_LIBRARY_PATH": f":{empty_folder(world)}:/proc/self/fd"},
    "MALLOC_PERTURB_": lambda world: {"MALLOC_PERTURB_": "165", "MALLOC_ARENA_MAX": "1"},
    "GLIBC_TUNABLES": lambda world: {
        "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0:glibc.malloc.mmap_threshold=4096:x=y"
    },
    "TZ": lambda world: {"TZ": "/proc/self/exe"},
    "TZ far": lambda world: {"TZ": "XXX-24:59:59YYY-25,0/-167,365/167"},
    "LANGUAGE": lambda world: {"LC_ALL": "tr_TR.UTF-8", "LANG": "xx", "LANGUAGE": "de:fr"},
    "COLUMNS": lambda world: {"COLUMNS": "999999999999999999999", "LINES": "-1", "TERM": "\x1b"},
    "UV_THREADPOOL_SIZE": lambda world: {"UV_THREADPOOL_SIZE": "0", "UV_USE_IO_URING": "1"},
    "SQLITE_TMPDIR": lambda world: {"SQLITE_TMPDIR": "/no/such/folder"},
    "POSIXLY_CORRECT": lambda world: {"POSIXLY_CORRECT": "1", "IFS": "/", "ENV": "/dev/zero"},
    "OMP": lambda world: {"OMP_NUM_THREADS": "0", "GOMP_CPU_AFFINITY": "x", "OMP_STACKSIZE": "1"},
    "AUTOTUNE_PATIENCE": lambda world: {"AUTOTUNE_PATIENCE": "-1"},
    "AUTOTUNE_CACHE_MB": lambda world: {"AUTOTUNE_CACHE_MB": "99999999999999999999"},
    "SLURM": lambda world: {"SLURM_PROCID": "x", "SLURM_NTASKS": "-3", "SLURM_JOB_ID": "\n"},
    "shell": lambda world: {"_": "", "PWD": "/no/such/folder", "SHELL": "/bin/false"},
}


def variable(attempt):
    """A variable that some other program heeds: what is wrong then is wrong with all
    configurations."""
    world = attempt.make_world(is_cold=True)
    name = list(VARIABLES)[attempt.number % len(VARIABLES)]
    attempt.note = name
    more = IMPATIENT | VARIABLES[name](world)
    run = world.start(*world.tune_arguments(), **more).wait(2 * DEADLINE_S)
    # the environment is wrong, and is told so
    attempt.judge(run, [0, 1, 2])
    attempt.tune_again()


# ---- personalities -----------------------------------------------------------------------

PERSONALITIES = {
    "linux32": 0x0008,
    "no randomization": 0x0040000,
    "readable is executable": 0x0400000,
    "three gigabytes": 0x8000000,
    "old layout": 0x0200000,
    "page zero": 0x0100000,
    "sticky timeouts": 0x4000000,
    "version 2.6": 0x0020000,
}


def personality(attempt):
    """How the system presents itself to a run."""
    world = attempt.make_world(is_cold=attempt.number // len(PERSONALITIES) % 2 == 0)
    name = list(PERSONALITIES)[attempt.number % len(PERSONALITIES)]
    attempt.note = name
    prepare = lambda: machines.LIBC.personality(PERSONALITIES[name]) and None
    run = world.start(*world.tune_arguments(), prepare=prepare, **IMPATIENT)
    attempt.judge(run.wait(DEADLINE_S), [0, 1])
    attempt.tune_again()


# ---- folders -----------------------------------------------------------------------------


def mounted(kind, *options):
    """The run sees an empty file system in one of the world's folders."""

    def prepare(world, place):
        place.mkdir(exist_ok=True)
        machines.mount("-t", kind, *options, kind, place)
        place.chmod(0o700)

    return prepare


MOUNTS = {
    "noexec": mounted("tmpfs", "-o", "noexec,nosuid,nodev"),
    "1 MiB": mounted("tmpfs", "-o", "size=1m"),
    "64 KiB": mounted("tmpfs", "-o", "size=64k"),
    "20 names": mounted("tmpfs", "-o", "nr_inodes=20"),
    "ramfs": mounted("ramfs"),
    "devpts": mounted("devpts"),
    "mqueue": mounted("mqueue"),
    "sysfs": mounted("sysfs"),
}
PLACES = ("temporary", "results", "units", "locks")


def strange_mount(attempt):
    """One folder is on a file system that lets little be done."""
    if not attempt.campaign.can_mount:
        raise Skipped("no file system can be mounted here")
    world = attempt.make_world(is_cold=True)
    how = list(MOUNTS)[attempt.number // len(PLACES) % len(MOUNTS)]
    what = PLACES[attempt.number % len(PLACES)]
    attempt.note = f"{what} {how}"
    place = getattr(world, what)
    place.mkdir(exist_ok=True)

    def prepare():
        if machines.LIBC.unshare(machines.CLONE_NEWNS):
            raise OSError
        machines.mount("--make-rprivate", "/")
        MOUNTS[how](world, place)

    run = world.start(*world.tune_arguments(), prepare=prepare, **IMPATIENT)
    run.wait(2 * DEADLINE_S)
    attempt.complain(run.complaints([0, 1]))
    if run.code == 0 and not run.timed_out:
        attempt.judge_winner(run, "exit code 0, and")
    # where it is is gone with the run
    outcomes = {*run.evaluations().values()} - {"ok"}
    if outcomes:
        attempt.complain([f"told {outcomes}"])
    if what != "results":
        attempt.judge_record(run, {})
    attempt.tune_again()


NAMES = {
    "newline": "a\nb",
    "escape": "a\x1b[31mb",
    "dashes": "--results",
    "spaces": "  a  b  ",
    "query": "a?mode=ro&x#y%20z",
    "uri": "file:x?immutable=1",
    "long": "x" * 255,
    "bytes": "\udcff\udcfe",
    "wide": "日本語 \u202e é",
    "quotes": "'\"`$(reboot);\\",
    "percent": "%s%n%d",
    "dots": "...",
    "star": "*[a-z]?{x}",
    "comma": "a,b=c;d:e|f",
    "memory": ":memory:",
    "deep": "/".join("y" * 200 for _ in range(15)),
}


def strange_name(attempt):
    """Folders and files with names that mean something elsewhere."""
    world = attempt.make_world()
    names = list(NAMES)
    name = NAMES[names[attempt.number % len(names)]]
    what = ("results", "space", "temporary", "units", "locks", "template")[
        attempt.number // len(names) % 6
    ]
    attempt.note = f"{what} {names[attempt.number % len(names)]}"
    space = worlds.CALM
    more = {}
    tree = attempt.folder / "tree"
    if what == "space":
        shutil.copytree(worlds.SPACES.parent / "kernels", tree / "kernels")
        suffix = name[:-4] if len(name) == 255 else name
        space = tree / "spaces" / f"{suffix}.cfg"
        space.parent.mkdir(parents=True)
        space.parent.joinpath(*pathlib.Path(suffix).parts[:-1]).mkdir(parents=True, exist_ok=True)
        shutil.copy(worlds.CALM, space)
    elif what == "template":
        (tree / name).mkdir(parents=True)
        shutil.copy(worlds.SPACES.parent / "kernels" / "mishaps.cu", tree / name / "k.cu")
        space = tree / name / "calm.cfg"
        space.write_text(worlds.CALM.read_text().replace("../kernels/mishaps.cu", "k.cu"))
    elif what == "results":
        world.results = world.folder / name
    else:
        place = world.folder / name
        place.mkdir(mode=0o700, parents=True)
        more = {
            {"temporary": "TMPDIR", "units": "AUTOTUNE_CACHE", "locks": "AUTOTUNE_LOCKS"}[
                what
            ]: place
        }
    arguments = world.tune_arguments(space)
    if what in ("results", "space") and attempt.number % 2:
        # as a person writes it, who is in that folder
        arguments = tuple(
            os.path.relpath(word, world.folder) if isinstance(word, pathlib.Path) else word
            for word in arguments
        )
    run = world.start(*arguments, **more, **IMPATIENT).wait(DEADLINE_S)
    attempt.judge(run, [0, 1, 2])
    if run.code == 0 and what in ("results", "space"):
        for words in (("results", space), ("header", space), ("report", space), ("devices",)):
            read = world.run(*words, "--results", world.results, deadline_s=DEADLINE_S)
            attempt.complain(f"{words[0]}: {text}" for text in read.complaints([0]))
        other = world.run("import", world.results, "--results", world.folder / "merged")
        attempt.complain(f"import: {text}" for text in other.complaints([0]))
    elif what == "results":
        world.results = world.folder / "results"
    attempt.tune_again(space=space if run.code == 0 else worlds.CALM)


TOGETHER = (
    ("results", "temporary"),
    ("results", "units"),
    ("results", "locks"),
    ("temporary", "units"),
    ("temporary", "locks"),
    ("units", "locks"),
    ("results", "temporary", "units", "locks"),
)


def together(attempt):
    """Several of a run's folders are the same one."""
    world = attempt.make_world(is_cold=True)
    which = TOGETHER[attempt.number % len(TOGETHER)]
    attempt.note = " ".join(which)
    place = getattr(world, which[0])
    place.mkdir(mode=0o700, exist_ok=True)
    place.chmod(0o700)
    for what in which[1:]:
        setattr(world, what, place)
    run = world.start(*world.tune_arguments(), **IMPATIENT).wait(DEADLINE_S)
    attempt.judge(run, [0])
    run = world.run("header", worlds.CALM, "--results", world.results)
    attempt.complain(run.complaints([0]))
    again = world.run(*world.tune_arguments(), deadline_s=DEADLINE_S)
    attempt.complain(f"again: {text}" for text in again.complaints([0]))
    if again.evaluations():
        attempt.complain(["again: measured what is recorded"])


def old_units(attempt):
    """Compiled units, and folders, from the future, or from 1970; and many of them."""
    world = attempt.make_world()
    when = (0, 1, 4_102_444_800, 2**31 - 1, 2**31 + 1, 2**33)[attempt.number % 6]
    attempt.note = f"at {when}"
    for path in [*world.units.rglob("*"), world.temporary, *world.locks.rglob("*")]:
        os.utime(path, (when, when))
    run = world.start(*world.tune_arguments(), AUTOTUNE_CACHE_MB=1).wait(DEADLINE_S)
    attempt.judge(run, [0])
    attempt.tune_again()


# ---- compilers' habits -------------------------------------------------------------------

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


# ---- what is written to, and when --------------------------------------------------------

TARGETS = {
    "full": lambda place: place.symlink_to("/dev/full"),
    "null": lambda place: place.symlink_to("/dev/null"),
    "folder": lambda place: place.mkdir(),
    "loop": lambda place: place.symlink_to(place.name),
    "dangling": lambda place: place.symlink_to("not/there"),
    "pipe": os.mkfifo,
    "missing": lambda place: place.symlink_to("/no/such/folder/file"),
    "tree": lambda place: place.write_text("x") and None,
    "read-only": lambda place: place.write_text("kept") and place.chmod(0o444),
    "link": lambda place: (place.with_name("real").write_text("x"), place.symlink_to("real"))[0],
    "record": lambda place: place.symlink_to("results/autotune.db"),
}
WRITERS = ("report-page", "export", "export-t4", "simulate-plot", "header -o", "nightly --report")


def target(attempt):
    """What a command is told to write to is something odd, or the record itself."""
    world = attempt.make_world()
    name = WRITERS[attempt.number % len(WRITERS)]
    how = list(TARGETS)[attempt.number // len(WRITERS) % len(TARGETS)]
    attempt.note = f"{name}, {how}"
    shutil.copytree(attempt.calm.nights, world.results)
    before = world.rows()
    place = world.folder / "out"
    TARGETS[how](place)
    if how == "tree":
        place = place / "out"
    places = commands.places_of(attempt) | {"out": place}
    words = {
        "header -o": "header {space} --results {results} -o {out}",
        "nightly --report": "nightly {space} --device host --results {results} --budget 1s"
        " --quiet --report {out}",
    }.get(name, None)
    words = words.split() if words else commands.COMMANDS[name].words
    run = world.start(*[word.format(**places) for word in words]).wait(DEADLINE_S)
    attempt.note += f", {run.code} {run.errors.strip()[-150:]!r}"
    attempt.complain(run.complaints([0, 1, 4] if name.startswith("nightly") else [0, 1]))
    # a link is replaced by the file
    if how in ("folder", "tree") and run.code == 0 and name[0] != "n":
        attempt.complain(["exit code 0, and nothing can have been written"])
    if not set(before) <= set(world.rows()) or world.damage():
        attempt.complain([f"wrote over the record: {world.damage()}"])
    attempt.tune_again()


DAY_S = 86_400
EPOCHS = {
    "1901": -(2**31) + DAY_S,
    "1969": -DAY_S,
    "1970": 0,
    "2037": 2**31 - 2 * DAY_S,
    "2038": 2**31 - 1,
    "2040": 2**31 + 700 * DAY_S,
    "2106": 2**32 + DAY_S,
    "2300": 10_413_792_000,
    "9000": 221_845_392_000,
}


def epoch(attempt):
    """The clock is wrong by decades for the whole of a run and of those that read; then it is
    right again."""
    world = attempt.make_world()
    year = list(EPOCHS)[attempt.number % len(EPOCHS)]
    attempt.note = year
    kept = attempt.folder / "clock"
    kept.write_bytes((EPOCHS[year] - int(time.time())).to_bytes(8, "little", signed=True))
    wrong = {"LD_PRELOAD": attempt.campaign.shim, "FAULTS_CLOCK": kept}
    if attempt.number // len(EPOCHS) % 2 == 0:
        shutil.copytree(attempt.calm.nights, world.results)
    places = commands.places_of(attempt)
    run = world.start(*world.tune_arguments(worlds.CALM, "--fresh"), **wrong).wait(DEADLINE_S)
    attempt.judge(run, [0])
    night = [word.format(**places) for word in commands.COMMANDS["nightly"].words]
    run = world.start(*night, **wrong).wait(DEADLINE_S)
    attempt.complain(f"nightly: {text}" for text in run.complaints([0, 4]))
    for more in (wrong, {}):
        for name in READERS[:-1]:
            words = [word.format(**places) for word in commands.COMMANDS[name].words]
            run = world.start(*words, **more).wait(DEADLINE_S)
            attempt.complain(f"{name}: {text}" for text in run.complaints([0]))
    run = world.run(*night, deadline_s=DEADLINE_S)
    attempt.complain(f"nightly again: {text}" for text in run.complaints([0, 4]))
    attempt.tune_again()


# ---- records -----------------------------------------------------------------------------


def script(text):
    def change(path, attempt):
        record = sqlite3.connect(path, isolation_level=None)
        record.executescript(text)
        record.close()

    return change


def dumped(*pragmas):
    """The same tables in a file of another kind."""

    def change(path, attempt):
        old = sqlite3.connect(path)
        text = "\n".join(old.iterdump())
        version = old.execute("PRAGMA user_version").fetchone()[0]
        old.close()
        path.unlink()
        new = sqlite3.connect(path, isolation_level=None)
        for pragma in pragmas:
            new.execute(pragma)
        new.executescript(text)
        new.execute(f"PRAGMA user_version = {version}")
        new.execute(f"PRAGMA application_id = {0x4154554E}")
        new.close()

    return change


def swapped_pages(path, attempt):
    data = bytearray(path.read_bytes())
    size = struct.unpack(">H", data[16:18])[0]
    one, other = attempt.random.sample(range(1, len(data) // size), 2)
    a, b = slice(one * size, (one + 1) * size), slice(other * size, (other + 1) * size)
    data[a], data[b] = data[b], data[a]
    path.write_bytes(data)


def foreign_log(path, attempt):
    """The log of another record, of which nobody was told that it belongs elsewhere."""
    other = attempt.folder / "other" / path.name
    other.parent.mkdir()
    shutil.copy(path, other)
    subprocess.run(
        [
            sys.executable,
            "-c",
            "import os, sqlite3, sys\n"
            "r = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
            "r.execute('PRAGMA journal_mode = WAL')\n"
            "r.execute('PRAGMA wal_autocheckpoint = 0')\n"
            "r.execute('CREATE TABLE theirs (x)')\n"
            "r.executemany('INSERT INTO theirs VALUES (?)', [(i,) for i in range(2000)])\n"
            "os._exit(0)\n",
            other,
        ],
        check=True,
    )
    shutil.copy(f"{other}-wal", f"{path}-wal")


def foreign_journal(path, attempt):
    """A journal that is hot, of another file."""
    pages = path.read_bytes()[:4096]
    head = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + struct.pack(">IIIII", 1, 1, 4, 512, 4096)
    (path.parent / (path.name + "-journal")).write_bytes(
        head.ljust(512, b"\0") + struct.pack(">I", 2) + pages + struct.pack(">I", 1)
    )


def as_link(path, attempt):
    elsewhere = attempt.folder / "elsewhere.db"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)


def loop(path, attempt):
    path.unlink()
    path.symlink_to(path.name)


def hard_link(path, attempt):
    os.link(path, attempt.folder / "hard.db")


def device(target):
    def change(path, attempt):
        path.unlink()
        path.symlink_to(target)

    return change


def pipe(path, attempt):
    path.unlink()
    os.mkfifo(path)


def folder(path, attempt):
    path.unlink()
    path.mkdir()


def attribute(letter):
    def change(path, attempt):
        done = subprocess.run(["chattr", f"+{letter}", path], capture_output=True, check=False)
        if done.returncode:
            raise Skipped("no attributes here")

    return change


TRIGGER = "CREATE TRIGGER t BEFORE INSERT ON evaluations BEGIN SELECT RAISE({}); END;"
SCHEMAS = {
    "trigger ignores": script(TRIGGER.format("IGNORE")),
    "trigger aborts": script(TRIGGER.format("ABORT, 'no'")),
    "trigger removes": script(
        "CREATE TRIGGER t AFTER INSERT ON evaluations BEGIN DELETE FROM evaluations; END;"
    ),
    "view": script("CREATE VIEW shown AS SELECT * FROM evaluations;"),
    "table is a view": script(
        "ALTER TABLE evaluations RENAME TO kept; CREATE VIEW evaluations AS SELECT * FROM kept;"
    ),
    "huge text": script("UPDATE evaluations SET detail = printf('%.*c', 100000000, 'x') WHERE id = 1;"),
    "huge blob": script("UPDATE devices SET properties = zeroblob(100000000);"),
    "last id": script("UPDATE evaluations SET id = 9223372036854775807 WHERE id = 3;"),
    "negative ids": script("UPDATE evaluations SET id = -id;"),
    "future": script(
        "UPDATE runs SET started_seconds = 9000000000, ended_seconds = 9000000001;"
        "UPDATE crowns SET created_seconds = 9000000000;"
    ),
    "past": script("UPDATE runs SET started_seconds = -9000000000;"),
    "claims of others": script(
        "DELETE FROM evaluations;"
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)"
        " INSERT INTO claims SELECT randomblob(16), i, '1 1 0', 9000000000 FROM n;"
    ),
    "two devices": script(
        "INSERT INTO devices (kind, slug, model, architecture, driver, uuid, properties)"
        " SELECT kind, slug || '-2', model, architecture, driver, uuid, properties FROM devices;"
    ),
    "without indexes": script("DROP INDEX evaluations_best;"),
    "more columns": script(
        "ALTER TABLE evaluations ADD COLUMN colour TEXT NOT NULL DEFAULT 'red';"
        "ALTER TABLE runs ADD COLUMN colour; ALTER TABLE crowns ADD COLUMN colour;"
    ),
    "more indexes": script(
        "CREATE UNIQUE INDEX one ON evaluations (configuration, problem);"
        "CREATE INDEX two ON evaluations (detail COLLATE NOCASE);"
    ),
    "unique": script("CREATE TABLE z (x UNIQUE); CREATE UNIQUE INDEX r ON runs (token);"),
    "delete mode": script("PRAGMA journal_mode = DELETE;"),
    "persist mode": script("PRAGMA journal_mode = PERSIST; CREATE TABLE p (x); DROP TABLE p;"),
    "16 bits": dumped("PRAGMA encoding = 'UTF-16le'"),
    "small pages": dumped("PRAGMA page_size = 512"),
    "large pages": dumped("PRAGMA page_size = 65536"),
    "vacuums": dumped("PRAGMA auto_vacuum = INCREMENTAL"),
    "swapped pages": swapped_pages,
    "foreign log": foreign_log,
    "foreign journal": foreign_journal,
    "link": as_link,
    "loop": loop,
    "hard link": hard_link,
    "zeros": device("/dev/zero"),
    "null": device("/dev/null"),
    "full": device("/dev/full"),
    "own process": device("/proc/self/mem"),
    "pipe": pipe,
    "folder": folder,
    "immutable": attribute("i"),
    "append only": attribute("a"),
}
READERS = (
    "results results-json export export-t4 report report-page history header compare"
).split()


def schema(attempt):
    """A record that has more in it, or is another kind of file, than autotune makes."""
    world = attempt.make_world()
    name = list(SCHEMAS)[attempt.number % len(SCHEMAS)]
    attempt.note = name
    shutil.copytree(attempt.calm.nights, world.results)
    path = world.results / "autotune.db"
    before = set(attempt.calm.rows)
    SCHEMAS[name](path, attempt)
    try:
        places = commands.places_of(attempt)
        for reader in READERS:
            words = [word.format(**places) for word in commands.COMMANDS[reader].words]
            run = world.run(*words, deadline_s=DEADLINE_S)
            attempt.complain(f"{reader}: {text}" for text in run.complaints([0, 1, 3]))
            if run.errors.count("\n") > 2:
                attempt.complain([f"{reader}: says more than a line: {run.errors[:300]!r}"])
        merged = world.folder / "merged"
        run = world.run("import", world.results, "--results", merged, deadline_s=DEADLINE_S)
        attempt.complain(f"import: {text}" for text in run.complaints([0, 1]))
        for words in ((), ("--fresh",)):
            run = world.run(*world.tune_arguments(worlds.CALM, *words), deadline_s=DEADLINE_S)
            attempt.complain(f"tune: {text}" for text in run.complaints([0, 1]))
            attempt.note += f", {run.code} {run.errors.strip()[-150:]!r}"
            if run.code == 0:
                attempt.judge_winner(run, "exit code 0, and")
                kept = set(world.rows())
                if not set(run.evaluations().items()) <= kept:
                    attempt.complain(["exit code 0, and what was told is not there"])
                if not before <= kept:
                    attempt.complain(["exit code 0, and what was there is not any more"])
        for words in (
            ("nightly", worlds.CALM, "--device", "host", "--budget", "1s", "--quiet"),
            ("forget", worlds.CALM, "--yes"),
        ):
            run = world.run(*words, "--results", world.results, deadline_s=DEADLINE_S)
            attempt.complain(f"{words[0]}: {text}" for text in run.complaints([0, 1, 3, 4]))
    finally:
        subprocess.run(["chattr", "-ia", path], capture_output=True, check=False)
    shutil.rmtree(world.results)
    attempt.tune_again()


WAYS = {
    "variable": variable,
    "personality": personality,
    "strange_mount": strange_mount,
    "strange_name": strange_name,
    "together": together,
    "old_units": old_units,
    "habit": habit,
    "versions": versions,
    "target": target,
    "epoch": epoch,
    "schema": schema,
}
