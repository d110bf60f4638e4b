/* `autotune devices`: what it lists, and a device's ceilings through all layers. */
#include "program.h"

#include "base/sandbox.h"
#include "record/sqlite.h"
#include "evaluator/workers/ceilings.h"

#include <math.h>
#include <sys/stat.h>

#include "suite.h"

/* ---- helpers --------------------------------------------------------------- */

static int make_folder(void **state)
{
	*state = scratch_folder("devices");
	return 0;
}

static int remove_folder(void **state)
{
	scratch_remove(*state);
	free(*state);
	return 0;
}

#define IN_FOLDER(name) TEST_WITH(name, make_folder, remove_folder)

/* The one line of --json of a device; the caller's. */
static struct at_json *list(const char *environment, const char *results,
	const char *device, const char *option)
{
	RELEASED(program_release) struct program_result result;
	struct at_json *line = NULL;

	program_run_with(environment,
		(const char *const[]){ "devices", "--json", "--results", results,
			"--device", device, option, NULL },
		&result);
	if (result.exit_status)
		fail_msg("exit code %d: %s", result.exit_status, result.errors);
	if (at_json_parse(
		    result.output, strcspn(result.output, "\n"), "stdout", &line, NULL))
		fail_msg("no JSON: %s", result.output);
	assert_string_equal(strchr(result.output, '\n'), "\n");
	return line;
}

static double number(const struct at_json *object, const char *key)
{
	return at_json_number(at_json_get(object, key), (double)NAN);
}

static void assert_measured(const struct at_json *ceilings)
{
	static const char *const rates[] = { "copy_bytes_per_second",
		"float_flops_per_second", "double_flops_per_second" };

	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++)
		assert_true(isfinite(number(ceilings, rates[i])) &&
			    number(ceilings, rates[i]) > 0);
	/* numbers have fifteen digits */
	assert_true(
		fabs(number(ceilings, "ridge") / (number(ceilings, rates[1]) /
							 number(ceilings, rates[0])) -
			1) < 1e-12);
	assert_non_null(at_json_text(at_json_get(ceilings, "driver")));
	assert_true(number(ceilings, "created_seconds") > 1.7e9);
}

static int64_t count_recorded(const char *results)
{
	OWNED(free) char *path = scratch_path(results, "autotune.db");
	struct at_error err = { 0 };
	OWNED(at_sqlite_close) struct at_sqlite *database;
	int64_t count = 0;

	if (at_sqlite_open(path, &database, &err) ||
		at_sqlite_integer(
			database, "SELECT count(*) FROM ceilings", &count, &err))
		fail_msg("%s: %s", path, err.text);
	return count;
}

/* makes the record say what cannot have been measured */
static void disguise(const char *results)
{
	OWNED(free) char *path = scratch_path(results, "autotune.db");
	OWNED(at_sqlite_close) struct at_sqlite *database;

	assert_ok(at_sqlite_open(path, &database, &failure));
	assert_ok(at_sqlite_execute(database,
		"UPDATE ceilings SET copy_bytes_per_second = 1.25,"
		" float_flops_per_second = 5, driver = 'none'",
		&failure));
}

/*
 * "AUTOTUNE_CXX=..." of a compiler that says which it is and otherwise does `work`,
 * where $REAL is the system's; the caller's.
 */
static char *make_compiler(const char *folder, const char *work)
{
	struct at_strbuf text = { 0 };
	OWNED(free) char *path = scratch_path(folder, "cxx"), *absolute;

	at_strbuf_addf(&text,
		"#!/bin/sh\n"
		"REAL=$(command -v c++ || command -v g++ || command -v clang++)\n"
		"case \" $* \" in *' --version '*) exec $REAL --version;; esac\n"
		"%s\n",
		work);
	assert_ok(at_file_replace(path, at_strbuf_text(&text), text.length, &failure));
	assert_int_equal(chmod(path, 0755), 0);
	at_strbuf_release(&text);
	absolute = realpath(path, NULL);
	at_strbuf_addf(&text, "AUTOTUNE_CXX=%s", absolute);
	return at_strbuf_detach(&text);
}

/* ---- what is measured, and when ---------------------------------------------- */

