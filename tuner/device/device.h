/*
 * A device: something that loads compiled kernels, holds memory and runs them. struct
 * at_device_ops is the table of functions through which measure/ uses it; cuda/ and
 * host/ implement the table, and registry.c lists the kinds of devices.
 *
 * A device lives inside a measure worker, a process of its own: a kernel that traps,
 * hangs or corrupts memory costs that process and nothing else. After a function has
 * returned AT_OUTCOME_CRASHED or AT_OUTCOME_OUT_OF_BOUNDS the device is lost, and
 * is_lost is set: only close() may follow, and the worker ends.
 *
 * This folder must not know strategies, records, or what the kernels compute.
 * Threads: each device is used by one thread.
 */
#ifndef AT_DEVICE_DEVICE_H
#define AT_DEVICE_DEVICE_H

#include "base/error.h"
#include "base/memory.h"
#include "base/outcome.h"
#include "kernel/facts.h"
#include "kernel/toolchain.h"
#include "space/properties.h"
#include "space/tensor_map.h"
#include "space/texture.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What a configuration sets of its board: locked clocks, and the power limit. 0: what
 * the board has by itself.
 */
struct at_clocks {
	uint32_t clock_mhz; /* of the multiprocessors */
	uint32_t memory_clock_mhz;
	uint32_t power_milliwatts;
};

#define AT_CLOCKS_MOST 256
#define AT_MEMORY_CLOCKS_MOST 16

/* What a board offers for these, in any order; what is not known is 0, at the end. */
struct at_clocks_offer {
	uint32_t clocks_mhz[AT_CLOCKS_MOST]; /* with the highest clock of the memory */
	uint32_t memory_clocks_mhz[AT_MEMORY_CLOCKS_MOST];
	uint32_t power_milliwatts[2]; /* the least and the most */
};

struct at_device_info {
	char kind[16]; /* "cuda", "host": what a problem's `on` names */
	char id[32]; /* "cuda:0", "host": what --device names */
	char model[128]; /* "NVIDIA H200", "AMD EPYC 7B13 64-Core Processor" */
	/* identifies this board; on host a hash of the machine's id, or "" */
	char uuid[64];
	char architecture[16]; /* "sm_90", "x86_64" */
	/* "580.159.04 (CUDA 13.0)"; on host the release of the operating system's
	   kernel */
	char driver[64];
	/* name of the toolchain that compiles for this device */
	char toolchain[AT_TOOLCHAIN_NAME_SIZE];
	struct at_properties properties;
	/* The highest clocks that any source tells, which may be above those of the
	   properties: these leave out the boost of some boards. 0: unknown. */
	uint64_t max_clock_hz;
	uint64_t max_memory_clock_hz;
	/* Measuring and compiling use the same cores and would disturb each other: the
	   two must take turns. */
	bool shares_cores;
	/* why the energy of launches cannot be measured, as far as that is known when
	   the device is opened: "a slice of a board (MIG) ..."; "": it may be */
	char no_energy[160];
	/* the same of clocks and power limit: why a configuration cannot set them */
	char no_clocks[160];
	struct at_clocks_offer offer;
};

struct at_memory; /* opaque: device memory, owned by the device */
struct at_module; /* opaque: a loaded image */
struct at_kernel; /* opaque: a kernel in a module, valid until it is unloaded */
struct at_texels; /* opaque: a texture or surface object, owned by its caller */

/* One value as the kernel's parameter list holds it: an address, a scalar. */
struct at_parameter_value {
	unsigned char bytes[16]; /* little-endian; addresses are 8 bytes */
	/* for a structure its bytes, which the caller owns; else NULL */
	const void *more;
};

/* A range of device memory that was not allocated as an at_memory. */
struct at_range {
	uint64_t address;
	uint64_t bytes;
};

/* What is run: a launch, or a copy of buffers to the arrays of textures and surfaces.
 */
