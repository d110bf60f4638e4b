/*
 * A device loads compiled kernels, holds memory and runs them. measure/ uses it through
 * struct at_device_ops, a table of functions; cuda/ and host/ implement the table, and
 * registry.c lists the kinds of devices.
 *
 * A device lives in a measure worker, a separate process: a kernel that traps, hangs or
 * corrupts memory costs only that process. After a function returns AT_OUTCOME_CRASHED
 * or AT_OUTCOME_OUT_OF_BOUNDS the device is lost, and is_lost is set: only close() may
 * follow, and the worker ends.
 *
 * This folder must not know strategies, records, or what the kernels compute. Threads:
 * each device is used by one thread.
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

/* A configuration's settings of the GPU: locked clocks and power limit. 0: the GPU's
   own. */
struct at_clocks {
	uint32_t clock_mhz; /* of the multiprocessors */
	uint32_t memory_clock_mhz;
	uint32_t power_milliwatts;
};

#define AT_CLOCKS_MOST 256
#define AT_MEMORY_CLOCKS_MOST 16

/* The supported settings, in any order; unknown ones are 0, at the end. */
struct at_clocks_offer {
	uint32_t clocks_mhz[AT_CLOCKS_MOST]; /* at the highest memory clock */
	uint32_t memory_clocks_mhz[AT_MEMORY_CLOCKS_MOST];
	uint32_t power_milliwatts[2]; /* the minimum and the maximum */
};

struct at_device_info {
	char kind[16]; /* "cuda", "host": the value of a problem's `on` */
	char id[32]; /* "cuda:0", "host": the value of --device */
	char model[128]; /* "NVIDIA H200", "AMD EPYC 7B13 64-Core Processor" */
	/* identifies the GPU; on host a hash of the machine's id, or "" */
	char uuid[64];
	char architecture[16]; /* "sm_90", "x86_64" */
	/* "580.159.04 (CUDA 13.0)"; on host the release of the operating system's
	   kernel */
	char driver[64];
	/* name of the toolchain for this device */
	char toolchain[AT_TOOLCHAIN_NAME_SIZE];
	struct at_properties properties;
	/* The highest clocks of any source, which may exceed those of the properties:
	   these exclude the boost of some boards. 0: unknown. */
	uint64_t max_clock_hz;
	uint64_t max_memory_clock_hz;
	/* Measuring and compiling share the cores and would disturb each other: they
	   must take turns. */
	bool shares_cores;
	/* why the energy of launches cannot be measured, if already known at open(): "a
	   slice of a board (MIG) ..."; "": it may be possible */
	char no_energy[160];
	/* likewise, why a configuration cannot set clocks and power limit */
	char no_clocks[160];
	struct at_clocks_offer offer;
};

struct at_memory; /* opaque: device memory, owned by the device */
struct at_module; /* opaque: a loaded image */
struct at_kernel; /* opaque: a kernel in a module, valid until it is unloaded */
struct at_texels; /* opaque: a texture or surface object, owned by its caller */

/* One value in the kernel's parameter list: an address, a scalar. */
struct at_parameter_value {
	unsigned char bytes[16]; /* little-endian; addresses are 8 bytes */
	/* a structure's bytes, which the caller owns; else NULL */
	const void *more;
};

/* A range of device memory outside at_memory. */
struct at_range {
	uint64_t address;
	uint64_t bytes;
};

/* A launch, or a copy of buffers to the arrays of textures and surfaces. */
struct at_invocation {
	struct at_kernel *kernel; /* NULL: a copy, which has only texels */
	uint32_t grid[3]; /* each at least 1 */
	uint32_t block[3]; /* each at least 1 */
	uint32_t shared_bytes; /* dynamic; more than 48 KiB needs no extra call */
	size_t argument_count;
	const struct at_parameter_value *arguments;
	/*
	 * NULL: none. A device ignores hints that it does not support (preferred
	 * clusters, carveout, window, early start). It rejects a launch whose cluster
	 * or cooperation it cannot provide: LAUNCH_FAILED, or TOO_MANY_RESOURCES if
	 * fewer blocks would fit.
	 */
	const struct at_attributes *attributes;
	struct at_range window; /* of the attributes; 0 bytes: none */
	/* by the attributes, if the previous call is of the same sequence */
	bool is_dependent;
	struct at_texels *const *texels; /* of a copy: objects with arrays */
	size_t texel_count;
	bool copies_back; /* from the arrays to the buffers that are not inputs */
};

