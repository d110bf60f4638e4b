/* The tables of a record as they are now, for a new one. An older one gets there by the
   steps of store_schema.c; tests/test_store_ceilings.c compares the two. */
#include "record/store_internal.h"

/* A step that adds a column puts it at the end of its table, and so it is here. */
const char at_store_newest[] =
	"CREATE TABLE devices ("
	" id INTEGER PRIMARY KEY,"
	" kind TEXT NOT NULL,"
	" slug TEXT NOT NULL,"
	" model TEXT NOT NULL,"
	" architecture TEXT NOT NULL,"
	" driver TEXT NOT NULL,"
	" uuid TEXT NOT NULL,"
	" properties TEXT NOT NULL," /* JSON object */
	" UNIQUE (slug, kind));"

	"CREATE TABLE runs ("
	" id INTEGER PRIMARY KEY,"
	" device_id INTEGER NOT NULL REFERENCES devices,"
	" space TEXT NOT NULL,"
	" strategy TEXT NOT NULL,"
	/* 64 bits, unsigned; SQLite has them as a signed number */
	" seed INTEGER NOT NULL,"
	" version TEXT NOT NULL,"
	" started_seconds INTEGER NOT NULL,"
	" ended_seconds INTEGER," /* NULL: it is running, or was killed */
	" ending TEXT NOT NULL,"
	/* "": here; else where it was imported from */
	" origin TEXT NOT NULL DEFAULT '',"
	/* random: tells the run from runs of other machines that have the same id */
	" token TEXT NOT NULL DEFAULT '');"
	"CREATE INDEX runs_place ON runs (started_seconds, device_id);"

	/* the newest row of a device, space and problem counts; others are history */
	"CREATE TABLE crowns ("
	" id INTEGER PRIMARY KEY,"
	" device_id INTEGER NOT NULL REFERENCES devices,"
	" space TEXT NOT NULL,"
	" problem TEXT NOT NULL,"
	" evaluation_id INTEGER NOT NULL REFERENCES evaluations,"
	" baseline_id INTEGER REFERENCES evaluations,"
	" evaluation_count INTEGER NOT NULL,"
	" ok_count INTEGER NOT NULL,"
	/* in the unit of the objective */
	" value REAL,"
	" low REAL,"
	" high REAL,"
	" speedup REAL,"
	" toolchain TEXT NOT NULL,"
	" driver TEXT NOT NULL,"
	" source_hash TEXT NOT NULL,"
	" metrics TEXT NOT NULL," /* JSON */
	" launch TEXT NOT NULL," /* JSON */
	" options TEXT NOT NULL," /* JSON */
	" created_seconds INTEGER NOT NULL,"
	" gains TEXT NOT NULL DEFAULT ''," /* JSON */
	" objective TEXT NOT NULL DEFAULT 'time',"
	" is_unproved INTEGER NOT NULL DEFAULT 0,"
	" proof TEXT NOT NULL DEFAULT ''," /* JSON */
	" speedup_low REAL,"
	" speedup_high REAL,"
	/* in the unit of the objective; the baseline's value is the winner's times
	   the speed-up */
	" baseline_low REAL,"
	" baseline_high REAL,"
	" measurement TEXT NOT NULL DEFAULT ''," /* JSON */
	/* "3/8": the winner of this part of the space; "": of the whole space */
	" part TEXT NOT NULL DEFAULT '',"
	/* when finals last showed that it is still the winner; 0: not since it won */
	" stood_seconds INTEGER NOT NULL DEFAULT 0,"
	/* a member of a portfolio, which is no winner, or NULL */
	" portfolio_id INTEGER REFERENCES portfolios,"
	" member INTEGER NOT NULL DEFAULT 0,"
	/* against the problem's winner in the same finals; 0: it is the winner
	   itself */
	" loss REAL,"
	" loss_low REAL,"
	" loss_high REAL,"
	/* which measurements it met in its finals; "": not known */
	" met TEXT NOT NULL DEFAULT '');"
	"CREATE INDEX crowns_place ON crowns (device_id, space, problem);"

	/* the newest row of a device counts */
	"CREATE TABLE ceilings ("
	" id INTEGER PRIMARY KEY,"
	" device_id INTEGER NOT NULL REFERENCES devices,"
	" copy_bytes_per_second REAL,"
	" float_flops_per_second REAL,"
	" double_flops_per_second REAL,"
	" driver TEXT NOT NULL,"
	" created_seconds INTEGER NOT NULL);"
	"CREATE INDEX ceilings_device ON ceilings (device_id);"

	/* samples and log are behind all others, so that they are not read where they
	   are not needed */
	"CREATE TABLE evaluations ("
	" id INTEGER PRIMARY KEY,"
	" key BLOB NOT NULL,"
	" run_id INTEGER REFERENCES runs,"
	" device_id INTEGER NOT NULL REFERENCES devices,"
	" space TEXT NOT NULL,"
	" problem TEXT NOT NULL,"
	" problem_json TEXT NOT NULL,"
	" configuration TEXT NOT NULL," /* JSON object */
	" outcome TEXT NOT NULL,"
	" detail TEXT NOT NULL,"
	" time_ns REAL,"
	" low_ns REAL,"
	" high_ns REAL,"
	" launches_per_sample INTEGER,"
	" raced INTEGER NOT NULL,"
	" registers INTEGER,"
	" local_bytes INTEGER,"
	" spill_store_bytes INTEGER,"
	" spill_load_bytes INTEGER,"
	" shared_bytes INTEGER,"
	" threads_per_block INTEGER,"
	" blocks INTEGER,"
	" resident_blocks INTEGER,"
	" occupancy REAL," /* 0 to 1 */
	" limiting_factor TEXT NOT NULL,"
	" flops REAL," /* of one launch */
	" bytes REAL,"
	" is_double INTEGER NOT NULL,"
	" max_relative_error REAL,"
	" compile_ns INTEGER,"
	" measure_ns INTEGER,"
	" clock_hz INTEGER,"
	" throttled INTEGER NOT NULL,"
	" created_seconds INTEGER NOT NULL,"
	" board TEXT NOT NULL DEFAULT ''," /* uuid */
	" image BLOB,"
	/* every sample in the order taken: doubles of IEEE 754, 8 bytes each, the
	   least significant first; NULL: none */
	" samples_ns BLOB,"
	" log TEXT NOT NULL);"
	/* the newest of a key is found by its time, since imported rows are added later
	   and need not be newer */
	"CREATE INDEX evaluations_key ON evaluations (key, created_seconds);"
	/* gives the best of a problem on a device without reading the rest */
	"CREATE INDEX evaluations_best ON evaluations"
	" (space, problem, device_id, outcome, time_ns);"

	/* nights: a winner and its baseline, measured again as in the finals */
	"CREATE TABLE revisits ("
	" id INTEGER PRIMARY KEY,"
	" device_id INTEGER NOT NULL REFERENCES devices,"
	" board TEXT NOT NULL," /* uuid */
	" run_id INTEGER REFERENCES runs,"
	" space TEXT NOT NULL,"
	" problem TEXT NOT NULL,"
	" configuration TEXT NOT NULL," /* JSON object */
	" source_hash TEXT NOT NULL,"
	" outcome TEXT NOT NULL," /* of the winner: "ok" or what it is now */
	" detail TEXT NOT NULL,"
	" verdict TEXT NOT NULL,"
	" objective TEXT NOT NULL,"
	/* of winner and baseline, in the unit of the objective; NULL: not known */
	" value REAL,"
	" low REAL,"
	" high REAL,"
	" baseline REAL,"
	" baseline_low REAL,"
	" baseline_high REAL,"
	/* of that pair, as of crowns */
	" speedup REAL,"
	" speedup_low REAL,"
	" speedup_high REAL,"
	/* tonight's cost over that of the nights before, on which the verdict rests */
	" change REAL,"
	" change_low REAL,"
	" change_high REAL,"
	" look_count INTEGER NOT NULL," /* measurements of this night */
	" clock_hz INTEGER," /* of the multiprocessors while it ran */
	" measurement TEXT NOT NULL," /* JSON, as of crowns */
	/* JSON: what may change from night to night, such as driver, compiler,
	   power limit, ECC, clocks that were set, other processes */
	" conditions TEXT NOT NULL,"
	" created_seconds INTEGER NOT NULL);"
	"CREATE INDEX revisits_place ON revisits"
	" (space, problem, device_id, created_seconds);"

	/* The newest row of a device and space counts. The members, one for each
	   problem, are rows of crowns with its id; they are not winners. */
	"CREATE TABLE portfolios ("
	" id INTEGER PRIMARY KEY,"
	" device_id INTEGER NOT NULL REFERENCES devices,"
	" space TEXT NOT NULL,"
	" loss_limit REAL," /* 0.05 is 5 %; NULL: none */
	" most INTEGER NOT NULL," /* members that were allowed; 0: any number */
	" created_seconds INTEGER NOT NULL);"
	"CREATE INDEX portfolios_place ON portfolios (device_id, space);"

	/* not used any more (record/claims.h); versions that do use it find it */
	"CREATE TABLE claims ("
	" key BLOB PRIMARY KEY,"
	" run_id INTEGER NOT NULL,"
	" owner TEXT NOT NULL," /* the process */
	" expires_seconds INTEGER NOT NULL) WITHOUT ROWID;"

	/* what results were made from */
	"CREATE TABLE sources ("
	" id INTEGER PRIMARY KEY,"
	" run_id INTEGER NOT NULL REFERENCES runs,"
	" problem TEXT NOT NULL,"
	" source_hash TEXT NOT NULL," /* as of crowns */
	" UNIQUE (run_id, problem));"

	/* cases on which configurations were found wrong; all of a space count,
	   whatever the device */
	"CREATE TABLE counterexamples ("
	" id INTEGER PRIMARY KEY,"
	" device_id INTEGER NOT NULL REFERENCES devices,"
	" space TEXT NOT NULL,"
	" instance TEXT NOT NULL," /* JSON: the case */
	" failure TEXT NOT NULL);"

	/* paths of this machine: they are not merged */
	"CREATE TABLE spaces ("
	" name TEXT PRIMARY KEY,"
	" path TEXT NOT NULL);"; /* from the record's directory */
