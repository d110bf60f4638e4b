/* The queue in front of the compile workers; no answer is waited for here. */
#include "evaluator/workers/compilers.h"

#include "suite.h"

static void never_called(
	void *context, struct at_compile_result *result, const struct at_error *err)
{
	fail_msg("a forgotten unit was heard of");
}

static void submit(struct at_compilers *compilers, bool urgent, void *context)
{
	char toolchain[] = "c++", name[] = "unit.cu", nothing[] = "";
	const struct at_compile_request request = { .toolchain = toolchain,
		.architecture = nothing,
		.name = name,
		.directory = nothing,
		.source = nothing };

	assert_ok(at_compilers_submit(
		compilers, &request, NULL, urgent, never_called, context, NULL));
}

TEST(what_is_forgotten_leaves_the_queue)
{
	struct at_compilers *compilers;
	OWNED(at_loop_free) struct at_loop *loop;
	int first, second;

	assert_ok(at_loop_new(AT_PROGRAM, &loop, NULL));
	at_compilers_new(loop, 1, &compilers);
	at_compilers_hold(compilers, true);
	submit(compilers, false, &first);
	submit(compilers, false, &second);
	submit(compilers, true, &first);
	submit(compilers, false, &first);
	assert_int_equal(at_compilers_pending(compilers), 4);
	at_compilers_forget(compilers, &first);
	assert_int_equal(at_compilers_pending(compilers), 1);
	/* behind what is left, not behind what is gone */
	submit(compilers, false, &first);
	at_compilers_forget(compilers, &second);
	assert_int_equal(at_compilers_pending(compilers), 1);
	at_compilers_forget(compilers, &first);
	assert_int_equal(at_compilers_pending(compilers), 0);
	submit(compilers, false, &first);
	assert_int_equal(at_compilers_pending(compilers), 1);
	at_compilers_free(compilers);
}

/* Lanes that wait for their first units reserve one compiler together. */
TEST(several_who_reserve_keep_one_compiler_free)
{
	struct at_compilers *compilers;
	OWNED(at_loop_free) struct at_loop *loop;
	int units[3];

	assert_ok(at_loop_new(AT_PROGRAM, &loop, NULL));
	at_compilers_new(loop, 3, &compilers);
	at_compilers_reserve(compilers, 1);
	at_compilers_reserve(compilers, 1);
	for (int i = 0; i < 3; i++)
		submit(compilers, false, &units[i]);
	assert_int_equal(at_compilers_running(compilers), 2);
	at_compilers_reserve(compilers, -1);
	assert_int_equal(at_compilers_running(compilers), 2);
	at_compilers_reserve(compilers, -1);
	assert_int_equal(at_compilers_running(compilers), 3);
	at_compilers_free(compilers);
}

/* What waits already, and is wanted urgently now, does not keep to the reservation. */
TEST(what_is_urged_begins_as_if_it_were_urgent)
{
	struct at_compilers *compilers;
	OWNED(at_loop_free) struct at_loop *loop;
	int units[3];

	assert_ok(at_loop_new(AT_PROGRAM, &loop, NULL));
	at_compilers_new(loop, 2, &compilers);
	at_compilers_reserve(compilers, 1);
	for (int i = 0; i < 3; i++)
		submit(compilers, false, &units[i]);
	assert_int_equal(at_compilers_running(compilers), 1);
	at_compilers_urge(compilers, &units[2]);
	assert_int_equal(at_compilers_running(compilers), 2);
	/* it was the last, so the one before it is what is left */
	at_compilers_forget(compilers, &units[1]);
	assert_int_equal(at_compilers_pending(compilers), 2);
	at_compilers_free(compilers);
}

RUN_SUITE(NULL, NULL)