/* The reasons of a board for clocks below the highest: the symbol, and the words for
   users. Several reasons can hold at once. */
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

/* The bit of a reason in at_device_state.clock_reasons. */
#define AT_CLOCK_REASON_BIT(reason) (UINT32_C(1) << (reason))

/* Appends the words of all reasons in the set, such as "heat, power cap"; nothing for
   0. */
void at_device_add_reasons(struct at_strbuf *out, uint32_t reasons);

/* A setting of the board; some boards do not report it. */
enum at_device_switch {
	AT_SWITCH_UNKNOWN = 0,
	AT_SWITCH_OFF,
	AT_SWITCH_ON,
};

/* The board's state at the time of the call. Unknown members are 0 or false. */
struct at_device_state {
	uint64_t clock_hz; /* of the multiprocessors */
	/* The highest clocks under the user's "application clocks", read at open().
	   Clocks locked by the user show only as the reason AT_CLOCK_REASON_SET. */
	uint64_t set_clock_hz;
	uint64_t set_memory_clock_hz;
	/* these clocks without a user's setting */
	uint64_t default_clock_hz;
	uint64_t default_memory_clock_hz;
	double power_limit_watts; /* the limit now in force */
	enum at_device_switch ecc; /* read at open() */
	uint32_t clock_reasons; /* AT_CLOCK_REASON_BIT() of enum at_clock_reason */
	/* Heat, power brake or hardware reduces the clocks. A power cap counts only if
	   the board reports it as a reason and no configuration set it. */
	bool throttled;
};

/* A reading of the counter of the whole board's energy. */
struct at_energy {
	/* from an arbitrary origin; advances in steps of 20 to 100 ms */
	uint64_t millijoules;
	uint64_t read_ns; /* by a steady clock of this device */
};

/* Another process on the same board. */
struct at_neighbour {
	/* on the machine; inside a container the process may have another id */
	uint32_t pid;
	uint64_t memory_bytes; /* in use on the board; 0: unknown */
	char name[64]; /* of the program, without folders; "": unknown */
};

/* Size of the text about an undefined value, with its terminating zero. */
#define AT_UNDEFINED_BYTES 200

/* Bytes of unmapped address space on either side of guarded memory. */
#define AT_GUARD_BYTES ((uint64_t)1 << 30)
/* The maximum of at_device.extra_gap_bytes. */
#define AT_APART_BYTES ((uint64_t)1 << 36)
/* If a contiguous range of this size is not free, address space is reserved for guards,
   and at_device.extra_gap_bytes has no effect. */
#define AT_SPARE_BYTES ((uint64_t)1 << 44)

enum at_protection {
	AT_PROTECTION_WRITE = 0, /* reading and writing */
	AT_PROTECTION_READ,
	AT_PROTECTION_NONE, /* any access ends with OUT_OF_BOUNDS */
};

#define AT_VARIABLES_UNKNOWN SIZE_MAX

struct at_device;

struct at_device_ops {
	/* Completes open() with slow steps that the info does not need. Called once,
	   before any slot but close(). NULL if nothing remains. */
	enum at_status (*wake)(struct at_device *self, struct at_error *err);
	/* Frees the device, even if wake() was not called or failed. */
	void (*close)(struct at_device *self);

