/*
 * Broken twins: sound kernels, each with classic mistakes that its template makes when
 * asked. The whole tool refuses every one with the right outcome and crowns the sound
 * kernel, on the CPU and, where there is one, on a GPU.
 *
 * A space is tuned twice on a device, ahead of the tests: its mistakes alone, then
 * together with the sound kernel. The tests look at what came of it.
 */
#define _GNU_SOURCE
#include "program.h"
#include "base/file.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "skip.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { ON_HOST = 1, ON_CUDA = 2, ON_BOTH = 3 };

/*
 * A mistake, where it shows, and what it may be called. Timing decides whether a race
 * shows when a result is proved (wrong_result) or only when it is proved again after
 * it was timed (unstable); everything else has one name.
 */
#define RACE "wrong_result unstable"
/*
 * Right on the tuned problem: the proof on the ragged one refuses it, and from then on
 * the record says why.
 */
#define AT_THE_CROWN "ok"
#define AFTER_THE_CROWN "out_of_bounds"

static const struct twin {
	const char *sentence;
	const char *space;
	const char *mistake;
	unsigned on;
	const char *outcomes;
} twins[] = {
	{ "a_product_without_its_first_barrier_is_refused", "twin_product",
		"no_first_barrier", ON_BOTH, RACE },
	{ "a_product_without_its_second_barrier_is_refused", "twin_product",
		"no_second_barrier", ON_BOTH, RACE },
	{ "a_product_without_boundary_checks_is_refused", "twin_product",
		"no_bounds_check", ON_BOTH, "out_of_bounds" },
	{ "shared_memory_that_the_device_lacks_is_refused", "twin_product",
		"too_much_shared", ON_BOTH, "too_many_resources" },
	{ "a_product_tuned_on_whole_tiles_is_refused_at_the_crown", "twin_product_even",
		"no_bounds_check", ON_BOTH, AT_THE_CROWN },
	{ "a_transpose_without_its_barrier_is_refused", "twin_transpose", "no_barrier",
		ON_BOTH, RACE },
	{ "a_launch_with_too_many_threads_is_refused", "twin_transpose",
		"too_many_threads", ON_BOTH, "too_many_resources" },
	{ "a_reduction_that_drops_the_tail_is_refused", "twin_reduction", "drops_tail",
		ON_BOTH, "wrong_result" },
	{ "an_uninitialised_sum_is_refused", "twin_reduction", "uninitialised_sum",
		ON_BOTH, "wrong_result" },
	{ "a_total_read_before_all_added_is_refused", "twin_reduction",
		"no_last_barrier", ON_BOTH, RACE },
	{ "lanes_that_count_on_being_in_step_are_refused", "twin_reduction",
		"no_syncwarp", ON_HOST, RACE },
	{ "a_store_past_the_end_is_refused", "twin_store", "store_past_end", ON_BOTH,
		"out_of_bounds" },
	{ "an_output_half_unwritten_is_refused", "twin_store", "half_unwritten",
		ON_BOTH, "wrong_result" },
	{ "bins_that_nobody_zeroes_are_refused", "twin_histogram", "bins_not_zeroed",
		ON_BOTH, "wrong_result" },
	{ "counting_without_atomics_is_refused", "twin_histogram", "no_atomics",
		ON_CUDA, RACE },
	{ "a_stencil_without_its_halo_is_refused", "twin_stencil", "no_halo", ON_BOTH,
		"wrong_result" },
	{ "a_stencil_without_a_barrier_a_step_is_refused", "twin_stencil",
		"no_step_barrier", ON_BOTH, RACE },
	{ "a_stencil_in_a_single_buffer_is_refused", "twin_stencil", "one_buffer",
		ON_BOTH, RACE },
};

/* of one space on one device */
struct tuned {
	const char *space;
	struct program_result broken; /* its mistakes alone */
	bool broken_has_files;
	struct program_result all;
	char *header; /* that the second run wrote; NULL: none */
};

static struct device {
	const char *id;
	unsigned bit;
	bool there;
	struct tuned tuned[COUNT(twins)];
	size_t count;
} devices[] = { { .id = "host", .bit = ON_HOST }, { .id = "cuda:0", .bit = ON_CUDA } };

