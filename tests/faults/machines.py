"""Machines that lack something or have it otherwise: limits, schedulers, mounts, users, pipes without
readers, records that were edited by hand. Functions as those of inject.py."""

import ctypes
import fcntl
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

import commands
import oddities
import world as worlds
from common import DEADLINE_S, Missed, Skipped

IMPATIENT = {"AUTOTUNE_PATIENCE": 3}
LIBC = ctypes.CDLL(None)
CLONE_NEWNS = 0x20000

# ---- limits and schedulers ---------------------------------------------------------------


def bound(kind, soft, hard=None):
    def prepare():
        most = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (soft, most if hard is None else hard))

    return prepare


def on_processor(policy):
    return lambda: os.sched_setscheduler(0, policy, os.sched_param(0))


def block_signals():
    signal.pthread_sigmask(signal.SIG_BLOCK, set(range(1, 65)) - {9, 19})


def ignore_signals():
    for number in set(range(1, 65)) - {9, 19, 32, 33}:
        signal.signal(number, signal.SIG_IGN)


def leave_child():
    """A child that whoever is started did not make."""
    if not os.fork():
        os.execvp("sleep", ["sleep", "1"])


def open_many():
    for _ in range(200):
        os.dup(0)
    for number in range(3, 200):
        try:
            os.set_inheritable(number, True)
        except OSError:
            pass


SETTINGS = {
    "processor 1 s": bound(resource.RLIMIT_CPU, 1),
    "processor 1 s, hard": bound(resource.RLIMIT_CPU, 1, 1),
    "processor 2 s": bound(resource.RLIMIT_CPU, 2),
    "data 20 MiB": bound(resource.RLIMIT_DATA, 20 << 20),
    "data 100 MiB": bound(resource.RLIMIT_DATA, 100 << 20),
    "core 0": bound(resource.RLIMIT_CORE, 0),
    "core unlimited": bound(resource.RLIMIT_CORE, resource.getrlimit(resource.RLIMIT_CORE)[1]),
    "locked 0": bound(resource.RLIMIT_MEMLOCK, 0),
    "stack unlimited": bound(
        resource.RLIMIT_STACK, resource.getrlimit(resource.RLIMIT_STACK)[1]
    ),
    "queues 0": bound(resource.RLIMIT_MSGQUEUE, 0),
    "nice 19": lambda: os.nice(19) and None,
    "idle": on_processor(os.SCHED_IDLE),
    "batch": on_processor(os.SCHED_BATCH),
    "one processor": lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}),
    "signals blocked": block_signals,
    "signals ignored": ignore_signals,
    "a child": leave_child,
    "descriptors": open_many,
}