	/* Allocates bytes > 0, aligned to 256 bytes, with undefined contents. The
	   caller releases *out. AT_ENOMEM: the device is full. */
	enum at_status (*allocate)(struct at_device *self, uint64_t bytes,
		struct at_memory **out, struct at_error *err);
	/* NULL is allowed. */
	void (*release)(struct at_device *self, struct at_memory *memory);
	/* The address of its first byte in kernels. */
	uint64_t (*address)(struct at_device *self, struct at_memory *memory);
	/* Synchronous copies. AT_EINVAL: the range exceeds the memory, or the memory is
	   protected against the copy. */
	enum at_status (*write)(struct at_device *self, struct at_memory *memory,
		uint64_t offset_bytes, const void *data, uint64_t bytes,
		struct at_error *err);
	enum at_status (*read)(struct at_device *self, struct at_memory *memory,
		uint64_t offset_bytes, void *data, uint64_t bytes,
		struct at_error *err);

	/*
	 * Loads an image: a cubin, or on host a shared object. Loading must be
	 * complete, with nothing left for the first launch, which may be timed. OK;
	 * LAUNCH_FAILED: the image was rejected; CRASHED.
	 */
	enum at_outcome (*load)(struct at_device *self, const unsigned char *image,
		size_t bytes, struct at_module **out, struct at_error *err);
	/* Invalidates the module's kernels; NULL is allowed. */
	void (*unload)(struct at_device *self, struct at_module *module);
	/* The module's kernel of that name, owned by the module, or NULL. */
	struct at_kernel *(*find)(
		struct at_device *self, struct at_module *module, const char *symbol);
	/*
	 * Copies bytes > 0 to the start of the module's variable of that name, which
	 * may be in a namespace (at_variable_find()), for all later launches. Without
	 * such a variable, changes nothing and sets *found to false. OK; LAUNCH_FAILED:
	 * the variable is smaller (err has both sizes) or the copy was rejected;
	 * CRASHED.
	 */
	enum at_outcome (*set_symbol)(struct at_device *self, struct at_module *module,
		const char *name, const void *data, uint64_t bytes, bool *found,
		struct at_error *err);

	/*
	 * Encodes a map that at_tensor_map_check() accepts, for a buffer at the
	 * address, as a CUtensorMap. AT_EDEVICE: the driver rejects the map. NULL if
	 * kernels cannot use maps; a map argument is then zeros.
	 */
	enum at_status (*encode_map)(struct at_device *self,
		const struct at_tensor_map *map, uint64_t address,
		unsigned char out[AT_TENSOR_MAP_BYTES], struct at_error *err);

	/*
	 * Creates the object of a texture or surface that at_texture_check() accepts,
	 * for a buffer at the address, which for linear memory is a multiple of
	 * AT_TEXTURE_ALIGNMENT. *value is the kernel's argument. Objects of one buffer
	 * and one shape share an array, whose contents are undefined until a copy
	 * (at_device.has_arrays). AT_EINVAL: beyond the device's limits; AT_EDEVICE,
	 * AT_ENOMEM. NULL if the device has no such objects.
	 */
	enum at_status (*make_texels)(struct at_device *self,
		const struct at_texture *texture, uint64_t address,
		struct at_texels **out, uint64_t *value, struct at_error *err);
	/* NULL is allowed. */
	void (*free_texels)(struct at_device *self, struct at_texels *texels);

	/*
	 * Runs the invocations in order, checks every launch, and waits for the last.
	 * OK; LAUNCH_FAILED or TOO_MANY_RESOURCES: a launch was rejected (for its
	 * geometry, or for its resources) and the device still works. OUT_OF_BOUNDS: a
	 * kernel accessed unmapped memory or wrote protected memory; CRASHED: it
	 * trapped in another way. Both lose the device. TIMED_OUT: only with a filler,
	 * see crowd().
	 */
	enum at_outcome (*run)(struct at_device *self,
		const struct at_invocation *calls, size_t count, struct at_error *err);

