/*
 * Mutants and sound kernels, as data/mutants.txt lists them. A space of mutants
 * has a sound kernel, and a word for each mistake that its template makes on request.
 * The whole tool must refuse each mistake with the right outcome, and select the sound
 * kernel when it meets all of them. A space of sound kernels computes the same in
 * different ways, each correct, and must be selected.
 *
 * One suite of the table is one run of this program, given as its argument, so that
 * suites run in parallel. "ways" is the rows of all suites that the table
 * marks so, "everyday" some of these. A mistake is tuned alone, so that its outcome
 * follows from it alone. What is for a GPU is compiled for one wherever the tests run.
 */
#define _GNU_SOURCE
#include "program.h"
#include "suite.h"

#include <glob.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define ROWS_MAX 3000
/* At most this many rows of a suite are tried alone, evenly spread; "all" tries each.
 */
#define ROWS_MANY 6
/* and at most this many of its spaces as a whole */
#define SPACES_MANY 2

/* the devices' ids and what the table calls them */
static struct device {
	const char *id;
	const char *kind;
	bool is_there;
} devices[] = { { "host", "host", false }, { "cuda:0", "cuda", false } };

struct row {
	char suite[16];
	char space[32];
	char value[32];
	char devices[8];
	char outcomes[80]; /* with commas between them */
	char mark[16]; /* "way", "whole" or "" */
};

static struct row rows[ROWS_MAX];
static size_t row_count;
static const char *asked = ""; /* a suite, or "" for all */
static bool asks_for_ways; /* the rows with the mark, of all suites */
static bool tries_all;

/* what a test is about: a row, or if none exists, a space as a whole */
struct trial {
	const struct device *device;
	const struct row *row;
	const char *space;
};

/* ---- the table ---------------------------------------------------------- */

static void read_rows(void)
{
	OWNED(free) char *text;
	char *state = NULL;
	size_t size;

	if (at_file_read(AT_TEST_DIR "/data/mutants.txt", 0, &text, &size, NULL)) {
		fprintf(stderr, "no table of mutants\n");
		exit(1);
	}
	for (char *line = strtok_r(text, "\n", &state); line;
		line = strtok_r(NULL, "\n", &state)) {
		struct row *row = &rows[row_count];

		if (line[0] == '#')
			continue;
		if (row_count == ROWS_MAX ||
			sscanf(line, "%15s %31s %31s %7s %79s %15s", row->suite,
				row->space, row->value, row->devices, row->outcomes,
				row->mark) < 5 ||
			(row->mark[0] && strcmp(row->mark, "way") != 0 &&
				strcmp(row->mark, "whole") != 0)) {
			fprintf(stderr, "not a row of mutants: %s\n", line);
			exit(1);
		}
		row_count++;
	}
}

static bool is_sound(const struct row *row)
{
	return !strcmp(row->suite, "sound") || !strcmp(row->suite, "beside");
}

static const char *parameter_of(const struct row *row)
{
	return is_sound(row) ? "METHOD" : "MISTAKE";
}

/*
 * What is right on no other size is not refused where nothing else is right either: the
 * space is then for its own sizes only. The sound kernel shows that it is not.
 */
static bool has_the_sound_one_beside(const struct row *row)
{
	return !strcmp(row->suite, "sizes");
}

/*
 * What is refused only where another configuration is right has a slow one of these
 * beside it, which must not win.
 */
static bool has_a_slow_one_beside(const struct row *row)
{
	return !strcmp(row->suite, "beside");
}

static bool is_for(const struct row *row, const struct device *device)
{
	return !strcmp(row->devices, "both") || !strcmp(row->devices, device->kind);
}

static bool is_asked_for(const struct row *row)
{
	if (asks_for_ways)
		return row->mark[0];
	return !asked[0] || !strcmp(row->suite, asked);
}

/* Whether a row is one of those that a part is taken of: ctest tries all ways as a
   suite of their own, which none of the other suites repeats. */
static bool may_be_tried(const struct row *row)
{
	return is_asked_for(row) && (tries_all || asks_for_ways || !row->mark[0]);
}

/*
 * Whether a row is tried alone. All of a long suite take half an hour, so that without
 * "all" a part is tried; of a space as a whole all mistakes are.
 */
