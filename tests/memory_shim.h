/* What a test tells the preloaded memory_shim.c, and what it is told. */
#ifndef AT_TESTS_MEMORY_SHIM_H
#define AT_TESTS_MEMORY_SHIM_H

#define MEMORY_PLAN "AT_MEMORY_PLAN"
#define MEMORY_PROGRAM "AT_MEMORY_PROGRAM"

struct memory_plan {
	unsigned long count; /* allocations so far */
	unsigned long first; /* these fail: first <= number < end */
	unsigned long end;
	unsigned long failed;
};

#endif
