/* A compile worker: the requests that the coordinator sends it, and how each is
   answered. */
#include "evaluator/cases_coverage.h"
#include "base/memory.h"
#include "evaluator/workers/protocol.h"
#include "evaluator/workers/worker.h"
#include "evaluator/workers/worker_parts.h"
#include "kernel/toolchain.h"
#include "kernel/units.h"

#include <stdlib.h>
#include <string.h>

bool at_handle_compile(struct at_worker_state *self, struct at_wire_reader *in)
{
	struct at_compile_request request;
	struct at_compile_result result = { 0 };
	struct at_error err = { 0 };
	struct at_wire_writer body = { { 0 } };
	char *path = at_wire_get_text(in);
	enum at_status status = AT_OK;
	bool sent;

	(void)self;
	at_get_compile_request(in, &request);
	if (!at_wire_done(in)) {
		sent = at_respond_broken("compile");
		goto release;
	}
	status = at_compile(&request, &result, &err);
	if (!status && path[0] && at_unit_may_be_kept(&result))
		status = at_unit_write(path, &result, &err);
	if (status) {
		sent = at_respond_error(&err);
		goto release;
	}
	/* the image is in the file, from which the measure worker reads it */
	free(result.image);
	result.image = NULL;
	result.image_bytes = 0;
	at_put_compile_result(&body, &result);
	sent = at_respond(AT_MESSAGE_COMPILED, &body);
release:
	free(path);
	at_compile_request_release(&request);
	at_compile_result_release(&result);
	return sent;
}

/* Measures for the configuration, whose indices are those of the space's file. */
static enum at_status cover(const struct at_spec *spec, const char *problem,
	const uint16_t *configuration, size_t count, double seconds, uint64_t end_ns,
	struct at_strbuf *out, struct at_error *err)
{
	struct at_case_coverage_options options = { .spec = spec,
		.configuration = configuration,
		.units = getenv(AT_WORKER_UNITS),
		.seconds = seconds,
		.end_ns = end_ns };
	struct at_template template = { 0 };
	struct at_case_coverage result;
	struct at_json *json;
	bool is_there = count == spec->parameter_count;
	enum at_status status = AT_OK;

	for (size_t i = 0; i < spec->problem_count; i++)
		if (!strcmp(spec->problems[i].name, problem))
			options.problem = &spec->problems[i];
	for (size_t i = 0; i < count && is_there; i++)
		is_there = configuration[i] < spec->parameters[i].value_count;
	if (!is_there || !options.problem)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"the space file was changed meanwhile");
	status = at_template_load(spec->template_path, &template, err);
	if (status)
		return status;
	options.template = &template;
	status = at_case_coverage(&options, &result, err);
	if (!status) {
		json = at_case_coverage_to_json(&result, &template, "the winner");
		at_json_write(json, 0, out);
		at_json_free(json);
	}
	at_case_coverage_release(&result);
	at_template_release(&template);
	return status;
}

bool at_handle_cover(struct at_worker_state *self, struct at_wire_reader *in)
{
	char *path = at_wire_get_text(in), *problem = at_wire_get_text(in);
	const double seconds = at_wire_get_real(in);
	const uint64_t end_ns = at_wire_get_u64(in);
	const uint32_t count = at_wire_get_count(in, sizeof(uint32_t));
	uint16_t *configuration = at_calloc(count + 1, sizeof(*configuration));
	struct at_wire_writer body = { { 0 } };
	struct at_strbuf text = { 0 };
	struct at_spec *spec = NULL;
	struct at_error err = { 0 };
	enum at_status status = AT_OK;
	bool sent;

	(void)self;
	for (uint32_t i = 0; i < count; i++)
		configuration[i] = (uint16_t)at_wire_get_u32(in);
	if (!at_wire_done(in)) {
		sent = at_respond_broken("cover");
		goto release;
	}
	status = at_spec_load(path, &spec, &err);
	if (!status)
		status = cover(spec, problem, configuration, count, seconds, end_ns,
			&text, &err);
	if (status) {
		/* no reason to end a run */
		struct at_json *json = at_json_object();

		at_strbuf_clear(&text);
		at_json_set(json, "reason", at_json_string(err.text));
		at_json_write(json, 0, &text);
		at_json_free(json);
	}
	at_wire_put_text(&body, at_strbuf_text(&text));
	sent = at_respond(AT_MESSAGE_VERSION, &body);
release:
	at_spec_free(spec);
	at_strbuf_release(&text);
	free(configuration);
	free(problem);
	free(path);
	return sent;
}

/* A question to a toolchain that is answered with a text. */
typedef enum at_status (*question)(
	const char *name, char *buffer, size_t size, struct at_error *err);

static bool answer_of_toolchain(struct at_wire_reader *in, question ask)
{
	struct at_error err = { 0 };
	struct at_wire_writer body = { { 0 } };
	char name[AT_TOOLCHAIN_NAME_SIZE], text[AT_TOOLCHAIN_TEXT_SIZE];

	at_wire_get_text_into(in, name, sizeof(name));
	if (!at_wire_done(in))
		return at_respond_broken("toolchain");
	if (ask(name, text, sizeof(text), &err))
		return at_respond_error(&err);
	at_wire_put_text(&body, text);
	return at_respond(AT_MESSAGE_VERSION, &body);
}

bool at_handle_warm(struct at_worker_state *self, struct at_wire_reader *in)
{
	char name[AT_TOOLCHAIN_NAME_SIZE];

	(void)self;
	at_wire_get_text_into(in, name, sizeof(name));
	if (!at_wire_done(in))
		return at_respond_broken("warm");
	at_toolchain_warm(name);
	return true;
}

bool at_handle_toolchain(struct at_worker_state *self, struct at_wire_reader *in)
{
	(void)self;
	return answer_of_toolchain(in, at_toolchain_version);
}

bool at_handle_architectures(struct at_worker_state *self, struct at_wire_reader *in)
{
	(void)self;
	return answer_of_toolchain(in, at_toolchain_architectures);
}
