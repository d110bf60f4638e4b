/* The executable itself: exit codes, what goes to which stream, and the wording. */
#include "base/json.h"
#include "executable.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suite.h"

/* ---- the spaces that it reads --------------------------------------------------- */

static const char good[] = "parameters: { A = [ 1, 2, 3, 4 ]; B = [ 0, 1, 2 ]; };\n"
			   "constraints = ( \"A % B == 0\", \"B < 2\" );\n";
static const char sized[] =
	"problems = ( { name = \"small\"; N = 2; }, { name = \"large\"; N = 3; } );\n"
	"parameters: { A = [ 1, 2, 3, 4 ]; };\n"
	"constraints = ( \"A <= N\" );\n";
static const char on_device[] =
	"parameters: { A = [ 512, 1024, 2048 ]; };\n"
	"constraints = ( \"A <= device.max_threads_per_block\" );\n";
static const char hosted[] = "problems = ( { name = \"p\"; on = \"host\"; } );\n"
			     "parameters: { A = [ 512, 1024 ]; };\n"
			     "constraints = ( \"A <= device.warp_size\" );\n";
static const char strange[] = "parameters: { A = [ 1, 2 ]; };\n"
			      "problems = ( { name = \"p\"; N = 1; },\n"
			      "  { name = \"q\"; on = \"hots\"; N = 2; } );\n";
static const char stranger[] =
	"parameters: { A = [ 1, 2 ]; };\n"
	"problems = ( { N = 1; } );\n"
	"verify: { problems = ( { name = \"v\"; on = \"gpu\"; N = 2; } ); };\n";
static const char wished[] = "parameters: { A = [ 1, 2 ]; };\n"
			     "search: { strategy = \"astrology\"; };\n";
static const char told[] = "parameters: { A = [ 1, 2 ]; };\n"
			   "search: { strategy = \"genetic,popsize=3\"; };\n";
static const char on_board[] =
	"parameters: { A = [ 64, 128, 256 ]; };\n"
	"constraints = ( \"A <= device.multiprocessor_count\" );\n";
static const char on_cache[] =
	"parameters: { A = [ 64, 128 ]; };\n"
	"constraints = ( \"A <= device.l2_bytes\", \"A <= device.multiprocessor_count\" );\n";
static const char empty[] = "parameters: { A = [ 1, 2 ]; };\n"
			    "constraints = ( \"A > 0\", \"A > 5\" );\n";
static const char broken[] = "parameters: { A = [ 1, 2 ]; };\n"
			     "constraints = ( \"A >\" );\n";
static const char refused[] = "parameters: { A = [ 1, 2 ]; };\n"
			      "defaults: { A = 1; };\n"
			      "constraints = ( \"A > 0\",\n"
			      "  \"A > 1\" );\n";

/* A space with everything that tuning needs. */
static void write_whole(
	const char *name, const char *template, const char *block, const char *more)
{
	static const char format[] =
		"kernel: { name = \"toy\"; template = \"%s\"; reference = \"right\"; };\n"
		"problems = ( { name = \"p\"; N = 64; } );\n"
		"parameters: { A = [ 1, 2 ]; };\n"
		"defaults: { A = 1; };\n"
		"launch: { block = ( \"%s\" ); grid = ( \"N\" ); };\n"
		"arguments = ( { name = \"x\"; type = \"float\"; count = \"64 * N\"; access = \"out\"; } );\n%s";
	char text[1000];

	snprintf(text, sizeof(text), format, template, block, more);
	executable_write(name, text);
}