static bool is_tried(size_t row)
{
	size_t count = 0, ahead = 0;

	if (!may_be_tried(&rows[row]))
		return false;
	for (size_t i = 0; i < row_count; i++) {
		count += may_be_tried(&rows[i]);
		ahead += i < row && may_be_tried(&rows[i]);
	}
	return tries_all || ahead % ((count + ROWS_MANY - 1) / ROWS_MANY) == 0;
}

/* one word of a list with commas between them */
static bool is_among(const char *word, const char *list)
{
	size_t length = strlen(word);

	for (const char *at = strstr(list, word); at; at = strstr(at + 1, word))
		if ((at == list || at[-1] == ',') &&
			(at[length] == '\0' || at[length] == ','))
			return true;
	return false;
}

/* ---- runs of the tool --------------------------------------------------- */

static void tune(const struct device *device, const char *space, const char *values,
	const char *folder, struct program_result *result)
{
	RELEASED(at_strbuf_release) struct at_strbuf path = { 0 };
	const char *arguments[] = { "tune", NULL, "--device", device->id, "--set",
		values, "--results", folder, "--json", "--thorough", NULL };

	at_strbuf_addf(&path, "%s/spaces/%s.cfg", AT_TEST_DIR, space);
	arguments[1] = path.data;
	program_run(arguments, result);
}

/* heap; NULL when the tool wrote none */
static char *read_header(const char *folder)
{
	OWNED(free) char *pattern = scratch_path(folder, "*.h");
	char *text = NULL;
	RELEASED(globfree) glob_t found;

	glob(pattern, 0, NULL, &found);
	for (size_t i = 0; i < found.gl_pathc && !text; i++)
		if (!strstr(found.gl_pathv[i], "/autotune.h"))
			text = file_text(found.gl_pathv[i]);
	return text;
}

/* "outcome" or "detail" of the evaluation of a row's configuration; heap */
static char *evaluated(
	const struct program_result *result, const struct row *row, const char *key)
{
	OWNED(at_json_free)
	struct at_json *events = program_events(result->output, "evaluation");
	const char *text = NULL;
	char *copy;

	for (size_t i = 0; i < at_json_count(events) && !text; i++) {
		const struct at_json *event = at_json_at(events, i);
		const char *word = at_json_text(at_json_get(
			at_json_get(event, "configuration"), parameter_of(row)));

		if (word && !strcmp(word, row->value))
			text = at_json_text(at_json_get(event, key));
	}
	copy = at_strdup(text ? text : "none");
	return copy;
}

/* MISTAKE of the winner; heap, "" where there is no winner */
static char *winner_of(const struct program_result *result, const char *parameter)
{
	OWNED(at_json_free)
	struct at_json *summaries = program_events(result->output, "summary");
	const char *word = NULL;
	char *copy;

	assert_int_equal(at_json_count(summaries), 1);
	word = at_json_text(at_json_get(
		at_json_get(at_json_at(summaries, 0), "configuration"), parameter));
	copy = at_strdup(word ? word : "");
	return copy;
}

/* ---- what comes of it --------------------------------------------------- */

static void fail_about(const struct trial *trial, const char *what, const char *outcome,
	const struct program_result *result)
{
	char *detail = evaluated(result, trial->row, "detail");

	fail_msg("%s of %s on %s: %s: it is %s, expected %s; exit status %d; %s %s",
		trial->row->value, trial->row->space, trial->device->id, what, outcome,
		trial->row->outcomes, result->exit_status, detail, result->errors);
}

/* no winner, no header, exit status 3; or the sound one beside it */
static void check_it_did_not_win(const struct trial *trial, const char *folder,
	const char *outcome, const struct program_result *result)
{
	OWNED(free)
	char *winner = winner_of(result, "MISTAKE"), *header = read_header(folder);
	bool is_alone = !has_the_sound_one_beside(trial->row);

	if (result->exit_status != (is_alone ? 3 : 0) ||
		strcmp(winner, is_alone ? "" : "none") != 0 || is_alone == !!header)
		fail_about(trial, "it is crowned", outcome, result);
}

