/*
 * A device: something that loads compiled kernels, holds memory and runs them.
 * One table of functions, and behind it cuda/ and host/.
 *
 * A device lives inside a measure worker, a process of its own: a kernel that
 * traps, hangs or corrupts costs that process and nothing else. After a function
 * has returned AT_OUTCOME_CRASHED, or OUT_OF_BOUNDS, the device is lost, which its
 * is_lost says too: only close() may follow, and the worker ends.
 *
 * What it must not know: strategies, records, what the kernels compute.
 * Threads: one device, one thread.
 */
#ifndef AT_DEVICE_DEVICE_H
#define AT_DEVICE_DEVICE_H

#include "base/error.h"
#include "base/memory.h"
#include "base/outcome.h"
#include "kernel/toolchain.h"
#include "space/properties.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct at_device_info {
	char kind[16]; /* "cuda", "host": what a problem's `on` names */
	char id[32]; /* "cuda:0", "host": what --device names */
	char model[128]; /* "NVIDIA H200", "AMD EPYC 7B13 64-Core Processor" */
	char uuid[64]; /* of this very board; on host the machine's id or "" */
	char architecture[16]; /* "sm_90", "x86_64" */
	char driver[64]; /* "580.159.04 (CUDA 13.0)"; on host the kernel's release */
	char toolchain[AT_TOOLCHAIN_NAME_SIZE]; /* the name of the one that compiles for
						   it */
	struct at_properties properties;
	/* measuring disturbs compiling on the same cores: never do both at once */
	bool shares_cores;
};

struct at_memory; /* opaque: device memory, owned by the device */
struct at_module; /* opaque: a loaded image */
struct at_kernel; /* opaque: a kernel in a module, valid until it is unloaded */

/* One value as the kernel's parameter list holds it: an address, a scalar. */
struct at_parameter_value {
	unsigned char bytes[16]; /* little-endian; addresses are 8 bytes */
	const void *more; /* a structure: where its bytes are; else NULL */
};

struct at_invocation {
	struct at_kernel *kernel;
	uint32_t grid[3]; /* each at least 1 */
	uint32_t block[3]; /* each at least 1 */
	uint32_t shared_bytes; /* dynamic; above 48 KiB is opted in to */
	size_t argument_count;
	const struct at_parameter_value *arguments;
};

/*
 * Why the clocks of a board are not at their highest, as it says itself: symbol, and a
 * word for people. Several may hold at once.
 */
#define AT_CLOCK_REASONS(X) \
	X(IDLE, "idle") \
	X(SET, "clocks set by the user") \
	X(POWER_CAP, "power cap") \
	X(HEAT, "heat") \
	X(POWER_BRAKE, "power brake") \
	X(HARDWARE, "hardware slowdown") \
	X(OTHER, "another reason")

enum at_clock_reason {
#define AT_CLOCK_REASON_ENUM(symbol, text) AT_CLOCK_REASON_##symbol,
	AT_CLOCK_REASONS(AT_CLOCK_REASON_ENUM)
#undef AT_CLOCK_REASON_ENUM
		AT_CLOCK_REASON_COUNT
};

/* The bit of a reason. */
#define AT_CLOCK_REASON_BIT(reason) (UINT32_C(1) << (reason))

/* "heat, power cap" of such bits; nothing for 0. */
void at_device_add_reasons(struct at_strbuf *out, uint32_t reasons);

/* Something that is on or off, where that is known. */
enum at_device_switch {
	AT_SWITCH_UNKNOWN = 0,
	AT_SWITCH_OFF,
	AT_SWITCH_ON,
};

/* What the board was doing; 0 or false where it cannot be known. */
struct at_device_state {
	uint64_t clock_hz; /* of the multiprocessors */
	uint64_t memory_clock_hz;
	/* what they may be at most by the user's setting ("application clocks"), as of
	   when the device was opened; that clocks are locked the reason SET tells */
	uint64_t set_clock_hz;
	uint64_t set_memory_clock_hz;
	double temperature_celsius;
	double power_watts;
	double power_limit_watts; /* that the board holds itself to */
	enum at_device_switch ecc; /* as of when the device was opened */
	uint32_t clock_reasons; /* AT_CLOCK_REASON_BIT() of enum at_clock_reason */
	/* clocks held down by heat, power brake or hardware; a power cap counts
	   as throttled only where the board says so */
	bool throttled;
};

