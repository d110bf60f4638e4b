/* Exports of the record as files of other tools, and imports of such files. */
#include "record_fixture.h"
#include "record/export.h"
#include "record/import.h"
#include "record/recording.h"
#include "record/sources.h"
#include "session/experience.h"

#include "base/json.h"
#include "base/memory.h"
#include "space/search_space.h"
#include "space/spec.h"

#include <math.h>

#include "suite.h"

#define NOON 1763715600

static struct at_store *new_store(const char *folder)
{
	struct at_store *store;
	char command[100];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	assert_int_equal(system(command), 0);
	assert_ok(at_store_open(folder, &store, &failure));
	return store;
}

static int64_t put_device(struct at_store *store)
{
	struct at_record_device device = record_device("cuda",
		"=NVIDIA \"H200\", 141GB", "nvidia-h200", "sm_90", "580.1", "GPU-1");
	int64_t id;

	assert_ok(at_store_put_device(store, &device, &id, &failure));
	return id;
}

static void put(struct at_store *store, uint64_t key, const char *configuration,
	enum at_outcome outcome, double time_ns, int64_t seconds)
{
	const bool is_ok = outcome == AT_OUTCOME_OK;
	double samples[] = { time_ns, time_ns / 3 };
	struct at_evaluation evaluation =
		record_evaluation(1, key, is_ok ? time_ns : (double)NAN);

	evaluation.problem_json = "{\"M\": 4096, \"N\": 64}";
	evaluation.configuration = (char *)configuration;
	evaluation.outcome = outcome;
	evaluation.detail = is_ok ? "" : "@C[0] is 1, \"expected\" 2";
	evaluation.sample_count = is_ok ? 2 : 0;
	evaluation.samples_ns = samples;
	evaluation.facts.registers = 40 + (int64_t)key;
	evaluation.facts.occupancy = 0.5;
	snprintf(evaluation.facts.limiting_factor, AT_FACT_LINE_SIZE, "registers");
	evaluation.facts.compile_ns = 250000000;
	evaluation.measure_ns = 5000000;
	evaluation.created_seconds = NOON + seconds;
	assert_ok(at_store_add(store, &evaluation, &failure));
}

/* words that look like other things, and names that are columns */
#define CONFIGURATION(block, word, on, ratio) \
	"{\"BLOCK\": " block ", \"MODE\": \"" word "\", \"ON\": " on \
	", \"RATIO\": " ratio ", \"outcome\": 3, \"MINUS\": -2}"

static struct at_store *make_store(const char *folder)
{
	struct at_store *store = new_store(folder);

	put_device(store);
	/* of an older state of the space */
	put(store, 90, "{\"BLOCK\": 16}", AT_OUTCOME_OK, 1, -100);
	/* of an older source, and measured since */
	put(store, 1, CONFIGURATION("32", "=1+1", "true", "0.5"), AT_OUTCOME_OK, 1000,
		0);
	put(store, 2, CONFIGURATION("32", "=1+1", "true", "0.5"), AT_OUTCOME_OK,
		2000.0 / 3, 1);
	put(store, 3, CONFIGURATION("16", "a,b", "false", "2.0"),
		AT_OUTCOME_WRONG_RESULT, 0, 2);
	put(store, 4, CONFIGURATION("16", "'true", "false", "0.5"), AT_OUTCOME_OK,
		12345.678901, 3);
	put(store, 5, CONFIGURATION("32", "16", "false", "1e-05"),
		AT_OUTCOME_TOO_MANY_RESOURCES, 0, 4);
	put(store, 6, CONFIGURATION("64", "line\\nend\\\"", "true", "0.5"),
		AT_OUTCOME_OK, 7e9, 5);
	put(store, 7, CONFIGURATION("64", "", "true", "0.5"), AT_OUTCOME_COMPILE_FAILED,
		0, 6);
	return store;
}

static void export(struct at_store *store, const char *slug,
	enum at_export_format format, struct at_strbuf *out)
{
	RELEASED(at_export_release) struct at_export_groups groups;
	bool found = false;

