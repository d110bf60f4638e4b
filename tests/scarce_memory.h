/*
 * Lets the n-th allocation fail. The linker redirects this project's own calls
 * (--wrap=malloc,calloc,realloc; see at_test_scarce_memory() in CMakeLists.txt), and
 * not those of libraries. For tests with one thread.
 */
#ifndef AT_TESTS_SCARCE_MEMORY_H
#define AT_TESTS_SCARCE_MEMORY_H

#include <stdbool.h>

/* How many allocations succeed before one fails. It is negative after that, and while
   it is negative none fails. */
extern long allocations_left;

/*
 * Runs `call` again and again, each time in a process of its own, until none of its
 * allocations fails. The process may end as a small allocation ends it. Else `call`
 * says whether its result is right: AT_ENOMEM, or that of a run with memory. Returns
 * how many allocations failed.
 */
long assert_bears_each_failure(bool (*call)(void *context), void *context);

#endif