static int make_place(void **state)
{
	OWNED(free) char *folder;

	executable_begin(state);
	executable_write("good.cfg", good);
	executable_write("sized.cfg", sized);
	executable_write("results.json", "{}");
	executable_write("device.cfg", on_device);
	executable_write("hosted.cfg", hosted);
	executable_write("strange.cfg", strange);
	executable_write("stranger.cfg", stranger);
	executable_write("wished.cfg", wished);
	executable_write("told.cfg", told);
	executable_write("board.cfg", on_board);
	executable_write("cache.cfg", on_cache);
	executable_write("empty.cfg", empty);
	executable_write("broken.cfg", broken);
	executable_write("refused.cfg", refused);
	executable_write("toy.cu", "__global__ void toy(float *x) { x[0] = A; }\n"
				   "__global__ void right(float *x) { x[0] = 1; }\n");
	write_whole("whole.cfg", "toy.cu", "32 * A", "");
	write_whole("home.cfg", "~/toy.cu", "32 * A", "");
	folder = executable_path("my(1)");
	assert_true(!mkdir(folder, 0700) || errno == EEXIST);
	write_whole("my(1)/home.cfg", "~/toy.cu", "32 * A", "");
	write_whole("my(1)/away.cfg", "away.cu", "32 * A", "");
	write_whole("inline.cfg", "__global__ void toy() {}", "32 * A", "");
	write_whole("optioned.cfg", "toy.cu", "32 * A",
		"options = ( \"-DL2=${device.l2_bytes}\" );\n");
	/* a property that only a later component of a vector uses */
	executable_write("component.cfg",
		"kernel: { name = \"toy\"; template = \"toy.cu\"; reference = \"right\"; };\n"
		"problems = ( { name = \"p\"; N = 64; } );\n"
		"parameters: { A = [ 1, 2 ]; };\n"
		"launch: { block = ( \"32\" ); grid = ( \"N\" ); };\n"
		"arguments = ( { name = \"x\"; type = \"float\"; count = \"N\"; access = \"out\"; },\n"
		"  { name = \"n\"; type = \"int2\";\n"
		"    value = ( \"1\", \"device.multiprocessor_count\" ); } );\n");
	/* on the problem under verify nothing makes sense, but that is the host's */
	write_whole("apart.cfg", "toy.cu", "32 * A",
		"options = ( \"-DT=${device.max_threads_per_block}\" );\n"
		"verify: { problems = ( { name = \"v\"; on = \"host\"; N = 0; } ); };\n");
	write_whole("lost.cfg", "gone.cu", "32 * A", "");
	executable_write("renamed.cu",
		"__global__ void game(float *x) { x[0] = A; }\n"
		"__global__ void right(float *x) { x[0] = 1; }\n");
	write_whole("nameless.cfg", "renamed.cu", "32 * A", "");
	write_whole("wide.cfg", "toy.cu", "2048 * A", "");
	return 0;
}

/* ---- what it says ---------------------------------------------------------------- */

struct row {
	const char *line;
	int code;
	/* a part of each stream; NULL: nothing at all is printed there */
	const char *out;
	const char *err;
};

