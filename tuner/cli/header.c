/* autotune header: the result files and headers, from what is recorded. */
#include "cli/cli.h"
#include "cli/output.h"
#include "cli/recorded.h"

#include "record/result.h"
#include "space/spec.h"

#include <stdlib.h>
#include <string.h>

struct header {
	const struct at_cli_arguments *arguments;
	struct at_recorded recorded;
	const char *results;
	const char *output; /* NULL: the usual place */
};

static enum at_status write_header(struct header *self, const struct at_spec *spec,
	int64_t device_id, struct at_error *err)
{
	const struct at_result_options options = {
		.directory = self->results,
		.header_path = self->output,
		.with_unproved = at_cli_given(self->arguments, &at_option_unproved),
	};
	struct at_record_device device = { 0 };
	struct at_strbuf line = { 0 };
	struct at_json *object;
	enum at_status status;
	char *path = NULL;

	status = at_store_get_device(self->recorded.store, device_id, &device, err);
	if (!status)
		status = at_result_write(
			self->recorded.store, &options, spec, device_id, &path, err);
	if (!status && !path)
		status = at_fail(err, AT_ENOENT, spec->path, 0,
			"no winner of \"%s\" on %s is proved: tune it to the end, or ask for those that are not with --unproved",
			spec->name, device.model);
	if (!status && at_cli_given(self->arguments, &at_option_json)) {
		object = at_json_object();
		at_json_set(object, "space", at_json_string(spec->name));
		at_json_set(object, "device", at_json_string(device.slug));
		at_json_set(object, "header", at_json_string(path));
		at_print_json(object);
	} else if (!status && !at_cli_given(self->arguments, &at_option_quiet)) {
		at_strbuf_addf(&line, "%s\n", path);
		at_print(&line);
		at_strbuf_release(&line);
	}
	at_record_device_release(&device);
	free(path);
	return status;
}

/*
 * The devices that have a winner of the space and that --device means. *out is the
 * caller's, also after a failure.
 */
static enum at_status find_devices(struct header *self, const struct at_spec *spec,
	int64_t **out, size_t *count, struct at_error *err)
{
	struct at_crown *crowns;
	enum at_status status;
	size_t crown_count;
	int64_t *ids, last = 0;

	status = at_store_crowns(
		self->recorded.store, spec->name, 0, &crowns, &crown_count, err);
	if (status)
		return status;
	*out = ids = malloc((crown_count + 1) * sizeof(*ids));
	if (!ids)
		status = at_fail_memory(err);
	for (size_t i = 0; i < crown_count && !status; i++) {
		struct at_record_device device = { 0 };

		/* they come ordered by device */
		if (crowns[i].device_id == last)
			continue;
		last = crowns[i].device_id;
		status = at_store_get_device(self->recorded.store, last, &device, err);
		if (!status && at_recorded_wants(&self->recorded, &device))
			ids[(*count)++] = last;
		at_record_device_release(&device);
	}
	at_store_free_crowns(crowns, crown_count);
	return status;
}

static enum at_status write_space(
	struct header *self, const struct at_spec *spec, struct at_error *err)
{
	enum at_status status;
	struct at_error missing = { 0 };
	int64_t *ids = NULL;
	size_t count = 0;

	status = find_devices(self, spec, &ids, &count, err);
	if (!status && !count)
		status = at_fail(err, AT_ENOENT, spec->path, 0,
			"no winner of \"%s\" is recorded in \"%s\"%s: tune it first",
			spec->name, self->results,
			self->recorded.wanted_count ? " for this device" : "");
	else if (!status && count > 1 && self->output)
		status = at_fail(err, AT_EINVAL, spec->path, 0,
			"winners are recorded for %zu devices, and -o names one file: choose one with --device (\"autotune results\" lists them)",
			count);
	for (size_t i = 0; i < count && !status; i++) {
		struct at_error reason = { 0 };

		status = write_header(self, spec, ids[i], &reason);
		/* one that is not proved keeps no other from its files: told at the end
		 */
		if (status == AT_ENOENT && !missing.status)
			missing = reason;
		else if (status && status != AT_ENOENT && err)
			*err = reason;
		if (status == AT_ENOENT)
			status = AT_OK;
	}
	if (!status && missing.status) {
		status = missing.status;
		if (err)
			*err = missing;
	}
	free(ids);
	return status;
}

static enum at_exit write_all(struct header *self)
{
	enum at_exit code = AT_EXIT_DONE;

	for (size_t i = 0; i < self->arguments->operand_count; i++) {
		struct at_error err = { 0 };
		struct at_spec *spec;
		enum at_status status =
			at_spec_load(self->arguments->operands[i], &spec, &err);

		if (!status) {
			status = write_space(self, spec, &err);
			at_spec_free(spec);
		}
		if (status) {
			at_say_error(&err);
			code = AT_EXIT_FAILED;
		}
	}
	return code;
}

static enum at_exit run_header(const struct at_cli_arguments *arguments)
{
	enum at_exit code = AT_EXIT_FAILED;
	struct at_error err = { 0 };
	struct header self = {
		.arguments = arguments,
		.results = at_cli_text(arguments, &at_option_results, "results"),
		.output = at_cli_text(arguments, &at_option_output, NULL),
	};

	if (self.output && arguments->operand_count > 1) {
		at_fail(&err, AT_EINVAL, NULL, 0,
			"-o names one file, and there are %zu spaces: give one of them",
			arguments->operand_count);
		at_say_error(&err);
		return AT_EXIT_USAGE;
	}
	if (at_recorded_open(arguments, &self.recorded, &err))
		at_say_error(&err);
	else
		code = write_all(&self);
	at_recorded_close(&self.recorded);
	return code;
}

static const struct at_cli_option *const options[] = {
	&at_option_output,
	&at_option_device,
	&at_option_results,
	&at_option_unproved,
	&at_option_json,
	&at_option_quiet,
	NULL,
};

const struct at_cli_command at_command_header = {
	.name = "header",
	.operands = "SPACE...",
	.summary = "write the result file and the header from what is recorded",
	.details =
		"Nothing is measured. For every device with a recorded winner the files DIR/DEVICE/SPACE.json and .h are written, and the headers' paths are printed; a file that would not change is not touched. A winner that is not proved, of a run that was interrupted, is in no header unless --unproved asks for it. With -o the header of one space and one device goes to FILE.",
	.operands_minimum = 1,
	.operands_maximum = SIZE_MAX,
	.options = options,
	.run = run_header,
};