/* ---- tuning, once ------------------------------------------------------- */

static bool is_there(const char *id)
{
	struct program_result result;
	bool found;

	program_run((const char *const[]){ "devices", NULL }, &result);
	found = strstr(result.output, id) != NULL;
	program_release(&result);
	return found;
}

static bool has_files(const char *folder)
{
	char *pattern = scratch_path(folder, "*/twin_*");
	glob_t found;
	bool some = glob(pattern, 0, NULL, &found) == 0;

	globfree(&found);
	free(pattern);
	return some;
}

/* heap; NULL when there is none */
static char *read_header(const char *folder)
{
	char *pattern = scratch_path(folder, "*/twin_*.h"), *text = NULL;
	glob_t found;
	size_t size;

	if (!glob(pattern, 0, NULL, &found))
		assert_int_equal(
			at_file_read(found.gl_pathv[0], 0, &text, &size, NULL), AT_OK);
	globfree(&found);
	free(pattern);
	return text;
}

static void tune(const struct device *device, struct tuned *tuned)
{
	struct at_strbuf broken = { 0 }, all = { 0 }, path = { 0 };
	char *folder = scratch_folder("twins");
	const char *arguments[] = { "tune", NULL, "--device", device->id, "--set", NULL,
		"--results", folder, "--json", NULL };

	for (size_t i = 0; i < COUNT(twins); i++)
		if (!strcmp(twins[i].space, tuned->space) && twins[i].on & device->bit)
			at_strbuf_addf(&broken, "%s%s",
				broken.length ? "," : "MISTAKE=", twins[i].mistake);
	at_strbuf_addf(&all, "%s,none", broken.data);
	at_strbuf_addf(&path, "%s/spaces/%s.cfg", AT_TEST_DIR, tuned->space);
	arguments[1] = path.data;
	arguments[5] = broken.data;
	program_run(arguments, &tuned->broken);
	tuned->broken_has_files = has_files(folder);
	arguments[5] = all.data;
	program_run(arguments, &tuned->all);
	tuned->header = read_header(folder);
	at_strbuf_release(&broken);
	at_strbuf_release(&all);
	at_strbuf_release(&path);
	scratch_remove(folder);
	free(folder);
}

static struct tuned *find_tuned(struct device *device, const char *space)
{
	for (size_t i = 0; i < device->count; i++)
		if (!strcmp(device->tuned[i].space, space))
			return &device->tuned[i];
	return NULL;
}

static int tune_all(void **state)
{
	for (size_t i = 0; i < COUNT(devices); i++) {
		struct device *device = &devices[i];

		device->there = is_there(device->id);
		for (size_t j = 0; device->there && j < COUNT(twins); j++) {
			struct tuned *tuned = &device->tuned[device->count];

			if (find_tuned(device, twins[j].space))
				continue;
			tuned->space = twins[j].space;
			device->count++;
			tune(device, tuned);
		}
	}
	return 0;
}

static int release_all(void **state)
{
	for (size_t i = 0; i < COUNT(devices); i++)
		for (size_t j = 0; j < devices[i].count; j++) {
			program_release(&devices[i].tuned[j].broken);
			program_release(&devices[i].tuned[j].all);
			free(devices[i].tuned[j].header);
		}
	return 0;
}

/* ---- what came of it ---------------------------------------------------- */

static const char *mistake_of(const struct at_json *event)
{
	const char *word = at_json_text(
		at_json_get(at_json_get(event, "configuration"), "MISTAKE"));

	return word ? word : "";
}

/* of the evaluation with this mistake; heap */
static char *outcome_of(const struct program_result *result, const char *mistake)
{
	struct at_json *events = program_events(result->output, "evaluation");
	char *outcome = NULL;

	for (size_t i = 0; i < at_json_count(events) && !outcome; i++) {
		const struct at_json *event = at_json_at(events, i);

		if (!strcmp(mistake_of(event), mistake))
			outcome =
				at_strdup(at_json_text(at_json_get(event, "outcome")));
	}
	at_json_free(events);
	return outcome ? outcome : at_strdup("absent");
}

