/*
 * Where data lies, and which place an argument means in a launch or in a comparison.
 * Arithmetic only: nothing is allocated, and no trip is made.
 */
#ifndef AT_MEASURE_PLACE_H
#define AT_MEASURE_PLACE_H

#include "measure/bench_parts.h"

/* The zone on each side of data that is not guarded: wide enough for a row of a tile
   that is written to the wrong place. */
#define ZONE_BYTES 65536u
/* At most so much of a zone is checked; the rest of a page may be larger. */
#define ZONE_MOST_BYTES 2097152u

uint64_t place_address(
	const struct at_measure_context *self, const struct place *place);
/* The end of their pages at which a set's inputs lie. */
enum side place_side_of_set(const struct at_measure_context *self, unsigned set);
/* The place of an argument for a launch; its memory is NULL for a scalar. */
struct place *buffer_place(
	const struct at_measure_context *self, size_t argument, struct staging staging);
/*
 * The place of the expected output, that of its structure where the argument is a
 * field. NULL where the argument is not compared: it has no expectation, or it is a
 * structure, whose fields are compared instead.
 */
const struct place *compared_place(
	const struct at_measure_context *self, size_t argument, unsigned set);
/* The place of an argument for the reference: it writes to the expected outputs. */
const struct place *reference_place(
	const struct at_measure_context *self, size_t argument, unsigned set);
/* How many numbers the argument holds: its elements times their lanes. */
uint64_t buffer_scalars(const struct at_measure_context *self, size_t argument);
/*
 * Where the numbers of an argument lie that do not follow each other, as place_of() of
 * support.cu has it: in bits 0 to 15 the offset of a field in its structure, in bits 16
 * to 39 how many numbers the field or a row has, from bit 40 on the bytes from one
 * structure or row to the next. 0: the numbers follow each other.
 */
uint64_t buffer_layout(const struct at_measure_context *self, size_t argument);
/* The offset of number `index` in bytes. */
uint64_t buffer_offset(
	const struct at_measure_context *self, size_t argument, uint64_t index);

/* A zone of a place: up to ZONE_MOST_BYTES on one side of its data. */
struct zone {
	uint64_t address;
	uint64_t bytes; /* may be 0 */
};
struct zone place_before(
	const struct at_measure_context *self, const struct place *place);
struct zone place_behind(const struct at_measure_context *self,
	const struct place *place, uint64_t bytes);
/* The bytes of zone to allocate on each side of data that is not guarded: ZONE_BYTES,
   or 0 in a setup that is watched. */
uint64_t place_zone_bytes(const struct at_measure_context *self);
/* The byte that an argument's zones hold in a round. */
unsigned place_zone_byte(size_t argument, unsigned round);
/* Places an argument's data at a side of its pages, as near to their end as the
   alignment allows. */
void place_fit(const struct at_measure_context *self, size_t argument,
	struct place *place, enum side side, uint64_t alignment);
/* Adds to the error of a launch that was out of bounds which buffer lies nearest to the
   access: ": x[-1], 4 bytes before the start of "x"". Adds nothing if the device does
   not know the address. */
void place_tell_fault(const struct at_measure_context *self, enum at_outcome outcome,
	struct at_error *err);

#endif
