"""What machines and their users do that is no fault yet: limits, streams, surroundings,
terminals, files that are edited under a run. Functions as those of inject.py."""

import fcntl
import os
import pathlib
import pty
import resource
import shutil
import signal
import struct
import subprocess
import termios
import time

import world as worlds
from common import DEADLINE_S, Missed, Skipped

# a user who is alone here: limits on processes count those of all
USER = 61_321
# folders of its own for what a world names by AUTOTUNE_CACHE and AUTOTUNE_LOCKS
HIDDEN = ("AUTOTUNE_CACHE", "AUTOTUNE_LOCKS")
PLACES = ("HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "TMPDIR")
GROUPS = pathlib.Path("/sys/fs/cgroup")
IMPATIENT = {"AUTOTUNE_PATIENCE": 3}


def give(world, user):
    """The world's folders are this user's."""
    for path in [world.folder, *world.folder.rglob("*")]:
        os.chown(path, user, user, follow_symlinks=False)


def become(prepare=None):
    """In the child: another user, after `prepare`, which may need our rights."""

    def change():
        os.setgroups([])
        os.setgid(USER)
        if prepare:
            prepare()
        os.setuid(USER)

    return change


def need_user(attempt):
    """Root can be another one, if that one may come as far as the program."""
    if os.getuid():
        raise Skipped("only root can be another user")
    try:
        found = subprocess.run(
            [attempt.campaign.program, "--version"], preexec_fn=become(), capture_output=True
        )
    except (OSError, subprocess.SubprocessError):
        raise Skipped("another user cannot start the program") from None
    if found.returncode:
        raise Skipped("another user cannot start the program")
    # the folders above the world's
    for path in list(attempt.folder.parents)[:3]:
        if path != pathlib.Path("/tmp"):
            path.chmod(path.stat().st_mode | 0o055)


def as_user(attempt, arguments, prepare, **more):
    """A run by another user."""
    world = attempt.world
    give(world, USER)
    run = world.start(*arguments, prepare=become(prepare), **more).wait(DEADLINE_S)
    give(world, os.getuid())
    return run


def processes(attempt):
    """RLIMIT_NPROC."""
    world = attempt.make_world()
    need_user(attempt)
    most = attempt.number % 14
    attempt.note = f"{most} processes"
    limit = lambda: resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
    attempt.judge(as_user(attempt, world.tune_arguments(), limit, **IMPATIENT))
    attempt.tune_again()


def mask(attempt):
    """umask."""
    world = attempt.make_world()
    value = (0o777, 0, 0o477, 0o277, 0o700, 0o177)[attempt.number % 6]
    attempt.note = f"umask {value:o}"
    prepare = lambda: os.umask(value) and None
    if os.getuid():
        run = world.start(*world.tune_arguments(), prepare=prepare).wait(DEADLINE_S)
    else:
        # whose own modes do not keep him from anything
        need_user(attempt)
        run = as_user(attempt, world.tune_arguments(), prepare)
    attempt.judge(run)
    attempt.complain(world.leftovers())
    attempt.tune_again()


def put_place(world, how):
    """What such a variable is set to; None: it is not set."""
    if how == "file":
        (world.folder / "file").write_text("x")
    return {
        "unset": None,
        "empty": "",
        "missing": world.folder / "not" / "there",
        "file": world.folder / "file",
        "relative": "rel/ative",
        "long": "/tmp/" + "x" * 5000,
        "null": "/dev/null",
        "newline": f"{world.folder}/a\nb",
        "proc": "/proc/1",
    }[how]


def surroundings(attempt):
    """HOME, XDG_CACHE_HOME, XDG_RUNTIME_DIR and TMPDIR, each may be anything;
    and PATH."""
    world = attempt.make_world(is_cold=True)
    ways = "unset empty missing file relative long null newline proc".split()
    names = [(name, how) for how in ways for name in PLACES]
    names += [("PATH", how) for how in ("unset", "empty", "missing", "relative")]
    # neighbours in the list have little in common
    name, how = names[attempt.number * 7 % len(names)]
    attempt.note = f"{name} {how}"
    more = {place: world.folder / place.lower() for place in PLACES}
    more["TMPDIR"] = world.temporary
    for place in PLACES:
        more[place].mkdir(mode=0o700, exist_ok=True)
    if name == "HOME":
        more["XDG_CACHE_HOME"] = None
    more[name] = put_place(world, how)
    if name in PLACES[:3]:
        more |= dict.fromkeys(HIDDEN)
    elif name == "PATH":
        # where the compiler is cannot be known then
        shutil.rmtree(world.units)
        shutil.copytree(attempt.calm.units, world.units)
    run = world.start(*world.tune_arguments(), **more, **IMPATIENT).wait(DEADLINE_S)
    attempt.judge(run, [0, 1])
    attempt.tune_again()


# ---- streams ---------------------------------------------------------------------------


def full(*streams):
    for stream in streams:
        file = os.open("/dev/full", os.O_WRONLY)
        os.dup2(file, stream)
        os.close(file)


def without_reader(stream):
    ends = os.pipe()
    os.dup2(ends[1], stream)
    os.close(ends[0])
    os.close(ends[1])


def without_terminal(*which):
    """A terminal that was closed, and belongs to no process that could be hung up."""
    master, slave = pty.openpty()
    os.close(master)
    for stream in which:
        os.dup2(slave, stream)


def narrow(stream):
    """A pipe of a page that does not wait."""
    fcntl.fcntl(stream, 1031, 4096)
    os.set_blocking(stream, False)


def close(*streams):
    for stream in streams:
        os.close(stream)


STREAMS = {
    **{
        "closed " + " ".join(map(str, which)): lambda which=which: close(*which)
        for which in ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2))
    },
    "full 1": lambda: full(1),
    "full 2": lambda: full(2),
    "full 1 2": lambda: full(1, 2),
    "broken 1": lambda: without_reader(1),
    "broken 2": lambda: without_reader(2),
    "gone 1": lambda: without_terminal(1),
    "gone 2": lambda: without_terminal(2),
    "narrow 1": lambda: narrow(1),
    "narrow 2": lambda: narrow(2),
}
STREAM_COMMANDS = ("tune", "results", "header", "check", "tune --json")


