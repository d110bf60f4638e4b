/* compute-sanitizer: how it is found, and how its reports are read, in the formats of
   the versions of 2021 to 2025. */
#define _GNU_SOURCE
#include "folder.h"
#include "evaluator/workers/sanitizer.h"
#include "base/memory.h"

#include <sys/stat.h>
#include <unistd.h>

#include "suite.h"

#define BEGIN "========= COMPUTE-SANITIZER\n"
#define HOST \
	"=========     Saved host backtrace up to driver entry point at kernel launch time\n" \
	"=========     Host Frame: [0x3344] in libcuda.so.1\n" \
	"=========     Host Frame: at_compare in autotune\n" \
	"=========\n"
#define NO_ERRORS "========= ERROR SUMMARY: 0 errors\n"
#define ERRORS "========= ERROR SUMMARY: 2 errors\n"
#define NO_RACES \
	"========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)\n"
#define RACES "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n"

#define INVALID(symbol) \
	"========= Invalid __global__ read of size 4 bytes\n" \
	"=========     at " symbol "+0x160\n" \
	"=========     by thread (31,0,0) in block (4,0,0)\n" \
	"=========     Address 0x7f7a4e000000 is out of bounds\n" \
	"=========     and is 1 bytes after the nearest allocation\n" HOST
#define UNSET(symbol) \
	"========= Uninitialized __global__ memory read of size 4 bytes\n" \
	"=========     at " symbol "+0x70\n" \
	"=========     by thread (31,0,0) in block (1,0,0)\n" \
	"=========     Address 0x7f3c7ec000fc\n" HOST
#define RACE(level, symbol) \
	"========= " level ": Race reported between Write access at " symbol \
	"+0x440\n" \
	"=========     and Read access at " symbol "+0xd20 [508 hazards]\n" \
	"=========\n"

static const char *const others[] = { "at_fill", "at_compare", "_Z9referencePf", NULL };