static const struct row rows[] = {
	/* usage: told on stderr, exit code 2 */
	{ "", 2, NULL, "usage: autotune [tune] SPACE..." },
	{ "chek good.cfg", 2, NULL,
		"autotune: unknown command \"chek\"; did you mean \"check\"?\n" },
	{ "check --jsno good.cfg", 2, NULL,
		"autotune: unknown option --jsno; did you mean --json?\n" },
	{ "good.cfg --top 3", 2, NULL,
		"autotune: \"autotune tune\" has no option --top; it is one of \"autotune results\"\n" },
	{ "good.cfg --device cda:0", 2, NULL, "autotune: unknown device \"cda:0\"" },
	{ "good.cfg --budget soon", 2, NULL, "autotune: --budget: " },
	{ "check --arch sm_90 --device host device.cfg", 2, NULL,
		"--device and --arch exclude each other" },
	{ "header -o x.h good.cfg sized.cfg", 2, NULL, "-o names one file" },
	{ "help chek", 2, NULL, "did you mean \"check\"?" },

	{ "check good.cfg --arch sm_80 --arch sm_90", 0, "Cartesian size 12",
		"warning: --arch is given more than once: the last one, \"sm_90\", counts\n" },

	/* help: on stdout, exit code 0 */
	{ "--help", 0, "usage: autotune [tune] SPACE...", NULL },
	{ "help", 0, "\nexit codes\n", NULL },
	{ "help check", 0, "usage: autotune check SPACE...", NULL },
	{ "check --help", 0, "--arch sm_NN|newest", NULL },
	{ "help tune", 0, "\nstrategies\n", NULL },
	{ "help --markdown", 0, "| option | commands | meaning |\n", NULL },
	{ "--version", 0, "autotune ", NULL },

	/* counting */
	{ "check good.cfg", 0, "Cartesian size 12, valid size 4 (33.3 %)", NULL },
	{ "check good.cfg", 0, "(4 divide by zero)", NULL },
	{ "check good.cfg --set B=1", 0, "Cartesian size 4, valid size 4", NULL },
	{ "check good.cfg --quiet", 0, NULL, NULL },
	{ "check sized.cfg", 0,
		"sized.cfg, problem large\n  Cartesian size 4, valid size 3", NULL },
	{ "check sized.cfg --problem small", 0, "valid size 2", NULL },
	{ "check device.cfg --arch sm_90", 0, "device.cfg, sm_90\n", NULL },
	{ "check board.cfg --arch sm_80", 0, "valid size 1",
		"note: device.multiprocessor_count is 108 as on the A100: sm_80 does not tell it\n" },
	{ "check board.cfg --arch sm_90", 0, "valid size 2",
		"note: device.multiprocessor_count is 132 as on the H100 SXM: sm_90 does not tell it\n" },
	{ "check optioned.cfg --arch sm_90", 0, "valid size 2",
		"note: device.l2_bytes is 52428800 as on the H100 SXM" },
	{ "check component.cfg --arch sm_90", 0, "valid size 2",
		"note: device.multiprocessor_count is 132 as on the H100 SXM" },
	{ "check board.cfg --arch sm_90 --quiet", 0, NULL, NULL },
	{ "check board.cfg --arch sm_103", 1, "", "device.multiprocessor_count" },
	{ "check whole.cfg", 0, "valid size 2", NULL },

	/* what is wrong with a space: file and line, exit code 1 */
	{ "check gone.cfg", 1, NULL, "autotune: gone.cfg: " },
	{ "gone.cfg", 1, NULL, "autotune: gone.cfg: " },
	{ "good", 2, NULL, "did you mean the space file good.cfg?" },
	{ "check good", 1, NULL,
		"autotune: good: there is no such file; did you mean \"good.cfg\"?\n" },
	{ "check -", 1, NULL, "autotune: -: a space is read from a file, " },
	{ "check ./god.cfg", 1, NULL,
		"autotune: ./god.cfg: there is no such file; did you mean \"./good.cfg\"?\n" },
	{ "toy.cu", 1, NULL,
		"autotune: toy.cu: is a source file: name the space file (.cfg) whose template it is\n" },
	{ "results.json", 1, NULL,
		"autotune: results.json: is a JSON file, no space file (.cfg): recordings are for simulate" },
	{ "import good.cfg", 1, NULL,
		"autotune: good.cfg: is a space file, no recording: expected a T4 file" },
	{ "simulate toy.cu", 1, NULL,
		"autotune: toy.cu: is a source file, no recording: " },
	{ "compare good.cfg toy.cu", 1, NULL,
		"autotune: good.cfg: is a space file: expected a folder of results, or one result file (.json)\n" },
	{ "check A=1", 1, NULL,
		"autotune: A=1: there is no such file; a parameter is set with --set A=1" },
	{ "check good.cfg --force", 2, NULL, "unknown option --force; " },
	{ "good.cfg --device gpu", 2, NULL,
		"unknown device \"gpu\"; known are cuda:N" },
	{ "good.cfg", 1, NULL, "autotune: good.cfg: " },
	{ "check broken.cfg", 1, NULL, "autotune: broken.cfg:2: " },
	{ "check home.cfg", 1, "home.cfg\n",
		"the template \"~/toy.cu\" is not there: only a shell knows ~, write the folder's path\n" },
	{ "check my(1)/home.cfg", 1, "my(1)/home.cfg\n",
		"the template \"my(1)/~/toy.cu\" is not there: only a shell knows ~, write the folder's path\n" },
	{ "check my(1)/away.cfg", 1, "my(1)/away.cfg\n",
		"the template \"my(1)/away.cu\" is not there: paths count from the folder of the space file\n" },
	{ "check inline.cfg", 1, "inline.cfg\n",
		"the template \"__global__ void toy() {}\" is not there: this is the path of a file, and not what is in it\n" },
	{ "check good.cfg --set C=1", 1, NULL, "\"C\"" },
	{ "check good.cfg --set A=1,B=2", 1, NULL,
		"; another parameter has a --set of its own\n" },
	{ "check sized.cfg --set N=1", 1, NULL,
		"\"N\" is a size of problems and no parameter: problems are chosen by name, with --problem\n" },
	{ "check sized.cfg --problem small,large", 1, NULL,
		"there is no problem \"small,large\": each problem has a --problem of its own\n" },
	{ "check sized.cfg --problem smal", 1, NULL,
		"there is no problem \"smal\"; did you mean \"small\"?" },
	{ "check sized.cfg --problem zzzzzz", 1, NULL,
		"there is no problem \"zzzzzz\"; known are small and large\n" },
	{ "check hosted.cfg --arch sm_90", 1, NULL,
		"autotune: hosted.cfg: no problem asked for is for sm_90: see \"on\"" },
	{ "check wished.cfg", 1, NULL,
		"autotune: wished.cfg:2: search: unknown strategy \"astrology\"" },
	{ "check told.cfg", 1, NULL,
		"autotune: told.cfg:2: search: strategy \"genetic\" has no option \"popsize\"" },
	{ "good.cfg --strategy local,start=0", 2, NULL,
		"--strategy: strategy \"local\": \"start=0\" is no option" },
	{ "check strange.cfg", 1, NULL,
		"autotune: strange.cfg:3: problem \"q\": unknown kind of device \"hots\"; did you mean \"host\"?\n" },
	{ "strange.cfg", 1, NULL, "strange.cfg:3: problem \"q\": unknown kind" },
	{ "check stranger.cfg", 1, NULL,
		"autotune: stranger.cfg:3: problem \"v\": unknown kind of device \"gpu\"; known are cuda and host" },
	{ "check empty.cfg", 1, "valid size 0", "\"A > 5\"" },
	{ "check refused.cfg", 1, "valid size 1",
		"autotune: refused.cfg:4: the defaults do not satisfy the constraint \"A > 1\" (problem default)" },
	{ "check lost.cfg", 1, "valid size 2", "gone.cu" },
	{ "check nameless.cfg", 1, "valid size 2",
		"autotune: nameless.cfg:1: kernel \"toy\" not found in " },
	{ "check wide.cfg", 1, "valid size 2",
		"wide.cfg:5: launch.block[0]: \"2048 * A\" is 2048: expected 1 to 1024 (the defaults, problem p)" },
	{ "check apart.cfg --arch sm_90", 0, "valid size 2", NULL },
	{ "check apart.cfg --device host", 1, "valid size 2",
		"apart.cfg:5: launch.grid[0]: \"N\" is 0: expected 1 to 2147483647 (the defaults, problem v of verify)" },
	{ "check broken.cfg good.cfg", 1, "good.cfg\n", "broken.cfg:2: " },

	/* a command that reads the record makes none */
	{ "results", 1, NULL, "nothing is recorded in \"results\"" },
	{ "header good.cfg", 1, NULL, "nothing is recorded in \"results\"" },
};

