/* The steps that bring an older record up to date. A step that was released is never
   edited: every change of the tables is a new step, and a change of store_newest.c,
   which makes a new record at once: columns that are added one by one cost 10 ms. */
#include "record/store_internal.h"

#include "base/interrupt.h"

#include <inttypes.h>

/* "ATUN"; SQLite keeps in the file which program it belongs to */
#define APPLICATION_ID 0x4154554e
#define VERSION 10
#define TEXT(value) TEXT_OF(value)
#define TEXT_OF(value) #value
#define MARK \
	"PRAGMA user_version = " TEXT(VERSION) ";" \
					       "PRAGMA application_id = " TEXT( \
						       APPLICATION_ID)

/* Adds occupancy and roofline of every evaluation, ceilings of devices, gains. */
static const char version_2[] =
	"ALTER TABLE evaluations ADD COLUMN resident_blocks INTEGER;"
	"ALTER TABLE evaluations ADD COLUMN occupancy REAL;" /* 0 to 1 */
	"ALTER TABLE evaluations ADD COLUMN limiting_factor TEXT NOT NULL DEFAULT '';"
	"ALTER TABLE evaluations ADD COLUMN flops REAL;" /* of one launch */
	"ALTER TABLE evaluations ADD COLUMN bytes REAL;"
	"ALTER TABLE evaluations ADD COLUMN is_double INTEGER NOT NULL DEFAULT 0;"
	"ALTER TABLE crowns ADD COLUMN gains TEXT NOT NULL DEFAULT '';" /* JSON */

	/* the newest row of a device counts */
	"CREATE TABLE ceilings ("
	" id INTEGER PRIMARY KEY,"
	" device_id INTEGER NOT NULL REFERENCES devices,"
	" copy_bytes_per_second REAL,"
	" float_flops_per_second REAL,"
	" double_flops_per_second REAL,"
	" driver TEXT NOT NULL,"
	" created_seconds INTEGER NOT NULL);"
	"CREATE INDEX ceilings_device ON ceilings (device_id);";

/*
 * Moves samples and log into the table of evaluations: adding an evaluation becomes a
 * single statement, a transaction by itself, and touches half the pages. Adds the board
 * that measured it and the hash of its image, by which only one of several equal
 * kernels goes to the finals. A crown may be won by another objective than time: its
 * score is in the unit of that. The table is copied because SQLite adds columns at the
 * end: samples and log must be behind all others, so that they are not read where they
 * are not needed.
 */
static const char version_3[] =
	"CREATE TABLE evaluations_3 ("
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

	"INSERT INTO evaluations_3 SELECT id, key, run_id, device_id, space, problem,"
	" problem_json, configuration, outcome, detail, time_ns, low_ns, high_ns,"
	" launches_per_sample, raced, registers, local_bytes, spill_store_bytes,"
	" spill_load_bytes, shared_bytes, threads_per_block, blocks, resident_blocks,"
	" occupancy, limiting_factor, flops, bytes, is_double, max_relative_error,"
	" compile_ns, measure_ns, clock_hz, throttled, created_seconds, '', NULL,"
	" samples_ns, coalesce(log, '') FROM evaluations"
	" LEFT JOIN samples ON samples.evaluation_id = id"
	" LEFT JOIN logs ON logs.evaluation_id = id ORDER BY id;"
	"DROP TABLE samples;"
	"DROP TABLE logs;"
	"DROP TABLE evaluations;"
	"ALTER TABLE evaluations_3 RENAME TO evaluations;"
	"CREATE INDEX evaluations_key ON evaluations (key);"

	"ALTER TABLE crowns ADD COLUMN objective TEXT NOT NULL DEFAULT 'time';"
	"ALTER TABLE crowns RENAME COLUMN time_ns TO value;"
	"ALTER TABLE crowns RENAME COLUMN low_ns TO low;"
	"ALTER TABLE crowns RENAME COLUMN high_ns TO high;";