struct at_invocation {
	struct at_kernel *kernel; /* NULL: a copy, which has texels alone */
	uint32_t grid[3]; /* each at least 1 */
	uint32_t block[3]; /* each at least 1 */
	uint32_t shared_bytes; /* dynamic; more than 48 KiB needs no other call */
	size_t argument_count;
	const struct at_parameter_value *arguments;
	/*
	 * NULL: none. A device ignores hints that it has no use for (preferred
	 * clusters, carveout, window, an earlier start). It refuses a launch whose
	 * cluster or cooperation it cannot provide: LAUNCH_FAILED, or
	 * TOO_MANY_RESOURCES where fewer blocks would do.
	 */
	const struct at_attributes *attributes;
	struct at_range window; /* of the attributes; no bytes: none */
	/* the attributes say so, and the call ahead is of the same sequence */
	bool is_dependent;
	struct at_texels *const *texels; /* of a copy: objects with arrays */
	size_t texel_count;
	bool copies_back; /* from the arrays to those buffers that are no inputs */
};

/*
 * The reasons that a board gives for clocks below their highest: the symbol, and the
 * words that users read. Several reasons can hold at once.
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

/* The bit that stands for a reason in at_device_state.clock_reasons. */
#define AT_CLOCK_REASON_BIT(reason) (UINT32_C(1) << (reason))

/*
 * Appends the words of all reasons whose bits are set, as in "heat, power cap"; nothing
 * for 0.
 */
void at_device_add_reasons(struct at_strbuf *out, uint32_t reasons);

/* A setting of the board that is on or off, or that the board does not tell. */
enum at_device_switch {
	AT_SWITCH_UNKNOWN = 0,
	AT_SWITCH_OFF,
	AT_SWITCH_ON,
};

/*
 * What the board is doing at the time of the call. What cannot be known is 0 or false.
 */
struct at_device_state {
	uint64_t clock_hz; /* of the multiprocessors */
	/* The highest clocks that the user's setting ("application clocks") allows,
	   read when the device was opened. Clocks that the user has locked are not seen
	   here, but by the reason AT_CLOCK_REASON_SET. */
	uint64_t set_clock_hz;
	uint64_t set_memory_clock_hz;
	/* what these are where the user has set nothing */
	uint64_t default_clock_hz;
	uint64_t default_memory_clock_hz;
	double power_limit_watts; /* the limit that the board keeps to now */
	enum at_device_switch ecc; /* read when the device was opened */
	uint32_t clock_reasons; /* AT_CLOCK_REASON_BIT() of enum at_clock_reason */
	/* Heat, power brake or hardware hold the clocks down. A power cap counts only
	   where the board reports it as a reason, and no configuration has set it. */
	bool throttled;
};

/* The counter of the energy that the whole board has drawn, as it was read. */
struct at_energy {
	/* from an arbitrary origin; it moves in steps of 20 to 100 ms */
	uint64_t millijoules;
	uint64_t read_ns; /* by a steady clock of the device's functions */
};

/* Another process that computes on the same board. */
struct at_neighbour {
	/* the machine's number of it; inside a container the process may have another
	   one */
	uint32_t pid;
	uint64_t memory_bytes; /* that it uses on the board; 0: unknown */
	char name[64]; /* of its program, without folders; "": unknown */
};

/* Size of the text about an undefined value, with its terminating zero. */
#define AT_UNDEFINED_BYTES 200

/* Bytes of address space that are unmapped on either side of guarded memory. */
#define AT_GUARD_BYTES ((uint64_t)1 << 30)
/* The most that at_device.apart_bytes may be. */
#define AT_APART_BYTES ((uint64_t)1 << 36)
/* Where so much address space is not free in one piece, it is kept for guards, and
   at_device.apart_bytes does nothing. */
#define AT_SPARE_BYTES ((uint64_t)1 << 44)

enum at_protection {
	AT_PROTECTION_WRITE = 0, /* reading and writing */
	AT_PROTECTION_READ,
	AT_PROTECTION_NONE, /* any access ends with OUT_OF_BOUNDS */
};

#define AT_VARIABLES_UNKNOWN SIZE_MAX

struct at_device;

struct at_device_ops {
	/*
	 * Does what open() of the kind left out since it takes long and is not needed
	 * to know the device. To be called once, before any other slot but close().
	 * NULL where nothing was left out.
	 */
	enum at_status (*wake)(struct at_device *self, struct at_error *err);
	/* Frees the device, also one that was not woken or whose wake() failed. */
	void (*close)(struct at_device *self);

