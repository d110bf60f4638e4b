"""The world of one try: folders of its own, the processes started in them, and what must hold
of them whatever was done to them."""

import array
import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import termios
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
SPACES = HERE.parent / "spaces"
CALM = SPACES / "calm.cfg"
# where compilers are
KEPT = ("AUTOTUNE_CXX", "AUTOTUNE_NVRTC")
MARK = "FAULTS_WORLD"
OUTPUT_MAX = 4_000_000
PATIENCE_S = 90


def told(line):
    """The event of a line of --json; None where a killed process left half of one."""
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event if isinstance(event, dict) else None


def is_ownerless(folder):
    """Whether its owner was killed before it had written whose the folder is."""
    return all(
        path.name == ".owner" and not path.is_dir() and not path.stat().st_size
        for path in folder.iterdir()
    )


class Run:
    """A process under way, whose output is read and kept up to a limit."""

    def __init__(self, world, arguments, environment, prepare=None):
        self.started = time.monotonic()
        self.timed_out = False
        self.process = subprocess.Popen(
            [world.program, *map(str, arguments)],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            cwd=world.folder,
            preexec_fn=prepare,
        )
        self.texts = [bytearray(), bytearray()]
        # when so much of each had come
        self.arrivals = {id(text): [] for text in self.texts}
        self.readers = [
            threading.Thread(target=self.read, args=(stream, text), daemon=True)
            for stream, text in zip((self.process.stdout, self.process.stderr), self.texts)
        ]
        for reader in self.readers:
            reader.start()

    def read(self, stream, text):
        while piece := stream.read1(65536):
            if len(text) < OUTPUT_MAX:
                text += piece
                self.arrivals[id(text)].append((time.time(), len(text)))

    def came_at(self, words):
        """When it had printed that for the last time; None: it has not."""
        place = self.texts[0].rfind(words)
        return next(
            (when for when, size in self.arrivals[id(self.texts[0])] if size > place >= 0), None
        )

    def catch_up(self):
        """Waits until all that was written so far has been read."""
        for stream in (self.process.stdout, self.process.stderr):
            waiting = array.array("i", [1])
            while waiting[0]:
                time.sleep(0.005)
                fcntl.ioctl(stream, termios.FIONREAD, waiting)
        # what was read last is still to be kept
        time.sleep(0.05)

    @property
    def pid(self):
        return self.process.pid

    def is_over(self):
        return self.process.poll() is not None

    def wait(self, deadline_s):
        try:
            self.process.wait(max(0.0, self.started + deadline_s - time.monotonic()))
        except subprocess.TimeoutExpired:
            # who has the processors a third of the time at most takes thrice as long
            if os.getloadavg()[0] > 2 * (os.cpu_count() or 1) and deadline_s < PATIENCE_S:
                self.wait(PATIENCE_S)
                return self
            self.timed_out = True
            self.process.kill()
            self.process.wait()
        for reader in self.readers:
            # whoever was left behind may hold the other end for ever
            reader.join(0.5)
        self.seconds = time.monotonic() - self.started
        return self

    @property
    def code(self):
        return self.process.returncode

    @property
    def output(self):
        return bytes(self.texts[0]).decode(errors="replace")

    @property
    def errors(self):
        return bytes(self.texts[1]).decode(errors="replace")

    def events(self, kind):
        events = map(told, self.output.splitlines())
        return [event for event in events if event and event.get("event") == kind]

    def evaluations(self):
        """{configuration: outcome} of what was told as new."""
        return {
            json.dumps(event["configuration"]): event["outcome"]
            for event in self.events("evaluation")
            if not event.get("reused")
        }

    def winner(self):
        summaries = self.events("summary")
        return summaries[-1].get("configuration") if summaries else None

    def complaints(self, codes):
        """What an orderly end would not show."""
        if self.timed_out:
            yield f"did not end in {self.seconds:.0f} s"
            return
        if self.code not in codes:
            name = signal.Signals(-self.code).name if self.code < 0 else f"exit code {self.code}"
            yield f"ended with {name}: {self.errors.strip()[-300:]!r}"
        if self.code == 1 and not self.errors.strip():
            yield "exit code 1 without a reason"
        for text in (self.output, self.errors):
            # lines of CSV end with both
            for character in text.replace("\r\n", "\n"):
                code = ord(character)
                if (code < 32 and character not in "\n\t") or 127 <= code < 160:
                    yield f"wrote the control character U+{code:04X}"
                    break
        for word in ("Assertion", "Sanitizer", "runtime error:", "corrupted", "free():"):
            if word in self.errors:
                yield f"says {word!r}: {self.errors.strip()[-300:]!r}"