	assert_ok(at_export_list(store, "matmul", NULL, &groups, &failure));
	for (size_t i = 0; i < groups.count; i++) {
		if (strcmp(groups.items[i].device.slug, slug) != 0)
			continue;
		assert_ok(at_export_write(
			store, &groups.items[i], format, out, &failure));
		found = true;
	}
	assert_true(found);
}

static struct at_recording *read_text(const char *path, const struct at_strbuf *text)
{
	struct at_recording *recording = NULL;

	assert_ok(at_file_replace(path, text->data, text->length, &failure));
	assert_ok(at_recording_read(path, &recording, &failure));
	return recording;
}

static const enum at_export_format formats[] = { AT_EXPORT_T4, AT_EXPORT_CSV,
	AT_EXPORT_KERNEL_TUNER };

static void assert_near(double a, double b)
{
	if (!isnan(a) || !isnan(b))
		assert_true(fabs(a - b) <= 1e-15 * fabs(a));
}

/* ---- what is written ------------------------------------------------------- */

/* The result with the values of row `row` of another recording, whose words may stand
   in another order; NULL: it has none. */
static const struct at_recorded *find_same(
	const struct at_recording *self, const struct at_recording *other, size_t row)
{
	const size_t width = self->parameter_count;

	for (size_t i = 0; i < self->count; i++) {
		size_t k = 0;

		while (k < width &&
			at_value_equal(
				self->parameters[k].values[self->rows[i * width + k]],
				other->parameters[k]
					.values[other->rows[row * width + k]]))
			k++;
		if (k == width)
			return &self->results[i];
	}
	return NULL;
}

TEST(every_format_reads_back_to_the_same)
{
	OWNED(at_store_close) struct at_store *store = make_store("plain");
	OWNED(at_recording_free) struct at_recording *expected;

	assert_ok(at_recording_from_store(store, "plain", "matmul", "square",
		"nvidia-h200", &expected, &failure));
	assert_int_equal(expected->count, 6);
	for (size_t f = 0; f < AT_COUNT_OF(formats); f++) {
		RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
		OWNED(at_recording_free) struct at_recording *read;

		export(store, "nvidia-h200", formats[f], &text);
		read = read_text(at_export_ending(formats[f]), &text);
		assert_string_equal(read->kernel, "matmul");
		assert_string_equal(read->problem, "square");
		assert_string_equal(read->device, "=NVIDIA \"H200\", 141GB");
		assert_int_equal(read->count, expected->count);
		assert_int_equal(read->parameter_count, 6);
		for (size_t i = 0; i < read->parameter_count; i++) {
			const struct at_search_parameter *a = &read->parameters[i],
							 *b = &expected->parameters[i];

			assert_string_equal(a->name, b->name);
			assert_int_equal(a->type, b->type);
			assert_int_equal(a->value_count, b->value_count);
		}
		for (size_t i = 0; i < expected->count; i++) {
			const struct at_recorded *a = &expected->results[i];
			const struct at_recorded *b = find_same(read, expected, i);

			assert_non_null(b);
			assert_int_equal(a->outcome, b->outcome);
			assert_string_equal(a->reason, b->reason);
			/* also where milliseconds do not hold it exactly */
			assert_true(a->time_ns == b->time_ns ||
				    (isnan(a->time_ns) && isnan(b->time_ns)));
			assert_int_equal(a->created_seconds, b->created_seconds);
			assert_int_equal(a->sample_count, b->sample_count);
			assert_memory_equal(expected->samples_ns + a->sample_begin,
				read->samples_ns + b->sample_begin,
				a->sample_count * sizeof(double));
			assert_float_equal(
				a->compile_seconds, b->compile_seconds, 1e-12);
			assert_float_equal(
				a->measure_seconds, b->measure_seconds, 1e-12);
			assert_true(
				formats[f] != AT_EXPORT_CSV ||
				(b->facts.registers > 40 && b->facts.occupancy == 0.5));
		}
	}
}

/* Names to which some format gives a meaning, and names like theirs. */
static const char *const special[] = { "valid", "time", "Time (ms)", "time_ns", "a,b",
	"=1", "outcome", "registers", "samples_ns", "older_source", "space",
	"parameter.x", "parameter.outcome", "parameter.parameter.valid" };