/* Adds whether crowns are proved. Earlier crowns were proved as their versions did it,
   or are of an interrupted run: which of the two is not known. */
static const char version_4[] =
	"ALTER TABLE crowns ADD COLUMN is_unproved INTEGER NOT NULL DEFAULT 0;"
	"ALTER TABLE crowns ADD COLUMN proof TEXT NOT NULL DEFAULT '';"; /* JSON */

/* Adds how sure a winner's gain is, and how it was measured. */
static const char version_5[] =
	"ALTER TABLE crowns ADD COLUMN speedup_low REAL;"
	"ALTER TABLE crowns ADD COLUMN speedup_high REAL;"
	/* in the unit of the objective; the baseline's value is the winner's times the
	   speed-up */
	"ALTER TABLE crowns ADD COLUMN baseline_low REAL;"
	"ALTER TABLE crowns ADD COLUMN baseline_high REAL;"
	"ALTER TABLE crowns ADD COLUMN measurement TEXT NOT NULL DEFAULT '';"; /* JSON
										*/

/* Adds where a run was made, winners that were measured again, and portfolios. */
static const char version_6[] =
	/* "": here; else where it was imported from */
	"ALTER TABLE runs ADD COLUMN origin TEXT NOT NULL DEFAULT '';"
	/* random: tells the run from runs of other machines that have the same id */
	"ALTER TABLE runs ADD COLUMN token TEXT NOT NULL DEFAULT '';"
	"CREATE INDEX runs_place ON runs (started_seconds, device_id);"

	/* the newest of a key is found by its time, since imported rows are added later
	   and need not be newer */
	"DROP INDEX evaluations_key;"
	"CREATE INDEX evaluations_key ON evaluations (key, created_seconds);"

	/* "3/8": the winner of this part of the space; "": of the whole space */
	"ALTER TABLE crowns ADD COLUMN part TEXT NOT NULL DEFAULT '';"
	/* when finals last showed that it is still the winner; 0: not since it won */
	"ALTER TABLE crowns ADD COLUMN stood_seconds INTEGER NOT NULL DEFAULT 0;"

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
	/* JSON: what may change from night to night, such as driver, compiler, power
	   limit, ECC, clocks that were set, other processes */
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
	"ALTER TABLE crowns ADD COLUMN portfolio_id INTEGER REFERENCES portfolios;"
	"ALTER TABLE crowns ADD COLUMN member INTEGER NOT NULL DEFAULT 0;"
	/* against the problem's winner in the same finals; 0: it is the winner
	   itself */
	"ALTER TABLE crowns ADD COLUMN loss REAL;"
	"ALTER TABLE crowns ADD COLUMN loss_low REAL;"
	"ALTER TABLE crowns ADD COLUMN loss_high REAL;";

/*
 * Adds what results were made from, and which space file they belong to. The table of
 * claims is not used any more (record/claims.h); versions that do use it find it.
 */
static const char version_7[] =
	"CREATE TABLE claims ("
	" key BLOB PRIMARY KEY,"
	" run_id INTEGER NOT NULL,"
	" owner TEXT NOT NULL," /* the process */
	" expires_seconds INTEGER NOT NULL) WITHOUT ROWID;"

	"CREATE TABLE sources ("
	" id INTEGER PRIMARY KEY,"
	" run_id INTEGER NOT NULL REFERENCES runs,"
	" problem TEXT NOT NULL,"
	" source_hash TEXT NOT NULL," /* as of crowns */
	" UNIQUE (run_id, problem));"

	/* paths of this machine: they are not merged */
	"CREATE TABLE spaces ("
	" name TEXT PRIMARY KEY,"
	" path TEXT NOT NULL);"; /* from the record's directory */

/*
 * Adds an index that gives the best of a problem on a device without reading the rest:
 * a search begins with them, also where a million evaluations are recorded. Rows come
 * in the order of tunings, so that the pages that insertions change lie together: 3 us
 * per row.
 */
