/* Wraps malloc(), calloc() and realloc(), so that the n-th call fails
   (scarce_memory.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scarce_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

long allocations_left = -1;

static bool fails(void)
{
	return allocations_left >= 0 && allocations_left-- == 0;
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

enum { RIGHT = 0, WRONG = 2, NONE_FAILED = 3 };

long assert_bears_each_failure(bool (*call)(void *context), void *context)
{
	long failed = 0;
	int state = 0;

	for (;; failed++) {
		pid_t child = fork();

		assert_true(child >= 0);
		if (!child) {
			bool is_right;

			if (!freopen("/dev/null", "w", stderr))
				_exit(WRONG);
			allocations_left = failed;
			is_right = call(context);
			_exit(!is_right                 ? WRONG
				: allocations_left >= 0 ? NONE_FAILED
							: RIGHT);
		}
		assert_int_equal(waitpid(child, &state, 0), child);
		if (!WIFEXITED(state))
			fail_msg("allocation %ld: signal %d", failed, WTERMSIG(state));
		if (WEXITSTATUS(state) == NONE_FAILED)
			return failed;
		if (WEXITSTATUS(state) != RIGHT && WEXITSTATUS(state) != EXIT_FAILURE)
			fail_msg("allocation %ld: another result", failed);
	}
}