class World:
    def __init__(self, program, folder, units=None):
        self.program = str(program)
        self.folder = pathlib.Path(folder)
        self.results = self.folder / "results"
        self.units = self.folder / "units"
        self.locks = self.folder / "locks"
        self.temporary = self.folder / "temporary"
        for place in (self.folder, self.locks, self.temporary):
            place.mkdir(parents=True, exist_ok=True)
        # of the group alone, as a folder of temporary files is
        os.chmod(self.temporary, 0o700)
        if units:
            shutil.copytree(units, self.units)
        else:
            self.units.mkdir()
        # somebody was kept from removing what he had made, and its owner is not known
        self.is_swept_later = False
        # a process may have been killed while it wrote a unit, or between the removal of its
        # temporary folder's owner and that of the folder: the rest goes an hour later
        self.was_killed = False
        # whoever was writing a file could remove what it had written
        self.keeps_no_temporary = False
        self.mark = f"{os.getpid()}-{self.folder}"
        # variables of every run here
        self.variables = {}

    def environment(self, is_bare=False, **more):
        kept = {
            name: value
            for name, value in os.environ.items()
            if not is_bare
            and (not name.startswith(("AUTOTUNE_", "FAULTS_")) or name in KEPT)
        }
        kept |= {
            "AUTOTUNE_CACHE": str(self.units),
            "AUTOTUNE_LOCKS": str(self.locks),
            "TMPDIR": str(self.temporary),
            MARK: self.mark,
        }
        more = self.variables | more
        kept |= {name: str(value) for name, value in more.items() if value is not None}
        for name in [name for name, value in more.items() if value is None]:
            kept.pop(name, None)
        return kept

    def start(self, *arguments, prepare=None, **environment):
        return Run(self, arguments, self.environment(**environment), prepare)

    def run(self, *arguments, deadline_s=60, **environment):
        return self.start(*arguments, **environment).wait(deadline_s)

    def tune_arguments(self, space=CALM, *more):
        return (space, "--device", "host", "--results", self.results, "--json", *more)

    # ---- processes ------------------------------------------------------------------------

    def processes(self):
        """[(pid, command line)] of all that was started here and is alive."""
        mark = f"{MARK}={self.mark}".encode()
        found = []
        for entry in os.listdir("/proc"):
            if not entry.isdigit() or int(entry) == os.getpid():
                continue
            try:
                with open(f"/proc/{entry}/environ", "rb") as file:
                    if mark not in file.read().split(b"\0"):
                        continue
                with open(f"/proc/{entry}/cmdline", "rb") as file:
                    words = [word.decode(errors="replace") for word in file.read().split(b"\0")]
            except OSError:
                continue
            found.append((int(entry), words[:-1]))
        return found

    def find(self, where, run):
        """The processes of a kind: "compile" and "measure" are workers."""
        for pid, words in self.processes():
            is_ours = bool(words) and os.path.basename(words[0]) == "autotune"
            is_worker = is_ours and len(words) == 3 and words[1] == "--worker"
            if where == "coordinator":
                matches = pid == run.pid
            elif where == "compiler":
                matches = not is_ours and bool(words)
            else:
                matches = is_worker and words[2] == where
            if matches:
                yield pid

    def end(self):
        """Ends all that is left of it."""
        for _ in range(100):
            left = self.processes()
            if not left:
                break
            for pid, _ in left:
                try:
                    os.kill(pid, signal.SIGKILL)
                except OSError:
                    pass
            time.sleep(0.02)

    # ---- what must hold -------------------------------------------------------------------

    def rescued(self):
        """Folders with what runs measured whose record was lost."""
        return [
            path
            for place in (self.folder, self.temporary)
            for path in place.glob("autotune-rescued-*")
        ]

    def rows(self):
        """[(configuration, outcome)] of the record, oldest first."""
        return [row[:2] for row in self.measurements()]

    def measurements(self):
        """[(configuration, outcome, time)] of the record, oldest first."""
        path = self.results / "autotune.db"
        if not path.exists():
            return []
        record = sqlite3.connect(path, timeout=10)
        try:
            return record.execute(
                "SELECT configuration, outcome, time_ns FROM evaluations ORDER BY id"
            ).fetchall()
        except sqlite3.OperationalError as error:
            if "no such table" in str(error):
                return []  # killed before it was made
            raise
        finally:
            record.close()

    def is_noise(self, winner, right):
        """Whether the right one lost since it was measured to be slower, as may happen where
        others have the processors; and not since anything was held against it."""
        measured = {
            configuration: (outcome, time_ns)
            for configuration, outcome, time_ns in self.measurements()
        }
        kept = measured.get(json.dumps(right), ("nothing", None))
        other = measured.get(json.dumps(winner), ("nothing", None))
        return kept[0] == other[0] == "ok" and kept[1] > 0.9 * other[1]

    def damage(self):
        path = self.results / "autotune.db"
        if not path.exists():
            return "there is no record"
        record = sqlite3.connect(path, timeout=10)
        try:
            said = record.execute("PRAGMA integrity_check").fetchone()[0]
        except sqlite3.DatabaseError as error:
            said = str(error)
        finally:
            record.close()
        return None if said == "ok" else f"the record: {said}"

    def leftovers(self):
        """What a run that ended must not leave, nor what one that was killed left before."""
        until = time.monotonic() + 3
        while (left := self.processes()) and time.monotonic() < until:
            time.sleep(0.02)
        for pid, words in left:
            yield f"left the process {pid} {' '.join(words)[:120]}"
        for path in self.temporary.rglob("*"):
            # one whose owner is not told
            is_later = self.is_swept_later or self.was_killed
            if is_later and is_ownerless(path if path.is_dir() else path.parent):
                continue
            yield f"left {path.relative_to(self.folder)}"
            break
        for place in (self.results, self.units):
            for path in place.rglob("*"):
                name = path.name
                # whoever writes that file next sweeps it, an hour later
                is_written = re.fullmatch(r"\..+\.[0-9a-f]{16}\.tmp", name)
                if is_written and not self.keeps_no_temporary:
                    continue
                # a unit that no process may remove any more goes an hour later too
                is_unit = re.fullmatch(r"\w+\.unit\.[0-9a-f]{16}\.tmp", name)
                if is_unit and (self.is_swept_later or self.was_killed):
                    continue
                if ".tmp" in name or name.startswith(".") or name.endswith("-journal"):
                    yield f"left {path.relative_to(self.folder)}"
        for path in self.locks.iterdir():
            with open(path, "rb") as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    yield f"left the lock {path.name} held"
