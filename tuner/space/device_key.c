/* Slugs of devices, and which devices are the same: see device_key.h. */
#include "space/device_key.h"

#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define GIB ((int64_t)1 << 30)

static int64_t known(const struct at_properties *properties, enum at_property property)
{
	int64_t value = properties->known[property] ? properties->value[property] : 0;

	/* A record from another machine may contain anything. */
	return value > 0 ? value : 0;
}

int64_t at_device_memory_gib(const struct at_properties *properties)
{
	int64_t bytes = known(properties, AT_PROPERTY_MEMORY_BYTES);

	return bytes / GIB + (bytes % GIB > 0);
}

/* Whether the name includes the memory: "RTX A2000 12GB", "H100 80GB HBM3". */
static bool names_memory(const char *slug)
{
	for (const char *c = strstr(slug, "gb"); c; c = strstr(c + 2, "gb"))
		if (c > slug && c[-1] >= '0' && c[-1] <= '9' && (c[2] == '-' || !c[2]))
			return true;
	return false;
}

static bool is_limited(const struct at_properties *properties)
{
	int64_t watts = known(properties, AT_PROPERTY_POWER_LIMIT_WATTS);
	int64_t usual = known(properties, AT_PROPERTY_DEFAULT_POWER_LIMIT_WATTS);

	return watts && usual && watts != usual;
}

static void add_suffix(struct at_strbuf *out, const char *kind, const char *slug,
	const struct at_properties *properties)
{
	int64_t gib = at_device_memory_gib(properties);
	int64_t cores = known(properties, AT_PROPERTY_MULTIPROCESSOR_COUNT);

	if (!strcmp(kind, "host") && cores)
		at_strbuf_addf(
			out, "-%" PRId64 "-core%s", cores, cores == 1 ? "" : "s");
	if (strstr(slug, "geforce") && gib && !names_memory(slug))
		at_strbuf_addf(out, "-%" PRId64 "gb", gib);
	if (is_limited(properties))
		at_strbuf_addf(out, "-%" PRId64 "w",
			known(properties, AT_PROPERTY_POWER_LIMIT_WATTS));
}

static char *slug_with_suffix(const char *kind, const char *model,
	const struct at_properties *properties, bool apart)
{
	int64_t gib = at_device_memory_gib(properties);
	int64_t count = known(properties, AT_PROPERTY_MULTIPROCESSOR_COUNT);
	char *plain = at_text_slug(model);
	struct at_strbuf out = { 0 };

	/* A name without a single letter or digit still needs a folder. */
	at_strbuf_add(&out, plain[0] ? plain : "unnamed");
	add_suffix(&out, kind, plain, properties);
	free(plain);
	/* The suffix already has a CPU's cores, and its memory is only what a container
	   allows. */
	apart = apart && strcmp(kind, "host") != 0;
	if (apart && count)
		at_strbuf_addf(&out, "-%" PRId64 "sm", count);
	if (apart && gib)
		at_strbuf_addf(&out, "-%" PRId64 "gib", gib);
	return at_strbuf_detach(&out);
}

char *at_device_slug(
	const char *kind, const char *model, const struct at_properties *properties)
{
	return slug_with_suffix(kind, model, properties, false);
}

char *at_device_slug_apart(
	const char *kind, const char *model, const struct at_properties *properties)
{
	return slug_with_suffix(kind, model, properties, true);
}

char *at_device_slug_before(
	const char *kind, const char *model, const struct at_properties *properties)
{
	char *now = at_device_slug(kind, model, properties);
	char *before = at_text_slug(model);

	if (is_limited(properties) || !strcmp(now, before))
		before[0] = '\0';
	free(now);
	return before;
}

bool at_device_is_same(
	const char *kind, const struct at_properties *a, const struct at_properties *b)
{
	static const enum at_property exact[] = { AT_PROPERTY_COMPUTE_CAPABILITY,
		AT_PROPERTY_MULTIPROCESSOR_COUNT };
	int64_t gib[] = { at_device_memory_gib(a), at_device_memory_gib(b) };
	int64_t more, less;

	for (size_t i = 0; i < AT_COUNT_OF(exact); i++) {
		int64_t one = known(a, exact[i]), other = known(b, exact[i]);

		if (one && other && one != other)
			return false;
	}
	/* The memory of a CPU is what a container allows. */
	if (!gib[0] || !gib[1] || !strcmp(kind, "host"))
		return true;
	more = gib[0] > gib[1] ? gib[0] : gib[1];
	less = gib[0] > gib[1] ? gib[1] : gib[0];
	/* Differences of 1 GiB may come from rounding. */
	return more - less <= 1 || (more - less) * 14 <= more;
}
