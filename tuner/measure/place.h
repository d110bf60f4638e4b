/*
 * Where data lies, and which place a launch or a comparison means by an argument. Only
 * arithmetic: nothing here is allocated, and no trip is taken.
 */
#ifndef AT_MEASURE_PLACE_H
#define AT_MEASURE_PLACE_H

#include "measure/bench_parts.h"

/* on both sides of data that is not guarded; wide enough for a row of a tile gone
 * astray
 */
#define ZONE_BYTES 65536u
/* of a zone that is wider, as the rest of a page may be, so much is looked at */
#define ZONE_MOST_BYTES 2097152u

uint64_t place_address(const struct at_bench *self, const struct place *place);
/* Where a set's inputs lie. */
enum side place_side_of_set(const struct at_bench *self, unsigned set);
/* Where an argument lies for a launch; memory NULL: a scalar. */
struct place *buffer_place(
	const struct at_bench *self, size_t argument, struct staging staging);
/*
 * What a comparison reads: NULL where an argument is not compared, as what has no
 * expectation, and a structure, whose fields are; and what kernels wrote there. Of a
 * field both are its structure's.
 */
const struct place *compared_place(
	const struct at_bench *self, size_t argument, unsigned set);
struct place *written_place(
	const struct at_bench *self, size_t argument, struct staging staging);
/* Where the reference finds an argument: outputs lie where comparisons read. */
const struct place *reference_place(
	const struct at_bench *self, size_t argument, unsigned set);
/* numbers to compare: elements have lanes */
uint64_t buffer_scalars(const struct at_bench *self, size_t argument);

/* The zones of a place: up to ZONE_MOST_BYTES on each side of its data. */
struct zone {
	uint64_t address;
	uint64_t bytes; /* may be 0 */
};
struct zone place_before(const struct at_bench *self, const struct place *place);
struct zone place_behind(
	const struct at_bench *self, const struct place *place, uint64_t bytes);
/* On each side of what is not guarded. */
uint64_t place_zone_bytes(const struct at_bench *self);
/* What an argument's zones hold in a round. */
unsigned place_zone_byte(size_t argument, unsigned round);
/* Puts data as near to the end of its pages as the alignment lets it lie. */
void place_fit(const struct at_bench *self, struct place *place, uint64_t bytes,
	enum side side, uint64_t alignment);

#endif