static void is_refused(void **state)
{
	const struct trial *trial = *state;
	RELEASED(at_strbuf_release) struct at_strbuf values = { 0 };
	struct program_result result;
	char *folder, *outcome;

	if (!trial->device->is_there)
		skip_because("no CUDA driver");
	folder = scratch_folder("mutants");
	at_strbuf_addf(&values, "MISTAKE=%s%s", trial->row->value,
		has_the_sound_one_beside(trial->row) ? ",none" : "");
	tune(trial->device, trial->row->space, values.data, folder, &result);
	outcome = evaluated(&result, trial->row, "outcome");
	if (!is_among(outcome, trial->row->outcomes))
		fail_about(trial, "not what it is", outcome, &result);
	check_it_did_not_win(trial, folder, outcome, &result);
	if (!strcmp(outcome, "ok")) {
		/* the winner was refused: the record knows from now on */
		program_release(&result);
		free(outcome);
		tune(trial->device, trial->row->space, values.data, folder, &result);
		outcome = evaluated(&result, trial->row, "outcome");
		if (!strcmp(outcome, "ok") || !is_among(outcome, trial->row->outcomes))
			fail_about(trial, "refused, but recorded as something else",
				outcome, &result);
		check_it_did_not_win(trial, folder, outcome, &result);
	}
	program_release(&result);
	free(outcome);
	scratch_drop(folder);
}

/* All mistakes of a space, and the sound kernel: none spoils another one's result. */
static void the_sound_one_wins(void **state)
{
	const struct trial *trial = *state;
	RELEASED(at_strbuf_release) struct at_strbuf values = { 0 };
	struct program_result result;
	char *folder, *winner, *header;

	if (!trial->device->is_there)
		skip_because("no CUDA driver");
	folder = scratch_folder("mutants");
	for (size_t i = 0; i < row_count; i++)
		if (!strcmp(rows[i].space, trial->space) && is_asked_for(&rows[i]) &&
			is_for(&rows[i], trial->device))
			at_strbuf_addf(&values, "%s%s",
				values.length ? "," : "MISTAKE=", rows[i].value);
	at_strbuf_addf(&values, ",none");
	tune(trial->device, trial->space, values.data, folder, &result);
	winner = winner_of(&result, "MISTAKE");
	header = read_header(folder);
	if (result.exit_status || strcmp(winner, "none") != 0 || !header ||
		!strstr(header, "_MISTAKE_NAME \"none\"\n"))
		fail_msg("%s on %s: \"%s\" is crowned, exit status %d: %s",
			trial->space, trial->device->id, winner, result.exit_status,
			result.errors);
	free(header);
	free(winner);
	program_release(&result);
	scratch_drop(folder);
}

static void is_selected(void **state)
{
	const struct trial *trial = *state;
	RELEASED(at_strbuf_release) struct at_strbuf values = { 0 };
	struct program_result result;
	char *folder, *outcome, *winner, *header;

	if (!trial->device->is_there)
		skip_because("no CUDA driver");
	folder = scratch_folder("sound");
	at_strbuf_addf(&values, "METHOD=%s%s", trial->row->value,
		has_a_slow_one_beside(trial->row) ? ",slow" : "");
	tune(trial->device, trial->row->space, values.data, folder, &result);
	outcome = evaluated(&result, trial->row, "outcome");
	if (strcmp(outcome, trial->row->outcomes) != 0)
		fail_about(trial, "it is refused", outcome, &result);
	winner = winner_of(&result, "METHOD");
	header = read_header(folder);
	if (result.exit_status || strcmp(winner, trial->row->value) != 0 || !header)
		fail_about(trial, "it is not crowned", outcome, &result);
	free(header);
	free(winner);
	free(outcome);
	program_release(&result);
	scratch_drop(folder);
}

/* All of a space that is for a GPU compiles for one; that needs none. */
static void compiles(void **state)
{
	const struct trial *trial = *state;
	RELEASED(at_strbuf_release) struct at_strbuf path = { 0 }, values = { 0 };
	const char *arguments[] = { "check", NULL, "--arch", "sm_90", "--compile",
		"500", "--set", NULL, "--quiet", NULL };
	RELEASED(program_release) struct program_result result;

	at_strbuf_addf(&path, "%s/spaces/%s.cfg", AT_TEST_DIR, trial->space);
	for (size_t i = 0; i < row_count; i++)
		if (!strcmp(rows[i].space, trial->space) &&
			is_for(&rows[i], trial->device))
			at_strbuf_addf(&values, "%s%s%s",
				values.length ? "," : parameter_of(&rows[i]),
				values.length ? "" : "=", rows[i].value);
	arguments[1] = path.data;
	arguments[7] = values.data;
	program_run(arguments, &result);
	/* that a GPU cannot launch one is no failure */
	if (result.exit_status)
		fail_msg("%s: %s", trial->space, result.errors);
}