	/*
	 * Like run(), and sets *least_ns to a lower bound of the last call's time, by
	 * the device's clock: the host's queuing time is subtracted, since the device
	 * may have waited. 0: unknown. The kernel may be new, which time() does not
	 * allow. NULL if the device cannot measure this.
	 */
	enum at_outcome (*run_timed)(struct at_device *self,
		const struct at_invocation *calls, size_t count, double *least_ns,
		struct at_error *err);

	/*
	 * One sample: runs before[0..before_count) untimed, then makes `launches`
	 * launches of timed[0..timed_count), cyclically from the first, and sets
	 * *duration_ns to the device time of these launches together (not divided). It
	 * excludes the host's launch latency, since everything is queued before the
	 * first timed launch starts. The kernels must have run before with run(). If
	 * the device supports it, `before` may also replace cache lines that earlier
	 * launches marked as persisting. Outcomes as for run(). Resolution:
	 * at_device.resolution_ns.
	 */
	enum at_outcome (*time)(struct at_device *self,
		const struct at_invocation *before, size_t before_count,
		const struct at_invocation *timed, size_t timed_count,
		unsigned launches, double *duration_ns, struct at_error *err);

	/*
	 * Times the vendor's copy within the device: *duration_ns is the time, as in
	 * time(), of `copies` copies of `bytes` bytes each between the starts of two
	 * memories. OK; LAUNCH_FAILED: the copy was rejected or does not fit into both;
	 * CRASHED. NULL if the device has no such copy.
	 */
	enum at_outcome (*time_copy)(struct at_device *self, struct at_memory *to,
		struct at_memory *from, uint64_t bytes, unsigned copies,
		double *duration_ns, struct at_error *err);

	/*
	 * Makes a graph of the calls, each dependent on the previous one, and samples
	 * the graph as a whole, each time right after an untimed run of it.
	 * durations_ns[i] is the device time of sample i, including the graph's own
	 * costs. The kernels must have run before with run(). OK; NOT_APPLICABLE: these
	 * calls cannot become a graph; else the outcomes of run(). NULL if the device
	 * has no graphs.
	 */
	enum at_outcome (*time_graph)(struct at_device *self,
		const struct at_invocation *calls, size_t count, double *durations_ns,
		size_t samples, struct at_error *err);

	/*
	 * Reads the hardware counters of one launch: runs before[0..before_count) and
	 * then the call, once per counter pass, and fills in AT_COUNTER_COUNT values
	 * (device/counters.h). From the first call on, times of this device are invalid
	 * (is_profiled). NOT_APPLICABLE: the counters are unavailable, and err says why
	 * in a line for users; else the outcomes of run(). NULL if the device has no
	 * counters.
	 */
	enum at_outcome (*count)(struct at_device *self,
		const struct at_invocation *before, size_t before_count,
		const struct at_invocation *call, double *values, struct at_error *err);

	/* Fills *out; never fails: unknown members become zero. */
	void (*state)(struct at_device *self, struct at_device_state *out);
	/*
	 * Reads the energy counter. AT_EUNAVAILABLE: it cannot be read, or counts more
	 * than this device; err says so in a line for users. One fast query, since the
	 * board idles meanwhile. NULL if the device has no such counter.
	 */
	enum at_status (*energy)(
		struct at_device *self, struct at_energy *out, struct at_error *err);
	/* The board's temperature; 0: unknown. NULL if energy is NULL. */
	double (*celsius)(struct at_device *self);
	/*
	 * Locks the board's clocks and sets its power limit. A 0 restores a setting
	 * that an earlier call changed. AT_EUNAVAILABLE: not possible, and err names a
	 * way out. The settings survive the process: see restore_clocks() of the kind.
	 * NULL if no_clocks of the info says why. Callers use at_device_set_clocks().
	 */
	enum at_status (*set_clocks)(struct at_device *self,
		const struct at_clocks *clocks, struct at_error *err);
	/* The board's power limit; 0: unknown. NULL if set_clocks is NULL. */
	uint32_t (*power_milliwatts)(struct at_device *self);
	/*
	 * Fills in the first `room` other processes on the board, and returns their
	 * total. Excludes the calling process, but not other processes of the same run,
	 * which are recognised by their ids. NULL if the device does not know.
	 */
	size_t (*neighbours)(
		struct at_device *self, struct at_neighbour *neighbours, size_t room);