	/* Allocates bytes > 0, aligned to 256 bytes, with undefined contents. The
	   caller releases *out. AT_ENOMEM when the device is full. */
	enum at_status (*allocate)(struct at_device *self, uint64_t bytes,
		struct at_memory **out, struct at_error *err);
	/* NULL is allowed. */
	void (*release)(struct at_device *self, struct at_memory *memory);
	/* The address of its first byte as kernels see it. */
	uint64_t (*address)(struct at_device *self, struct at_memory *memory);
	/* Synchronous copies. AT_EINVAL when the range does not lie inside the memory,
	   or the memory is protected against the copy. */
	enum at_status (*write)(struct at_device *self, struct at_memory *memory,
		uint64_t offset_bytes, const void *data, uint64_t bytes,
		struct at_error *err);
	enum at_status (*read)(struct at_device *self, struct at_memory *memory,
		uint64_t offset_bytes, void *data, uint64_t bytes,
		struct at_error *err);

	/*
	 * Loads an image: a cubin, or on host a shared object. Nothing of it may be
	 * left to be loaded at the first launch, which may be a timed one. OK;
	 * LAUNCH_FAILED when the image was refused; CRASHED.
	 */
	enum at_outcome (*load)(struct at_device *self, const unsigned char *image,
		size_t bytes, struct at_module **out, struct at_error *err);
	/* Kernels that were found in the module are invalid afterwards; NULL is
	   allowed. */
	void (*unload)(struct at_device *self, struct at_module *module);
	/* The module's kernel of that name, owned by the module; NULL when it has
	   none. */
	struct at_kernel *(*find)(
		struct at_device *self, struct at_module *module, const char *symbol);
	/*
	 * Copies bytes > 0 to the start of the module's variable of that name, which
	 * may stand in a namespace (at_variable_find()), for all launches that follow.
	 * Where the module has no such variable, nothing is changed and *found is
	 * false. OK; LAUNCH_FAILED when the variable is smaller (err has both sizes) or
	 * the copy was refused; CRASHED.
	 */
	enum at_outcome (*set_symbol)(struct at_device *self, struct at_module *module,
		const char *name, const void *data, uint64_t bytes, bool *found,
		struct at_error *err);

	/*
	 * Encodes a map that at_tensor_map_check() admits, of a buffer that begins at
	 * the address, as the CUtensorMap that a kernel takes. AT_EDEVICE: the driver
	 * refuses the map. NULL where no kernel can use maps; a kernel that takes one
	 * then gets zeros.
	 */
	enum at_status (*encode_map)(struct at_device *self,
		const struct at_tensor_map *map, uint64_t address,
		unsigned char out[AT_TENSOR_MAP_BYTES], struct at_error *err);

	/*
	 * Makes the object of a texture or surface that at_texture_check() admits, of a
	 * buffer that begins at the address, in linear memory a multiple of
	 * AT_TEXTURE_ALIGNMENT; *value is what a kernel takes. Objects of one buffer
	 * and of one shape share an array, whose contents are undefined until a copy
	 * runs (at_device.has_arrays). AT_EINVAL: beyond what this device has;
	 * AT_EDEVICE, AT_ENOMEM. NULL where the device has no such objects.
	 */
	enum at_status (*make_texels)(struct at_device *self,
		const struct at_texture *texture, uint64_t address,
		struct at_texels **out, uint64_t *value, struct at_error *err);
	/* NULL is allowed. */
	void (*free_texels)(struct at_device *self, struct at_texels *texels);

	/*
	 * Runs the invocations one after the other, checks every launch, and waits for
	 * the last. OK; LAUNCH_FAILED or TOO_MANY_RESOURCES when a launch was refused
	 * (for its geometry, or for its resources) and the device still works;
	 * OUT_OF_BOUNDS when a kernel accessed memory that does not exist or that it
	 * may not write, CRASHED when it trapped in another way: in both cases the
	 * device is lost. TIMED_OUT: only beside a filler, see crowd().
	 */
	enum at_outcome (*run)(struct at_device *self,
		const struct at_invocation *calls, size_t count, struct at_error *err);