TEST(every_name_of_a_parameter_reads_back)
{
	OWNED(at_store_close) struct at_store *store = new_store("special");
	RELEASED(at_strbuf_release)
	struct at_strbuf text = { 0 }, configuration = { 0 };
	struct at_export_groups groups;
	struct at_recording *read;

	put_device(store);
	for (int row = 0; row < 2; row++) {
		at_strbuf_clear(&configuration);
		for (size_t i = 0; i < AT_COUNT_OF(special); i++)
			at_strbuf_addf(&configuration, "%s\"%s\": %d", i ? ", " : "{",
				special[i], row);
		at_strbuf_add(&configuration, "}");
		put(store, (uint64_t)row + 1, at_strbuf_text(&configuration),
			AT_OUTCOME_OK, 1000 + row, row);
	}
	for (size_t f = 0; f < AT_COUNT_OF(formats); f++) {
		at_strbuf_clear(&text);
		/* a cache has the results beside the parameters, under fixed names */
		if (formats[f] == AT_EXPORT_KERNEL_TUNER) {
			assert_ok(at_export_list(store, NULL, NULL, &groups, &failure));
			assert_fails(at_export_write(store, &groups.items[0],
					     formats[f], &text, &failure),
				AT_EINVAL,
				"matmul has a parameter \"time\", which is the name of a result in a cache file of Kernel Tuner: export t4 or csv");
			assert_int_equal(text.length, 0);
			at_export_release(&groups);
			continue;
		}
		export(store, "nvidia-h200", formats[f], &text);
		read = read_text(at_export_ending(formats[f]), &text);
		assert_int_equal(read->count, 2);
		assert_int_equal(read->parameter_count, AT_COUNT_OF(special));
		for (size_t i = 0; i < AT_COUNT_OF(special); i++) {
			assert_string_equal(read->parameters[i].name, special[i]);
			assert_int_equal(read->parameters[i].value_count, 2);
		}
		at_recording_free(read);
	}
}

#define PLACES "space,problem,sizes,device,device_kind,architecture"

/* Files that an earlier version wrote have the prefix at its own columns alone. */
TEST(a_name_means_nothing_where_our_own_parameters_stand)
{
	static const char header[] = PLACES
		",valid,COST,time_us,GFLOPS,compile_time,Unnamed: 0,parameter.outcome,outcome,time_ns,raced,registers,older_source,samples_ns,detail\r\n";
	static const char row[] =
		"s,p,{},d,cuda,sm_90,%d,2,3,4,5,6,7,ok,10,false,40,false,10,\r\n";
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	OWNED(at_recording_free) struct at_recording *read;

	at_strbuf_add(&text, header);
	at_strbuf_addf(&text, row, 0);
	at_strbuf_addf(&text, row, 1);
	read = read_text("earlier.csv", &text);
	assert_int_equal(read->parameter_count, 7);
	assert_string_equal(read->parameters[0].name, "valid");
	assert_string_equal(read->parameters[2].name, "time_us");
	assert_string_equal(read->parameters[6].name, "outcome");
	assert_int_equal(read->count, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_near(read->results[i].time_ns, 10);
		assert_int_equal(read->results[i].facts.registers, 40);
	}
}

TEST(what_is_not_known_is_not_written)
{
	/* as earlier versions wrote it */
	static const char earlier[] =
		"{\"tune_params\": {\"a\": [1]}, \"cache\": {\"1\": {\"a\": 1, \"time\": 2, \"compile_time\": -1, \"benchmark_time\": -1.0000000000000002e-06, \"verification_time\": 0}}}";
	OWNED(at_store_close) struct at_store *store = new_store("unknown");
	struct at_evaluation evaluation = record_evaluation(1, 1, 1000);
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	struct at_recording *read;

	put_device(store);
	evaluation.configuration = (char *)"{\"BLOCK\": 16}";
	assert_ok(at_store_add(store, &evaluation, &failure));
	for (size_t f = 0; f < AT_COUNT_OF(formats); f++) {
		at_strbuf_clear(&text);
		export(store, "nvidia-h200", formats[f], &text);
		/* compilation_time, benchmark_time, verification_time */
		assert_null(strstr(text.data, "_time\""));
		read = read_text(at_export_ending(formats[f]), &text);
		assert_int_equal(read->results[0].outcome, AT_OUTCOME_OK);
		assert_true(isnan(read->results[0].measure_seconds));
		assert_true(isnan(read->results[0].compile_seconds));
		at_recording_free(read);
	}
	at_strbuf_clear(&text);
	at_strbuf_add(&text, earlier);
	read = read_text("negative.json", &text);
	assert_true(isnan(read->results[0].measure_seconds));
	assert_true(isnan(read->results[0].compile_seconds));
	at_recording_free(read);
}