TEST(tells_the_first_error_of_the_kernel_that_is_judged)
{
	static const struct {
		enum at_check check;
		const char *text;
		enum at_outcome outcome;
		const char *detail;
	} rows[] = {
		{ AT_CHECK_MEMCHECK, BEGIN NO_ERRORS, AT_OUTCOME_OK, "" },
		{ AT_CHECK_MEMCHECK, BEGIN INVALID("_Z5scalePf") ERRORS,
			AT_OUTCOME_OUT_OF_BOUNDS,
			"Invalid __global__ read of size 4 bytes at _Z5scalePf+0x160 by thread (31,0,0) in block (4,0,0) Address 0x7f7a4e000000 is out of bounds and is 1 bytes after the nearest allocation" },
		/* of two kernels the one that matters, in whatever order */
		{ AT_CHECK_MEMCHECK,
			BEGIN INVALID("at_fill") INVALID("_Z5scalePf") ERRORS,
			AT_OUTCOME_OUT_OF_BOUNDS,
			"Invalid __global__ read of size 4 bytes at _Z5scalePf" },
		{ AT_CHECK_MEMCHECK, BEGIN INVALID("at_fill") ERRORS, AT_OUTCOME_OK,
			"" },
		{ AT_CHECK_MEMCHECK, BEGIN INVALID("_Z9referencePf") ERRORS,
			AT_OUTCOME_OK, "" },
		/* a name is no part of another */
		{ AT_CHECK_MEMCHECK, BEGIN INVALID("at_fill_all") ERRORS,
			AT_OUTCOME_OUT_OF_BOUNDS, "Invalid __global__ read" },
		/* a function that was not inlined, called by whom the frame names */
		{ AT_CHECK_MEMCHECK,
			BEGIN "========= Invalid __shared__ write of size 4 bytes\n"
			      "=========     at _Z6helperPf+0x20\n"
			      "=========     by thread (0,0,0) in block (0,0,0)\n"
			      "=========         Device Frame: at_compare+0x5a0\n" HOST
				      ERRORS,
			AT_OUTCOME_OK, "" },
		/* what the driver says to whoever asked it for something odd */
		{ AT_CHECK_MEMCHECK,
			BEGIN
			"========= Program hit CUDA_ERROR_NOT_FOUND (error 500) due to \"named symbol not found\" on CUDA API call to cuModuleGetGlobal.\n" HOST
				ERRORS,
			AT_OUTCOME_OK, "" },
		/* a finding always says something */
		{ AT_CHECK_MEMCHECK,
			BEGIN
			"========= Error: \nwhat a program prints at work\n=========     \n" ERRORS,
			AT_OUTCOME_OUT_OF_BOUNDS,
			"an error that it does not describe" },
		{ AT_CHECK_RACECHECK, BEGIN NO_RACES, AT_OUTCOME_OK, "" },
		{ AT_CHECK_RACECHECK, BEGIN RACE("Error", "_Z3sumPf") RACES,
			AT_OUTCOME_UNSTABLE,
			"Race reported between Write access at _Z3sumPf+0x440 and Read access at _Z3sumPf+0xd20 [508 hazards]" },
		{ AT_CHECK_RACECHECK, BEGIN RACE("ERROR", "_Z3sumPf") RACES,
			AT_OUTCOME_UNSTABLE, "Race reported between Write" },
		/* such as two threads that write the same value */
		{ AT_CHECK_RACECHECK, BEGIN RACE("Warning", "_Z3sumPf") RACES,
			AT_OUTCOME_OK, "" },
		{ AT_CHECK_RACECHECK,
			BEGIN RACE("Warning", "_Z3sumPf") RACE("Error", "_Z3maxPf")
				RACES,
			AT_OUTCOME_UNSTABLE,
			"Race reported between Write access at _Z3maxPf" },
		{ AT_CHECK_RACECHECK, BEGIN RACE("Error", "at_compare") RACES,
			AT_OUTCOME_OK, "" },
		{ AT_CHECK_INITCHECK, BEGIN UNSET("_Z3addPf") ERRORS,
			AT_OUTCOME_UNSTABLE,
			"Uninitialized __global__ memory read of size 4 bytes at _Z3addPf+0x70" },
		/* what is copied back is the tuner's affair */
		{ AT_CHECK_INITCHECK,
			BEGIN
			"========= Host API memory access error at host access to 0x7f3c7ec00000 of size 64 bytes\n"
			"=========     Uninitialized access at 0x7f3c7ec00020 on access by cudaMemcpy source.\n" HOST
				ERRORS,
			AT_OUTCOME_OK, "" },
		{ AT_CHECK_SYNCCHECK,
			BEGIN
			"========= Barrier error detected. Divergent thread(s) in block.\n"
			"=========     at _Z3addPf+0xb0\n"
			"=========     by thread (0,0,0) in block (0,0,0)\n" HOST
				ERRORS,
			AT_OUTCOME_UNSTABLE,
			"Barrier error detected. Divergent thread(s) in block. at _Z3addPf+0xb0" },
		/* what a program prints stands in between */
		{ AT_CHECK_RACECHECK,
			"hello\n" BEGIN "world\n" RACE("Error", "_Z3sumPf") "!\n" RACES,
			AT_OUTCOME_UNSTABLE, "Race reported between Write" },
		/* a tool that could not work has found nothing, which says nothing */
		{ AT_CHECK_RACECHECK, BEGIN, AT_OUTCOME_NOT_APPLICABLE,
			"compute-sanitizer ended before its report did" },
		{ AT_CHECK_RACECHECK, "", AT_OUTCOME_NOT_APPLICABLE,
			"compute-sanitizer ended before its report did" },
		{ AT_CHECK_MEMCHECK,
			BEGIN
			"========= Error: Target application terminated before first instrumented API call\n"
			"========= ERROR SUMMARY: 0 errors\n",
			AT_OUTCOME_NOT_APPLICABLE,
			"Target application terminated before first instrumented API call" },
		{ AT_CHECK_MEMCHECK,
			BEGIN
			"========= Internal Sanitizer Error: The Sanitizer encountered an error when launching device code\n" NO_ERRORS,
			AT_OUTCOME_NOT_APPLICABLE,
			"Internal Sanitizer Error: The Sanitizer" },
		/* but what it found before stays found */
		{ AT_CHECK_MEMCHECK,
			BEGIN INVALID(
				"_Z5scalePf") "========= Error: process didn't terminate successfully\n",
			AT_OUTCOME_OUT_OF_BOUNDS, "Invalid __global__ read" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct at_finding finding;

		at_sanitizer_read(rows[i].check, rows[i].text, others, &finding);
		if (finding.outcome != rows[i].outcome ||
			strncmp(finding.detail, rows[i].detail,
				strlen(rows[i].detail)) != 0 ||
			(!rows[i].detail[0] && finding.detail[0]))
			fail_msg("row %zu: expected %s \"%s\", found %s \"%s\"", i,
				at_outcome_name(rows[i].outcome), rows[i].detail,
				at_outcome_name(finding.outcome), finding.detail);
	}
}

/* reports are cut where a disk is full, and kernels have names of any length */
TEST(reads_no_further_than_the_report)
{
	static const char report[] =
		BEGIN INVALID("_Z5scalePf") RACE("Error", "_Z3sumPf") UNSET("_Z3addPf");

	for (size_t length = 0; length < sizeof(report); length++)
		for (int check = AT_CHECK_RACECHECK; check < AT_CHECK_COUNT; check++) {
			OWNED(free) char *text = at_strndup(report, length);
			struct at_finding finding;

			assert_non_null(text);
			at_sanitizer_read((enum at_check)check, text, others, &finding);
			assert_int_not_equal(finding.outcome, AT_OUTCOME_OK);
		}
}

TEST(is_found_on_the_path_or_in_the_toolkit)
{
	char folder[] = "/tmp/sanitizer-XXXXXX", *path, inner[64], file[128];
	OWNED(free) char *old_path = at_strdup(getenv("PATH"));
	struct at_error err = { 0 };
	bool is_installed;
	FILE *stream;

	assert_non_null(folder_make(folder));
	snprintf(inner, sizeof(inner), "%s/bin", folder);
	assert_int_equal(mkdir(inner, 0700), 0);
	unsetenv("CUDA_HOME");
	unsetenv("CUDA_PATH");
	setenv("PATH", "/nowhere::/tmp", 1);
	is_installed = at_sanitizer_find(&path, &err) == AT_OK;
	free(path);
	if (!is_installed)
		assert_string_equal(err.text, "compute-sanitizer is not installed");
	snprintf(file, sizeof(file), "%s/compute-sanitizer", inner);
	stream = fopen(file, "w");
	assert_non_null(stream);
	fclose(stream);
	/* a file that cannot be run does not count */
	setenv("PATH", inner, 1);
	if (!is_installed)
		assert_int_equal(at_sanitizer_find(&path, NULL), AT_ENOENT);
	assert_int_equal(chmod(file, 0700), 0);
	assert_ok(at_sanitizer_find(&path, NULL));
	assert_string_equal(path, file);
	free(path);
	setenv("PATH", "/nowhere", 1);
	setenv("CUDA_HOME", folder, 1);
	assert_ok(at_sanitizer_find(&path, NULL));
	assert_string_equal(path, file);
	free(path);
	unsetenv("CUDA_HOME");
	setenv("PATH", old_path, 1);
	unlink(file);
	rmdir(inner);
	rmdir(folder);
}

TEST(racecheck_looks_at_what_is_judged_and_the_others_at_all)
{
	char *filters[AT_SANITIZER_FILTERS] = { at_sanitizer_filter("scale"),
		at_sanitizer_filter("scale_again"), at_sanitizer_filter("scale_end") };

	for (int check = AT_CHECK_HOST + 1; check < AT_CHECK_COUNT; check++) {
		const char *words[AT_SANITIZER_WORDS];
		size_t count = 0, chosen = 0;

		at_sanitizer_command(
			(enum at_check)check, "/bin/cs", "/tmp/report", filters, words);
		for (; words[count]; count++)
			chosen += !strcmp(words[count], "--kernel-name");
		assert_true(count < AT_SANITIZER_WORDS);
		assert_string_equal(words[0], "/bin/cs");
		assert_string_equal(words[2], at_check_name((enum at_check)check));
		assert_int_equal(chosen, check == AT_CHECK_RACECHECK ? 3 : 0);
		if (check == AT_CHECK_RACECHECK)
			assert_string_equal(words[count - 1], "kns=scale_end");
	}
	/* one kernel alone */
	free(filters[1]);
	filters[1] = NULL;
	{
		const char *words[AT_SANITIZER_WORDS];
		size_t count = 0;

		at_sanitizer_command(
			AT_CHECK_RACECHECK, "/bin/cs", "/tmp/report", filters, words);
		while (words[count])
			count++;
		assert_string_equal(words[count - 1], "kns=scale");
	}
	free(filters[0]);
	free(filters[2]);
}

RUN_SUITE(NULL, NULL)