	/*
	 * As run(), and sets *least_ns to what the last of the calls took at least, by
	 * the device's clock: the time in which the host queued it is taken off, since
	 * the device may have waited. 0 where it is not known. The kernel may be a new
	 * one, which time() takes no sample of. NULL where the device cannot tell.
	 */
	enum at_outcome (*run_timed)(struct at_device *self,
		const struct at_invocation *calls, size_t count, double *least_ns,
		struct at_error *err);

	/*
	 * One sample: runs before[0..before_count) untimed, then makes `launches`
	 * launches of timed[0..timed_count), beginning with the first and starting over
	 * after the last, and sets *duration_ns to the device's own time of these
	 * launches together (not divided). The host's launch latency is not in it,
	 * since all of it is queued before the first timed launch starts. The kernels
	 * must have run before with run(). Lines of the cache that earlier launches
	 * asked to keep may be replaced as all others by what runs `before`, where the
	 * device can do that. Outcomes as of run(). How fine the time is: see
	 * at_device.resolution_ns.
	 */
	enum at_outcome (*time)(struct at_device *self,
		const struct at_invocation *before, size_t before_count,
		const struct at_invocation *timed, size_t timed_count,
		unsigned launches, double *duration_ns, struct at_error *err);

	/*
	 * Times the vendor's copy within the device: *duration_ns is the time, as of
	 * time(), of `copies` copies of `bytes` bytes each from the start of one memory
	 * to the start of the other. OK; LAUNCH_FAILED when the copy was refused or
	 * does not fit into both; CRASHED. NULL where the device has no such copy.
	 */
	enum at_outcome (*time_copy)(struct at_device *self, struct at_memory *to,
		struct at_memory *from, uint64_t bytes, unsigned copies,
		double *duration_ns, struct at_error *err);

	/*
	 * Makes one graph of the calls, in which each call depends on the one before
	 * it, and takes samples of the graph as a whole, each right behind a run of it
	 * that is not timed. durations_ns[i] is the device's own time of sample i, with
	 * the graph's own costs. The kernels must have run before with run(). OK;
	 * NOT_APPLICABLE where these calls cannot become a graph; else the outcomes of
	 * run(). NULL where the device has no graphs.
	 */
	enum at_outcome (*time_graph)(struct at_device *self,
		const struct at_invocation *calls, size_t count, double *durations_ns,
		size_t samples, struct at_error *err);

	/*
	 * Counts what one launch does: runs before[0..before_count) and then the call,
	 * as often as the counters need passes, and fills in AT_COUNTER_COUNT values
	 * (device/counters.h). From the first call on, times that are taken on this
	 * device do not count any more (is_profiled). NOT_APPLICABLE: the counters
	 * cannot be read, and err says why in a line for users; else the outcomes of
	 * run(). NULL where the device has no counters.
	 */
	enum at_outcome (*count)(struct at_device *self,
		const struct at_invocation *before, size_t before_count,
		const struct at_invocation *call, double *values, struct at_error *err);

	/* Fills *out; never fails: what is unknown becomes zero. */
	void (*state)(struct at_device *self, struct at_device_state *out);
	/*
	 * Reads the energy counter. AT_EUNAVAILABLE: it cannot be read, or counts more
	 * than this device; err says so in a line for users. One quick question, since
	 * the board idles meanwhile. NULL where the device has no such counter.
	 */
	enum at_status (*energy)(
		struct at_device *self, struct at_energy *out, struct at_error *err);
	/* The board's temperature; 0: not told. NULL where energy is NULL. */
	double (*celsius)(struct at_device *self);
	/*
	 * Locks the board's clocks and sets its power limit. What is 0 is given back,
	 * where an earlier call has set it. AT_EUNAVAILABLE: it cannot be set, and err
	 * names a way out. What was set survives the process: see restore_clocks() of
	 * the kind. NULL where no_clocks of the info says why. Callers use
	 * at_device_set_clocks().
	 */
	enum at_status (*set_clocks)(struct at_device *self,
		const struct at_clocks *clocks, struct at_error *err);
	/* The power limit that the board is set to; 0: not told. NULL where set_clocks
	   is. */
	uint32_t (*power_milliwatts)(struct at_device *self);
	/*
	 * Fills in the first `room` other processes that compute on the board, and
	 * returns how many there are. The calling process is left out; other processes
	 * of the same run are not, and are recognised by their ids. NULL where the
	 * device cannot tell.
	 */
	size_t (*neighbours)(
		struct at_device *self, struct at_neighbour *neighbours, size_t room);