/* Of RFC 4180: the cells of a line, unquoted; the test's own reader. */
static size_t split(char **at, char cells[][200], size_t limit)
{
	size_t count = 0, length = 0;
	bool quoted = false;

	for (char *from = *at;; from++) {
		if (*from == '"' && quoted && from[1] == '"') {
			cells[count][length++] = *from++;
		} else if (*from == '"') {
			quoted = !quoted;
		} else if (!quoted && (*from == ',' || *from == '\r')) {
			cells[count++][length] = '\0';
			length = 0;
			assert_true(count < limit);
			if (*from == '\r') {
				assert_int_equal(from[1], '\n');
				*at = from + 2;
				return count;
			}
		} else {
			assert_true(*from && length < 199);
			cells[count][length++] = *from;
		}
	}
}

TEST(csv_is_a_row_an_evaluation_and_no_formula)
{
	static char cells[60][200], names[60][200];
	OWNED(at_store_close) struct at_store *store = make_store("csv-record");
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	size_t width, rows = 0;
	char *at;

	export(store, "nvidia-h200", AT_EXPORT_CSV, &text);
	at = text.data;
	width = split(&at, names, 60);
	assert_string_equal(names[0], "space");
	assert_string_equal(names[6], "BLOCK");
	/* a parameter that has the name of a column */
	assert_string_equal(names[10], "parameter.outcome");
	assert_string_equal(names[12], "outcome");
	for (; *at; rows++) {
		assert_int_equal(split(&at, cells, 60), width);
		assert_string_equal(cells[3], "'=NVIDIA \"H200\", 141GB");
		for (size_t i = 0; i < width; i++) {
			bool is_number =
				strspn(cells[i], "-+.e0123456789") == strlen(cells[i]);

			assert_true(is_number || !strchr("=+-@\t\r", *cells[i]) ||
				    !*cells[i]);
		}
	}
	/* two of one configuration: each that counts */
	assert_int_equal(rows, 7);
	assert_string_equal(cells[7], "'");
	assert_string_equal(cells[11], "-2");
	assert_string_equal(cells[width - 1], "'@C[0] is 1, \"expected\" 2");
}

/* The facts of the published schema: what must be there, and of which type. */
TEST(t4_is_what_the_schema_asks_for)
{
	static const char *const invalidities[] = { "timeout", "compile", "runtime",
		"correctness", "constraints", "correct" };
	OWNED(at_store_close) struct at_store *store = make_store("t4-record");
	const struct at_json *results, *row;
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };
	OWNED(at_json_free) struct at_json *json;
	size_t ok = 0;

	export(store, "nvidia-h200", AT_EXPORT_T4, &text);
	assert_ok(at_json_parse(text.data, text.length, "t4", &json, &failure));
	assert_string_equal(at_json_text(at_json_get(json, "schema_version")), "1.0.0");
	results = at_json_get(json, "results");
	assert_int_equal(at_json_count(results), 6);
	for (size_t i = 0; (row = at_json_at(results, i)); i++) {
		const char *invalidity = at_json_text(at_json_get(row, "invalidity"));
		const struct at_json *times = at_json_get(row, "times");
		const struct at_json *measurements = at_json_get(row, "measurements");
		bool found = false;

		for (size_t k = 0; k < AT_COUNT_OF(invalidities); k++)
			found = found || !strcmp(invalidity, invalidities[k]);
		assert_true(found);
		assert_non_null(at_json_key_at(at_json_get(row, "configuration"), 5));
		assert_true(at_json_number(at_json_get(row, "correctness"), -1) ==
			    !strcmp(invalidity, "correct"));
		assert_true(at_json_number(
				    at_json_get(times, "compilation_time"), -1) == 250);
		assert_non_null(at_json_get(times, "runtimes"));
		assert_non_null(at_json_text(at_json_get(row, "timestamp")));
		assert_int_equal(at_json_count(at_json_get(row, "objectives")), 1);
		for (size_t k = 0; k < at_json_count(measurements); k++) {
			const struct at_json *one = at_json_at(measurements, k);

			assert_non_null(at_json_text(at_json_get(one, "name")));
			assert_non_null(at_json_text(at_json_get(one, "unit")));
			assert_true(at_json_number(at_json_get(one, "value"), -1) >= 0);
		}
		ok += at_json_count(measurements) > 0;
	}
	assert_int_equal(ok, 3);
}

