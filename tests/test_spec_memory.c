/*
 * Loading a space while the n-th allocation fails, for every n: an error, and
 * nothing left behind (which the leak sanitizer sees). The linker sends this
 * project's own calls here (--wrap=malloc,calloc,realloc); libraries keep theirs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "space/spec.h"

#include <stdbool.h>
#include <stdlib.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

/* allocations until one fails; negative: none does */
static long left = -1;

static bool fails(void)
{
	return left >= 0 && left-- == 0;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return fails() ? NULL : __real_realloc(old, size);
}

static void refuses_a_space_when_memory_runs_out(void **state)
{
	const char *path = AT_TEST_DIR "/spaces/full.cfg";
	bool reached = true; /* the allocation that fails */
	char *text;
	size_t size;
	long failed = 0;

	(void)state;
	assert_int_equal(at_file_read(path, 0, &text, &size, NULL), AT_OK);
	for (; reached; failed++) {
		struct at_error err = { 0 };
		struct at_spec *spec = NULL;
		enum at_status status;

		left = failed;
		status = at_spec_parse(text, size, path, &spec, &err);
		reached = left < 0;
		left = -1;
		assert_int_equal(status, reached ? AT_ENOMEM : AT_OK);
		assert_int_equal(err.status, status);
		assert_true((spec == NULL) == reached);
		at_spec_free(spec);
	}
	assert_true(failed > 300);
	free(text);
}

static void keeps_all_values_when_memory_runs_out_in_a_restriction(void **state)
{
	static const char text[] = "parameters: { A = [ \"x\", \"y\", \"z\" ]; };";
	enum at_status status = AT_ENOMEM;
	struct at_spec *spec = NULL;
	long failed = 0;

	(void)state;
	assert_int_equal(
		at_spec_parse(text, sizeof(text) - 1, "a.cfg", &spec, NULL), AT_OK);
	for (; status; failed++) {
		assert_int_equal(spec->parameters[0].value_count, 3);
		left = failed;
		status = at_spec_restrict(spec, "A=z,x", NULL);
		left = -1;
		assert_true(status == AT_OK || status == AT_ENOMEM);
	}
	assert_true(failed > 1);
	assert_int_equal(spec->parameters[0].value_count, 2);
	at_spec_free(spec);
}

static void copies_nothing_when_memory_runs_out(void **state)
{
	static const char text[] =
		"parameters: { A = [ \"x\", \"y\" ]; B = [ 1, 2 ]; };";
	struct at_spec *spec = NULL, *copy = NULL;
	enum at_status status = AT_ENOMEM;
	long failed = 0;

	(void)state;
	assert_int_equal(
		at_spec_parse(text, sizeof(text) - 1, "a.cfg", &spec, NULL), AT_OK);
	assert_int_equal(at_spec_restrict(spec, "A=y", NULL), AT_OK);
	for (; status; failed++) {
		assert_null(copy);
		left = failed;
		status = at_spec_copy(spec, &copy, NULL);
		left = -1;
		assert_true(status == AT_OK || status == AT_ENOMEM);
		assert_string_equal(spec->parameters[0].values[0].word, "y");
	}
	assert_int_equal(failed, 5);
	at_spec_free(spec);
	assert_string_equal(copy->parameters[0].values[0].word, "y");
	at_spec_free(copy);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_a_space_when_memory_runs_out),
		cmocka_unit_test(
			keeps_all_values_when_memory_runs_out_in_a_restriction),
		cmocka_unit_test(copies_nothing_when_memory_runs_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
