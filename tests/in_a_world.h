/*
 * TEST_IN_A_WORLD(name) { ... } is a case with a new world, `world`. Include after
 * struct world, world_new() and world_free(), which each test defines for itself.
 *
 * COMPARE_FIGURES() compares what a run came to, by name. A test lists its figures,
 *
 *	#define FIGURES(F) F(WINNER, world->winner) F(FINALS, world->counts.finals)
 *	enum figure { FIGURES(FIGURE_NAME) };
 *	#define tuned(world, ...) (tune(world), COMPARE_FIGURES(world, __VA_ARGS__))
 *
 * and tuned(world, WINNER, 13, FINALS, 1) runs and compares.
 */
#ifndef AT_TESTS_IN_A_WORLD_H
#define AT_TESTS_IN_A_WORLD_H

#include "suite.h"

static inline void owned_world_free(struct world **world)
{
	world_free(*world);
}

#define FIGURE_NAME(name, value) name,
#define FIGURE_TEXT(name, value) #name,
#define FIGURE_VALUE(name, value) (int64_t)(value),
#define COMPARE_FIGURES(world, ...) \
	compare_figures((const int64_t[]){ FIGURES(FIGURE_VALUE) }, \
		(const char *const[]){ FIGURES(FIGURE_TEXT) }, \
		(const int64_t[]){ __VA_ARGS__ }, \
		sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t), __LINE__)

static inline void compare_figures(const int64_t *values, const char *const *names,
	const int64_t *expected, size_t count, int line)
{
	for (size_t i = 0; i < count; i += 2)
		if (values[expected[i]] != expected[i + 1]) {
			print_error("line %d: %s is %lld, not %lld\n", line,
				names[expected[i]], (long long)values[expected[i]],
				(long long)expected[i + 1]);
			fail();
		}
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
