"""Where a run is kept: filters of system calls, namespaces, folders and files of unusual shape.
Functions as those of inject.py."""

import ctypes
import errno
import os
import shutil
import signal
import sqlite3
import struct
import subprocess
import time

import machines
import world as worlds
from common import DEADLINE_S, Skipped

IMPATIENT = {"AUTOTUNE_PATIENCE": 3}

# ---- filters of system calls -------------------------------------------------------------

# what older kernels do not have, and containers refuse (numbers of x86-64)
CALLS = {
    "clone3": 435,
    "openat2": 437,
    "statx": 332,
    "faccessat2": 439,
    "close_range": 436,
    "memfd_create": 319,
    "pidfd_open": 434,
    "pidfd_send_signal": 424,
    "landlock_create_ruleset": 444,
    "seccomp": 317,
    "renameat2": 316,
    "copy_file_range": 326,
    "getrandom": 318,
    "rseq": 334,
    "membarrier": 324,
    "sched_setaffinity": 203,
    "sched_getaffinity": 204,
    "sched_setscheduler": 144,
    "setpriority": 141,
    "prlimit64": 302,
    "prctl": 157,
    "ptrace": 101,
    "setsid": 112,
    "setpgid": 109,
    "eventfd2": 290,
    "timerfd_create": 283,
    "signalfd4": 289,
    "inotify_init1": 294,
    "flock": 73,
    "fallocate": 285,
    "fsync": 74,
    "fdatasync": 75,
    "utimensat": 280,
    "madvise": 28,
    "mlock": 149,
    "sigaltstack": 131,
    "sysinfo": 99,
    "getrusage": 98,
    "times": 100,
    "uname": 63,
    "ioctl": 16,
    "sendmsg": 46,
    "socketpair": 53,
    "process_vm_readv": 310,
    "unshare": 272,
    "fchmod": 91,
    "fchown": 93,
    "linkat": 265,
    "symlinkat": 266,
    "statfs": 137,
    "fstatfs": 138,
    "clock_nanosleep": 230,
}
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, FILTER = 38, 22, 2
ALLOW, KILL, FAIL = 0x7FFF0000, 0x80000000, 0x00050000
ANSWERS = {"ENOSYS": FAIL | errno.ENOSYS, "EPERM": FAIL | errno.EPERM, "killed": KILL}


def refuse(number, answer):
    """In the child: the system answers so to that call, also to all that it starts."""
    steps = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, answer), (0x06, 0, 0, ALLOW)]
    text = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(text))

    def begin():
        machines.LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        if machines.LIBC.prctl(PR_SET_SECCOMP, FILTER, program, 0, 0):
            raise OSError("no filter")
        # what it points to lives as long as this
        return text and None

    return begin