/* Another process that computes on the same board. */
struct at_neighbour {
	uint32_t pid; /* as the machine numbers it, which a container may not */
	uint64_t memory_bytes; /* on the board; 0: not told */
	char name[64]; /* of its program; "": not told */
};

/* What lies unmapped on either side of guarded memory. */
#define AT_GUARD_BYTES ((uint64_t)1 << 30)

enum at_protection {
	AT_PROTECTION_WRITE = 0, /* reading and writing */
	AT_PROTECTION_READ,
	AT_PROTECTION_NONE, /* any touch is OUT_OF_BOUNDS */
};

/* Device memory that is nobody's at_memory. */
struct at_range {
	uint64_t address;
	uint64_t bytes;
};

#define AT_VARIABLES_UNKNOWN SIZE_MAX

struct at_device;

struct at_device_ops {
	/*
	 * NULL unless the kind has begin(): what that left out. Once, before any slot
	 * but close().
	 */
	enum at_status (*wake)(struct at_device *self, struct at_error *err);
	/* also of one that was not woken, or did not wake */
	void (*close)(struct at_device *self);

	/* bytes > 0; aligned to 256; contents undefined. AT_ENOMEM when full. */
	enum at_status (*allocate)(struct at_device *self, uint64_t bytes,
		struct at_memory **out, struct at_error *err);
	void (*release)(struct at_device *self, struct at_memory *memory);
	/* What a kernel sees as the pointer to its first byte. */
	uint64_t (*address)(struct at_device *self, struct at_memory *memory);
	/* Synchronous copies; the range must lie inside the memory. */
	enum at_status (*write)(struct at_device *self, struct at_memory *memory,
		uint64_t offset_bytes, const void *data, uint64_t bytes,
		struct at_error *err);
	enum at_status (*read)(struct at_device *self, struct at_memory *memory,
		uint64_t offset_bytes, void *data, uint64_t bytes,
		struct at_error *err);

	/*
	 * Loads a cubin or shared object; nothing lazy may be left for the first
	 * launch. OK, LAUNCH_FAILED (refused), CRASHED.
	 */
	enum at_outcome (*load)(struct at_device *self, const unsigned char *image,
		size_t bytes, struct at_module **out, struct at_error *err);
	void (*unload)(struct at_device *self, struct at_module *module);
	/* NULL when the module has no such kernel. */
	struct at_kernel *(*find)(
		struct at_device *self, struct at_module *module, const char *symbol);
	/*
	 * Copies bytes > 0 to the start of the module's variable of that name, for
	 * all launches that follow. A module without such a variable is left as it
	 * is, with *found false. OK; LAUNCH_FAILED when the variable is smaller, with
	 * both sizes in err, or when the copy was refused; CRASHED.
	 */
	enum at_outcome (*set_symbol)(struct at_device *self, struct at_module *module,
		const char *name, const void *data, uint64_t bytes, bool *found,
		struct at_error *err);

	/*
	 * Runs the invocations one after the other and waits for the last. Every
	 * launch is checked. OK; LAUNCH_FAILED when a launch was refused (bad
	 * geometry, too many resources: TOO_MANY_RESOURCES) and the device still
	 * works; OUT_OF_BOUNDS when a kernel touched memory that is not there or not to
	 * be written, CRASHED when it trapped in another way, and the device is lost.
	 * TIMED_OUT: see crowd().
	 */
	enum at_outcome (*run)(struct at_device *self,
		const struct at_invocation *calls, size_t count, struct at_error *err);

	/*
	 * One sample: runs before[0..before_count) untimed, then makes `launches` of
	 * timed[0..timed_count), in turns and from the first on, and gives the device's
	 * own time of these launches together in *duration_ns (not divided). Launch
	 * latency of the host stays out: all of it is queued before the first timed
	 * launch starts. The kernels must have run before with run(). Same outcomes as
	 * run(). resolution: see below.
	 */
	enum at_outcome (*time)(struct at_device *self,
		const struct at_invocation *before, size_t before_count,
		const struct at_invocation *timed, size_t timed_count,
		unsigned launches, double *duration_ns, struct at_error *err);

	/*
	 * NULL where the device has no such means of its own. One sample of the
	 * vendor's copy within the device: the time, as time() gives it, of `copies`
	 * copies of `bytes` bytes each from the start of one memory to the start of
	 * another. OK; LAUNCH_FAILED when it was refused or leaves a memory; CRASHED.
	 */
	enum at_outcome (*time_copy)(struct at_device *self, struct at_memory *to,
		struct at_memory *from, uint64_t bytes, unsigned copies,
		double *duration_ns, struct at_error *err);

