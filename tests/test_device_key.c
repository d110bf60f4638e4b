/* The names of devices, and which devices count as the same. */
#include "space/device_key.h"

#include "base/memory.h"
#include "session/session.h"

#include "suite.h"

/* 0: not known */
struct facts {
	int64_t multiprocessors;
	int64_t memory_mib;
	int64_t power_watts;
	int64_t default_watts;
};

static struct at_properties make(struct facts facts)
{
	struct at_properties properties = { { 0 }, { 0 } };

	if (facts.multiprocessors)
		at_properties_set(&properties, AT_PROPERTY_MULTIPROCESSOR_COUNT,
			facts.multiprocessors);
	if (facts.memory_mib)
		at_properties_set(&properties, AT_PROPERTY_MEMORY_BYTES,
			facts.memory_mib * (1 << 20));
	if (facts.power_watts)
		at_properties_set(
			&properties, AT_PROPERTY_POWER_LIMIT_WATTS, facts.power_watts);
	if (facts.default_watts)
		at_properties_set(&properties, AT_PROPERTY_DEFAULT_POWER_LIMIT_WATTS,
			facts.default_watts);
	return properties;
}

TEST(adds_to_a_name_what_it_leaves_open)
{
	static const struct {
		const char *kind;
		const char *model;
		struct facts facts;
		const char *slug;
		const char *apart;
		const char *before;
	} cases[] = {
		{ "cuda", "NVIDIA H200", { 132, 143156, 700, 700 }, "nvidia-h200",
			"nvidia-h200-132sm-140gib", "" },
		{ "cuda", "NVIDIA H200", { 0, 0, 0, 0 }, "nvidia-h200", "nvidia-h200",
			"" },
		/* an older version knew nothing of its limit: what is its is not here
		 */
		{ "cuda", "NVIDIA H100 80GB HBM3", { 132, 81079, 500, 700 },
			"nvidia-h100-80gb-hbm3-500w",
			"nvidia-h100-80gb-hbm3-500w-132sm-80gib", "" },
		{ "cuda", "NVIDIA H100 80GB HBM3", { 132, 81079, 500, 0 },
			"nvidia-h100-80gb-hbm3", "nvidia-h100-80gb-hbm3-132sm-80gib",
			"" },
		{ "cuda", "NVIDIA H200 MIG 1g.18gb", { 16, 16384, 700, 700 },
			"nvidia-h200-mig-1g-18gb", "nvidia-h200-mig-1g-18gb-16sm-16gib",
			"" },
		{ "cuda", "NVIDIA GeForce RTX 3060", { 28, 12037, 170, 170 },
			"nvidia-geforce-rtx-3060-12gb",
			"nvidia-geforce-rtx-3060-12gb-28sm-12gib",
			"nvidia-geforce-rtx-3060" },
		{ "cuda", "NVIDIA GeForce RTX 3060", { 28, 7957, 150, 170 },
			"nvidia-geforce-rtx-3060-8gb-150w",
			"nvidia-geforce-rtx-3060-8gb-150w-28sm-8gib", "" },
		{ "cuda", "NVIDIA GeForce RTX 3060", { 28, 0, 0, 0 },
			"nvidia-geforce-rtx-3060", "nvidia-geforce-rtx-3060-28sm", "" },
		{ "cuda", "GeForce GTX 1060 6GB", { 10, 6078, 0, 0 },
			"geforce-gtx-1060-6gb", "geforce-gtx-1060-6gb-10sm-6gib", "" },
		{ "cuda", "NVIDIA GeForce RTX 2070 SUPER", { 40, 7982, 0, 0 },
			"nvidia-geforce-rtx-2070-super-8gb",
			"nvidia-geforce-rtx-2070-super-8gb-40sm-8gib",
			"nvidia-geforce-rtx-2070-super" },
		{ "cuda", "NVIDIA GeForce RTX 2070 Super", { 40, 7982, 0, 0 },
			"nvidia-geforce-rtx-2070-super-8gb",
			"nvidia-geforce-rtx-2070-super-8gb-40sm-8gib",
			"nvidia-geforce-rtx-2070-super" },
		{ "host", "AMD EPYC 7B13", { 4, 16000, 0, 0 }, "amd-epyc-7b13-4-cores",
			"amd-epyc-7b13-4-cores", "amd-epyc-7b13" },
		{ "host", "AMD EPYC 7B13", { 1, 16000, 0, 0 }, "amd-epyc-7b13-1-core",
			"amd-epyc-7b13-1-core", "amd-epyc-7b13" },
		{ "replay", "A Board", { 0, 0, 0, 0 }, "a-board", "a-board", "" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		struct at_properties properties = make(cases[i].facts);
		const char *kind = cases[i].kind, *model = cases[i].model;
		OWNED(free)
		char *slug = at_device_slug(kind, model, &properties),
		     *apart = at_device_slug_apart(kind, model, &properties),
		     *before = at_device_slug_before(kind, model, &properties);

		assert_string_equal(slug, cases[i].slug);
		assert_string_equal(apart, cases[i].apart);
		assert_string_equal(before, cases[i].before);
	}
}

TEST(names_folders_whatever_a_record_says)
{
	const struct at_properties odd = make((struct facts){ -4, -81079, -700, 300 });
	OWNED(free)
	char *nameless = at_device_slug("host", "???", &odd),
	     *apart = at_device_slug_apart("cuda", "NVIDIA H200", &odd);

	assert_string_equal(nameless, "unnamed");
	assert_string_equal(apart, "nvidia-h200");
}

TEST(knows_which_are_one_device)
{
	static const struct {
		const char *kind;
		struct facts a, b;
		bool is_same;
	} cases[] = {
		{ "cuda", { 132, 143156, 0, 0 }, { 132, 143156, 0, 0 }, true },
		{ "cuda", { 132, 143156, 0, 0 }, { 0, 0, 0, 0 }, true },
		{ "cuda", { 132, 143156, 0, 0 }, { 114, 143156, 0, 0 }, false },
		{ "cuda", { 132, 81079, 0, 0 }, { 132, 95320, 0, 0 }, false },
		/* another driver, or error correction */
		{ "cuda", { 108, 81000, 0, 0 }, { 108, 80900, 0, 0 }, true },
		{ "cuda", { 84, 48570, 0, 0 }, { 84, 45500, 0, 0 }, true },
		{ "host", { 4, 16000, 0, 0 }, { 4, 64000, 0, 0 }, true },
		{ "host", { 4, 16000, 0, 0 }, { 8, 16000, 0, 0 }, false },
	};

	for (size_t i = 0; i < AT_COUNT_OF(cases); i++) {
		struct at_properties a = make(cases[i].a), b = make(cases[i].b);

		if (at_device_is_same(cases[i].kind, &a, &b) != cases[i].is_same ||
			at_device_is_same(cases[i].kind, &b, &a) != cases[i].is_same)
			fail_msg("case %zu", i);
	}
}

/* Boards of one search. */
TEST(knows_which_boards_share_results)
{
	struct at_device_info board = { .kind = "cuda",
		.id = "cuda:0",
		.model = "NVIDIA H200",
		.architecture = "sm_90",
		.driver = "580" };
	struct at_device_info others[8];

	board.properties = make((struct facts){ 132, 143156, 700, 700 });
	for (size_t i = 0; i < AT_COUNT_OF(others); i++)
		others[i] = board;
	/* another board of the same */
	strcpy(others[0].id, "cuda:1");
	strcpy(others[0].uuid, "GPU-1");
	strcpy(others[1].model, "nvidia h200");
	others[2].properties = make((struct facts){ 132, 143156, 500, 700 });
	others[3].properties = make((struct facts){ 66, 143156, 700, 700 });
	others[4].properties = make((struct facts){ 132, 98304, 700, 700 });
	strcpy(others[5].model, "NVIDIA H200 MIG 1g.18gb");
	strcpy(others[6].driver, "590");
	strcpy(others[7].kind, "replay");
	for (size_t i = 0; i < AT_COUNT_OF(others); i++)
		if (at_session_shares_results(&board, &others[i]) != (i < 2))
			fail_msg("board %zu", i);
}

RUN_SUITE(NULL, NULL)
