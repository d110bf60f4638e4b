/*
 * Messages between the coordinator and its workers: a header of 24 bytes (magic with
 * version, type, length, number) and a body of base/wire.h values.
 *
 * Requests that have an answer are numbered, and the answer carries its request's
 * number. An answer that comes twice, too early or in place of another is refused: it
 * would be a time or an outcome of the wrong configuration.
 *
 * Both ends are the same executable on the same machine, yet nothing that arrives is
 * trusted: a short or odd message is AT_EPROTOCOL, never a crash. Decoded structs own
 * everything in them. Threads: pure functions.
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

/* The types of messages, with the values in their bodies -> their answers. */
enum at_message {
	AT_MESSAGE_NONE = 0,
	/* to a measure worker -> its answer */
	AT_MESSAGE_PROBE, /* kind name -> PROBED or FAILED */
	AT_MESSAGE_OPEN, /* device id -> OPENED or FAILED; a device may still fail
			    while it wakes: then the next request is FAILED */
	/*
	 * Those that need the board to themselves answer WAITING while another program
	 * has it, and STARTED once it is free. Images are passed as files: the paths of
	 * compiled units.
	 */
	AT_MESSAGE_SETUP, /* id, paths of support, reference and reference in double,
			     struct at_measure_setup -> STARTED, READY or FAILED */
	AT_MESSAGE_MEASURE, /* at_put_measure() -> STARTED, RESULTS or FAILED */
	AT_MESSAGE_CEILINGS, /* path; ends all setups -> STARTED, CEILED or FAILED */
	/* to a compile worker */
	AT_MESSAGE_COMPILE, /* where to put the unit ("": nowhere), struct
			       at_compile_request -> COMPILED or FAILED */
	AT_MESSAGE_TOOLCHAIN, /* number -> VERSION or FAILED */
	AT_MESSAGE_WARM, /* toolchain: does what its first unit would have to wait for;
			    no answer */
	AT_MESSAGE_ARCHITECTURES, /* number -> VERSION (a list of them) or FAILED */
	AT_MESSAGE_COVER, /* path of the space, problem, seconds of a processor, end by
 at_clock_now_ns(), count, value indices
			     of a configuration -> VERSION (JSON) */
	/* answers */
	AT_MESSAGE_PROBED, /* count, reason */
	AT_MESSAGE_OPENED, /* struct at_device_info */
	AT_MESSAGE_READY, /* count and ids of the setups that it holds now; who else
			     computes on the device, "": no process; why there is no
			     lock, "": there is one */
	AT_MESSAGE_WAITING, /* process number of who has the device; 0: not known */
	AT_MESSAGE_STARTED, /* this run has the device: deadlines begin now */
	AT_MESSAGE_RESULTS, /* count, of each a struct at_measure_result */
	AT_MESSAGE_CEILED, /* struct at_ceilings */
	AT_MESSAGE_COMPILED, /* struct at_compile_result */
	AT_MESSAGE_VERSION, /* text */
	AT_MESSAGE_FAILED, /* struct at_error */
};

/* Stands ahead of each body, byte by byte as in memory. */
struct at_message_header {
	uint32_t magic;
	uint32_t type;
	uint64_t body_bytes;
	uint64_t number; /* of the request, from 1; 0: it has no answer */
};

/* Structs that have no table of members elsewhere; see at_fields_put(). */
extern const struct at_fields at_error_fields;
extern const struct at_fields at_device_info_fields;
extern const struct at_fields at_ceilings_fields;

/* Appends what MEASURE has. how: how the finals of `count` requests are held; NULL: one
   request is evaluated. units: their paths. */
void at_put_measure(struct at_wire_writer *out, struct at_hash setup,
	const struct at_measure_finals *how, const char *const *units,
	const struct at_measure_request *requests, size_t count);

/*
 * Each reads a struct from the body of a message. On failure the reader is `failed`,
 * and *out holds what can be released. Beside the types they check what the tables of
 * members cannot say: calls and files name arguments that exist, each argument has one
 * binding, no vector is wider than 16, and no more than a million samples are asked
 * for.
 */
void at_get_setup(struct at_wire_reader *in, struct at_measure_setup *out);
void at_get_request(struct at_wire_reader *in, struct at_measure_request *out);
void at_get_result(struct at_wire_reader *in, struct at_measure_result *out);
/* Fails unless all three ceilings are positive and finite. */
void at_get_ceilings(struct at_wire_reader *in, struct at_ceilings *out);

#endif
