/* A compile worker: the requests that the coordinator sends it, and how each is
   answered. */
#include "evaluator/workers/protocol.h"
#include "evaluator/workers/worker_parts.h"
#include "kernel/toolchain.h"
#include "kernel/units.h"

#include <stdlib.h>

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