static void check_on(const char *results, const char *device)
{
	OWNED(at_json_free) struct at_json *first = list(NULL, results, device, NULL);
	struct at_json *again;
	const struct at_json *ceilings = at_json_get(first, "ceilings");

	assert_measured(ceilings);
	assert_string_equal(at_json_text(at_json_get(ceilings, "driver")),
		at_json_text(at_json_get(first, "driver")));
	assert_int_equal(count_recorded(results), 1);
	/* the second time they are read */
	disguise(results);
	again = list(NULL, results, device, NULL);
	ceilings = at_json_get(again, "ceilings");
	assert_true(number(ceilings, "copy_bytes_per_second") == 1.25);
	assert_true(number(ceilings, "ridge") == 4);
	assert_true(number(ceilings, "double_flops_per_second") ==
		    number(at_json_get(first, "ceilings"), "double_flops_per_second"));
	assert_string_equal(at_json_text(at_json_get(ceilings, "driver")), "none");
	assert_int_equal(count_recorded(results), 1);
	at_json_free(again);
	/* and measured again when that is asked for; the older ones are kept */
	again = list(NULL, results, device, "--fresh");
	assert_measured(at_json_get(again, "ceilings"));
	assert_string_equal(
		at_json_text(at_json_get(at_json_get(again, "ceilings"), "driver")),
		at_json_text(at_json_get(first, "driver")));
	assert_int_equal(count_recorded(results), 2);
	at_json_free(again);
}

IN_FOLDER(measures_once_and_again_only_when_asked_to)
{
	check_on(*state, "host");
}

IN_FOLDER(measures_a_gpu_once_and_again_only_when_asked_to)
{
	if (!program_has_cuda())
		skip_because("no CUDA driver");
	check_on(*state, "cuda:0");
}

IN_FOLDER(boards_of_one_model_share_their_ceilings)
{
	struct program_result result;

	if (!program_has_cuda())
		skip_because("no CUDA driver");
	program_run((const char *const[]){ "devices", "--results", *state, "--device",
			    "cuda:all,cuda:0", "--fresh", NULL },
		&result);
	assert_int_equal(result.exit_status, 0);
	assert_int_equal(count_recorded(*state), 1);
	program_release(&result);
}

static void assert_shown_on_one_line(const char *output)
{
	const char *line = strstr(output, "\n          ceilings: copy ");

	assert_memory_equal(output, "host      ", 10);
	assert_non_null(line);
	assert_non_null(strstr(line, "B/s, FMA "));
	assert_non_null(strstr(line, "FLOP/s float, "));
	assert_non_null(strstr(line, "FLOP/s double; ridge at "));
	line = strstr(line, " flop/B; measured 20");
	assert_non_null(line);
	assert_int_equal(strlen(line), strlen(" flop/B; measured 2026-11-21\n"));
}

/* ---- what cannot be measured, recorded, found --------------------------------- */

IN_FOLDER(a_device_that_cannot_be_measured_is_listed_with_the_reason)
{
	static const char reason[] =
		"the tuner's own kernels do not compile for it: k.cu:1: error: a holiday";
	OWNED(free)
	char *compiler = make_compiler(
		*state, "echo 'k.cu:1: error: a holiday' >&2; echo 2 >&2; exit 1");
	OWNED(free)
	char *results = scratch_path(*state, "results"),
	     *record = scratch_path(results, "autotune.db");
	RELEASED(program_release) struct program_result result;
	OWNED(at_json_free) struct at_json *line;

	program_run_with(compiler,
		(const char *const[]){
			"devices", "--results", results, "--device", "host", NULL },
		&result);
	assert_int_equal(result.exit_status, 0);
	assert_memory_equal(result.output, "host      ", 10);
	assert_non_null(strstr(result.output, "\n          ceilings: not measured: "));
	assert_non_null(strstr(result.output, reason));
	line = list(compiler, results, "host", NULL);
	assert_non_null(at_json_text(at_json_get(line, "device")));
	assert_true(at_json_get(line, "ceilings") &&
		    !at_json_get(at_json_get(line, "ceilings"), "ridge"));
	/* nothing was measured, so that there is nothing to make a record for */
	assert_false(at_file_exists(record));
}

IN_FOLDER(a_record_that_cannot_be_written_is_a_note)
{
	OWNED(free)
	char *file = scratch_path(*state, "file"),
	     *results = scratch_path(file, "results");
	RELEASED(program_release) struct program_result result;

	assert_ok(at_file_replace(file, "", 0, &failure));
	program_run((const char *const[]){ "devices", "--results", results, "--device",
			    "host", NULL },
		&result);
	assert_int_equal(result.exit_status, 0);
	assert_shown_on_one_line(result.output);
	assert_memory_equal(
		result.errors, "autotune: the ceilings are not recorded: ", 41);
	assert_non_null(strstr(result.errors, "--results DIR"));
	/* one line */
	assert_string_equal(strchr(result.errors, '\n'), "\n");
}