static void assert_stream(
	const char *line, const char *name, const char *text, const char *expected)
{
	if (expected ? strstr(text, expected) != NULL : !*text)
		return;
	fail_msg("autotune %s: on %s expected %s, found:\n%s", line, name,
		expected ? expected : "nothing", text);
}

TEST(says_the_right_thing_with_the_right_code)
{
	OWNED(free) char *results = executable_path("results");

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		RELEASED(executable_drop)
		struct executable_outcome outcome = executable_run(rows[i].line);

		assert_stream(rows[i].line, "stdout", outcome.out, rows[i].out);
		assert_stream(rows[i].line, "stderr", outcome.err, rows[i].err);
		if (outcome.code != rows[i].code)
			fail_msg("autotune %s: exit code %d, expected %d", rows[i].line,
				outcome.code, rows[i].code);
	}
	assert_false(at_file_exists(results));
}

/* What is read and makes no sense would be taken for none at all. */
TEST(a_variable_that_makes_no_sense_is_told)
{
	static const struct {
		const char *name, *value;
		int code;
		const char *err;
	} cases[] = {
		{ "AUTOTUNE_PATIENCE", "x", 2,
			"autotune: AUTOTUNE_PATIENCE is \"x\": expected a whole number of seconds from 0 to 1000000\n" },
		{ "AUTOTUNE_PATIENCE", "-1", 2, "AUTOTUNE_PATIENCE is \"-1\"" },
		{ "AUTOTUNE_PATIENCE", "7", 0, NULL },
		{ "AUTOTUNE_CACHE_MB", "2G", 2, "AUTOTUNE_CACHE_MB is \"2G\"" },
		{ "AUTOTUNE_SANDBOX", "no", 2,
			"autotune: AUTOTUNE_SANDBOX is \"no\": expected off, or nothing\n" },
		{ "AUTOTUNE_CASHE", "/tmp", 0,
			"note: the environment has AUTOTUNE_CASHE, which nothing reads; did you mean AUTOTUNE_CACHE?\n" },
		{ "AUTOTUNE_RESULTS", "/tmp", 0, NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		RELEASED(executable_drop) struct executable_outcome outcome;

		setenv(cases[i].name, cases[i].value, 1);
		outcome = executable_run("check good.cfg");
		unsetenv(cases[i].name);
		assert_stream(cases[i].name, "stderr", outcome.err, cases[i].err);
		assert_int_equal(outcome.code, cases[i].code);
	}
}

/* ---- JSON --------------------------------------------------------------------- */

static int64_t whole(const struct at_json *object, const char *key)
{
	return at_json_whole(at_json_get(object, key), -1);
}

TEST(counts_in_json)
{
	RELEASED(executable_drop)
	struct executable_outcome outcome = executable_run("check good.cfg --json");
	OWNED(at_json_free) struct at_json *line = executable_json_line(outcome.out, 0);
	const struct at_json *constraints = at_json_get(line, "constraints");
	int64_t removed = 0;

	assert_int_equal(outcome.code, 0);
	assert_int_equal(executable_count_lines(outcome.out), 1);
	assert_string_equal(at_json_text(at_json_get(line, "space")), "good");
	assert_int_equal(whole(line, "cartesian"), 12);
	assert_int_equal(whole(line, "valid"), 4);
	assert_true(at_json_number(at_json_get(line, "seconds"), -1) >= 0);
	assert_int_equal(at_json_count(constraints), 2);
	assert_string_equal(
		at_json_text(at_json_get(at_json_at(constraints, 0), "text")),
		"A % B == 0");
	assert_int_equal(whole(at_json_at(constraints, 0), "divisions_by_zero"), 4);
	assert_int_equal(whole(at_json_at(constraints, 1), "divisions_by_zero"), 0);
	for (size_t i = 0; i < 2; i++)
		removed += whole(at_json_at(constraints, i), "removed");
	assert_int_equal(removed, 12 - 4);
}

TEST(counts_each_problem_in_json)
{
	RELEASED(executable_drop)
	struct executable_outcome outcome = executable_run("check --json sized.cfg");
	OWNED(at_json_free)
	struct at_json *small = executable_json_line(outcome.out, 0),
		       *large = executable_json_line(outcome.out, 1);

	assert_int_equal(outcome.code, 0);
	assert_int_equal(executable_count_lines(outcome.out), 2);
	assert_string_equal(at_json_text(at_json_get(small, "problem")), "small");
	assert_int_equal(whole(small, "valid"), 2);
	assert_string_equal(at_json_text(at_json_get(large, "problem")), "large");
	assert_int_equal(whole(large, "valid"), 3);
}

/* one line for each property in use, however many spaces use it */
TEST(notes_once_what_it_takes_from_a_board)
{
	RELEASED(executable_drop)
	struct executable_outcome outcome = executable_run(
		"check --arch sm_90 board.cfg device.cfg cache.cfg board.cfg");

	assert_int_equal(outcome.code, 0);
	assert_string_equal(outcome.err,
		"note: device.multiprocessor_count is 132 as on the H100 SXM: sm_90 does not tell it\n"
		"note: device.l2_bytes is 52428800 as on the H100 SXM: sm_90 does not tell it\n");
}

/* the record of what was counted is whole also when the space is empty */
TEST(counts_an_empty_space_in_json)
{
	RELEASED(executable_drop)
	struct executable_outcome outcome = executable_run("check --json empty.cfg");
	OWNED(at_json_free) struct at_json *line = executable_json_line(outcome.out, 0);

	assert_int_equal(outcome.code, 1);
	assert_int_equal(whole(line, "valid"), 0);
}

TEST(lists_devices_in_json)
{
	RELEASED(executable_drop)
	struct executable_outcome outcome =
		executable_run("devices --json --results scratch");
	size_t count = executable_count_lines(outcome.out);

	assert_int_equal(outcome.code, 0);
	assert_true(count >= 1);
	for (size_t i = 0; i < count; i++) {
		OWNED(at_json_free)
		struct at_json *line = executable_json_line(outcome.out, i);

		assert_non_null(at_json_text(at_json_get(line, "kind")));
		/* a device, or the reason why none exists */
		assert_true(at_json_text(at_json_get(line, "device")) ||
			    at_json_text(at_json_get(line, "reason")));
	}
}

/* ---- streams that refuse --------------------------------------------------------- */

TEST(fails_when_the_disk_is_full)
{
	char *err;

	if (access("/dev/full", W_OK))
		skip_because("no /dev/full");
	assert_int_equal(executable_run_to("check good.cfg", "/dev/full"), 1);
	err = executable_read("err.txt");
	assert_non_null(strstr(err, "autotune: cannot write to standard output: "));
	assert_int_equal(executable_count_lines(err), 1);
	free(err);
}

/* Help that is printed to a closed pipe. */
static void assert_survives(int output)
{
	pid_t child;
	OWNED(free) char *err;

	child = fork();
	assert_true(child >= 0);
	if (!child) {
		char *words[] = { "autotune", "help", NULL };

		if (chdir(executable_place) || dup2(output, 1) < 0 ||
			!freopen("err.txt", "w", stderr))
			_exit(98);
		execv(AT_PROGRAM, words);
		_exit(99);
	}
	close(output);
	assert_int_equal(exit_of(child), 0);
	err = executable_read("err.txt");
	assert_string_equal(err, "");
}

TEST(survives_a_reader_that_left)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	assert_survives(ends[1]);
}