/* one word of a list with spaces between them */
static bool is_among(const char *word, const char *list)
{
	size_t length = strlen(word);

	for (const char *at = strstr(list, word); at; at = strstr(at + 1, word))
		if ((at == list || at[-1] == ' ') &&
			(at[length] == '\0' || at[length] == ' '))
			return true;
	return false;
}

static void check_outcome(const struct device *device, const struct twin *twin,
	const struct program_result *result, const char *outcomes)
{
	char *outcome = outcome_of(result, twin->mistake);

	if (!is_among(outcome, outcomes))
		fail_msg("%s of %s on %s: %s, expected %s: %s", twin->mistake,
			twin->space, device->id, outcome, outcomes, result->errors);
	free(outcome);
}

/* nobody is crowned: exit status 3, a summary without a winner, no files */
static void check_nothing_won(
	const struct device *device, const struct twin *twin, const struct tuned *tuned)
{
	struct at_json *summaries = program_events(tuned->broken.output, "summary");

	if (tuned->broken.exit_status != 3)
		fail_msg("mistakes of %s alone on %s: exit status %d: %s", twin->space,
			device->id, tuned->broken.exit_status, tuned->broken.errors);
	assert_false(tuned->broken_has_files);
	assert_int_equal(at_json_count(summaries), 1);
	assert_string_equal(mistake_of(at_json_at(summaries, 0)), "");
	assert_null(at_json_text(at_json_get(at_json_at(summaries, 0), "header")));
	if (!strcmp(twin->outcomes, AT_THE_CROWN))
		assert_non_null(strstr(tuned->broken.errors, "on problem \"ragged\""));
	at_json_free(summaries);
}

static void check_the_sound_one_won(
	const struct device *device, const struct twin *twin, const struct tuned *tuned)
{
	struct at_json *summaries = program_events(tuned->all.output, "summary");
	char *outcome = outcome_of(&tuned->all, "none");

	if (tuned->all.exit_status || strcmp(outcome, "ok") != 0)
		fail_msg("%s on %s: exit status %d, the sound kernel is %s: %s",
			twin->space, device->id, tuned->all.exit_status, outcome,
			tuned->all.errors);
	assert_int_equal(at_json_count(summaries), 1);
	assert_string_equal(mistake_of(at_json_at(summaries, 0)), "none");
	assert_non_null(tuned->header);
	assert_non_null(strstr(tuned->header, "_MISTAKE_NAME \"none\"\n"));
	at_json_free(summaries);
	free(outcome);
}

struct trial {
	struct device *device;
	const struct twin *twin;
};

static void is_refused(void **state)
{
	const struct trial *trial = *state;
	const struct tuned *tuned;

	if (!trial->device->there)
		skip_because("no CUDA driver");
	tuned = find_tuned(trial->device, trial->twin->space);
	check_outcome(
		trial->device, trial->twin, &tuned->broken, trial->twin->outcomes);
	check_outcome(trial->device, trial->twin, &tuned->all,
		strcmp(trial->twin->outcomes, AT_THE_CROWN) ? trial->twin->outcomes
							    : AFTER_THE_CROWN);
	check_nothing_won(trial->device, trial->twin, tuned);
	check_the_sound_one_won(trial->device, trial->twin, tuned);
}

int main(void)
{
	static struct trial trials[COUNT(devices) * COUNT(twins)];
	static char names[COUNT(trials)][128];
	static struct CMUnitTest tests[COUNT(trials)];
	size_t count = 0;

	for (size_t i = 0; i < COUNT(devices); i++)
		for (size_t j = 0; j < COUNT(twins); j++) {
			if (!(twins[j].on & devices[i].bit))
				continue;
			trials[count] = (struct trial){ &devices[i], &twins[j] };
			snprintf(names[count], sizeof(names[count]), "%s on %s",
				twins[j].sentence, devices[i].id);
			tests[count] = (struct CMUnitTest){ names[count], is_refused,
				NULL, NULL, &trials[count] };
			count++;
		}
	return _cmocka_run_group_tests("twins", tests, count, tune_all, release_all);
}
