/*
 * Allocations of which the n-th fails. The linker sends this project's own calls here
 * (--wrap=malloc,calloc,realloc; see at_test_scarce_memory() in CMakeLists.txt);
 * libraries keep theirs. One thread.
 */
#ifndef AT_TESTS_SCARCE_MEMORY_H
#define AT_TESTS_SCARCE_MEMORY_H

/* how many succeed before one fails, after which it is negative: none does */
extern long allocations_left;

#endif