/* Kernel Tuner looks a configuration up by Python's words, and knows four failures. */
TEST(a_cache_has_pythons_keys_and_kernel_tuners_words)
{
	static const char *const expected[] = {
		"\"32,=1+1,True,0.5,3,-2\": {",
		"\"16,a,b,False,2.0,3,-2\": {",
		"\"32,16,False,1e-05,3,-2\": {",
		"\"time\": \"InvalidConfig\", \"autotune_outcome\": \"too_many_resources\"",
		"\"time\": \"RuntimeFailedConfig\", \"autotune_outcome\": \"wrong_result\"",
		"\"time\": \"CompilationFailedConfig\"",
	};
	OWNED(at_store_close) struct at_store *store = make_store("cache-record");
	RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

	export(store, "nvidia-h200", AT_EXPORT_KERNEL_TUNER, &text);
	for (size_t i = 0; i < AT_COUNT_OF(expected); i++)
		if (!strstr(text.data, expected[i]))
			fail_msg("no %s in %s", expected[i], text.data);
	assert_string_equal(text.data + text.length - 5, "}}\n}\n");
}

/* ---- CSV by hand ----------------------------------------------------------- */

TEST(reads_csv_and_says_what_is_wrong_where)
{
	static const struct {
		const char *text;
		const char *error; /* NULL: it is read */
	} cases[] = {
		{ "BLOCK,TILE,time_ns\n16,1,2500\n32,1,1500\n", NULL },
		{ "\xef\xbb\xbf\"BLOCK\",\"time_ns\"\r\n\"16\",\"2500\"\r\n\r\n",
			NULL },
		{ "time_ns,parameter.BLOCK\r2500,16\r", NULL },
		{ "BLOCK,outcome,time_ns\n16,ok,2500\n8,crashed,\n4,nvcc said no,\n",
			NULL },
		{ "BLOCK,time_ns\n64,\n", NULL },
		{ "BLOCK,time_ns\n64,0\n", NULL },
		{ "BLOCK,time_ns\n64,1e20\n", NULL },
		{ "BLOCK,time_ms\n16,1\n",
			"x.csv:1: has no column \"time_ns\", as CSV of autotune has: convert it with share/autotune/to_t4.py csv" },
		{ "BLOCK,atime_ns\n16,1\n", "x.csv:1: has no column \"time_ns\"" },
		{ "BLOCK,time_ns,time_ns\n16,1,1\n",
			"x.csv:1: has the column \"time_ns\" twice" },
		{ "BLOCK,BLOCK,time_ns\n16,1,1\n",
			"x.csv: has the parameter \"BLOCK\" twice" },
		{ "BLOCK,time_ns,GFLOP/s\n16,1,7.5\n",
			"x.csv:1: column \"GFLOP/s\" is not known: put it in front of \"outcome\" and \"time_ns\" if it is a parameter, else leave it out" },
		{ "BLOCK,outcome,TILE,time_ns\n16,ok,1,1\n",
			"x.csv:1: column \"TILE\" is not known: put it in front of \"outcome\" and \"time_ns\" if it is a parameter, else leave it out" },
		{ "BLOCK,time_ns\n16,1,2\n",
			"x.csv:2: has more cells than there are columns" },
		{ "BLOCK,TILE,time_ns\n16,1,1\n8,1\n",
			"x.csv:3: has fewer cells than there are columns" },
		{ "BLOCK,time_ns,compile_ns\n16,1,-1\n",
			"x.csv:2: expected a number that is not negative, found \"-1\"" },
		{ "BLOCK,time_ns\n16,2.5ms\n",
			"x.csv:2: expected a number that is not negative, found \"2.5ms\"" },
		{ "BLOCK,outcome,time_ns\n16,ok,\n",
			"x.csv:2: is \"ok\", and has no time" },
		{ "BLOCK,time_ns\n\"a\nb\",1\n,1\n",
			"x.csv:4: has no value of \"BLOCK\"" },
		{ "BLOCK,time_ns\n\"16,1\n",
			"x.csv:2: a cell begins with \" and does not end" },
		{ "BLOCK,time_ns\n\"16\"x,1\n",
			"x.csv:2: a cell goes on behind its closing \"" },
		{ "space,BLOCK,time_ns\na,16,1\nb,8,1\n",
			"x.csv:3: has evaluations of a second space: one of each in a file" },
		{ "BLOCK,time_ns,samples_ns\n16,1,1 2 x\n",
			"x.csv:2: expected times above 0 in \"samples_ns\", found \"x\"" },
		{ "BLOCK,time_ns\n", "x.csv: holds no configurations" },
		{ "time_ns\n1\n", "x.csv: names no parameters" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		OWNED(at_recording_free) struct at_recording *recording = NULL;
		struct at_error err = { 0 };
		char text[1400];
		enum at_status status;

		file_write("x.csv", cases[i].text);
		status = at_recording_read("x.csv", &recording, &err);
		if (cases[i].error) {
			assert_int_equal(status, AT_EINVAL);
			assert_string_equal(at_error_format(&err, text, sizeof(text)),
				cases[i].error);
			continue;
		}
		if (status)
			fail_msg("%s: %s", cases[i].text, err.text);
		assert_string_equal(recording->parameters[0].name, "BLOCK");
		assert_int_equal(recording->parameters[0].type, AT_TYPE_INTEGER);
		for (size_t k = 0; k < recording->count; k++) {
			const struct at_recorded *result = &recording->results[k];
			int64_t block =
				recording->parameters[0]
					.values[recording->rows
							[k * recording->parameter_count]]
					.integer;

			if (block == 16)
				assert_near(result->time_ns, 2500);
			else if (block == 8)
				assert_int_equal(result->outcome, AT_OUTCOME_CRASHED);
			else if (block == 4)
				assert_string_equal(result->reason, "nvcc said no");
			else if (block == 64)
				assert_int_equal(
					result->outcome, AT_OUTCOME_LAUNCH_FAILED);
		}
	}
}

/* ---- into the record ------------------------------------------------------- */

static struct at_imported add(struct at_store *store, const char *path,
	const struct at_import_options *options)
{
	OWNED(at_recording_free) struct at_recording *recording;
	struct at_imported added;

	assert_ok(at_recording_read(path, &recording, &failure));
	assert_ok(at_store_import(store, recording, options, &added, &failure));
	return added;
}

static size_t count_of(struct at_store *store, const char *slug)
{
	struct at_recording *recording;
	struct at_error err = { 0 };
	size_t count;

	if (at_recording_from_store(
		    store, "x", "matmul", "square", slug, &recording, &err))
		return 0;
	count = recording->count;
	at_recording_free(recording);
	return count;
}

TEST(takes_each_format_once_as_of_a_device_of_its_own)
{
	const struct at_import_options options = { .origin = "x", .version = "0" };
	OWNED(at_store_close) struct at_store *store = make_store("from");
	OWNED(at_store_close) struct at_store *other = new_store("to");
	struct at_winner *winners;
	size_t count;

	for (size_t f = 0; f < AT_COUNT_OF(formats); f++) {
		const char *path = at_export_ending(formats[f]);
		struct at_strbuf text = { 0 };
		struct at_imported added;

		export(store, "nvidia-h200", formats[f], &text);
		assert_ok(at_file_replace(path, text.data, text.length, &failure));
		at_strbuf_release(&text);
		added = add(other, path, &options);
		assert_string_equal(added.slug, "imported-nvidia-h200-141gb");
		/* whatever the format, it is the same the second time */
		assert_int_equal(added.added, f ? 0 : 6);
		assert_int_equal(added.known, f ? 6 : 0);
		free(added.slug);
		assert_int_equal(count_of(other, "imported-nvidia-h200-141gb"), 6);
		/* and beside what a board did it does not stand */
		free(add(store, path, &options).slug);
		assert_int_equal(count_of(store, "imported-nvidia-h200-141gb"), 6);
		assert_int_equal(count_of(store, "nvidia-h200"), 6);
	}
	/* and out again: the same times */
	for (size_t f = 0; f < AT_COUNT_OF(formats); f++) {
		struct at_strbuf text = { 0 };
		OWNED(at_recording_free) struct at_recording *read;

		export(other, "imported-nvidia-h200-141gb", formats[f], &text);
		read = read_text(at_export_ending(formats[f]), &text);
		assert_int_equal(read->count, 6);
		at_strbuf_release(&text);
	}
	assert_ok(at_store_winners(other, NULL, 0, &winners, &count, &failure));
	assert_int_equal(count, 0);
	at_store_free_winners(winners, count);
}

TEST(wants_to_know_the_space_and_takes_other_names)
{
	static const char text[] = "BLOCK,time_ns\n16,2500000\n";
	struct at_import_options options = { .origin = "x", .version = "0" };
	OWNED(at_store_close) struct at_store *store = new_store("named");
	OWNED(at_recording_free) struct at_recording *recording;
	struct at_imported added;

	file_write("y.csv", text);
	assert_ok(at_recording_read("y.csv", &recording, &failure));
	assert_fails(at_store_import(store, recording, &options, &added, &failure),
		AT_EINVAL, "does not name its space: name it with --space");
	options.space = "a\033[2J";
	assert_fails(at_store_import(store, recording, &options, &added, &failure),
		AT_EINVAL,
		"the name of its space has a control character in it, or one that is not UTF-8: give another one with --space");
	options =
		(struct at_import_options){ "matmul", "square", "../A 100", "x", "0" };
	added = add(store, "y.csv", &options);
	assert_string_equal(added.slug, "imported-a-100");
	assert_int_equal(added.added, 1);
	assert_int_equal(count_of(store, added.slug), 1);
	free(added.slug);
}

/* A search of the same space learns from it; a plan of its own never finds it. */
TEST(a_search_learns_from_it)
{
	static const char spec_text[] =
		"problems = ( { name = \"square\"; N = 64; }, { name = \"other\"; N = 32; } );\n"
		"parameters: { BLOCK = [ 16, 32, 64 ]; };\n";
	static const char text[] =
		"BLOCK,time_ns\n16,2500000\n32,1500000\n128,500000\n64,\n";
	const struct at_import_options options = { "learned", "square", "A100", "x",
		"0" };
	OWNED(at_store_close) struct at_store *store = new_store("learned");
	struct at_search_space *space;
	OWNED(at_spec_free) struct at_spec *spec;
	struct at_properties properties = { 0 };
	struct at_value slots[256];

	file_write("learned.csv", text);
	assert_int_equal(put_device(store), 1);
	free(add(store, "learned.csv", &options).slug);
	assert_ok(at_spec_parse(
		spec_text, strlen(spec_text), "learned.cfg", &spec, &failure));
	assert_string_equal(spec->name, "learned");
	assert_true(spec->slot_count <= AT_COUNT_OF(slots));
	for (size_t p = 0; p < 2; p++) {
		struct at_experience experience;

		at_spec_bind(spec, &spec->problems[p], NULL, &properties, slots);
		assert_ok(at_search_space_new(spec, slots, &space, NULL, &failure));
		assert_ok(at_experience_gather(
			&(struct at_visit){
				.store = store,
				.spec = spec,
				.problem = &spec->problems[p],
				.space = space,
				.objective = &at_objective_time,
				.device_id = 1,
			},
			&experience, &failure));
		assert_int_equal(experience.own.count, 0);
		assert_int_equal(experience.other_count, 1);
		/* 128 is no value of the space */
		assert_int_equal(experience.others[0].count, 3);
		assert_true(experience.others[0].told[0].cost == 1.5e6);
		assert_true(experience.others[0].similarity == (p ? 0.35 : 0.5));
		at_experience_release(&experience);
		at_search_space_free(space);
	}
}

/* ---- older sources --------------------------------------------------------- */

static int64_t begin_run(struct at_store *store, const char *source)
{
	int64_t id;

	assert_ok(
		at_store_begin_run(store, 1, "matmul", "auto", 0, "1", &id, &failure));
	assert_ok(at_store_put_source(store, id, "square", source, &failure));
	return id;
}

static void put_of_run(struct at_store *store, int64_t run, uint64_t key,
	const char *configuration, double time_ns)
{
	struct at_evaluation evaluation = record_evaluation(1, key, time_ns);

	evaluation.run_id = run;
	evaluation.configuration = (char *)configuration;
	evaluation.created_seconds = NOON + (int64_t)key;
	assert_ok(at_store_add(store, &evaluation, &failure));
}

/* 2 of an older source, one of them measured again since. */
static struct at_store *make_edited(const char *folder, bool is_tuned_again)
{
	struct at_store *store = new_store(folder);
	int64_t run;

	put_device(store);
	run = begin_run(store, "0a");
	put_of_run(store, run, 1, "{\"BLOCK\": 32}", 1000);
	put_of_run(store, run, 2, "{\"BLOCK\": 64}", 2000);
	run = begin_run(store, "0b");
	if (is_tuned_again) {
		put_of_run(store, run, 3, "{\"BLOCK\": 64}", 2500);
		put_of_run(store, run, 4, "{\"BLOCK\": 128}", 3000);
	}
	return store;
}

static size_t occurrences(const char *text, const char *part)
{
	size_t count = 0;

	for (; (text = strstr(text, part)); text += strlen(part))
		count++;
	return count;
}

static void assert_without_older(const struct at_recording *recording, size_t older)
{
	assert_int_equal(recording->count, 2);
	assert_int_equal(recording->older_count, older);
	assert_int_equal(recording->parameters[0].value_count, 2);
	for (size_t i = 0; i < recording->count; i++)
		assert_true(recording->results[i].time_ns > 2000);
}

/* The newest of 64 is of today's source, that of 32 is not. */
TEST(marks_an_older_source_and_leaves_it_out_when_it_is_read)
{
	static const struct {
		const char *mark;
		size_t count; /* CSV has a row for each, the others one a configuration
			       */
	} marks[] = {
		{ "\"autotune_older_source\": true", 1 },
		{ ",true,,\r\n", 2 },
		{ "\"autotune_older_source\": true", 1 },
	};
	struct at_store *store = make_edited("edited", true);
	struct at_recording *recording;

	for (size_t f = 0; f < AT_COUNT_OF(formats); f++) {
		RELEASED(at_strbuf_release) struct at_strbuf text = { 0 };

		export(store, "nvidia-h200", formats[f], &text);
		if (occurrences(text.data, marks[f].mark) != marks[f].count)
			fail_msg("not %zu times %s in %s", marks[f].count,
				marks[f].mark, text.data);
		recording = read_text(at_export_ending(formats[f]), &text);
		assert_without_older(recording, marks[f].count);
		at_recording_free(recording);
	}
	at_store_close(store);
	/* the record itself, as a simulation reads it */
	assert_ok(at_recording_read("edited/autotune.db", &recording, &failure));
	assert_without_older(recording, 2);
	at_recording_free(recording);
}

TEST(says_that_all_is_of_an_older_source)
{
	struct at_recording *recording = NULL;

	at_store_close(make_edited("outdated", false));
	assert_fails(at_recording_read("outdated/autotune.db", &recording, &failure),
		AT_EINVAL,
		"all 2 evaluations are of an older source, compiler or driver: tune again first");
}

RUN_SUITE(NULL, NULL)