def streams(attempt):
    """Streams that are closed, full, without a reader, or do not wait."""
    world = attempt.make_world()
    ways = list(STREAMS)
    way = ways[attempt.number % len(ways)]
    name = STREAM_COMMANDS[attempt.number // len(ways) % len(STREAM_COMMANDS)]
    attempt.note = f"{name}, {way}"
    arguments = {
        "tune": (worlds.CALM, "--device", "host", "--results", world.results),
        "tune --json": world.tune_arguments(),
        "check": ("check", worlds.CALM),
    }.get(name, (name, worlds.CALM, "--results", world.results))
    if not name.startswith("tune"):
        shutil.copytree(attempt.calm.results, world.results, dirs_exist_ok=True)
    run = world.start(*arguments, prepare=STREAMS[way]).wait(DEADLINE_S)
    # what could not be printed is a failure, unless it was not wanted
    fails = "1" in way.split()[1:] and way.split()[0] in ("closed", "full")
    codes = [1] if fails else [0]
    tells = "2" not in way.split()[1:] or way.startswith("narrow")
    attempt.complain(
        text for text in run.complaints(codes) if tells or "without a reason" not in text
    )
    attempt.judge_record(run, {})
    if len(world.rows()) != len(attempt.calm.rows):
        attempt.complain([f"recorded {len(world.rows())} configurations"])
    attempt.tune_again()


def terminal(attempt):
    """A terminal of any size, that goes away sooner or later."""
    world = attempt.make_world()
    size = attempt.random.choice([0, 1, 2, 5, 80])
    keeps = attempt.number % 3 == 0
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", size, size, 0, 0))

    def prepare():
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        for stream in range(3):
            os.dup2(slave, stream)

    run = world.start(
        *(worlds.CALM, "--device", "host", "--results", world.results),
        prepare=prepare,
        TERM="xterm",
    )
    os.close(slave)
    os.set_blocking(master, False)
    until = time.monotonic() + (
        DEADLINE_S if keeps else attempt.moment(attempt.calm.warm_s)
    )
    attempt.note = f"{size} columns" + ("" if keeps else ", closed")
    while not run.is_over() and time.monotonic() < until:
        try:
            while os.read(master, 65536):
                pass
        except OSError:
            pass
        time.sleep(0.01)
    os.close(master)
    run.wait(DEADLINE_S)
    codes = [0] if keeps else [0, 130, -signal.SIGHUP]
    attempt.complain(text for text in run.complaints(codes))
    attempt.judge_record(run, {})
    attempt.tune_again()


def stop_all(attempt):
    """SIGSTOP of everything that a run has started, and SIGCONT: a laptop that sleeps."""
    world = attempt.make_world(is_cold=attempt.number % 2 == 1)
    run = world.start(*world.tune_arguments())
    time.sleep(0.05 + attempt.moment(attempt.calm.warm_s * 0.8))
    if run.is_over():
        run.wait(DEADLINE_S)
        raise Missed
    pause_s = attempt.random.choice([0.1, 3, 12])
    attempt.note = f"{pause_s} s"
    stopped = [pid for pid, _ in world.processes()]
    for number in (signal.SIGSTOP, signal.SIGCONT):
        for pid in stopped:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass
        if number == signal.SIGSTOP:
            time.sleep(pause_s)
    attempt.judge(run.wait(2 * DEADLINE_S))
    attempt.tune_again()


# ---- files that are edited, under a run ------------------------------------------------


def copy_space(attempt):
    """A copy of the calm space that includes a file and has its input from one."""
    folder = attempt.folder
    shutil.copytree(worlds.SPACES.parent / "kernels", folder / "kernels")
    template = folder / "kernels" / "mishaps.cu"
    template.write_text('#include "edited.h"\n' + template.read_text())
    (folder / "kernels" / "edited.h").write_text("#define EDITED 1\n")
    (folder / "x.bin").write_bytes(struct.pack("256f", *range(256)))
    (folder / "spaces").mkdir()
    space = folder / "spaces" / "calm.cfg"
    text = worlds.CALM.read_text()
    text = text.replace('access = "in"; }', """access = "in"; fill = "file('../x.bin')"; }""")
    text = text.replace("problems = ( { N = 100; } );", "derive = false;")
    space.write_text(text)
    return space


CHANGES = "other broken removed folder pipe same".split()


def change(path, how):
    before = path.read_bytes()
    if how not in ("other", "broken"):
        path.unlink()
    if how == "other":
        path.write_bytes(before[::-1] if path.suffix == ".bin" else b"#define EDITED 2\n")
    elif how == "broken":
        path.write_bytes(b"this is nothing\n")
    elif how == "folder":
        path.mkdir()
    elif how == "pipe":
        os.mkfifo(path)
    elif how == "same":
        path.write_bytes(before)
    return before


def edited(attempt, what):
    """What a template includes, or where an input comes from, is saved anew while a run is
    at work; a process that reads that is started later."""
    world = attempt.make_world(is_cold=True)
    space = copy_space(attempt)
    path = {"include": attempt.folder / "kernels" / "edited.h", "data": attempt.folder / "x.bin"}[
        what
    ]
    how = CHANGES[attempt.number % len(CHANGES)]
    attempt.note = f"{path.name} {how}"
    run = world.start(*world.tune_arguments(space, "--jobs", "1"))
    wanted = attempt.random.randrange(3)
    while len(run.evaluations()) < wanted and not run.is_over():
        time.sleep(0.005)
    if run.is_over():
        run.wait(DEADLINE_S)
        raise Missed
    before = change(path, how)
    for pid in list(world.find("measure", run)) if what == "data" else []:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    run.wait(2 * DEADLINE_S)
    attempt.judge(run)
    if path.is_dir():
        path.rmdir()
    elif path.exists() or path.is_fifo():
        path.unlink()
    path.write_bytes(before)
    # what it was before is what all that is recorded is of
    attempt.tune_again(space=space)


def program(attempt):
    """The program itself is replaced, removed or denied while it runs."""
    world = attempt.make_world(is_cold=attempt.number % 2 == 1)
    path = attempt.folder / "autotune"
    shutil.copy(world.program, path)
    original, world.program = world.program, str(path)
    run = world.start(*world.tune_arguments())
    time.sleep(0.02 + attempt.moment(attempt.calm.warm_s * 0.8))
    how = ("removed", "newer", "folder", "denied")[attempt.number // 2 % 4]
    attempt.note = how
    if run.is_over():
        run.wait(DEADLINE_S)
        raise Missed
    if how == "denied":
        path.chmod(0)
    else:
        path.unlink()
    if how == "folder":
        path.mkdir()
    elif how == "newer":
        path.write_text("#!/bin/sh\nexit 0\n")
        path.chmod(0o755)
    attempt.judge(run.wait(DEADLINE_S))
    world.program = original
    attempt.tune_again()


# how a compiler says that it cannot, or does not, with the object file's name in $last
TROUBLES = {
    "words": 'echo "g++: the licence server does not answer" >&2; exit 1',
    "library": 'echo "cc1plus: error while loading shared libraries: libmpfr.so.6: cannot open'
    ' shared object file: No such file or directory" >&2; exit 1',
    "symbol": 'echo "cc1plus: symbol lookup error: undefined symbol: mpfr_add" >&2; exit 127',
    "nothing": "exit 3",
    "garbage": "head -c 100000000 /dev/urandom >&2; exit 1",
    "signal": "kill -SEGV $$",
    "pipe": 'rm -f "$last"; mkfifo "$last"; exit 0',
    "folder": 'rm -f "$last"; mkdir "$last"; exit 0',
    "device": 'rm -f "$last"; ln -s /dev/zero "$last"; exit 0',
    "holes": 'truncate -s 100G "$last"; exit 0',
    "noise": 'head -c 10000 /dev/urandom >"$last"; exit 0',
}
COMPILER = """#!/bin/sh
[ "$1" = --version ] && {{ echo "g++ of a try"; exit 0; }}
for last in "$@"; do :; done
case " $* " in *" -o "*) while [ "$1" != -o ]; do set -- "$@" "$1"; shift; done; last=$2
	set -- "$@" "$1" "$2"; shift 2 ;; esac
echo >>{folder}/calls
calls=$(wc -l <{folder}/calls)
if [ -f {folder}/trouble ] && [ "$calls" -gt {first} ] && [ "$calls" -le {end} ]; then
	{trouble}
fi
exec c++ "$@"
"""


def compiler(attempt):
    """The C++ compiler, a script, has some trouble of its own from the n-th call on, for some
    calls or for good: that says nothing of the configurations."""
    world = attempt.make_world(is_cold=True)
    name = list(TROUBLES)[attempt.number % len(TROUBLES)]
    first = attempt.random.randrange(14)
    count = 1_000_000 if attempt.number // len(TROUBLES) % 2 == 0 else 3
    attempt.note = f"{name}, from call {first} on, {count}"
    path = attempt.folder / "compiler"
    path.write_text(
        COMPILER.format(
            folder=attempt.folder, first=first, end=first + count, trouble=TROUBLES[name]
        )
    )
    path.chmod(0o755)
    (attempt.folder / "trouble").touch()
    world.variables["AUTOTUNE_CXX"] = path
    run = world.start(*world.tune_arguments(worlds.CALM, "--jobs", "1"), **IMPATIENT)
    attempt.judge(run.wait(2 * DEADLINE_S))
    (attempt.folder / "trouble").unlink()
    attempt.tune_again()


# ---- control groups --------------------------------------------------------------------


class Group:
    """A control group with one limit, of either version."""

    def __init__(self, kind, value):
        name = f"faults-{os.getpid()}"
        unified = (GROUPS / "cgroup.controllers").exists()
        self.folder = GROUPS / name if unified else GROUPS / kind / name
        file = {
            "memory": "memory.max" if unified else "memory.limit_in_bytes",
            "pids": "pids.max",
        }[kind]
        try:
            self.folder.mkdir()
            (self.folder / file).write_text(str(value))
        except OSError as error:
            self.close()
            raise Skipped(f"no control group can be made here: {error.strerror}") from None

    def enter(self):
        (self.folder / "cgroup.procs").write_text(str(os.getpid()))

    def close(self):
        for _ in range(100):
            try:
                self.folder.rmdir()
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(0.02)
                continue
            return


def group(attempt, kind):
    """A limit that a control group sets: of memory, which ends somebody, and of processes."""
    # gcc waits 15 s for each process that it may not start
    world = attempt.make_world(is_cold=kind == "memory" and attempt.number % 2 == 1)
    value = (
        attempt.random.randrange(12 << 20, 200 << 20)
        if kind == "memory"
        else 2 + attempt.number % 14
    )
    attempt.note = f"{kind} {value}"
    limited = Group(kind, value)
    try:
        run = world.start(*world.tune_arguments(), prepare=limited.enter, **IMPATIENT)
        run.wait(2 * DEADLINE_S)
        # who is ended where memory ran out is the kernel's to choose
        world.was_killed = kind == "memory"
        attempt.judge(run, [0, 1, -signal.SIGKILL] if kind == "memory" else [0, 1])
    finally:
        world.end()
        limited.close()
    attempt.tune_again()


WAYS = {
    "processes": processes,
    "mask": mask,
    "surroundings": surroundings,
    "streams": streams,
    "terminal": terminal,
    "stop_all": stop_all,
    "edited": edited,
    "compiler": compiler,
    "program": program,
    "group": group,
}