	/*
	 * NULL where the device cannot. Makes the calls one graph, in which each comes
	 * behind the one before it, and runs that as a whole, so many samples of it,
	 * each right behind a run that is not timed. durations_ns[i] is what all of it
	 * took by the device's own time, with what the graph itself takes. The kernels
	 * must have run before with run(). OK; NOT_APPLICABLE where no graph can be
	 * made of these; else the outcomes of run().
	 */
	enum at_outcome (*time_graph)(struct at_device *self,
		const struct at_invocation *calls, size_t count, double *durations_ns,
		size_t samples, struct at_error *err);

	/* Never fails: what is unknown stays zero. */
	void (*state)(struct at_device *self, struct at_device_state *out);
	/*
	 * NULL where none can be told. Other processes that compute on the board,
	 * without the caller's: the first `room`, and how many there are. Those of the
	 * same run are among them: compare the ids.
	 */
	size_t (*neighbours)(
		struct at_device *self, struct at_neighbour *neighbours, size_t room);

	/*
	 * Host only, else NULL: from now on threads of a block take turns in an
	 * order drawn from seed (0: ascending), so that a missing barrier shows, and
	 * begin with garbage in shared memory, which differs from seed to seed.
	 */
	void (*shuffle_threads)(struct at_device *self, uint64_t seed);

	/*
	 * NULL where the device cannot; then protect and mapped are NULL too. As
	 * allocate(), but the memory lies in whole pages of its own, and nothing is
	 * mapped for AT_GUARD_BYTES ahead of the first and behind the last of them: a
	 * kernel that touches anything there ends its launch with OUT_OF_BOUNDS and the
	 * device is lost. Kernels may read and write it.
	 */
	enum at_status (*allocate_guarded)(struct at_device *self, uint64_t bytes,
		struct at_memory **out, struct at_error *err);
	/* The bytes of all its pages: at least what was asked for. */
	uint64_t (*mapped)(struct at_device *self, struct at_memory *memory);
	/*
	 * What kernels, and write() and read(), may do with guarded memory from now on.
	 * Not while anything runs.
	 */
	enum at_status (*protect)(struct at_device *self, struct at_memory *memory,
		enum at_protection protection, struct at_error *err);

	/*
	 * NULL where the device cannot tell. The memory of a module that its kernels
	 * can write and that lives as long as it does (`__device__` and static
	 * variables, and on a GPU `__constant__` ones: a kernel that takes the address
	 * of one can write there): the first `room` ranges, and how many there are.
	 * AT_VARIABLES_UNKNOWN: it has some whose place cannot be told, and only
	 * loading it anew makes them as they were; no range is then given.
	 */
	size_t (*variables)(struct at_device *self, struct at_module *module,
		struct at_range *ranges, size_t room);

	/*
	 * NULL where the device cannot. From now on run(), but not time(), runs its
	 * calls beside a filler that keeps so many multiprocessors for itself (all but
	 * one at most; 0: no filler any more) until they have ended. Calls that wait
	 * for blocks that find no room do not end: after limit_ns the filler gives up,
	 * and once they have ended run() says TIMED_OUT, with the device as usable as
	 * before. So limit_ns has to be many times what the calls take by themselves on
	 * what is left of the device. Calls with clusters of blocks run without a
	 * filler: these may find no room for no fault of theirs. filler: at_crowd of
	 * the tuner's own kernels (measure/support.cu); its module stays loaded.
	 * AT_EUNAVAILABLE: no two kernels run side by side here (under a profiler, or
	 * by a setting of the driver), and none is from now on.
	 */
	enum at_status (*crowd)(struct at_device *self, struct at_kernel *filler,
		unsigned multiprocessors, uint64_t limit_ns, struct at_error *err);

	/*
	 * NULL where kernels run elsewhere. Whether they have changed the process since
	 * the last call, as far as can be seen: threads, descriptors, signals, limits.
	 * Nobody else should meet that: end the process when this one is judged.
	 */
	bool (*has_left_traces)(struct at_device *self);
};

struct at_device {
	const struct at_device_ops *ops;
	struct at_device_info info;
	/* how fine time() can tell, known once it is woken; a sample should last many
	   times this */
	double resolution_ns;
	/* a kernel has ended it: only close() may follow */
	bool is_lost;
	/* where it touched what it must not, as far as that is known; else 0 */
	uint64_t fault_address;
};

