"""Records that have more in them, or are files of another kind, than autotune makes. Functions as
those of inject.py."""

import os
import shutil
import sqlite3
import struct
import subprocess
import sys

import commands
import strangers
import world as worlds
from common import DEADLINE_S, Skipped


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
    """The log of another record, without a message that it belongs elsewhere."""
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
        for reader in strangers.READERS:
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


WAYS = {"schema": schema}
