/*
 * Computes the keys by which evaluations are recorded. The key must change when
 * anything changes that decides a time or its proof, and must stay the same otherwise.
 * What identifies a unit and a measurement is listed elsewhere (at_compile_identity(),
 * at_measure_request_fields). This file adds the rest, and the contents of files;
 * their paths do not count.
 */
#include "evaluator/plan_internal.h"
#include "base/file.h"
#include "space/device_key.h"

#include <stdlib.h>

/* Raise this when proving or measuring changes so that old times mean something else,
   and when the ingredients of a key change. */
#define MEASUREMENT_VERSION 6
/* The same where the cache is warm: of version 6 finals were colder there. */
#define MEASUREMENT_VERSION_WARM 7

/* A file of up to this size is read whole: whether it is too long for its argument is
   told elsewhere. */
#define SMALL_BYTES ((uint64_t)16 << 20)

/* Hashes the contents of a file that fills the argument; an empty path leaves *out. */
static void hash_data(const struct at_measure_setup *setup, uint32_t argument,
	const char *path, struct at_hash *out)
{
	const struct at_measure_argument *facts = &setup->arguments[argument];
	uint64_t bytes = setup->bindings[argument].count *
			 at_element_bytes(facts->element) * facts->lanes;

	if (!path[0])
		return;
	at_file_hash(path, bytes > SMALL_BYTES ? bytes : SMALL_BYTES, out);
}

/*
 * Hashes the setup. A reference that is a kernel counts by its name and launch only:
 * its source is in the template, which is in the unit. Its macros are those of the
 * file's defaults, and they are left out so that --set does not make everything
 * recorded unknown.
 */
void at_plan_identify_setup(struct at_plan *self)
{
	const char *kernel = self->spec->reference.call.kernel;
	struct at_measure_setup *setup = &self->setup;
	struct at_hasher *hasher;

	if (setup->library[0])
		at_file_hash(
			setup->library, AT_LIBRARY_BYTES_MAX, &setup->library_contents);
	for (uint32_t i = 0; i < setup->argument_count; i++)
		hash_data(setup, i, setup->arguments[i].file,
			&setup->arguments[i].contents);
	for (uint32_t i = 0; i < setup->set_count; i++)
		for (uint32_t k = 0; k < setup->sets[i].fill_count; k++)
			hash_data(setup, k, setup->sets[i].fills[k].file,
				&setup->sets[i].fills[k].contents);
	for (uint32_t i = 0; i < setup->file_count; i++)
		hash_data(setup, setup->files[i].argument, setup->files[i].path,
			&setup->files[i].contents);
	hasher = at_hasher_new();
	at_fields_hash(&at_measure_setup_fields, setup, hasher);
	at_hasher_add_text(hasher, kernel ? kernel : "");
	self->setup_identity = at_hasher_result(hasher);
	at_hasher_free(hasher);
}

void at_plan_identify(const struct at_plan *self, struct at_planned *out)
{
	const struct at_spec *spec = self->spec;
	const struct at_device_info *device = self->device;
	char *slug =
		at_device_slug_apart(device->kind, device->model, &device->properties);
	struct at_hasher *key = at_hasher_new();

	out->unit = at_compile_identity(&out->compile, self->toolchain_version);
	at_hasher_add_integer(key, self->setup.cache == AT_CACHE_WARM
					   ? MEASUREMENT_VERSION_WARM
					   : MEASUREMENT_VERSION);
	at_hasher_add(key, &out->unit, sizeof(out->unit));
	/*
	 * The parameters too, though most are in the unit already: two configurations
	 * that come to the same kernel and launch are recorded apart, each with its own
	 * values.
	 */
	for (size_t i = 0; i < spec->parameter_count + spec->size_count; i++) {
		struct at_value value = self->slots[i];

		at_hasher_add_text(key, at_spec_slot_name(spec, (int)i));
		at_hasher_add_integer(key, value.type);
		if (value.type == AT_TYPE_WORD)
			at_hasher_add_text(key, value.word);
		else if (value.type == AT_TYPE_REAL)
			at_hasher_add_real(key, value.real);
		else
			at_hasher_add_integer(key, value.integer);
	}
	at_hasher_add(key, &self->setup_identity, sizeof(self->setup_identity));
	/* configurations without a launch that makes sense differ in the reason */
	at_hasher_add_text(key, out->detail);
	at_fields_hash(&at_measure_request_fields, &out->request, key);
	at_hasher_add_text(key, self->toolchain_version);
	at_hasher_add_text(key, device->kind);
	/* the slug has everything that tells devices of one name apart */
	at_hasher_add_text(key, slug);
	at_hasher_add_text(key, device->driver);
	/*
	 * Keys of one problem share their first bytes, so that they lie together in the
	 * record's index. Adding to an index thus stays quick when it has grown large.
	 */
	out->key = at_hash_grouped(self->setup_identity, at_hasher_result(key));
	at_hasher_free(key);
	free(slug);
}
