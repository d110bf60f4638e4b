/*
 * Every message body that may arrive from another process: the first byte chooses
 * the decoder. What it decodes must release cleanly; what is whole must encode to
 * the bytes it came from.
 */
#include "evaluator/workers/protocol.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void same_bytes(
	const struct at_wire_writer *out, const uint8_t *data, size_t size)
{
	if (out->bytes.length != size || memcmp(out->bytes.data, data, size) != 0)
		abort();
}

static void try_setup(struct at_wire_reader *in, struct at_wire_writer *out)
{
	struct at_measure_setup setup;

	at_get_setup(in, &setup);
	if (at_wire_done(in))
		at_put_setup(out, &setup);
	at_measure_setup_release(&setup);
}

static void try_request(struct at_wire_reader *in, struct at_wire_writer *out)
{
	struct at_measure_request request;

	at_get_request(in, &request);
	if (at_wire_done(in))
		at_put_request(out, &request);
	at_measure_request_release(&request);
}

static void try_result(struct at_wire_reader *in, struct at_wire_writer *out)
{
	struct at_measure_result result;

	at_get_result(in, &result);
	if (at_wire_done(in))
		at_put_result(out, &result);
	at_measure_result_release(&result);
}

static void try_compile_request(struct at_wire_reader *in, struct at_wire_writer *out)
{
	struct at_compile_request request;

	at_get_compile_request(in, &request);
	if (at_wire_done(in))
		at_put_compile_request(out, &request);
	at_compile_request_release(&request);
}

static void try_compile_result(struct at_wire_reader *in, struct at_wire_writer *out)
{
	struct at_compile_result result;

	at_get_compile_result(in, &result);
	if (at_wire_done(in))
		at_put_compile_result(out, &result);
	at_compile_result_release(&result);
}

static void try_ceilings(struct at_wire_reader *in, struct at_wire_writer *out)
{
	struct at_ceilings ceilings;

	at_get_ceilings(in, &ceilings);
	if (at_wire_done(in))
		at_put_ceilings(out, &ceilings);
}

static void try_image(struct at_wire_reader *in, struct at_wire_writer *out)
{
	size_t size;
	unsigned char *image = at_get_image(in, &size);

	if (at_wire_done(in))
		at_wire_put_blob(out, image, size);
	free(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const decoders[])(
		struct at_wire_reader *, struct at_wire_writer *) = {
		try_setup,
		try_request,
		try_result,
		try_compile_request,
		try_compile_result,
		try_ceilings,
		try_image,
	};
	struct at_wire_reader in;
	struct at_wire_writer out = { { 0 } };

	if (size == 0 || data[0] >= sizeof(decoders) / sizeof(decoders[0]))
		return 0;
	at_wire_reader_init(&in, data + 1, size - 1);
	decoders[data[0]](&in, &out);
	/* a compile request and what follows the results have no flags, which may be
	   sent as any number but 0 and come back as 1 */
	if (at_wire_done(&in) && (data[0] == 3 || data[0] >= 5))
		same_bytes(&out, data + 1, size - 1);
	at_strbuf_release(&out.bytes);
	return 0;
}
