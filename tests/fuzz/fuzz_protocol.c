/*
 * Every message body that may arrive from another process: the first byte chooses
 * the decoder. What it decodes must release cleanly; what is whole must encode to
 * the bytes it came from.
 */
#include "evaluator/workers/protocol.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_setup(struct at_wire_reader *in, struct at_wire_writer *out)
{
	struct at_measure_setup setup;

	at_get_setup(in, &setup);
	if (at_wire_done(in))
		at_fields_put(&at_measure_setup_fields, &setup, out);
	at_measure_setup_release(&setup);
}

static void try_request(struct at_wire_reader *in, struct at_wire_writer *out)
{
	struct at_measure_request request;

	at_get_request(in, &request);
	if (at_wire_done(in))
		at_fields_put(&at_measure_request_fields, &request, out);
	at_measure_request_release(&request);
}

static void try_result(struct at_wire_reader *in, struct at_wire_writer *out)
{
	struct at_measure_result result;

	at_get_result(in, &result);
	if (at_wire_done(in))
		at_fields_put(&at_measure_result_fields, &result, out);
	at_measure_result_release(&result);
}

static void try_compile_request(struct at_wire_reader *in, struct at_wire_writer *out)
{
	struct at_compile_request request;

	at_fields_get(&at_compile_request_fields, in, &request);
	if (at_wire_done(in))
		at_fields_put(&at_compile_request_fields, &request, out);
	at_compile_request_release(&request);
}

static void try_compile_result(struct at_wire_reader *in, struct at_wire_writer *out)
{
	struct at_compile_result result;

	at_fields_get(&at_compile_result_fields, in, &result);
	if (at_wire_done(in))
		at_fields_put(&at_compile_result_fields, &result, out);
	at_compile_result_release(&result);
}

static void try_ceilings(struct at_wire_reader *in, struct at_wire_writer *out)
{
	struct at_ceilings ceilings;

	at_get_ceilings(in, &ceilings);
	if (at_wire_done(in))
		at_fields_put(&at_ceilings_fields, &ceilings, out);
}

static void try_image(struct at_wire_reader *in, struct at_wire_writer *out)
{
	size_t size;
	unsigned char *image = at_wire_get_copy(in, &size);

	if (at_wire_done(in))
		at_wire_put_blob(out, image, size);
	free(image);
}

static void try_error(struct at_wire_reader *in, struct at_wire_writer *out)
{
	struct at_error err;

	at_fields_get(&at_error_fields, in, &err);
	if (at_wire_done(in))
		at_fields_put(&at_error_fields, &err, out);
}

static void try_device_info(struct at_wire_reader *in, struct at_wire_writer *out)
{
	struct at_device_info info;

	at_fields_get(&at_device_info_fields, in, &info);
	if (at_wire_done(in))
		at_fields_put(&at_device_info_fields, &info, out);
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
		try_error,
		try_device_info,
	};
	struct at_wire_reader in;
	struct at_wire_writer out = { { 0 } };

	if (size == 0 || data[0] >= sizeof(decoders) / sizeof(decoders[0]))
		return 0;
	at_wire_reader_init(&in, data + 1, size - 1);
	decoders[data[0]](&in, &out);
	if (at_wire_done(&in) && (out.bytes.length != size - 1 ||
					 memcmp(out.bytes.data, data + 1, size - 1)))
		abort();
	at_strbuf_release(&out.bytes);
	return 0;
}