/* ---- the tests ---------------------------------------------------------- */

static int find_devices(void **state)
{
	RELEASED(program_release) struct program_result result;

	program_run((const char *const[]){ "devices", NULL }, &result);
	for (size_t i = 0; i < COUNT(devices); i++)
		devices[i].is_there = strstr(result.output, devices[i].id) != NULL;
	return 0;
}

/* Whether a row stands for its space: the first, or among all ways the one so marked.
 */
static bool is_first(size_t row, const struct device *device)
{
	if (asks_for_ways)
		return !strcmp(rows[row].mark, "whole");
	for (size_t i = 0; i < row; i++)
		if (is_asked_for(&rows[i]) && is_for(&rows[i], device) &&
			!strcmp(rows[i].space, rows[row].space))
			return false;
	return true;
}

/* Whether the space of a row that is_first() is tried as a whole. */
static bool is_space_tried(size_t row, const struct device *device)
{
	size_t count = 0, ahead = 0;

	for (size_t i = 0; i < row_count; i++) {
		if (!is_asked_for(&rows[i]) || !is_for(&rows[i], device) ||
			!is_first(i, device))
			continue;
		count++;
		ahead += i < row;
	}
	return tries_all || ahead % ((count + SPACES_MANY - 1) / SPACES_MANY) == 0;
}

/* usage: test_mutants [SUITE [all] | everyday | ways]: a few of the ways, or each */
int main(int argc, char **argv)
{
	static struct trial trials[3 * COUNT(devices) * ROWS_MAX];
	static char names[COUNT(trials)][128];
	static struct CMUnitTest tests[COUNT(trials)];
	size_t count = 0;

	asked = argc > 1 ? argv[1] : "";
	asks_for_ways = !strcmp(asked, "everyday") || !strcmp(asked, "ways");
	tries_all = !strcmp(asked, "ways") || (argc > 2 && !strcmp(argv[2], "all"));
	read_rows();
	for (size_t i = 0; i < COUNT(devices); i++)
		for (size_t j = 0; j < row_count; j++) {
			const struct row *row = &rows[j];
			const char *id = devices[i].id;

			if (!is_for(row, &devices[i]) || !is_asked_for(row))
				continue;
			const bool is_whole = is_first(j, &devices[i]) &&
					      is_space_tried(j, &devices[i]);

			if (!strcmp(devices[i].kind, "cuda") && is_whole) {
				trials[count].device = &devices[i];
				trials[count].space = row->space;
				snprintf(names[count], sizeof(names[count]),
					"%s compiles for a GPU", row->space);
				tests[count] = (struct CMUnitTest){ names[count],
					compiles, NULL, NULL, &trials[count] };
				count++;
			}
			if (!is_sound(row) && is_whole) {
				trials[count].device = &devices[i];
				trials[count].space = row->space;
				snprintf(names[count], sizeof(names[count]),
					"the sound one of %s wins on %s", row->space,
					id);
				tests[count] = (struct CMUnitTest){ names[count],
					the_sound_one_wins, NULL, NULL,
					&trials[count] };
				count++;
			}
			if (!is_tried(j))
				continue;
			trials[count].device = &devices[i];
			trials[count].row = row;
			snprintf(names[count], sizeof(names[count]),
				is_sound(row) ? "%s of %s is crowned on %s"
					      : "%s of %s is refused on %s",
				row->value, row->space, id);
			tests[count] = (struct CMUnitTest){ names[count],
				is_sound(row) ? is_selected : is_refused, NULL, NULL,
				&trials[count] };
			count++;
		}
	if (count == 0) {
		fprintf(stderr, "no such suite of mutants: %s\n", asked);
		return 1;
	}
	return _cmocka_run_group_tests(
		asked[0] ? asked : "mutants", tests, count, find_devices, NULL);
}
