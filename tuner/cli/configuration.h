/*
 * Configurations as people read them: the parameters that differ from the baseline, in
 * the order of the space. All parameters where there is no baseline or with --wide. The
 * baseline itself is written as "the baseline". Threads: safe.
 */
#ifndef AT_CLI_CONFIGURATION_H
#define AT_CLI_CONFIGURATION_H

#include "base/json.h"
#include "base/memory.h"
#include "space/spec.h"

/* Appends "TILE_M=8 VECTOR=4" for a row of value indices; the spec's defaults are the
   baseline. */
void at_configuration_write(struct at_strbuf *out, const struct at_spec *spec,
	const uint16_t *configuration, bool wide);
/* The same for a configuration as it is recorded, {"TILE_M": 8, "VECTOR": 4}. baseline:
   also as recorded, or NULL. */
void at_configuration_write_recorded(
	struct at_strbuf *out, const char *json, const char *baseline, bool wide);

/* Sets the key "instance" where the kernel is an instance of a C++ template: the
   instance in this configuration. Sets nothing where configuration is NULL. */
void at_json_set_instance(struct at_json *object, const struct at_spec *spec,
	const uint16_t *configuration);

#endif
