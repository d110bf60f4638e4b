/*
 * Lets the n-th allocation fail. The linker redirects this project's own calls
 * (--wrap=malloc,calloc,realloc; see at_test_scarce_memory() in CMakeLists.txt), and
 * not those of libraries. For tests with one thread.
 */
#ifndef AT_TESTS_SCARCE_MEMORY_H
#define AT_TESTS_SCARCE_MEMORY_H

/* How many allocations succeed before one fails. It is negative after that, and while
   it is negative none fails. */
extern long allocations_left;

#endif
