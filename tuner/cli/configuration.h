/*
 * Configurations as people read them: what differs from the baseline, in the order of
 * the space, or all of it where there is no baseline or --wide asks for it. The
 * baseline itself is "the baseline". Threads: safe.
 */
#ifndef AT_CLI_CONFIGURATION_H
#define AT_CLI_CONFIGURATION_H

#include "base/json.h"
#include "base/memory.h"
#include "space/spec.h"

/* "TILE_M=8 VECTOR=4" of a row of value indices; the defaults are the baseline. */
void at_configuration_write(struct at_strbuf *out, const struct at_spec *spec,
	const uint16_t *configuration, bool wide);
/* The same of what is recorded, {"TILE_M": 8, "VECTOR": 4}; baseline: as recorded too,
   or NULL. */
void at_configuration_write_recorded(
	struct at_strbuf *out, const char *json, const char *baseline, bool wide);

/* Where the kernel is an instance of a C++ template, "instance": which one of it the
   configuration is. Nothing for NULL. */
void at_json_set_instance(struct at_json *object, const struct at_spec *spec,
	const uint16_t *configuration);

#endif
