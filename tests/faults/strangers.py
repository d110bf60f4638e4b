"""What is strange about a run's surroundings and stays so while it lasts: variables that other
programs heed, folders, file systems, names, clocks, greedy kernels. Functions as those of
inject.py."""

import os
import pathlib
import shutil
import signal
import time

import commands
import inject
import machines
import oddities
import world as worlds
from common import DEADLINE_S, Skipped

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
    # the environment is wrong, and a message says so
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


# ---- kernels that take what there is -----------------------------------------------------


def greedy(attempt, mishap):
    """A kernel takes all room in the folder of temporary files, and keeps it, or all memory of
    its control group: only it is blamed, if anybody."""
    world = attempt.make_world()
    space = worlds.SPACES / "mishaps.cfg"
    chosen = ("--set", f"MISHAP=none,{mishap}")
    configuration = f'{{"WORK": 64, "MISHAP": "{mishap}"}}'
    expected = {configuration: ["ok", "crashed", "timed_out"]}
    small = limited = prepare = None
    try:
        if mishap == "fill":
            small = inject.Small(attempt, world.temporary, "16m")
        else:
            limited = oddities.Group("memory", 400 << 20)
            prepare = limited.enter
        run = world.start(*world.tune_arguments(space, *chosen), prepare=prepare, **IMPATIENT)
        run.wait(3 * DEADLINE_S)
        # who is ended where memory ran out is the kernel's to choose
        world.was_killed = mishap == "memory"
        codes = [0, 1] if small else [0, 1, -signal.SIGKILL]
        attempt.note = f"{run.code} {run.errors.strip()[-200:]!r}"
        attempt.judge(run, codes, expected)
        (world.temporary / "of_a_kernel").unlink(missing_ok=True)
        attempt.tune_again("--set", "MISHAP=none", space=space, expected=expected)
    finally:
        world.end()
        if small:
            small.close()
        if limited:
            limited.close()


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
    """What a command should write to is something odd, or the record itself."""
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


READERS = (
    "results results-json export export-t4 report report-page history header compare"
).split()
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


WAYS = {
    "variable": variable,
    "personality": personality,
    "strange_mount": strange_mount,
    "strange_name": strange_name,
    "together": together,
    "old_units": old_units,
    "greedy": greedy,
    "target": target,
    "epoch": epoch,
}
