/*
 * Cases of a table that each get a new world: IN_A_WORLD(name) calls name(world).
 * Include behind struct world, world_new() and world_free(), which each test defines
 * for itself.
 */
#ifndef AT_TESTS_IN_A_WORLD_H
#define AT_TESTS_IN_A_WORLD_H

struct world_case {
	void (*run)(struct world *world);
};

static void run_in_a_world(void **state)
{
	const struct world_case *self = *state;
	struct world *world = world_new();

	self->run(world);
	world_free(world);
}

#define IN_A_WORLD(name) \
	{ \
#name, run_in_a_world, NULL, NULL, &(struct world_case) \
		{ \
			name \
		} \
	}

#endif