	/*
	 * Host only, else NULL. From now on the threads of a block take turns in an
	 * order drawn from seed, so that a missing barrier shows, and shared memory
	 * starts with poison that depends on the seed. Seed 0 restores ascending order.
	 */
	void (*shuffle_threads)(struct at_device *self, uint64_t seed);

	/*
	 * Like allocate(), but in whole pages, with AT_GUARD_BYTES of unmapped
	 * addresses before the first page and after the last. A kernel's access there
	 * ends its launch with OUT_OF_BOUNDS, and the device is lost. Kernels may read
	 * and write the memory itself. NULL if unsupported; then protect and mapped are
	 * NULL too.
	 */
	enum at_status (*allocate_guarded)(struct at_device *self, uint64_t bytes,
		struct at_memory **out, struct at_error *err);
	/* The bytes of all its pages: at least the requested size. */
	uint64_t (*mapped)(struct at_device *self, struct at_memory *memory);
	/* Sets the access of kernels, write() and read() to guarded memory. Must not be
	   called while anything runs. */
	enum at_status (*protect)(struct at_device *self, struct at_memory *memory,
		enum at_protection protection, struct at_error *err);

	/*
	 * The writable memory of a module that lives as long as the module:
	 * `__device__` and static variables, and on a GPU also `__constant__` ones,
	 * since a kernel that takes their address can write there. Fills in the first
	 * `room` ranges and returns the total. AT_VARIABLES_UNKNOWN, and no range: some
	 * variables cannot be located, so only reloading the module restores them. NULL
	 * if the device cannot find them.
	 */
	size_t (*variables)(struct at_device *self, struct at_module *module,
		struct at_range *ranges, size_t room);

	/*
	 * From now on run(), but not time(), runs its calls beside a filler, a kernel
	 * that occupies that many multiprocessors (at most all but one; 0: no filler)
	 * until the calls end. This finds kernels that need all their blocks resident
	 * at once: calls that wait for blocks without room do not end. After limit_ns
	 * the filler gives up; run() then waits for the calls and returns TIMED_OUT,
	 * and the device stays usable. limit_ns must be many times the duration of the
	 * calls on the remaining multiprocessors. Calls with clusters run without a
	 * filler: they may find no room although they are correct. filler: at_crowd of
	 * the tuner's own kernels (measure/support.cu); its module must stay loaded.
	 * AT_EUNAVAILABLE: kernels do not run concurrently here (under a profiler, or
	 * by a setting of the driver), and run() uses no filler. NULL if the device
	 * does not support it.
	 */
	enum at_status (*crowd)(struct at_device *self, struct at_kernel *filler,
		unsigned multiprocessors, uint64_t limit_ns, struct at_error *err);

	/*
	 * From now on some blocks of each call of `kernel` in run() are delayed: as few
	 * as possible, ideally one, start only about hold_ns after the others. This
	 * finds kernels in which blocks wait for each other, but not for all. Calls of
	 * one block, of more blocks than fit on the device, and with clusters are
	 * launched normally. It replaces crowd() and vice versa; kernel NULL ends both.
	 * filler, AT_EUNAVAILABLE: as in crowd(). NULL if the device does not support
	 * it.
	 */
	enum at_status (*delay_blocks)(struct at_device *self, struct at_kernel *filler,
		const struct at_kernel *kernel, uint64_t hold_ns, struct at_error *err);

	/*
	 * Whether kernels have visibly changed the process since the last call:
	 * threads, descriptors, signals, limits and so on. The next configuration must
	 * not see such changes: end the process once this one is judged. NULL if
	 * kernels do not run in this process.
	 */
	bool (*has_changed_process)(struct at_device *self);

