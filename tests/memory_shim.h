/* The plan by which the preloaded memory_shim.c lets allocations fail. A test writes it
   to a file that all processes of the program map, and reads the counts from it. */
#ifndef AT_TESTS_MEMORY_SHIM_H
#define AT_TESTS_MEMORY_SHIM_H

/* Environment variables: the path of that file, and of the program to which it applies.
 */
#define MEMORY_PLAN "AT_MEMORY_PLAN"
#define MEMORY_PROGRAM "AT_MEMORY_PROGRAM"

struct memory_plan {
	unsigned long count; /* allocations so far, of all processes */
	unsigned long first; /* allocations with first <= number < end fail */
	unsigned long end;
	unsigned long failed; /* how many failed so far */
};

#endif