IN_FOLDER(lists_only_what_was_named_and_tells_what_is_not_there)
{
	static const struct {
		const char *device;
		int exit_status;
		const char *errors;
	} rows[] = {
		{ "cuda:1023", 1, "autotune: there is no device cuda:1023 here\n" },
		{ "host:1", 1, "autotune: there is no device host:1 here\n" },
		{ "hots", 2,
			"autotune: unknown device \"hots\", did you mean \"host\"? Known are cuda:N, cuda:all and host\n" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		RELEASED(program_release) struct program_result result;

		program_run((const char *const[]){ "devices", "--results", *state,
				    "--device", rows[i].device, NULL },
			&result);
		assert_int_equal(result.exit_status, rows[i].exit_status);
		assert_string_equal(result.errors, rows[i].errors);
		assert_null(strstr(result.output, "ceilings"));
	}
}

/* ---- what goes wrong on the way ------------------------------------------------ */

static enum at_status measure_with(
	const char *folder, const char *work, struct at_error *err)
{
	OWNED(free) char *compiler = make_compiler(folder, work);
	struct at_device_info info;
	struct at_ceilings got;
	enum at_status status;

	setenv("AUTOTUNE_CXX", strchr(compiler, '=') + 1, 1);
	status = at_workers_measure_ceilings(AT_PROGRAM, "host", &info, &got, err);
	unsetenv("AUTOTUNE_CXX");
	return status;
}

IN_FOLDER(a_crash_while_measuring_is_an_error_of_one_line)
{
	OWNED(free) char *header = scratch_path(*state, "crash.h"), *absolute;
	static const char crash[] = "__attribute__((constructor)) static void crash()\n"
				    "{ __builtin_abort(); }\n";
	RELEASED(at_strbuf_release) struct at_strbuf work = { 0 };
	struct at_error err = { 0 };

	file_write(header, crash);
	absolute = realpath(header, NULL);
	at_strbuf_addf(&work, "exec $REAL -include %s \"$@\"", absolute);
	assert_int_equal(measure_with(*state, at_strbuf_text(&work), &err), AT_EDEVICE);
	if (!strstr(err.text,
		    "device host: while measuring its ceilings, the process was ended by signal 6 (Aborted)"))
		fail_msg("%s", err.text);
}

IN_FOLDER(a_device_that_is_not_there_is_an_error_of_one_line)
{
	struct at_device_info info;
	struct at_ceilings got;

	assert_fails_with(at_workers_measure_ceilings(
				  AT_PROGRAM, "host:1", &info, &got, &failure),
		AT_ENOENT, "there is no device \"host:1\"");
}

/* the compiler interrupts whoever asked for it, and would then go on for long */
IN_FOLDER(an_interrupt_ends_it)
{
	OWNED(free)
	char *compiler = make_compiler(
		*state, "kill -INT $AUTOTUNE_COORDINATOR; exec sleep 600");
	RELEASED(program_release) struct program_result result;

	/* from inside the sandbox it could not */
	at_sandbox_lift();
	program_run_with(compiler,
		(const char *const[]){ "devices", "--results", *state, "--device",
			"host", "--json", NULL },
		&result);
	unsetenv(AT_SANDBOX_VARIABLE);
	assert_int_equal(result.exit_status, 130);
	assert_non_null(strstr(result.errors, "interrupted"));
}
/* whether the machine has no GPU, or hides it: who named none gets the CPU, and is told
   so first */
IN_FOLDER(without_a_gpu_the_cpu_is_used_and_that_is_told)
{
	static const struct {
		const char *command, *space;
	} rows[] = {
		/* it does not get far, but as far as the devices */
		{ "tune", AT_TEST_DIR "/spaces/broken/holes.cfg" },
		{ "nightly", AT_TEST_DIR "/spaces/scale.cfg" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		RELEASED(program_release) struct program_result result;

		program_run_with("CUDA_VISIBLE_DEVICES=",
			(const char *const[]){ rows[i].command, rows[i].space,
				"--results", *state, "--budget", "5s", NULL },
			&result);
		if (!strstr(result.errors,
			    "autotune: no GPU can be used, so this is done on device \"host\": ") &&
			!strstr(result.errors,
				"autotune: no NVIDIA driver found: tuning on the CPU\n"))
			fail_msg("%s: %s", rows[i].command, result.errors);
	}
}

RUN_SUITE(NULL, NULL)
