/*
 * Messages between the coordinator and its workers: a header of 24 bytes (magic with
 * version, type, length, number) and a body of base/wire.h values.
 *
 * Requests with an answer are numbered, and the answer carries its request's number. An
 * answer that is repeated, early or out of order is refused: its time or outcome would
 * belong to the wrong configuration.
 *
 * Both ends are the same executable on the same machine, yet no received message is
 * trusted: a short or malformed one is AT_EPROTOCOL, never a crash. Decoded structs own
 * all their members. Threads: pure functions.
 */
#ifndef AT_WORKERS_PROTOCOL_H
#define AT_WORKERS_PROTOCOL_H

#include "base/wire.h"
#include "device/device.h"
#include "kernel/compile.h"
#include "kernel/roofline.h"
#include "measure/measure.h"

#define AT_MESSAGE_MAGIC 0x30327461u /* "at20": changes with the format */
#define AT_MESSAGE_HEADER_BYTES 24
#define AT_MESSAGE_LIMIT_BYTES ((uint64_t)1 << 30)

/* Message types, with the contents of their bodies -> their answers. */
enum at_message {
	AT_MESSAGE_NONE = 0,
	/* to a measure worker -> answer */
	AT_MESSAGE_PROBE, /* kind name -> PROBED or FAILED */
	/* device id -> OPENED or FAILED; a device that fails while it wakes makes the
	   next request FAILED */
	AT_MESSAGE_OPEN,
	/* Requests that need exclusive use of the board answer WAITING while another
	   program has it, and STARTED once it is free. Images are passed as paths of
	   compiled units. */
	AT_MESSAGE_SETUP, /* id, paths of support, reference and reference in double,
			     struct at_measure_setup -> STARTED, READY or FAILED */
	AT_MESSAGE_MEASURE, /* at_put_measure() -> STARTED, RESULTS or FAILED */
	AT_MESSAGE_CEILINGS, /* path; ends all setups -> STARTED, CEILED or FAILED */
	/* to a compile worker */
	/* path of the unit ("": none), struct at_compile_request -> COMPILED or
	   FAILED */
	AT_MESSAGE_COMPILE,
	AT_MESSAGE_TOOLCHAIN, /* name -> VERSION or FAILED */
	AT_MESSAGE_WARM, /* toolchain: prepares its first unit; no answer */
	AT_MESSAGE_ARCHITECTURES, /* name -> VERSION (a list of them) or FAILED */
	/* path of the space, problem, seconds of a processor, end by at_clock_now_ns(),
	   count, value indices of a configuration -> VERSION (JSON) */
	AT_MESSAGE_COVER,
	/* answers */
	AT_MESSAGE_PROBED, /* count, reason */
	AT_MESSAGE_OPENED, /* struct at_device_info */
	/* count and ids of the setups that it holds now; other users of the device, or
	   ""; why there is no lock, or "" */
	AT_MESSAGE_READY,
	AT_MESSAGE_WAITING, /* process number of the device's owner; 0: unknown */
	AT_MESSAGE_STARTED, /* this run has the device: deadlines begin now */
	AT_MESSAGE_RESULTS, /* count, a struct at_measure_result for each */
	AT_MESSAGE_CEILED, /* struct at_ceilings */
	AT_MESSAGE_COMPILED, /* struct at_compile_result */
	AT_MESSAGE_VERSION, /* text */
	AT_MESSAGE_FAILED, /* struct at_error */
};

/* Precedes each body, byte by byte as in memory. */
struct at_message_header {
	uint32_t magic;
	uint32_t type;
	uint64_t body_bytes;
	uint64_t number; /* of the request, from 1; 0: no answer */
};

/* Structs without a table of members elsewhere; see at_fields_put(). */
extern const struct at_fields at_error_fields;
extern const struct at_fields at_device_info_fields;
extern const struct at_fields at_ceilings_fields;

/* Appends the body of MEASURE. how: the finals of `count` requests; NULL: one request
   is evaluated. units: their paths. */
void at_put_measure(struct at_wire_writer *out, struct at_hash setup,
	const struct at_measure_finals *how, const char *const *units,
	const struct at_measure_request *requests, size_t count);

/*
 * Each reads a struct from the body of a message. On failure the reader is `failed`,
 * and *out can be released. Besides the types they check rules outside the tables of
 * members: calls and files name existing arguments, each argument has one binding,
 * vectors have at most 16 elements, and at most a million samples are requested.
 */
void at_get_setup(struct at_wire_reader *in, struct at_measure_setup *out);
void at_get_request(struct at_wire_reader *in, struct at_measure_request *out);
void at_get_result(struct at_wire_reader *in, struct at_measure_result *out);
/* Fails unless all three ceilings are positive and finite. */
void at_get_ceilings(struct at_wire_reader *in, struct at_ceilings *out);

#endif