	/*
	 * Host only, else NULL. From now on the threads of a block take turns in an
	 * order drawn from seed, so that a missing barrier shows, and begin with
	 * garbage in shared memory, which differs from seed to seed. With seed 0 they
	 * run in ascending order again.
	 */
	void (*shuffle_threads)(struct at_device *self, uint64_t seed);

	/*
	 * As allocate(), but the memory lies in whole pages of its own, and
	 * AT_GUARD_BYTES ahead of the first page and behind the last one are unmapped:
	 * a kernel that accesses anything there ends its launch with OUT_OF_BOUNDS, and
	 * the device is lost. Kernels may read and write the memory itself. NULL where
	 * the device cannot do that; then protect and mapped are NULL too.
	 */
	enum at_status (*allocate_guarded)(struct at_device *self, uint64_t bytes,
		struct at_memory **out, struct at_error *err);
	/* The bytes of all its pages: at least as many as were asked for. */
	uint64_t (*mapped)(struct at_device *self, struct at_memory *memory);
	/*
	 * Sets what kernels, write() and read() may do with guarded memory from now on.
	 * Not to be called while anything runs.
	 */
	enum at_status (*protect)(struct at_device *self, struct at_memory *memory,
		enum at_protection protection, struct at_error *err);

	/*
	 * The memory of a module that its kernels can write and that lives as long as
	 * the module: `__device__` and static variables, and on a GPU `__constant__`
	 * ones too, since a kernel that takes the address of one can write there. Fills
	 * in the first `room` ranges and returns how many there are.
	 * AT_VARIABLES_UNKNOWN, and no range: some variables cannot be located, so only
	 * loading the module anew restores them. NULL where the device cannot tell.
	 */
	size_t (*variables)(struct at_device *self, struct at_module *module,
		struct at_range *ranges, size_t room);

	/*
	 * From now on run(), but not time(), runs its calls beside a filler, a kernel
	 * that occupies that many multiprocessors (at most all but one; 0: no filler
	 * any more) until the calls have ended. This finds kernels that need all their
	 * blocks at once: calls that wait for blocks that find no room do not end.
	 * After limit_ns the filler gives up; run() then waits for the calls and
	 * returns TIMED_OUT, and the device is as usable as before. limit_ns must be
	 * many times what the calls take on the multiprocessors that are left. Calls
	 * with clusters of blocks run without a filler: they may find no room through
	 * no fault of theirs. filler: at_crowd of the tuner's own kernels
	 * (measure/support.cu); its module must stay loaded. AT_EUNAVAILABLE: no two
	 * kernels run side by side here (under a profiler, or by a setting of the
	 * driver), and no filler is used from now on. NULL where the device cannot do
	 * that.
	 */
	enum at_status (*crowd)(struct at_device *self, struct at_kernel *filler,
		unsigned multiprocessors, uint64_t limit_ns, struct at_error *err);

	/*
	 * From now on some blocks of each call of `kernel` in run() begin late: as few
	 * as can be, if possible one, find room only about hold_ns after the others
	 * began. This finds kernels in which blocks wait for each other, but not for
	 * all. Calls of one block, of more than the device can hold at once, and with
	 * clusters are launched as always. It takes the place of crowd(), which takes
	 * its own; both end with kernel NULL. filler, AT_EUNAVAILABLE: as in crowd().
	 * NULL where the device cannot do that.
	 */
	enum at_status (*hold_back)(struct at_device *self, struct at_kernel *filler,
		const struct at_kernel *kernel, uint64_t hold_ns, struct at_error *err);

