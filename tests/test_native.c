/* The identity of this processor, by which units that are compiled for it are kept. */
#include "kernel/native.h"
#include "kernel/cxx.h"
#include "kernel/toolchain.h"

#include "suite.h"

#define X86(number, mhz, flags) \
	"processor\t: " number "\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n" \
	"model\t\t: 85\nmodel name\t: Xeon\nstepping\t: 7\nmicrocode\t: 0x1\n" \
	"cpu MHz\t\t: " mhz "\ncore id\t\t: " number "\nflags\t\t: fpu " flags "\n\n"
#define ARM(number, part) \
	"processor\t: " number "\nBogoMIPS\t: 100\nFeatures\t: fp asimd\n" \
	"CPU implementer\t: 0x41\nCPU part\t: " part "\n\n"

static bool are_same(const char *one, const char *other)
{
	return at_hash_equal(at_native_identity_of(one), at_native_identity_of(other));
}

TEST(is_what_a_processor_is_and_can)
{
	const char *own = X86("0", "2499.9", "avx2 avx512f");

	assert_false(are_same(own, X86("0", "2499.9", "avx2")));
	assert_false(are_same(own, ""));
	assert_false(are_same(ARM("0", "0xd0c"), ARM("0", "0xd40")));
	/* of two kinds in one machine both count */
	assert_false(are_same(ARM("0", "0xd0c"), ARM("0", "0xd0c") ARM("1", "0xd40")));
}

TEST(is_neither_a_clock_nor_how_many_there_are)
{
	const char *own = X86("0", "2499.9", "avx2");

	assert_true(are_same(own, X86("0", "800.0", "avx2")));
	assert_true(
		are_same(own, X86("0", "3100.5", "avx2") X86("1", "800.1", "avx2")));
	assert_true(are_same(ARM("0", "0xd0c"), ARM("0", "0xd0c") ARM("1", "0xd0c")));
}

TEST(only_what_is_compiled_for_a_machine_is_kept_by_machine)
{
	const struct at_hash unit = { 5, 7 };
	struct at_hash chained[2] = { unit, at_native_identity() };

	assert_true(at_hash_equal(at_toolchain_unit(AT_TOOLCHAIN_NVRTC, unit), unit));
	assert_true(at_hash_equal(at_toolchain_unit(AT_TOOLCHAIN_CXX, unit),
		at_hash_bytes(chained, sizeof(chained))));
}

RUN_SUITE(NULL, NULL)
