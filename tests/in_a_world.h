/*
 * TEST_IN_A_WORLD(name) { ... } is a case with a new world, `world`. Include after
 * struct world, world_new() and world_free(), which each test defines for itself.
 */
#ifndef AT_TESTS_IN_A_WORLD_H
#define AT_TESTS_IN_A_WORLD_H

#include "suite.h"

#define TEST_IN_A_WORLD(name) \
	static void name##_in(struct world *world); \
	TEST(name) \
	{ \
		struct world *world = world_new(); \
\
		name##_in(world); \
		world_free(world); \
	} \
	static void name##_in(struct world *world)

#endif
