/*
 * Where a call comes from, as a number: the functions that are under way, each as its
 * library and the distance from where that was loaded, so that the same place has the
 * same number in each process and each run. For shim.c alone.
 */
#pragma once

#include <stdint.h>

#define PLACES_MAX 65536

/* A file that is shared by all processes; zeros before the first. The driver reads it.
 */
struct places {
	uint64_t lost; /* calls for which there was no room */
	struct {
		uint64_t hash; /* 0: free */
		uint32_t kind;
		uint32_t count;
	} list[PLACES_MAX];
};

/* Once, before the first of what follows: unwinding itself allocates when it begins.
 * depth: of so many functions, innermost first. */
void stack_begin(int depth);

/* Another one for each kind of call; 0 only for what it calls itself. */
uint64_t stack_hash(uint32_t kind);

void places_add(struct places *self, uint32_t kind);

/* The functions that are under way, as addr2line takes them; path may be NULL. */
void stack_show(const char *path);