	/*
	 * Whether kernels have changed the process since the last call, as far as that
	 * can be seen: threads, descriptors, signals, limits and so on. The next
	 * configuration should not meet such changes: end the process once this one is
	 * judged. NULL where kernels do not run in this process.
	 */
	bool (*has_left_traces)(struct at_device *self);

	/*
	 * How long all launches of run() so far would have taken if no other program
	 * had used the device, in nanoseconds: what is decided by it does not depend on
	 * the load of the machine. NULL where the time that passes tells that as well,
	 * since a device with processors of its own does not wait for others.
	 */
	uint64_t (*worked_ns)(struct at_device *self);
};

struct at_device {
	const struct at_device_ops *ops;
	struct at_device_info info;
	/* The smallest difference of two times that time() can tell, known after
	   wake(). A sample should last many times this. */
	double resolution_ns;
	/* The clock that the board keeps under load although it has a higher one, since
	   it is locked or capped; 0: none was seen. A warm-up need not wait for more.
	 */
	uint64_t kept_clock_hz;
	/* what at_device_set_clocks() has set, and when; 0: never */
	struct at_clocks clocks;
	uint64_t clocks_set_ns;
	/*
	 * Set by the caller: allocate_guarded() leaves so much more address space, in
	 * whole pages, unmapped ahead of the memory, where there is plenty. So memory
	 * comes to lie where it would not otherwise. It costs address space alone.
	 */
	uint64_t apart_bytes;
	/* Copies by a tensor map may touch this many bytes behind their buffer without
	   using them, so they must be mapped. */
	uint64_t map_reach_bytes;
	/* Textures and surfaces that are not linear memory lie in arrays of their own,
	   which calls without a kernel fill and read. */
	bool has_arrays;
	/* Kernels can ask the cache to keep what they load longer than other data, so
	   that reading other data may not replace it; writing is safer. */
	bool keeps_lines;
	/* time() cannot hold launches back until all are queued, so that the time of a
	   launch of a few microseconds may have some of the host's in it. Known after
	   wake(). */
	bool is_ungated;
	/* A profiler was loaded into the process, which may make launches slower: no
	   time may be taken in it any more. */
	bool is_profiled;
	/* A kernel has made the device unusable: only close() may follow. */
	bool is_lost;
	/* The address of the forbidden access that ended the device, where that is
	   known; else 0. */
	uint64_t fault_address;
	/*
	 * The first value that CUDA leaves undefined, of all launches since the caller
	 * emptied this text: a line that names the lane and its mask, as a reason for a
	 * wrong result. It is no fault: the kernel may never use the value.
	 */
	char undefined[AT_UNDEFINED_BYTES];
};

/*
 * Whether the board reports a clock well below its highest (less than 0.9 of it), or
 * below the one that it keeps to: it has not warmed up yet, or something holds the
 * clock down. Of a board whose clock is set: whether it is off that clock.
 * *clock_hz gets the clock, 0 where it is unknown; NULL is allowed.
 */
bool at_device_clock_is_low(struct at_device *self, uint64_t *clock_hz);

/* Whether any of these is set. */
bool at_clocks_are_set(const struct at_clocks *self);
/* set_clocks() of the device, where these are not set already. */
enum at_status at_device_set_clocks(
	struct at_device *self, const struct at_clocks *clocks, struct at_error *err);

/*
 * Names other processes that compute on the board. Appends them as "trainer (process
 * 18, 3 MiB), ..." to out, which may be NULL, at most four, and returns how many there
 * are. Other runs of this program are left out: runs take turns at a board.
 */
size_t at_device_add_neighbours(struct at_device *self, struct at_strbuf *out);

/*
 * The registry: one row for each kind of device, in device/registry.c. No other code
 * asks which kind a device is: what differs between kinds is a member here, of the
 * device's info or of its functions.
 */

/* Whether a run that names no device tunes on this kind. */
enum at_device_default {
	AT_DEVICE_ON_REQUEST = 0, /* only where the user names it */
	AT_DEVICE_PREFERRED, /* on all devices of the kind */
	AT_DEVICE_FALLBACK, /* on one device, where there is no preferred one */
};

