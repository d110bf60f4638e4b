/* Cases on which a kernel was found wrong: found by one run, kept in record and result
   file, taken to other records, and replayed for every later winner. */
#include "executable.h"
#include "kernel/cxx.h"
#include "record/counterexample.h"
#include "record/store.h"

#include "suite.h"

/* only W = 1 computes the last element of an odd number */
#define SPACE(cases) \
	"kernel: { name = \"toy\"; template = \"toy.cu\"; reference = \"right\"; };\n" \
	"parameters: { W = [ 1, 2, 3, 4 ]; };\n" \
	"defaults: { W = 1; };\n" \
	"problems = ( { name = \"p\"; N = 64; } );\n" \
	"launch: { block = ( 64 ); grid = ( \"ceil_div(N, 64)\" ); };\n" \
	"arguments = (\n" \
	"  { name = \"x\"; type = \"float\"; count = \"N\"; access = \"in\";\n" \
	"    fill = \"uniform(-1, 1)\"; },\n" \
	"  { name = \"y\"; type = \"float\"; count = \"N\"; access = \"out\"; },\n" \
	"  { name = \"n\"; type = \"int\"; value = \"N\"; } );\n" \
	"domain: { N = \"1 .. 4096\"; };\n" \
	"verify: { derive = false; cases = " cases "; };\n" \
	"search: { budget = 2; samples = ( 1, 2 ); cache = \"warm\"; };\n"

#define FOUND "for { N = 63; }: y[62] is -nan, expected "
#define TUNE(w, results) \
	"tune toy.cfg --device host --thorough --set W=" w " --results " results

static int make_place(void **state)
{
	char version[300];

	if (at_cxx_version(version, sizeof(version), NULL))
		skip_because("no C++ compiler");
	executable_begin(state);
	executable_write("toy.cu",
		"#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)\n"
		"extern \"C\" __global__ void toy(const float *x, float *y, int n)\n"
		"{\n\tif (INDEX < (W == 1 ? n : n / 2 * 2))\n\t\ty[INDEX] = x[INDEX];\n}\n"
		"extern \"C\" __global__ void right(const float *x, float *y, int n)\n"
		"{\n\tfor (int i = INDEX; i < n; i += gridDim.x * blockDim.x)\n"
		"\t\ty[i] = x[i];\n}\n");
	executable_write("toy.cfg", SPACE("16"));
	return 0;
}

static void assert_run(const char *line, int code, const char *part)
{
	RELEASED(executable_drop)
	struct executable_outcome outcome = executable_run(line);

	if (outcome.code != code ||
		(!strstr(outcome.err, part) && !strstr(outcome.out, part)))
		fail_msg("%s: ended with %d, expected %d and \"%s\", and says:\n%s%s",
			line, outcome.code, code, part, outcome.out, outcome.err);
}

static size_t count_recorded(const char *results)
{
	struct at_counterexamples list = { 0 };
	OWNED(free) char *folder = executable_path(results);
	OWNED(at_store_close) struct at_store *store;
	size_t count;

	assert_ok(at_store_open(folder, &store, NULL));
	assert_ok(at_store_counterexamples(store, "toy", &list, NULL));
	for (size_t i = 0; i < list.count; i++)
		assert_non_null(strstr(list.items[i].instance,
			"{\"sizes\": {\"N\": 63}, \"contents\": []"));
	count = list.count;
	at_counterexamples_release(&list);
	return count;
}

/* The only result file below a folder of results; heap. *path: where it is. */
static char *read_result(const char *results, char path[300])
{
	char command[400], name[300] = "";
	FILE *pipe;

	snprintf(command, sizeof(command), "cd %s && ls %s/*/toy.json",
		executable_place, results);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	assert_non_null(fgets(name, sizeof(name), pipe));
	pclose(pipe);
	name[strcspn(name, "\n")] = '\0';
	snprintf(path, 300, "%s", name);
	return executable_read(name);
}

TEST_WITH(a_counterexample_is_kept_and_replayed_for_every_winner, make_place,
	executable_end)
{
	char path[300], command[400], *text;

	assert_run(TUNE("2", "found"), 3, "W=2: " FOUND);
	assert_int_equal(count_recorded("found"), 1);
	/* without drawn cases a run selects what is wrong, unless it knows the case */
	executable_write("toy.cfg", SPACE("0"));
	/* the next run finds it at once, and once is enough */
	assert_run(TUNE("3", "found"), 3, "W=3: " FOUND);
	assert_int_equal(count_recorded("found"), 1);

	/* whoever does not know it selects what is wrong */
	assert_run(TUNE("3", "other"), 0, "1 different case");
	assert_run("import found --results other", 0, "1 counterexample");
	assert_run("import found --results other", 0, "0 new evaluations");
	assert_int_equal(count_recorded("other"), 1);
	/* and the night withdraws it */
	assert_run("nightly toy.cfg --device host --results other --budget 12s", 4,
		"incorrect (wrong_result); " FOUND);
	text = read_result("other", path);
	assert_non_null(strstr(text, "\"counterexamples\": ["));
	assert_non_null(strstr(text, "\"W\": 2"));
	free(text);

	/* a result file alone tells it, too, and is written with it again */
	snprintf(command, sizeof(command),
		"cd %s && cp -r other shared && rm -f shared/autotune.db* shared/toy.h",
		executable_place);
	assert_int_equal(system(command), 0);
	assert_run(TUNE("4", "shared"), 3, "W=4: " FOUND);
	assert_run(TUNE("1", "shared"), 0, "different cases");
	text = read_result("shared", path);
	assert_non_null(strstr(text, "\"counterexamples\": ["));
	free(text);

	assert_run("forget toy --results other --yes", 0, "1 counterexample");
	assert_int_equal(count_recorded("other"), 0);
}

RUN_SUITE(NULL, NULL)
