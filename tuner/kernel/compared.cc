/*
 * Callbacks of -fsanitize-coverage=trace-cmp (GCC's manual, "Program Instrumentation
 * Options"): note with which constants whole numbers are compared. Linked into images
 * that kernel/cxx.c compiles for coverage, behind lines that define AT_UNIT, the name
 * of gcov's files, AT_UNIT_NUMBER, its first digits, and AT_NOTES, the path of gcov's notes when the image is linked.
 *
 * An image holds the notes, so that it can be kept without them. Unloading it writes
 * the notes and the rows into the folder into which libgcov writes the counts.
 *
 * A row holds one comparison, or one label of a switch: the place, and the least and
 * largest number that came there. Threads run kernels side by side: a row is taken by
 * one exchange, and limits grow by exchanges. A full table notes nothing more.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

asm(".section .rodata\n"
    ".hidden at_notes\n.globl at_notes\nat_notes: .incbin \"" AT_NOTES "\"\n"
    ".hidden at_notes_end\n.globl at_notes_end\nat_notes_end: .byte 0\n"
    ".previous");
extern "C" __attribute__((visibility("hidden"))) const char at_notes[], at_notes_end[];

namespace
{
enum { ROWS = 1 << 14, TRIES = 64 };

struct row {
	uint64_t key; /* of place and constant; 0: free */
	uint64_t place;
	int64_t constant;
	/* of the numbers in the order of unsigned ones: the largest, and the complement
	   of the least, so that both begin at 0 and only grow */
	uint64_t high;
	uint64_t not_low;
};

row rows[ROWS];

const uint64_t sign = UINT64_C(1) << 63;
/* the first digits of the unit's name */
const uint64_t unit = AT_UNIT_NUMBER;

void raise(uint64_t *limit, uint64_t value)
{
	uint64_t old = __atomic_load_n(limit, __ATOMIC_RELAXED);

	while (value > old && !__atomic_compare_exchange_n(limit, &old, value, false,
				      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

void note(const char *from, int64_t constant, int64_t value)
{
	/* a distance within the image is the same wherever it is loaded; `unit` tells
	   images apart */
	const uint64_t place =
		(uint64_t)(from - (const char *)&note) ^ unit;
	const uint64_t key =
		(place * UINT64_C(0x9e3779b97f4a7c15) ^
			(uint64_t)constant * UINT64_C(0xff51afd7ed558ccd)) |
		1;

	for (unsigned i = 0; i < TRIES; i++) {
		row *at = &rows[((key >> 20) + i) % ROWS];
		uint64_t found = 0;

		if (__atomic_compare_exchange_n(&at->key, &found, key, false,
			    __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
			at->place = place;
			at->constant = constant;
		} else if (found != key) {
			continue;
		}
		raise(&at->high, (uint64_t)value ^ sign);
		raise(&at->not_low, ~((uint64_t)value ^ sign));
		return;
	}
}

FILE *open_file(const char *name, const char *mode)
{
	const char *folder = getenv("GCOV_PREFIX");
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", folder ? folder : "", name);
	return folder ? fopen(path, mode) : nullptr;
}

__attribute__((destructor)) void write_files()
{
	FILE *file = open_file(AT_UNIT ".gcno", "w");

	if (file) {
		fwrite(at_notes, 1, (size_t)(at_notes_end - at_notes), file);
		fclose(file);
	}
	file = open_file("compared", "a");
	for (unsigned i = 0; file && i < ROWS; i++)
		if (rows[i].key)
			fprintf(file, "%llu %lld %lld %lld\n",
				(unsigned long long)rows[i].place,
				(long long)rows[i].constant,
				(long long)(~rows[i].not_low ^ sign),
				(long long)(rows[i].high ^ sign));
	if (file)
		fclose(file);
}
} // namespace

#define HERE (const char *)__builtin_return_address(0)
#define CALLBACKS(bits, type) \
	extern "C" void __sanitizer_cov_trace_const_cmp##bits( \
		type constant, type value) \
	{ \
		note(HERE, constant, value); \
	} \
	extern "C" void __sanitizer_cov_trace_cmp##bits(type, type) \
	{ \
	}
CALLBACKS(1, int8_t)
CALLBACKS(2, int16_t)
CALLBACKS(4, int32_t)
CALLBACKS(8, int64_t)
extern "C" void __sanitizer_cov_trace_cmpf(float, float)
{
}
extern "C" void __sanitizer_cov_trace_cmpd(double, double)
{
}

/* labels[0] is their number, labels[1] their bits */
extern "C" void __sanitizer_cov_trace_switch(uint64_t value, const uint64_t *labels)
{
	const unsigned shift = labels[1] < 64 ? 64 - (unsigned)labels[1] : 0;

	for (uint64_t i = 0; i < labels[0]; i++)
		note(HERE, (int64_t)(labels[2 + i] << shift) >> shift,
			(int64_t)(value << shift) >> shift);
}