/* It reports a clock well below its highest: not warm yet, or held down. */
bool at_device_clock_is_low(struct at_device *self);

/*
 * Who else computes on the board, appended as "trainer (process 18, 3 MiB), ..."; out
 * may be NULL. Returns how many, up to four. Other runs of this program are not worth a
 * word: they wait for their turn.
 */
size_t at_device_add_neighbours(struct at_device *self, struct at_strbuf *out);

/*
 * The registry: one row a kind of device, in device/registry.c. Nobody else knows
 * which kinds there are: what differs between them is a member here, of the info
 * or of the functions.
 */

/* Whether a run that names no device tunes on this kind. */
enum at_device_default {
	AT_DEVICE_ON_REQUEST = 0, /* only where it is named */
	AT_DEVICE_PREFERRED, /* on all of them */
	AT_DEVICE_FALLBACK, /* on one, where there is no preferred one */
};

struct at_device_kind {
	/* "cuda": an identifier of at most 15 characters; a problem's `on` names it */
	const char *name;
	const char *summary; /* for --help */
	enum at_device_default by_default;
	bool single; /* a machine has one at most, and its id is the name alone */
	bool runs_here; /* kernels are code of the process that opened it */
	/*
	 * How many there are on this machine. AT_EUNAVAILABLE with the reason and
	 * the hint in err when the kind cannot be used here (*count is then 0).
	 */
	enum at_status (*count)(unsigned *count, struct at_error *err);
	/*
	 * Opens number index (the N of "cuda:N"), from 0. The device is the
	 * caller's: close().
	 */
	enum at_status (*open)(
		unsigned index, struct at_device **out, struct at_error *err);
	/*
	 * NULL, or as open(), but without what takes long and nobody needs to know the
	 * device by: its info is whole, and it has to be woken, see wake().
	 */
	enum at_status (*begin)(
		unsigned index, struct at_device **out, struct at_error *err);
	/* the toolchain's name where it is the same for all of them, so that it can be
	   warmed up before one of them is open; else NULL */
	const char *toolchain;
	/* NVIDIA's compute-sanitizer can watch what runs there */
	bool has_sanitizer;
	/*
	 * What is known of all devices of an architecture ("sm_90") where none is at
	 * hand: fills in kind, architecture, toolchain and properties of an *out
	 * that comes zeroed. false, and nothing touched: not one of this kind. NULL
	 * for a kind that knows nothing of devices that are not here.
	 */
	bool (*describe)(const char *architecture, struct at_device_info *out);
};

/* NULL after the last. */
const struct at_device_kind *at_device_kind_at(size_t index);

/* AT_ENOENT suggests the nearest or names the known ones. */
enum at_status at_device_kind_find(
	const char *name, const struct at_device_kind **out, struct at_error *err);

/*
 * For a program that brings a kind of its own, and for tests: *kind must outlive
 * every use. A worker is a process of its own: it must add the same ones before
 * at_worker_main(). Not while another thread uses the registry. AT_EINVAL: a name
 * that is taken or no identifier of 1 to 15 characters; AT_EOVERFLOW: there are too
 * many.
 */
enum at_status at_device_add(const struct at_device_kind *kind, struct at_error *err);

/* As the slot of the first kind that knows it; *out comes zeroed. false: unknown. */
bool at_device_describe(const char *architecture, struct at_device_info *out);

/* What --device names. */
struct at_device_choice {
	const struct at_device_kind *kind;
	bool all; /* "cuda:all": every device of the kind */
	unsigned index; /* of "cuda:1"; 0 for "cuda" and where all is set */
};

/*
 * AT_ENOENT names what is known; AT_EINVAL: neither a number up to 1023 nor "all"
 * behind the colon. Whether such a device is here is not looked at.
 */
enum at_status at_device_resolve(
	const char *id, struct at_device_choice *out, struct at_error *err);

/* "cuda:N, cuda:all and host": what at_device_resolve() takes. */
void at_device_add_known(struct at_strbuf *out);

/* "cuda:1", "host": what at_device_resolve() resolves to this very device. */
void at_device_id(
	const struct at_device_kind *kind, unsigned index, char *buffer, size_t size);
/* Sets kind and id of what is known of that device. */
void at_device_name(
	const struct at_device_kind *kind, unsigned index, struct at_device_info *info);

#endif
