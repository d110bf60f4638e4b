/*
 * TEST_IN_A_WORLD(name) { ... } is a case with a new world, `world`. Include after
 * struct world, world_new() and world_free(), which each test defines for itself.
 */
#ifndef AT_TESTS_IN_A_WORLD_H
#define AT_TESTS_IN_A_WORLD_H

#include "suite.h"

static inline void owned_world_free(struct world **world)
{
	world_free(*world);
}

#define TEST_IN_A_WORLD(name) \
	static void name##_in(struct world *world); \
	TEST(name) \
	{ \
		OWNED(world_free) struct world *world = world_new(); \
\
		name##_in(world); \
	} \
	static void name##_in(struct world *world)

#endif