def setting(attempt):
    """What a process has from whoever started it."""
    world = attempt.make_world(is_cold=attempt.number // len(SETTINGS) % 2 == 0)
    name = list(SETTINGS)[attempt.number % len(SETTINGS)]
    attempt.note = name
    run = world.start(*world.tune_arguments(), prepare=SETTINGS[name], **IMPATIENT)
    run.wait(2 * DEADLINE_S)
    ends = [-signal.SIGKILL] if "hard" in name else []
    world.was_killed = "hard" in name
    attempt.judge(run, [0, 1, *ends])
    attempt.tune_again()


# for each kind: where the least is that lets the program be loaded, and where nothing lacks
BOUNDS = {
    "RLIMIT_AS": (12 << 20, 200 << 20),
    "RLIMIT_DATA": (1 << 20, 8 << 20),
    "RLIMIT_NOFILE": (4, 32),
    "RLIMIT_FSIZE": (0, 100_000),
}


def bounded(attempt):
    """A limit on a command that does not tune: each command in turn, each limit in turn."""
    attempt.make_world()
    names = list(commands.COMMANDS)
    name = names[attempt.number % len(names)]
    kind = list(BOUNDS)[(attempt.number // len(names) + attempt.number) % len(BOUNDS)]
    size = attempt.random.randrange(*BOUNDS[kind])
    attempt.note = f"{kind} {size} of {name}"
    commands.learn(attempt, name)
    arguments = commands.make_ready(attempt, name)
    run = attempt.world.start(
        *arguments, prepare=bound(getattr(resource, kind), size), **IMPATIENT
    ).wait(DEADLINE_S)
    attempt.complain(run.complaints([*attempt.row.codes, *commands.COMMANDS[name].codes]))
    commands.judge(attempt, name, run)
    # what the other tuners' files have is another space's, with outcomes of all kinds
    if name in ("import-t4", "import-cache"):
        attempt.complain(attempt.world.leftovers())
    else:
        attempt.tune_again()


# ---- mounts ------------------------------------------------------------------------------


def mount(*words):
    subprocess.run(["mount", *words], check=True, capture_output=True)


def over(place, *options):
    """An empty file system over a folder, which the run alone sees."""
    return lambda world: mount("-t", "tmpfs", *options, "tmpfs", place)


def read_only_root(world):
    """All but the world's own folders."""
    for place in (world.results, world.units, world.locks, world.temporary):
        place.mkdir(exist_ok=True)
        mount("--bind", place, place)
    mount("-o", "remount,bind,ro", "/")


def without_null(world):
    mount("--bind", "/dev/full", "/dev/null")


def null_is_a_file(world):
    kept = world.folder / "null"
    kept.touch()
    kept.chmod(0o666)
    mount("--bind", kept, "/dev/null")


LACKS = {
    "/proc": over("/proc"),
    "/sys": over("/sys"),
    "/dev": over("/dev"),
    "/dev/shm": over("/dev/shm", "-o", "ro"),
    "/run": over("/run"),
    "/etc": over("/etc"),
    "/dev/null full": without_null,
    "/dev/null a file": null_is_a_file,
    "writing": read_only_root,
}


def lacking(attempt):
    """A folder of the system is not there."""
    if not attempt.campaign.can_mount:
        raise Skipped("no file system can be mounted here")
    world = attempt.make_world(is_cold=attempt.number // len(LACKS) % 2 == 0)
    name = list(LACKS)[attempt.number % len(LACKS)]
    attempt.note = f"without {name}"

    def prepare():
        if LIBC.unshare(CLONE_NEWNS):
            raise OSError
        mount("--make-rprivate", "/")
        LACKS[name](world)

    run = world.start(*world.tune_arguments(), prepare=prepare, **IMPATIENT)
    run.wait(2 * DEADLINE_S)
    attempt.judge(run)
    attempt.tune_again()


LEAVE_LOG = """
import os, sqlite3, sys
record = sqlite3.connect(sys.argv[1], isolation_level=None)
record.execute("PRAGMA wal_autocheckpoint = 0")
record.execute("CREATE TABLE passing (value)")
record.execute("DROP TABLE passing")
os._exit(0)
"""


def read_only(attempt):
    """A folder of results in which nothing may be written, not even by root: with a record at
    rest, one with the log of a killed process, and that without the log's index."""
    if not attempt.campaign.can_mount:
        raise Skipped("no file system can be mounted here")
    world = attempt.make_world()
    names = [name for name, command in commands.COMMANDS.items() if command.needs]
    name = names[attempt.number % len(names)]
    state = ("at rest", "with a log", "without the index")[attempt.number // len(names) % 3]
    attempt.note = f"{name} of a record {state}"
    commands.learn(attempt, name)
    arguments = commands.make_ready(attempt, name)
    if state != "at rest":
        path = world.results / "autotune.db"
        subprocess.run([sys.executable, "-c", LEAVE_LOG, path], check=True)
        if state == "without the index":
            path.with_name("autotune.db-shm").unlink()

    def prepare():
        if LIBC.unshare(CLONE_NEWNS):
            raise OSError
        mount("--make-rprivate", "/")
        mount("--bind", world.results, world.results)
        mount("-o", "remount,bind,ro", world.results)

    run = world.start(*arguments, prepare=prepare, **IMPATIENT).wait(DEADLINE_S)
    attempt.complain(run.complaints(attempt.row.codes))
    commands.judge(attempt, name, run)
    attempt.tune_again()


class Place:
    """A file system of its own in one of the world's folders: in memory, with few names, or on
    a disk (a file), with little room."""

    def __init__(self, attempt, place, is_disk):
        if not attempt.campaign.can_mount:
            raise Skipped("no file system can be mounted here")
        place.mkdir(parents=True, exist_ok=True)
        self.place = place
        self.disk = attempt.folder / "disk"
        try:
            if is_disk:
                self.mount_disk()
            else:
                mount("-t", "tmpfs", "-o", "mode=0700,nr_inodes=200", "tmpfs", place)
        except (OSError, subprocess.CalledProcessError):
            raise Skipped("no such file system can be made here") from None

    def mount_disk(self):
        if not self.disk.exists():
            self.disk.touch()
            os.truncate(self.disk, 16 << 20)
            subprocess.run(["mkfs.ext4", "-q", "-F", self.disk], check=True, capture_output=True)
        mount("-o", "loop", self.disk, self.place)
        shutil.rmtree(self.place / "lost+found", ignore_errors=True)
        self.place.chmod(0o700)

    def abort(self):
        """As the system does where a disk fails: read-only from now on, at once."""
        mount("-o", "remount,abort", self.place)

    def repair(self):
        """By whoever mounts it anew: what is written next is on the same disk."""
        self.close()
        self.mount_disk()

    def close(self):
        subprocess.run(["umount", "-l", self.place], check=False, capture_output=True)


def use_up(place):
    """All names that there may be."""
    number = 0
    try:
        while True:
            (place / f"somebody{number}").touch(exist_ok=False)
            number += 1
    except OSError:
        pass


def give_names(place):
    for path in place.glob("somebody*"):
        path.unlink()


def disturbed_place(attempt, what, how):
    """The file system of one folder, under way: "names", it has no room for more of them;
    "abort", it becomes read-only, as where a disk fails; "gone", it is not there any more.
    For a second, or ("_on") for good."""
    world = attempt.make_world(is_cold=what != "results")
    place = {
        "temporary": world.temporary,
        "results": world.results,
        "units": world.units,
        "locks": world.locks,
    }[what]
    for_good = how.endswith("_on")
    how = how.removesuffix("_on")
    mounted = Place(attempt, place, how == "abort")
    try:
        run = world.start(*world.tune_arguments(), **IMPATIENT)
        time.sleep(attempt.moment(attempt.calm.cold_s * 0.9))
        if run.is_over():
            run.wait(DEADLINE_S)
            raise Missed
        if how == "names":
            use_up(place)
        elif how == "abort":
            mounted.abort()
            world.is_swept_later = True
        else:
            mounted.close()
        if not for_good:
            time.sleep(1)
        if how == "names" and not for_good:
            give_names(place)
        run.wait(2 * DEADLINE_S)
        if how == "names":
            give_names(place)
        elif how == "abort":
            mounted.repair()
        attempt.complain(run.complaints(attempt.row.codes))
        # what goes with its disk is gone, unless the run said that all went well
        if how == "names" or run.code == 0:
            attempt.judge_record(run, {})
        if run.code == 0:
            attempt.judge_winner(run, "exit code 0, and")
        for saved in world.rescued():
            if str(saved) not in run.errors:
                attempt.complain([f"{saved.name} is there, without a message"])
            shutil.rmtree(saved)
        attempt.tune_again()
    finally:
        world.end()
        mounted.close()


# ---- streams without a reader, and signals -----------------------------------------------


def stuffed(attempt):
    """Standard output is a full pipe without a reader; whoever asks for the end
    is heard all the same."""
    world = attempt.make_world()
    name, words = [
        ("tune --json", world.tune_arguments()),
        ("tune", (worlds.CALM, "--device", "host", "--results", world.results)),
        ("results", ("results", worlds.CALM, "--results", attempt.calm.results)),
        ("report", ("report", worlds.CALM, "-o", "-", "--results", attempt.calm.results)),
    ][attempt.number % 4]
    stream = 1 + attempt.number // 4 % 2
    number = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP][attempt.number // 8 % 3]
    attempt.note = f"{name}, {stream}, {number.name}"
    ends = os.pipe()
    fcntl.fcntl(ends[1], 1031, 4096)
    os.write(ends[1], b"x" * 4000)

    def prepare():
        os.dup2(ends[1], stream)

    run = world.start(*words, prepare=prepare)
    os.close(ends[1])
    time.sleep(0.5 + attempt.moment(attempt.calm.warm_s))
    blocked = not run.is_over()
    for _ in range(2):
        if not run.is_over():
            os.kill(run.pid, number)
            time.sleep(0.2)
    run.wait(DEADLINE_S)
    os.close(ends[0])
    attempt.note += "" if blocked else ", was over"
    attempt.complain(
        text for text in run.complaints([0, 1, 130, -number]) if "without a reason" not in text
    )
    attempt.tune_again()


def storm(attempt):
    """Signals that mean nothing to a run, hundreds of them, at each of its processes."""
    world = attempt.make_world(is_cold=attempt.number % 2 == 1)
    kinds = [signal.SIGWINCH, signal.SIGCHLD, signal.SIGCONT, signal.SIGURG, signal.SIGPIPE]
    number = kinds[attempt.number % len(kinds)]
    attempt.note = number.name
    run = world.start(*world.tune_arguments())
    until = time.monotonic() + DEADLINE_S
    while not run.is_over() and time.monotonic() < until:
        found = [pid for pid, _ in world.processes()]
        # a worker that dies of a signal without a sender
        if number == signal.SIGPIPE:
            found = [run.pid]
        for pid in found:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass
        time.sleep(0.002)
    attempt.judge(run.wait(DEADLINE_S))
    attempt.tune_again()


# ---- a record that somebody edited -------------------------------------------------------

VALUES = (
    "NULL -1 0 1 2 9223372036854775807 -9223372036854775808 1e308 -1e308 1e-308 0.5 '' 'x'"
    " X'00ff' zeroblob(100000) 'NaN' 9e999 -9e999 '{}' '[]' '{\"WORK\":1}' '\x1b[31m'"
).split(" ") + [
    "char(155) || 'x'",
    "char(8238)",
    "'a' || char(10) || 'b'",
    "printf('%.*c', 70000, 'x')",
]
READERS = (
    "results results-json export export-t4 report report-page history header compare"
).split()


def edited_record(attempt):
    """A value of a record is another one, by hand. Nothing may go wrong but what that says."""
    world = attempt.make_world()
    shutil.copytree(attempt.calm.nights, world.results)
    record = sqlite3.connect(world.results / "autotune.db", isolation_level=None)
    columns = [
        (table, column[1])
        for (table,) in record.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        ).fetchall()
        for column in record.execute(f"PRAGMA table_info({table})").fetchall()
        if record.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    ]
    record.execute("PRAGMA ignore_check_constraints = 1")
    for _ in range(attempt.random.choice([1, 1, 3])):
        table, column = attempt.random.choice(columns)
        value = attempt.random.choice(VALUES)
        where = attempt.random.choice(["", " WHERE rowid = (SELECT min(rowid) FROM %s)" % table])
        attempt.note += f" {table}.{column} = {value[:40]!r}{'' if where else ' (all)'}"
        try:
            record.execute(f"UPDATE OR REPLACE {table} SET {column} = {value}{where}")
        except sqlite3.Error as error:
            attempt.note += f" ({error})"
    record.close()
    places = commands.places_of(attempt)
    for name in READERS:
        words = [word.format(**places) for word in commands.COMMANDS[name].words]
        run = world.run(*words, deadline_s=DEADLINE_S)
        attempt.complain(f"{name}: {text}" for text in run.complaints([0, 1, 3]))
    merged = world.folder / "merged"
    run = world.run("import", world.results, "--results", merged, deadline_s=DEADLINE_S)
    attempt.complain(f"import: {text}" for text in run.complaints([0, 1]))
    run = world.run(*world.tune_arguments(), deadline_s=DEADLINE_S)
    attempt.complain(f"tune: {text}" for text in run.complaints([0, 1, 3]))
    run = world.run(
        *("nightly", worlds.CALM, "--device", "host", "--results", world.results),
        *("--budget", "1s", "--quiet"),
        deadline_s=DEADLINE_S,
    )
    attempt.complain(f"nightly: {text}" for text in run.complaints([0, 1, 3, 4]))
    for place in (world.results, merged):
        for path in place.glob("autotune.db*"):
            path.unlink()
    shutil.rmtree(world.results)
    attempt.tune_again()


# ---- another user ------------------------------------------------------------------------


def other_user(attempt):
    """Folders that another user made, who is root."""
    world = attempt.make_world()
    oddities.need_user(attempt)
    what = ("results", "units", "locks", "temporary")[attempt.number % 4]
    mode = (0o755, 0o700, 0o777, 0o1777, 0o500)[attempt.number // 4 % 5]
    attempt.note = f"{what} of root, {mode:o}"
    oddities.give(world, oddities.USER)
    place = {
        "results": world.results,
        "units": world.units,
        "locks": world.locks,
        "temporary": world.temporary,
    }[what]
    if what == "results":
        shutil.copytree(attempt.calm.results, place)
    for path in [place, *place.rglob("*")]:
        os.chown(path, 0, 0)
    place.chmod(mode)
    run = world.start(
        *world.tune_arguments(), prepare=oddities.become(), **IMPATIENT
    ).wait(DEADLINE_S)
    attempt.complain(run.complaints([0, 1]))
    if run.code == 0:
        attempt.judge_winner(run, "exit code 0, and")
        attempt.judge_record(run, {})
    for words in (
        ("results",),
        ("header", worlds.CALM),
        ("export", worlds.CALM, "--format", "csv", "-o", "-"),
    ):
        read = world.start(
            *words, "--results", world.results, prepare=oddities.become()
        ).wait(DEADLINE_S)
        attempt.complain(f"{words[0]}: {text}" for text in read.complaints([0, 1]))
    oddities.give(world, 0)
    place.chmod(0o755 if what == "results" else 0o700)
    attempt.tune_again()


WAYS = {
    "bounded": bounded,
    "read_only": read_only,
    "setting": setting,
    "lacking": lacking,
    "disturbed_place": disturbed_place,
    "stuffed": stuffed,
    "storm": storm,
    "edited_record": edited_record,
    "other_user": other_user,
}