static const char version_8[] = "CREATE INDEX evaluations_best ON evaluations"
				" (space, problem, device_id, outcome, time_ns);";

/* Adds which measurements a winner met in its finals; "": not known, as of all older
   crowns. */
static const char version_9[] =
	"ALTER TABLE crowns ADD COLUMN met TEXT NOT NULL DEFAULT '';";

/* Adds the cases on which configurations were found wrong. */
static const char version_10[] = "CREATE TABLE counterexamples ("
				 " id INTEGER PRIMARY KEY,"
				 " device_id INTEGER NOT NULL REFERENCES devices,"
				 " space TEXT NOT NULL,"
				 " instance TEXT NOT NULL," /* JSON: the case */
				 " failure TEXT NOT NULL);";

/* steps[n] leads from version n to n + 1; nothing is of version 0, where all begins */
static const char *const steps[VERSION] = { NULL, version_2, version_3, version_4,
	version_5, version_6, version_7, version_8, version_9, version_10 };

/* Checks whose database it is. Inside a transaction, since another process may be
   making the tables at the moment. */
static enum at_status check_owner(
	struct at_store *self, int64_t *version, struct at_error *err)
{
	const char *path = at_sqlite_path(self->database);
	int64_t application = 0, tables = 0;
	enum at_status status;

	status = at_sqlite_integer(self->database, "PRAGMA user_version", version, err);
	if (!status)
		status = at_sqlite_integer(
			self->database, "PRAGMA application_id", &application, err);
	if (!status)
		status = at_sqlite_integer(self->database,
			"SELECT count(*) FROM sqlite_schema", &tables, err);
	if (status)
		return status;
	if (application != APPLICATION_ID && (application || *version || tables))
		return at_fail(err, AT_EINVAL, path, 0,
			"is a database of another program, not a record%s",
			self->is_foreign
				? ""
				: ": move it away, or choose another place with --results DIR");
	/* a negative number would be used as an index into steps */
	if (*version < 0)
		return at_fail(err, AT_EINVAL, path, 0,
			"is damaged, or not a record: it says that its version is %" PRId64
			"%s",
			*version,
			self->is_foreign
				? ""
				: "; move it away, or choose another place with --results DIR");
	if (*version > VERSION)
		return at_fail(err, AT_EINVAL, path, 0,
			"was written by a newer autotune (version %" PRId64
			" of the record, this program knows %d): use that one%s",
			*version, VERSION,
			self->is_foreign
				? ""
				: ", or choose another place with --results DIR");
	return AT_OK;
}

enum at_status at_store_check(
	struct at_store *self, bool *is_current, struct at_error *err)
{
	int64_t version = 0;
	enum at_status status = at_sqlite_execute(self->database, "BEGIN", err);

	if (status)
		return status;
	status = check_owner(self, &version, err);
	*is_current = version == VERSION;
	if (!status && *is_current)
		status = at_store_check_tables(self, err);
	at_sqlite_rollback(self->database);
	return status;
}

enum at_status at_store_migrate(struct at_store *self, struct at_error *err)
{
	int64_t version = 0;
	struct at_shield shield;
	enum at_status status = at_sqlite_begin(self->database, err);

	if (status)
		return status;
	/* a signal in between would leave a journal beside a record that is empty */
	at_shield_raise(&shield);
	/* another process may have migrated it while this one waited for the lock */
	status = check_owner(self, &version, err);
	if (!status && !version) {
		status = at_sqlite_execute(self->database, at_store_newest, err);
		version = VERSION;
	}
	for (; version < VERSION && !status; version++)
		status = at_sqlite_execute(self->database, steps[version], err);
	if (!status)
		status = at_store_check_tables(self, err);
	if (!status)
		status = at_sqlite_execute(self->database, MARK, err);
	if (!status)
		status = at_sqlite_commit(self->database, err);
	if (status)
		at_sqlite_rollback(self->database);
	at_shield_drop(&shield);
	return status;
}