TEST(survives_a_terminal_that_was_closed)
{
	int screen, output;

	screen = posix_openpt(O_RDWR | O_NOCTTY);
	if (screen < 0)
		skip_because("no terminals can be made");
	assert_int_equal(grantpt(screen), 0);
	assert_int_equal(unlockpt(screen), 0);
	output = open(ptsname(screen), O_RDWR | O_NOCTTY);
	assert_true(output >= 0);
	close(screen);
	assert_survives(output);
}

/* as daemons start programs: what is opened next must not take their place */
TEST(tunes_without_standard_streams)
{
	static const char *const closed[] = { "<&-", ">&-", "2>&-", "<&- >&-",
		"<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-" };
	char command[1024];

	for (size_t i = 0; i < sizeof(closed) / sizeof(closed[0]); i++) {
		snprintf(command, sizeof(command),
			"cd %s && exec %s %s/spaces/scale.cfg --device host --problem small --budget 1 --quiet --results streams %s",
			executable_place, AT_PROGRAM, AT_TEST_DIR, closed[i]);
		assert_int_equal(system(command), 0);
	}
	/* if what was asked for cannot be printed, the exit code says so */
	snprintf(command, sizeof(command), "exec %s help >&- 2>/dev/null", AT_PROGRAM);
	assert_int_equal(WEXITSTATUS(system(command)), 1);
}

RUN_SUITE(make_place, executable_end)