	/*
	 * The time of all launches of run() so far on an otherwise idle machine, in
	 * nanoseconds, so that decisions do not depend on its load. NULL if wall time
	 * serves equally, since a device with its own processors does not wait for
	 * other programs.
	 */
	uint64_t (*worked_ns)(struct at_device *self);
};

struct at_device {
	const struct at_device_ops *ops;
	struct at_device_info info;
	/* The smallest difference of two times of time(), known after wake(). A sample
	   should last many times this. */
	double resolution_ns;
	/* The clock under load if it stays below the highest, since it is locked or
	   capped; 0: not observed. A warm-up need not wait for more. */
	uint64_t sustained_clock_hz;
	/* the last settings of at_device_set_clocks(), and when; 0: never */
	struct at_clocks clocks;
	uint64_t clocks_set_ns;
	/*
	 * Set by the caller: allocate_guarded() leaves this many more bytes of address
	 * space, in whole pages, unmapped before the memory, if address space is
	 * plentiful. This varies the addresses of memory, and costs only address space.
	 */
	uint64_t extra_gap_bytes;
	/* Copies by a tensor map may touch this many bytes after their buffer without
	   using them, so they must be mapped. */
	uint64_t map_reach_bytes;
	/* Textures and surfaces outside linear memory lie in separate arrays, which
	   calls without a kernel fill and read. */
	bool has_arrays;
	/* Kernels can mark cache lines as persisting, so that reading other data may
	   not replace them; writing does so more reliably. */
	bool keeps_lines;
	/* time() cannot hold launches back until all are queued, so that the time of a
	   launch of a few microseconds may include host time. Known after wake(). */
	bool is_ungated;
	/* A profiler was loaded into the process, which may slow launches down: later
	   times are invalid. */
	bool is_profiled;
	/* A kernel made the device unusable: only close() may follow. */
	bool is_lost;
	/* The address of the forbidden access that ended the device, if known; else
	   0. */
	uint64_t fault_address;
	/*
	 * The first value that CUDA leaves undefined, in all launches since the caller
	 * cleared this text: a line that names the lane and its mask, as a possible
	 * reason for a wrong result. It is not a fault: the kernel may never use the
	 * value.
	 */
	char undefined[AT_UNDEFINED_BYTES];
};

/*
 * Whether the board reports a clock well below its highest (less than 0.9 of it), or
 * below sustained_clock_hz: it has not warmed up yet, or something reduces the clock.
 * For a board with a set clock: whether the clock differs from it. *clock_hz (may be
 * NULL) gets the clock, 0 if unknown.
 */
bool at_device_clock_is_low(struct at_device *self, uint64_t *clock_hz);

bool at_clocks_are_set(const struct at_clocks *self);
/* Calls the device's set_clocks() unless these settings are already in force. */
enum at_status at_device_set_clocks(
	struct at_device *self, const struct at_clocks *clocks, struct at_error *err);

/*
 * Names other processes on the board. Appends at most four as "trainer (process 18, 3
 * MiB), ..." to out, which may be NULL, and returns their number. Excludes other runs
 * of this program: runs take turns at a board.
 */
size_t at_device_add_neighbours(struct at_device *self, struct at_strbuf *out);

/*
 * The registry: one row for each kind of device, in device/registry.c. Other code must
 * not depend on the kind: every difference between kinds is a member here, of the
 * device's info or of its functions.
 */

/* Whether a run without --device uses this kind. */
enum at_device_default {
	AT_DEVICE_ON_REQUEST = 0, /* only if the user names it */
	AT_DEVICE_PREFERRED, /* on all devices of the kind */
	AT_DEVICE_FALLBACK, /* on one device, if no preferred one exists */
};

/* How the reason begins why "cuda" has no device, if there is no driver. */
#define AT_DEVICE_NO_DRIVER "no NVIDIA driver found"