struct at_device_kind {
	/* an identifier of at most 15 characters, as "cuda"; a problem's `on` names
	   it */
	const char *name;
	const char *summary; /* for --help */
	enum at_device_default by_default;
	bool single; /* a machine has at most one, and its id is the name of the kind */
	bool runs_here; /* kernels run as code of the process that opened the device */
	/*
	 * Counts the devices of this kind on this machine. AT_EUNAVAILABLE with the
	 * reason and a hint in err, and *count 0, when the kind cannot be used here.
	 */
	enum at_status (*count)(unsigned *count, struct at_error *err);
	/*
	 * Opens device number index, from 0 (the N of "cuda:N"), whose info is complete
	 * then; wake() comes next. The caller owns the device and ends it with close().
	 */
	enum at_status (*open)(
		unsigned index, struct at_device **out, struct at_error *err);
	/* The name of the toolchain where all devices of the kind have the same one, so
	   that it can be warmed up before a device is open; else NULL. */
	const char *toolchain;
	/* whether NVIDIA's compute-sanitizer can check kernels on these devices */
	bool has_sanitizer;
	/* whether these devices may have hardware counters (count() of the functions)
	 */
	bool has_counters;
	/*
	 * For an architecture ("sm_90"), whether or not a device of it is here: fills
	 * in kind, architecture, toolchain and properties of *out, which the caller has
	 * zeroed. False, with *out unchanged, when the architecture is not of this
	 * kind. NULL for a kind that knows nothing of devices that are not here.
	 */
	bool (*describe)(const char *architecture, struct at_device_info *out);
	/*
	 * Gives back what a process that has ended left set on the board with this
	 * uuid: clocks that are not 0 in *left are unlocked, and a power limit that is
	 * not 0 is set again. NULL where devices have no set_clocks().
	 */
	enum at_status (*restore_clocks)(
		const char *uuid, const struct at_clocks *left, struct at_error *err);
};

/* The kinds by number, from 0; NULL after the last. */
const struct at_device_kind *at_device_kind_at(size_t index);

/*
 * Finds a kind by its name. AT_ENOENT: no such kind; err suggests the nearest name, or
 * names all.
 */
enum at_status at_device_kind_find(
	const char *name, const struct at_device_kind **out, struct at_error *err);

/*
 * Adds a kind to the registry, for a program that brings one of its own and for tests.
 * *kind must outlive every use. A worker is a process of its own, so it must add the
 * same kinds before at_worker_main(). Not to be called while another thread uses the
 * registry. AT_EINVAL: the name is taken, or is no identifier of 1 to 15 characters;
 * AT_EOVERFLOW: the table is full.
 */
enum at_status at_device_add(const struct at_device_kind *kind, struct at_error *err);

/*
 * describe() of the first kind that knows the architecture; *out comes zeroed. False:
 * no kind knows it.
 */
bool at_device_describe(const char *architecture, struct at_device_info *out);

/* The built-in kinds: NVIDIA GPUs, and the processor of this machine. */
extern const struct at_device_kind at_device_kind_cuda, at_device_kind_host;

/* What an id that was given to --device stands for. */
struct at_device_choice {
	const struct at_device_kind *kind;
	bool all; /* "cuda:all": every device of the kind */
	unsigned index; /* of "cuda:1"; 0 for "cuda" and where all is set */
};

/*
 * Takes an id apart. AT_ENOENT: no such kind (err names the known ids); AT_EINVAL:
 * behind the colon stands neither a number up to 1023 nor "all". Whether the device is
 * present is not checked.
 */
enum at_status at_device_resolve(
	const char *id, struct at_device_choice *out, struct at_error *err);

/* Appends the ids that at_device_resolve() takes, as "cuda:N, cuda:all and host". */
void at_device_add_known(struct at_strbuf *out);

/*
 * Writes the id that at_device_resolve() resolves to this device, as "cuda:1" or
 * "host".
 */
void at_device_id(
	const struct at_device_kind *kind, unsigned index, char *buffer, size_t size);
/* Sets info->kind and info->id to those of device number index of the kind. */
void at_device_name(
	const struct at_device_kind *kind, unsigned index, struct at_device_info *info);

#endif