def refused(attempt):
    """Each call of the system in turn is not there, not allowed, or ends whoever makes it."""
    if os.uname().machine != "x86_64":
        raise Skipped("numbers of system calls are those of x86-64")
    world = attempt.make_world(is_cold=attempt.number % 2 == 0)
    name = list(CALLS)[attempt.number % len(CALLS)]
    answer = list(ANSWERS)[attempt.number // len(CALLS) % len(ANSWERS)]
    attempt.note = f"{name} {answer}"
    prepare = refuse(CALLS[name], ANSWERS[answer])
    run = world.start(*world.tune_arguments(), prepare=prepare, **IMPATIENT)
    run.wait(2 * DEADLINE_S)
    world.was_killed = answer == "killed"
    attempt.note += f", {run.code}"
    attempt.judge(run, [0, 1, *([-signal.SIGSYS] if answer == "killed" else [])])
    attempt.tune_again()


# ---- namespaces --------------------------------------------------------------------------

NAMESPACES = {
    "process numbers": ["-p", "-f", "--kill-child"],
    "process numbers, /proc": ["-p", "-f", "--kill-child", "--mount-proc"],
    "host name": ["-u"],
    "user": ["-U", "-r"],
    "no network": ["-n", "-i"],
    "later": ["-T", "-f", "--monotonic", "1000000", "--boottime", "1000000"],
    "earlier": ["-T", "-f", "--monotonic", "-1000", "--boottime", "-1000"],
    "control group": ["-C"],
}


def namespaces(attempt):
    """Two runs at once share all folders, and one or both are in namespaces of their own: there
    their processes have the same numbers, or others do not see them."""
    world = attempt.make_world(is_cold=attempt.number % 2 == 1)
    name = list(NAMESPACES)[attempt.number % len(NAMESPACES)]
    both = attempt.number // len(NAMESPACES) % 2 == 0
    words = ["unshare", *NAMESPACES[name]]
    if subprocess.run([*words, "true"], capture_output=True).returncode:
        raise Skipped(f"no namespace: {name}")
    attempt.note = f"{name}{', both' if both else ''}"
    program = world.program
    runs = []
    for is_in in (True, both):
        inside = [*words, program] if is_in else [program]
        world.program = inside[0]
        runs.append(world.start(*inside[1:], *world.tune_arguments()))
        time.sleep(attempt.moment(attempt.calm.warm_s / 2))
    world.program = program
    if name == "host name":
        subprocess.run(
            ["nsenter", "-t", str(runs[0].pid), "-u", "hostname", "other"], capture_output=True
        )
    for run in runs:
        run.wait(2 * DEADLINE_S)
        attempt.complain(run.complaints([0]))
        if run.code == 0:
            attempt.judge_winner(run, "exit code 0, and")
        attempt.judge_record(run, {})
    rows = [configuration for configuration, outcome in world.rows() if outcome == "ok"]
    if len(rows) != len(set(rows)):
        attempt.complain([f"{len(rows) - len(set(rows))} evaluations were made twice"])
    attempt.tune_again()


# ---- folders and files -------------------------------------------------------------------


def full_folder(attempt, world):
    """Thousands of other files."""
    shutil.copytree(attempt.calm.results, world.results)
    for place in (world.results, world.results / "host-cpu", world.units):
        place.mkdir(exist_ok=True)
        for i in range(3000):
            (place / f"other-{i}.{'json h unit db'.split()[i % 4]}").touch()
    return world.tune_arguments(), None


MANY = """
INSERT INTO evaluations ({0}) SELECT {1} FROM evaluations AS e,
 (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8000) SELECT i FROM n)
 WHERE e.id = (SELECT min(id) FROM evaluations);
"""


def many_rows(attempt, world):
    """Rows of spaces that are not there any more."""
    shutil.copytree(attempt.calm.results, world.results)
    record = sqlite3.connect(world.results / "autotune.db")
    columns = [row[1] for row in record.execute("PRAGMA table_info(evaluations)")]
    columns.remove("id")
    values = {"key": "randomblob(16)", "space": "'other' || (i % 500)"}
    record.executescript(
        MANY.format(", ".join(columns), ", ".join(values.get(c, f"e.{c}") for c in columns))
    )
    record.close()
    return world.tune_arguments(), None


def deep_folder(attempt, world):
    """A working folder whose path is longer than paths may be, and results beside it."""
    if os.getuid():
        raise Skipped("the folder is removed by root alone")

    def enter():
        for _ in range(25):
            os.makedirs("d" * 200, exist_ok=True)
            os.chdir("d" * 200)

    return world.tune_arguments()[:4] + ("results", "--json"), enter


def copy_calm(attempt):
    shutil.copytree(worlds.SPACES.parent / "kernels", attempt.folder / "kernels")
    spaces = attempt.folder / "spaces"
    spaces.mkdir()
    return spaces / shutil.copy(worlds.CALM, spaces), attempt.folder / "kernels" / "mishaps.cu"


def included(text):
    """The template includes what is written beside it."""

    def prepare(attempt, world):
        space, template = copy_calm(attempt)
        template.write_text('#include "a.h"\n' + template.read_text())
        for name, content in text.items():
            (template.parent / name).write_text(content)
        return world.tune_arguments(space), None

    return prepare


def linked(attempt, world):
    """The template is a chain of links."""
    space, template = copy_calm(attempt)
    last = template.rename(template.with_name("last.cu"))
    for i in range(30):
        link = template.with_name(f"link{i}.cu")
        link.symlink_to(last.name)
        last = link
    template.symlink_to(last.name)
    return world.tune_arguments(space), None


def loop(attempt, world):
    """The template is a link to itself."""
    space, template = copy_calm(attempt)
    template.unlink()
    template.symlink_to(template.name)
    return world.tune_arguments(space), None


def large(attempt, world):
    """The template has 8 MiB of comments."""
    space, template = copy_calm(attempt)
    template.write_text("// nothing\n" * ((8 << 20) // 11) + template.read_text())
    return world.tune_arguments(space), None


SHAPES = {
    "full folders": (full_folder, [0]),
    "many rows": (many_rows, [0]),
    "deep folder": (deep_folder, [0, 1]),
    "includes itself": (included({"a.h": '#include "a.h"\n'}), [1, 3]),
    "a circle": (included({"a.h": '#include "b.h"\n', "b.h": '#include "a.h"\n'}), [1, 3]),
    "a guarded circle": (
        included(
            {
                "a.h": '#pragma once\n#include "b.h"\n',
                "b.h": '#pragma once\n#include "a.h"\n#include "../kernels/b.h"\n',
            }
        ),
        [0],
    ),
    "itself": (
        included({"a.h": '#ifndef A\n#define A\n#include "mishaps.cu"\n#endif\n'}),
        [0, 1, 3],
    ),
    "a chain of links": (linked, [0]),
    "a link to itself": (loop, [1]),
    "a large template": (large, [0]),
}


def shape(attempt):
    """Unusual folders and files, and a run that needs them."""
    world = attempt.make_world(is_cold=True)
    name = list(SHAPES)[attempt.number % len(SHAPES)]
    attempt.note = name
    make, codes = SHAPES[name]
    arguments, prepare = make(attempt, world)
    run = world.start(*arguments, prepare=prepare, **IMPATIENT).wait(2 * DEADLINE_S)
    attempt.note += f", {run.code}"
    attempt.complain(run.complaints(codes))
    if run.code == 0:
        attempt.judge_winner(run, "exit code 0, and")
    for outcome in run.evaluations().values():
        if outcome != "ok" and run.code == 0:
            attempt.complain([f"recorded {outcome}"])
    if name == "deep folder":
        shutil.rmtree(world.folder / ("d" * 200))
    if name == "many rows" or arguments[0] != worlds.CALM:
        # a copy of the space is another one of that name; not all rows are a run's
        attempt.complain(world.leftovers())
    else:
        attempt.tune_again()


def cut_log(attempt):
    """The file that standard output and errors go to is copied and cut short, as by whoever
    keeps logs small."""
    world = attempt.make_world()
    path = world.folder / "log"
    appends = attempt.number % 2
    attempt.note = "appended" if appends else "written"

    def redirect():
        file = os.open(path, os.O_WRONLY | os.O_CREAT | (os.O_APPEND if appends else 0), 0o644)
        os.dup2(file, 1)
        os.dup2(file, 2)

    run = world.start(*world.tune_arguments(), prepare=redirect)
    while not run.is_over() and time.monotonic() < run.started + DEADLINE_S:
        time.sleep(0.02)
        if path.exists():
            os.truncate(path, 0)
    run.wait(DEADLINE_S)
    attempt.complain(run.complaints([0]))
    attempt.complain(world.leftovers())
    if not set(attempt.calm.rows) <= set(world.rows()):
        attempt.complain(["lost rows"])
    attempt.tune_again()


WAYS = {"refused": refused, "namespaces": namespaces, "shape": shape, "cut_log": cut_log}