struct at_device_kind {
	/* an identifier of at most 15 characters, such as "cuda"; also for a problem's
	   `on` */
	const char *name;
	const char *summary; /* for --help */
	enum at_device_default by_default;
	bool single; /* at most one per machine, whose id is the name of the kind */
	bool runs_here; /* kernels run as code of this process */
	/* Counts the devices of this kind on this machine. AT_EUNAVAILABLE with the
	   reason and a hint in err, and *count 0: the kind cannot be used here. */
	enum at_status (*count)(unsigned *count, struct at_error *err);
	/* Opens device number index, from 0 (the N of "cuda:N"), with complete info;
	   wake() comes next. The caller owns the device and ends it with close(). */
	enum at_status (*open)(
		unsigned index, struct at_device **out, struct at_error *err);
	/* The toolchain if all devices of the kind share one, so that it can be warmed
	   up before a device is open; else NULL. */
	const char *toolchain;
	/* whether NVIDIA's compute-sanitizer can check kernels on these devices */
	bool has_sanitizer;
	/* whether these devices may have hardware counters (slot count()) */
	bool has_counters;
	/*
	 * For an architecture ("sm_90"), with or without such a device: fills in kind,
	 * architecture, toolchain and properties of *out, which the caller has zeroed.
	 * False, with *out unchanged: the architecture is not of this kind. NULL for a
	 * kind without such knowledge.
	 */
	bool (*describe)(const char *architecture, struct at_device_info *out);
	/*
	 * Restores the settings that an ended process left on the board with this uuid:
	 * unlocks clocks that are not 0 in *left, and sets a power limit that is not 0.
	 * NULL if devices have no set_clocks().
	 */
	enum at_status (*restore_clocks)(
		const char *uuid, const struct at_clocks *left, struct at_error *err);
};

/* The kinds by number, from 0; NULL after the last. */
const struct at_device_kind *at_device_kind_at(size_t index);

/* Finds a kind by its name. AT_ENOENT: unknown; err suggests the nearest name, or names
   all. */
enum at_status at_device_kind_find(
	const char *name, const struct at_device_kind **out, struct at_error *err);

/*
 * Adds a kind to the registry, for other programs and for tests. *kind must outlive
 * every use. A worker is a separate process, so it must add the same kinds before
 * at_worker_main(). Not to be called while another thread uses the registry. AT_EINVAL:
 * the name is taken, or not an identifier of 1 to 15 characters; AT_EOVERFLOW: the
 * table is full.
 */
enum at_status at_device_add(const struct at_device_kind *kind, struct at_error *err);

/* describe() of the first kind that knows the architecture; *out must be zeroed. False:
   unknown to all kinds. */
bool at_device_describe(const char *architecture, struct at_device_info *out);

/* The built-in kinds: NVIDIA GPUs, and the processor of this machine. */
extern const struct at_device_kind at_device_kind_cuda, at_device_kind_host;

/* The meaning of an id given to --device. */
struct at_device_choice {
	const struct at_device_kind *kind;
	bool all; /* "cuda:all": every device of the kind */
	unsigned index; /* of "cuda:1"; 0 for "cuda" and if all is set */
};

/*
 * Parses an id. AT_ENOENT: no such kind (err names the known ids); AT_EINVAL: after the
 * colon follows neither a number up to 1023 nor "all". Does not check whether the
 * device is present.
 */
enum at_status at_device_resolve(
	const char *id, struct at_device_choice *out, struct at_error *err);

/* Appends the ids for at_device_resolve(): "cuda:N, cuda:all and host". */
void at_device_add_known(struct at_strbuf *out);

/* Writes the id of this device for at_device_resolve(), such as "cuda:1" or "host". */
void at_device_id(
	const struct at_device_kind *kind, unsigned index, char *buffer, size_t size);
/* Sets info->kind and info->id for device number index of the kind. */
void at_device_name(
	const struct at_device_kind *kind, unsigned index, struct at_device_info *info);

#endif
