/*
 * The cuda device against a driver made of the functions below: what it asks of
 * the driver, in which order, and what it makes of each way of failing. Needs no
 * GPU; tests/test_cuda.c is its counterpart with one.
 */
#include "base/file.h"
#include "device/cuda/cuda_device.h"
#include "program.h"
#include "space/device_key.h"

#include <stdio.h>
#include <unistd.h>

#include "suite.h"

/* ---- the driver --------------------------------------------------------- */

#define ILLEGAL_ADDRESS 700
#define TRAPPED 719
#define ANY 9

static struct {
	char log[4096]; /* one letter a call that goes to the stream, or a kernel's name
			 */
	int live; /* contexts, streams, events, pinned and device memory, modules */
	unsigned code[44]; /* what these calls return; see enum call */
	unsigned refuse_at; /* the launch (from 1) that is refused with code[LAUNCH] */
	unsigned launches;
	unsigned pending; /* calls queued since the stream began to wait */
	uint32_t word; /* the word that the gate waits for */
	uint32_t awaited;
	bool waiting;
	int shared_limit;
	unsigned set_calls;
	size_t parameter_count;
	unsigned char parameter[16];
	uint32_t grid_x, shared_bytes; /* of the last launch */
	bool lacks_pages;
	uint64_t hidden_bit; /* bits of the variables below that are not found */
	uint64_t page_bytes; /* bytes of pages that are mapped */
	uint32_t crowd_words[256]; /* in pinned memory */
	bool gives_up; /* the filler ends by itself, at its limit */
	int cluster; /* the cluster size of every kernel */
	float elapsed_ms[7]; /* times between events, in turns; 0: 0.25 ms */
	unsigned elapsed_calls;
	unsigned access; /* the last access that pages were protected with */
	unsigned protect_calls;
	bool captures;
	uint64_t extra_gap_bytes; /* what guarded memory is given beyond its guards */
	uint64_t addresses; /* how many are free; 0: AT_SPARE_BYTES */
	bool has_context; /* it is the current one */
	unsigned limit; /* the last one that was set, with its value */
	size_t limit_value;
	unsigned limit_calls;
	/* of the last launch with attributes, and how many of those there were */
	struct at_cuda_attribute attributes[8];
	unsigned attribute_count, launches_with;
	int carveout, large_clusters; /* the last values that were set; 0: none */
	/* what the last object, array and copy were made of */
	struct at_cuda_resource resource;
	struct at_cuda_texture texture;
	struct at_cuda_array_shape shape;
	struct at_cuda_copy copy;
	unsigned arrays; /* that were made */
} fake;

enum call {
	INIT,
	COUNT,
	GET,
	NAME,
	ATTRIBUTE,
	RETAIN,
	USE,
	STREAM,
	EVENT,
	PINNED,
	ADDRESS,
	WAIT,
	SYNCHRONIZE,
	RECORD,
	ELAPSED,
	LAUNCH,
	SET,
	ALLOCATE,
	COPY,
	LOAD,
	FUNCTION,
	GLOBAL,
	PARAMETER_INFO,
	PAGE_BYTES,
	RESERVE,
	CREATE,
	MAP,
	PROTECT,
	CAPTURE,
	CAPTURED,
	INSTANTIATE,
	RUN_GRAPH,
	OCCUPANCY,
	LIMIT,
	CACHE,
	ARRAY,
	TEXTURE,
	SHAPED,
};

static void note(char letter)
{
	size_t length = strlen(fake.log);

	if (length + 1 < sizeof(fake.log))
		fake.log[length] = letter;
}

static unsigned make(enum call call, void *out)
{
	static int object;
	void *made = &object;

	if (fake.code[call])
		return fake.code[call];
	fake.live++;
	memcpy(out, &made, sizeof(made));
	return 0;
}

static unsigned unmake(void)
{
	fake.live--;
	return 0;
}

/* A function of the driver that releases an object. */
#define UNMAKES(name, parameter) \
	static unsigned fake_##name(parameter) \
	{ \
		return unmake(); \
	}

static bool gate_is_closed(void)
{
	return fake.waiting && (int32_t)(fake.word - fake.awaited) < 0;
}

/* A thousand calls behind a closed gate block the host for ever. */
static unsigned queue(char letter, unsigned code)
{
	note(letter);
	if (gate_is_closed() && ++fake.pending > 1000)
		fail_msg("the queue is full and the gate is closed: deadlock");
	return code;
}

static unsigned fake_init(unsigned flags)
{
	return fake.code[INIT];
}

static unsigned fake_driver_version(int *version)
{
	*version = 13010;
	return 0;
}

static unsigned fake_error_name(unsigned code, const char **name)
{
	static char text[32];

	if (code == ANY)
		return 1;
	snprintf(text, sizeof(text), "NAME_%u", code);
	*name = text;
	return 0;
}

static unsigned fake_error_text(unsigned code, const char **text)
{
	*text = "its text";
	return 0;
}

static unsigned fake_device_count(int *count)
{
	*count = 2;
	return fake.code[COUNT];
}

static unsigned fake_device_get(int *device, int index)
{
	*device = 40 + index;
	return fake.code[GET];
}

static unsigned fake_device_name(char *name, int size, int device)
{
	assert_int_equal(device, 41);
	snprintf(name, (size_t)size, "Fake GPU");
	return fake.code[NAME];
}

static unsigned fake_device_uuid(struct CUuuid_st *uuid, int device)
{
	unsigned char *bytes = (unsigned char *)uuid;

	for (int i = 0; i < 16; i++)
		bytes[i] = (unsigned char)(16 * i + i);
	return 0;
}

static unsigned fake_device_bus_id(char *id, int size, int device)
{
	snprintf(id, (size_t)size, "0000:00:00.0");
	return 0;
}

static unsigned fake_device_memory(size_t *bytes, int device)
{
	*bytes = (size_t)3 << 30;
	return 0;
}

static unsigned fake_device_attribute(int *value, unsigned attribute, int device)
{
	*value = 0;
	if (attribute == AT_CUDA_CAPABILITY_MAJOR)
		*value = 9;
	if (attribute == AT_CUDA_MAX_SHARED_PER_BLOCK)
		*value = 49152;
	if (attribute == AT_CUDA_MAX_SHARED_PER_BLOCK_OPTIN)
		*value = 232448;
	if (attribute == AT_CUDA_MAX_SHARED_PER_MULTIPROCESSOR)
		*value = 233472;
	if (attribute == AT_CUDA_RESERVED_SHARED_PER_BLOCK)
		*value = 1024;
	if (attribute == AT_CUDA_CLOCK_KHZ)
		*value = 1980000;
	if (attribute == AT_CUDA_MULTIPROCESSOR_COUNT)
		*value = 4;
	if (attribute == AT_CUDA_MAX_PERSISTING_L2)
		*value = 4000;
	if (attribute == AT_CUDA_MAX_WINDOW)
		*value = 6000;
	if (attribute == AT_CUDA_MAX_TEXTURE_2D + 1 ||
		attribute == AT_CUDA_MAX_LINEAR_1D ||
		attribute == AT_CUDA_MAX_SURFACE_3D + 2)
		*value = 100;
	if (attribute == AT_CUDA_VIRTUAL_MEMORY)
		*value = !fake.lacks_pages;
	return attribute == AT_CUDA_WARP_SIZE ? 1 : fake.code[ATTRIBUTE];
}

static unsigned fake_context_retain(struct CUctx_st **context, int device)
{
	return make(RETAIN, context);
}

static unsigned fake_context_release(int device)
{
	assert_int_equal(device, 41);
	return unmake();
}

static unsigned fake_context_use(struct CUctx_st *context)
{
	fake.has_context = context && !fake.code[USE];
	return context ? fake.code[USE] : 0;
}

static unsigned fake_context_limit(unsigned limit, size_t value)
{
	assert_true(fake.has_context);
	fake.limit = limit;
	fake.limit_value = value;
	fake.limit_calls++;
	return fake.code[LIMIT];
}

/* It takes effect at once, so nothing may be queued that it should follow. */
static unsigned fake_cache_reset(void)
{
	assert_true(fake.has_context);
	assert_false(fake.waiting);
	note('P');
	return fake.code[CACHE];
}

static unsigned fake_module_load(struct CUmod_st **module, const void *image)
{
	assert_memory_equal(image, "\177ELF", 4);
	return make(LOAD, module);
}

UNMAKES(module_unload, struct CUmod_st *module)

/* A kernel is its name: its first letter goes to the log. */
static unsigned fake_module_function(
	struct CUfunc_st **function, struct CUmod_st *module, const char *name)
{
	if (fake.code[FUNCTION])
		return fake.code[FUNCTION];
	*function = (struct CUfunc_st *)(uintptr_t)name[0];
	return 0;
}

/* Of data/cubin/variables.cu, not as they lie there. */
static const struct {
	const char *name;
	unsigned long long address;
	size_t bytes;
} variables[] = {
	{ "table", 0x4000, 40 },
	{ "initialised", 0x5000, 4 },
	{ "first", 0x5100, 12 },
	{ "counters", 0x5200, 16 },
	{ "hidden", 0x5300, 32 },
	{ "_Z11of_templateILi5EE", 0x5400, 20 },
	{ "_ZZ9variablesE5calls", 0x5500, 4 },
	{ "_ZZ9variablesE10more_calls", 0x5600, 4 },
	{ "_ZN34_INTERNAL_00000000_4_v_cu_94629ea136_GLOBAL__N__00000000_4_v_cu_94629ea17unnamedE",
		0x5700, 8 },
};

/* Those, and "s": 8 bytes at 0x1008; another name: no such variable */
static unsigned fake_module_global(unsigned long long *address, size_t *bytes,
	struct CUmod_st *module, const char *name)
{
	assert_non_null(module);
	if (fake.code[GLOBAL])
		return fake.code[GLOBAL];
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		if (strcmp(variables[i].name, name) != 0)
			continue;
		*address = variables[i].address;
		*bytes = variables[i].bytes;
		return fake.hidden_bit >> i & 1 ? AT_CUDA_NOT_FOUND : 0;
	}
	*address = 0x1008;
	*bytes = 8;
	return strcmp(name, "s") ? AT_CUDA_NOT_FOUND : 0;
}

static unsigned fake_function_attribute(
	int *value, unsigned attribute, struct CUfunc_st *function)
{
	if (attribute == AT_CUDA_FUNCTION_CLUSTER_HEIGHT) {
		*value = fake.cluster;
		return 0;
	}
	if (attribute == AT_CUDA_FUNCTION_SHARED_BYTES) {
		*value = 400;
		return 0;
	}
	if (attribute != AT_CUDA_FUNCTION_MAX_DYNAMIC_SHARED_BYTES)
		return AT_CUDA_INVALID_VALUE;
	*value = 49152 - 400;
	return 0;
}

static unsigned fake_function_set(
	struct CUfunc_st *function, unsigned attribute, int value)
{
	if (attribute == AT_CUDA_FUNCTION_CARVEOUT) {
		fake.carveout = value;
		return fake.code[SET];
	}
	if (attribute == AT_CUDA_FUNCTION_LARGE_CLUSTERS) {
		fake.large_clusters = value;
		return fake.code[SET];
	}
	assert_int_equal(attribute, AT_CUDA_FUNCTION_MAX_DYNAMIC_SHARED_BYTES);
	assert_false(gate_is_closed());
	fake.shared_limit = value;
	fake.set_calls++;
	return fake.code[SET];
}

/* Eight blocks by their registers; as in the driver none at all where a block may not
   have the memory. */
static unsigned fake_function_occupancy(
	int *blocks, struct CUfunc_st *function, int threads, size_t shared_bytes)
{
	size_t fit = 233472 / (shared_bytes + 400 + 1024);

	assert_int_equal(threads, 4 * 5 * 6);
	*blocks = (int)shared_bytes > fake.shared_limit ? 0 : fit < 8 ? (int)fit : 8;
	return fake.code[OCCUPANCY];
}

static unsigned fake_function_parameter(
	struct CUfunc_st *function, size_t index, size_t *offset, size_t *bytes)
{
	*offset = 8 * index;
	*bytes = 8;
	return index < fake.parameter_count ? 0 : AT_CUDA_INVALID_VALUE;
}

static unsigned fake_memory_allocate(unsigned long long *address, size_t bytes)
{
	if (fake.code[ALLOCATE])
		return fake.code[ALLOCATE];
	fake.live++;
	*address = 0x1000;
	return 0;
}

static unsigned fake_memory_free(unsigned long long address)
{
	assert_int_equal(address, 0x1000);
	return unmake();
}

static unsigned fake_memory_info(size_t *free_bytes, size_t *total)
{
	*free_bytes = 5;
	*total = 10;
	return 0;
}

#define PAGE 0x200000ull
#define GUARDS 0x700000000000ull

/* only plain memory of this device may be asked for */
static void check_pages(const struct CUmemAllocationProp_st *properties)
{
	const struct at_cuda_allocation *pages =
		(const struct at_cuda_allocation *)properties;
	static const unsigned char no_flags[8];

	assert_int_equal(pages->type, AT_CUDA_ALLOCATION_PINNED);
	assert_int_equal(pages->handle_types, 0);
	assert_int_equal(pages->location.type, AT_CUDA_LOCATION_DEVICE);
	assert_int_equal(pages->location.id, 41);
	assert_null(pages->handle_data);
	assert_memory_equal(pages->flags, no_flags, 8);
}

static unsigned fake_page_bytes(
	size_t *bytes, const struct CUmemAllocationProp_st *properties, unsigned which)
{
	check_pages(properties);
	assert_int_equal(which, AT_CUDA_GRANULARITY_MINIMUM);
	*bytes = PAGE;
	return fake.code[PAGE_BYTES];
}

static unsigned fake_addresses_reserve(unsigned long long *address, size_t bytes,
	size_t alignment, unsigned long long wanted, unsigned long long flags)
{
	assert_int_equal(alignment, 0);
	assert_int_equal(wanted, 0);
	assert_int_equal(flags, 0);
	if (fake.code[RESERVE])
		return fake.code[RESERVE];
	assert_int_equal(bytes % PAGE, 0);
	assert_true(bytes > 2 * AT_GUARD_BYTES);
	if (bytes > (fake.addresses ? fake.addresses : AT_SPARE_BYTES))
		return AT_CUDA_OUT_OF_MEMORY;
	fake.page_bytes = bytes - 2 * AT_GUARD_BYTES - fake.extra_gap_bytes;
	fake.live++;
	*address = GUARDS;
	return 0;
}

static unsigned fake_addresses_free(unsigned long long address, size_t bytes)
{
	assert_int_equal(address, GUARDS);
	assert_int_equal(
		bytes, fake.page_bytes + 2 * AT_GUARD_BYTES + fake.extra_gap_bytes);
	return unmake();
}

static unsigned fake_pages_create(unsigned long long *handle, size_t bytes,
	const struct CUmemAllocationProp_st *properties, unsigned long long flags)
{
	check_pages(properties);
	assert_int_equal(bytes, fake.page_bytes);
	assert_int_equal(flags, 0);
	if (fake.code[CREATE])
		return fake.code[CREATE];
	fake.live++;
	*handle = 99;
	return 0;
}

static unsigned fake_pages_release(unsigned long long handle)
{
	assert_int_equal(handle, 99);
	return unmake();
}

static unsigned fake_pages_map(unsigned long long address, size_t bytes, size_t offset,
	unsigned long long handle, unsigned long long flags)
{
	assert_int_equal(address, GUARDS + AT_GUARD_BYTES + fake.extra_gap_bytes);
	assert_int_equal(bytes, fake.page_bytes);
	assert_int_equal(offset, 0);
	assert_int_equal(handle, 99);
	assert_int_equal(flags, 0);
	if (fake.code[MAP])
		return fake.code[MAP];
	fake.live++;
	return 0;
}

static unsigned fake_pages_unmap(unsigned long long address, size_t bytes)
{
	assert_int_equal(address, GUARDS + AT_GUARD_BYTES + fake.extra_gap_bytes);
	assert_int_equal(bytes, fake.page_bytes);
	return unmake();
}

static unsigned fake_map_encode(struct CUtensorMap_st *map, unsigned type,
	unsigned rank, void *address, const uint64_t *dims, const uint64_t *strides,
	const uint32_t *box, const uint32_t *steps, unsigned interleave,
	unsigned swizzle, unsigned promotion, unsigned fill)
{
	uint64_t *words = (uint64_t *)(void *)map;

	assert_int_equal((uintptr_t)map % 64, 0);
	words[0] = (uintptr_t)address;
	words[1] = type | rank << 8 | interleave << 16 | swizzle << 20 |
		   promotion << 24 | fill << 28;
	for (unsigned i = 0; i < rank; i++) {
		words[2 + i] = dims[i] << 32 | box[i] << 8 | steps[i];
		words[8 + i] = i ? strides[i - 1] : 0;
	}
	return 0;
}

static unsigned fake_pages_protect(unsigned long long address, size_t bytes,
	const struct CUmemAccessDesc_st *access, size_t count)
{
	const struct at_cuda_access *who = (const struct at_cuda_access *)access;

	assert_int_equal(address, GUARDS + AT_GUARD_BYTES + fake.extra_gap_bytes);
	assert_int_equal(bytes, fake.page_bytes);
	assert_int_equal(count, 1);
	assert_int_equal(who->location.type, AT_CUDA_LOCATION_DEVICE);
	assert_int_equal(who->location.id, 41);
	fake.access = who->flags;
	fake.protect_calls++;
	return fake.code[PROTECT];
}

static unsigned fake_array_create(
	struct CUarray_st **array, const struct CUDA_ARRAY3D_DESCRIPTOR_st *shape)
{
	fake.shape = *(const struct at_cuda_array_shape *)(const void *)shape;
	fake.arrays++;
	return make(ARRAY, array);
}

UNMAKES(array_destroy, struct CUarray_st *array)

static unsigned fake_surface_create(
	unsigned long long *object, const struct CUDA_RESOURCE_DESC_st *resource)
{
	fake.resource = *(const struct at_cuda_resource *)(const void *)resource;
	return make(TEXTURE, object);
}

UNMAKES(surface_destroy, unsigned long long object)

static unsigned fake_texture_create(unsigned long long *object,
	const struct CUDA_RESOURCE_DESC_st *resource,
	const struct CUDA_TEXTURE_DESC_st *texture,
	const struct CUDA_RESOURCE_VIEW_DESC_st *view)
{
	assert_null(view);
	fake.texture = *(const struct at_cuda_texture *)(const void *)texture;
	return fake_surface_create(object, resource);
}

UNMAKES(texture_destroy, unsigned long long object)

static unsigned fake_copy_shaped(
	const struct CUDA_MEMCPY3D_st *copy, struct CUstream_st *stream)
{
	assert_non_null(stream);
	fake.copy = *(const struct at_cuda_copy *)(const void *)copy;
	return queue(fake.copy.to.array ? 'i' : 'o', fake.code[SHAPED]);
}

static unsigned fake_copy_to_device(unsigned long long to, const void *from,
	size_t bytes, struct CUstream_st *stream)
{
	assert_non_null(stream);
	assert_int_equal(to, fake.page_bytes ? GUARDS + AT_GUARD_BYTES + 8 : 0x1008);
	assert_int_equal(bytes, 8);
	return queue('>', fake.code[COPY]);
}

static unsigned fake_copy_to_host(
	void *to, unsigned long long from, size_t bytes, struct CUstream_st *stream)
{
	assert_non_null(stream);
	assert_int_equal(from, fake.page_bytes ? GUARDS + AT_GUARD_BYTES + 8 : 0x1008);
	memset(to, 7, bytes);
	return queue('<', fake.code[COPY]);
}

static unsigned fake_copy_within(unsigned long long to, unsigned long long from,
	size_t bytes, struct CUstream_st *stream)
{
	assert_non_null(stream);
	assert_int_equal(to, 0x1000);
	assert_int_equal(from, 0x1000);
	assert_int_equal(bytes, 16);
	return queue('=', fake.code[COPY]);
}

static unsigned fake_pinned_allocate(void **memory, size_t bytes, unsigned flags)
{
	assert_int_equal(flags, AT_CUDA_PINNED_DEVICE_MAP);
	assert_true(bytes <= sizeof(fake.crowd_words));
	if (fake.code[PINNED])
		return fake.code[PINNED];
	fake.live++;
	*memory = bytes == 4 ? &fake.word : fake.crowd_words;
	return 0;
}

static unsigned fake_pinned_free(void *memory)
{
	assert_true(memory == &fake.word || memory == fake.crowd_words);
	return unmake();
}

static unsigned fake_pinned_address(
	unsigned long long *address, void *memory, unsigned flags)
{
	*address = memory == &fake.word ? 0x2000 : 0x3000;
	return fake.code[ADDRESS];
}

static unsigned fake_stream_create(struct CUstream_st **stream, unsigned flags)
{
	assert_int_equal(flags, AT_CUDA_STREAM_NON_BLOCKING);
	return make(STREAM, stream);
}

UNMAKES(stream_destroy, struct CUstream_st *stream)

static unsigned fake_stream_synchronize(struct CUstream_st *stream)
{
	note('Y');
	if (gate_is_closed())
		fail_msg("waiting for a stream whose gate is closed: deadlock");
	fake.waiting = false;
	return fake.code[SYNCHRONIZE];
}

static unsigned fake_stream_wait_value(struct CUstream_st *stream,
	unsigned long long address, unsigned value, unsigned flags)
{
	assert_int_equal(address, 0x2000);
	assert_int_equal(flags, AT_CUDA_STREAM_WAIT_GEQ);
	note('W');
	if (fake.code[WAIT])
		return fake.code[WAIT];
	fake.waiting = true;
	fake.awaited = value;
	fake.pending = 1;
	assert_true(gate_is_closed());
	return 0;
}

static unsigned fake_event_create(struct CUevent_st **event, unsigned flags)
{
	assert_int_equal(flags, AT_CUDA_EVENT_DEFAULT);
	return make(EVENT, event);
}

UNMAKES(event_destroy, struct CUevent_st *event)

static unsigned fake_event_record(struct CUevent_st *event, struct CUstream_st *stream)
{
	return queue('R', fake.code[RECORD]);
}

static unsigned fake_event_elapsed(
	float *milliseconds, struct CUevent_st *start, struct CUevent_st *stop)
{
	*milliseconds = fake.elapsed_ms[fake.elapsed_calls++ % 7];
	if (*milliseconds == 0)
		*milliseconds = 0.25f;
	return fake.code[ELAPSED];
}

/* at_crowd: each block says that it has begun, and one may say that it gave up. */
static unsigned launch_filler(unsigned blocks, unsigned threads, unsigned shared_bytes,
	void **parameters, uint32_t *words)
{
	uint64_t limit_ns;

	memcpy(&limit_ns, parameters[1], sizeof(limit_ns));
	assert_true(limit_ns > 0 || words[0]);
	assert_int_equal(threads, 1024);
	assert_int_equal(shared_bytes, 232448);
	assert_int_equal(words[1], 0);
	for (unsigned i = 0; i < blocks; i++) {
		assert_int_equal(words[2 + i], 0);
		words[2 + i] = 1;
	}
	if (!words[0])
		words[1] = fake.gives_up;
	note((char)('0' + blocks));
	return 0;
}

static unsigned fake_launch(struct CUfunc_st *function, unsigned grid_x,
	unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
	unsigned block_z, unsigned shared_bytes, struct CUstream_st *stream,
	void **parameters, void **extra)
{
	unsigned long long address;

	assert_non_null(stream);
	assert_null(extra);
	if ((uintptr_t)function == 'F') {
		memcpy(&address, parameters[0], sizeof(address));
		return launch_filler(grid_x, block_x, shared_bytes, parameters,
			fake.crowd_words + (address - 0x3000) / 4);
	}
	assert_int_equal(grid_y, 2);
	assert_int_equal(grid_z, 3);
	assert_int_equal(block_x, 4);
	assert_int_equal(block_y, 5);
	assert_int_equal(block_z, 6);
	fake.grid_x = grid_x;
	fake.shared_bytes = shared_bytes;
	for (size_t i = 0; i < fake.parameter_count; i++)
		memcpy(&fake.parameter[8 * i], parameters[i], 8);
	fake.launches++;
	return queue((char)(uintptr_t)function,
		fake.launches == fake.refuse_at ? fake.code[LAUNCH] : 0);
}

static unsigned fake_launch_with(const struct CUlaunchConfig_st *given,
	struct CUfunc_st *function, void **parameters, void **extra)
{
	const struct at_cuda_launch *config = (const void *)given;

	fake.launches_with++;
	fake.attribute_count = config->attribute_count;
	assert_in_range(fake.attribute_count, 1, 8);
	memcpy(fake.attributes, config->attributes,
		fake.attribute_count * sizeof(*fake.attributes));
	return fake_launch(function, config->grid[0], config->grid[1], config->grid[2],
		config->block[0], config->block[1], config->block[2],
		config->shared_bytes, config->stream, parameters, extra);
}

static unsigned fake_capture_begin(struct CUstream_st *stream, unsigned mode)
{
	assert_non_null(stream);
	assert_int_equal(mode, AT_CUDA_CAPTURE_THREAD_LOCAL);
	fake.captures = !fake.code[CAPTURE];
	note('(');
	return fake.code[CAPTURE];
}

/* As the driver does: after a refusal there is no graph, and the stream captures no
   more. */
static unsigned fake_capture_end(struct CUstream_st *stream, struct CUgraph_st **graph)
{
	assert_non_null(stream);
	assert_true(fake.captures);
	fake.captures = false;
	note(')');
	return make(CAPTURED, graph);
}

UNMAKES(graph_release, struct CUgraph_st *graph)

static unsigned fake_graph_instantiate(struct CUgraphExec_st **instance,
	struct CUgraph_st *graph, unsigned long long flags)
{
	assert_non_null(graph);
	assert_int_equal(flags, 0);
	return make(INSTANTIATE, instance);
}

static unsigned fake_graph_launch(
	struct CUgraphExec_st *instance, struct CUstream_st *stream)
{
	assert_non_null(instance);
	assert_non_null(stream);
	return queue('G', fake.code[RUN_GRAPH]);
}

UNMAKES(graph_end, struct CUgraphExec_st *instance)

#define FAKE(member, symbol, required, parameters) .member = fake_##member,

static const struct at_cuda_driver driver = { AT_CUDA_FUNCTIONS(FAKE) };

/* ---- helpers ------------------------------------------------------------ */

static struct at_device *open_device(const struct at_cuda_driver *with)
{
	struct at_device *device;

	assert_ok(at_cuda_open_with(with, 1, &device, &failure));
	assert_ok(device->ops->wake(device, &failure));
	memset(fake.log, 0, sizeof(fake.log));
	return device;
}

static void close_device(struct at_device *device)
{
	device->ops->close(device);
	assert_int_equal(fake.live, 0);
}

static struct at_module *load_image(struct at_device *device, const char *name)
{
	struct at_module *module;
	char path[512];
	OWNED(free) char *image;
	size_t size;

	snprintf(path, sizeof(path), AT_TEST_DIR "/data/cubin/%s", name);
	assert_ok(at_file_read(path, 0, &image, &size, NULL));
	assert_int_equal(
		device->ops->load(device, (unsigned char *)image, size, &module, NULL),
		AT_OUTCOME_OK);
	return module;
}

static struct at_module *load_module(struct at_device *device)
{
	return load_image(device, "cuda13_sm_90.cubin");
}

/* An opened device with a module, and launches of its kernels "k" and "f". */
static struct {
	struct at_device *device;
	struct at_module *module;
	struct at_parameter_value values[2];
	struct at_invocation kernel;
	struct at_invocation flush;
} bench;

/* Calls a slot of that device. */
#define CALL(slot, ...) bench.device->ops->slot(bench.device, __VA_ARGS__)

static void make_bench(void)
{
	memset(&fake, 0, sizeof(fake));
	fake.parameter_count = 2;
	bench.device = open_device(&driver);
	bench.module = load_module(bench.device);
	memset(bench.values[0].bytes, 1, sizeof(bench.values[0].bytes));
	memset(bench.values[1].bytes, 2, sizeof(bench.values[1].bytes));
	bench.kernel = (struct at_invocation){ .grid = { 1, 2, 3 },
		.block = { 4, 5, 6 },
		.argument_count = 2,
		.arguments = bench.values };
	bench.flush = bench.kernel;
	bench.kernel.kernel = CALL(find, bench.module, "k");
	bench.flush.kernel = CALL(find, bench.module, "f");
	assert_non_null(bench.kernel.kernel);
}

static void release_bench(void)
{
	CALL(unload, bench.module);
	close_device(bench.device);
}

#define ON_BENCH(name) \
	static void name##_on_bench(void); \
	TEST(name) \
	{ \
		make_bench(); \
		name##_on_bench(); \
		release_bench(); \
	} \
	static void name##_on_bench(void)

static enum at_outcome run(struct at_error *err)
{
	return CALL(run, &bench.kernel, 1, err);
}

static enum at_outcome take_time(unsigned launches, double *ns, struct at_error *err)
{
	return CALL(time, &bench.flush, 1, &bench.kernel, 1, launches, ns, err);
}

/* A run comes to this, and these calls. */
static void expect_run(enum at_outcome outcome, const char *log)
{
	memset(fake.log, 0, sizeof(fake.log));
	assert_int_equal(run(NULL), outcome);
	assert_string_equal(fake.log, log);
}

static double expect_time(unsigned launches, const char *log)
{
	double ns;

	memset(fake.log, 0, sizeof(fake.log));
	assert_int_equal(take_time(launches, &ns, NULL), AT_OUTCOME_OK);
	assert_string_equal(fake.log, log);
	return ns;
}

/* ---- opening ------------------------------------------------------------ */

ON_BENCH(describes_the_device)
{
	const struct at_device_info *info = &bench.device->info;
	const struct at_properties *properties = &info->properties;

	assert_string_equal(info->kind, "cuda");
	assert_string_equal(info->id, "cuda:1");
	assert_string_equal(info->model, "Fake GPU");
	assert_string_equal(info->uuid, "GPU-00112233-4455-6677-8899-aabbccddeeff");
	assert_string_equal(info->architecture, "sm_90");
	assert_non_null(strstr(info->driver, "CUDA 13.1"));
	assert_string_equal(info->toolchain, "nvrtc");
	assert_false(info->shares_cores);
	assert_int_equal(properties->value[AT_PROPERTY_COMPUTE_CAPABILITY], 90);
	assert_int_equal(properties->value[AT_PROPERTY_MEMORY_BYTES], 3LL << 30);
	assert_int_equal(properties->value[AT_PROPERTY_CLOCK_HZ], 1980000000);
	assert_int_equal(
		properties->value[AT_PROPERTY_MAX_DYNAMIC_SHARED_BYTES_PER_BLOCK],
		232448);
	/* no reserved shared memory is a fact; an L2 of 0 bytes and a refused question
	   mean that it is not known */
	assert_true(properties->known[AT_PROPERTY_RESERVED_SHARED_BYTES_PER_BLOCK]);
	assert_false(properties->known[AT_PROPERTY_L2_BYTES]);
	assert_false(properties->known[AT_PROPERTY_WARP_SIZE]);
}

/* ---- what the management library adds (fake_nvml.c) ---------------------- */

#define UUID "00112233-4455-6677-8899-aabbccddeeff"

static struct at_device *open_with_nvml(
	const char *uuid, const char *limit, const char *default_limit)
{
	const char *const names[] = { "FAKE_NVML_UUID", "FAKE_NVML_LIMIT",
		"FAKE_NVML_DEFAULT_LIMIT" };
	const char *const values[] = { uuid, limit, default_limit };
	struct at_device *device;

	memset(&fake, 0, sizeof(fake));
	for (size_t i = 0; i < 3; i++)
		if (values[i])
			assert_int_equal(setenv(names[i], values[i], 1), 0);
	device = open_device(&driver);
	for (size_t i = 0; i < 3; i++)
		unsetenv(names[i]);
	return device;
}

TEST(knows_what_power_a_board_is_limited_to)
{
	struct at_device *device = open_with_nvml("GPU-" UUID, "499600", "700000");
	const struct at_properties *properties = &device->info.properties;
	char *slug = at_device_slug("cuda", device->info.model, properties);

	assert_string_equal(device->info.uuid, "GPU-" UUID);
	assert_int_equal(properties->value[AT_PROPERTY_POWER_LIMIT_WATTS], 500);
	assert_int_equal(properties->value[AT_PROPERTY_DEFAULT_POWER_LIMIT_WATTS], 700);
	assert_string_equal(slug, "fake-gpu-500w");
	free(slug);
	device->ops->close(device);
	/* a board that does not tell its default limit: no limit is known */
	device = open_with_nvml("GPU-" UUID, NULL, "700000");
	assert_false(device->info.properties.known[AT_PROPERTY_POWER_LIMIT_WATTS]);
	slug = at_device_slug("cuda", device->info.model, &device->info.properties);
	assert_string_equal(slug, "fake-gpu");
	free(slug);
	device->ops->close(device);
}

TEST(knows_which_clocks_a_user_has_set)
{
	static const char *const names[] = { "FAKE_NVML_CLOCK",
		"FAKE_NVML_DEFAULT_CLOCK", "FAKE_NVML_MEMORY_CLOCK",
		"FAKE_NVML_DEFAULT_MEMORY_CLOCK" };
	static const char *const values[] = { "1500", "1980", "2619", "2619" };
	struct at_device_state now;
	struct at_device *device;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		assert_int_equal(setenv(names[i], values[i], 1), 0);
	device = open_with_nvml("GPU-" UUID, NULL, NULL);
	device->ops->state(device, &now);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		unsetenv(names[i]);
	assert_int_equal(now.set_clock_hz, 1500000000);
	assert_int_equal(now.default_clock_hz, 1980000000);
	assert_int_equal(now.set_memory_clock_hz, 2619000000);
	assert_int_equal(now.default_memory_clock_hz, 2619000000);
	device->ops->close(device);
}

/* The driver says 1980 MHz, and nothing of the memory. */
TEST(knows_the_highest_clocks_that_any_source_tells)
{
	static const struct {
		const char *clock;
		uint64_t highest_hz;
	} rows[] = { { "2100", UINT64_C(2100000000) }, { "1500", UINT64_C(1980000000) },
		{ NULL, UINT64_C(1980000000) } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct at_device_info *info;
		struct at_device *device;

		if (rows[i].clock) {
			setenv("FAKE_NVML_MAX_CLOCK", rows[i].clock, 1);
			setenv("FAKE_NVML_MAX_MEMORY_CLOCK", "3201", 1);
		}
		device = open_with_nvml("GPU-" UUID, NULL, NULL);
		unsetenv("FAKE_NVML_MAX_CLOCK");
		unsetenv("FAKE_NVML_MAX_MEMORY_CLOCK");
		info = &device->info;
		assert_int_equal(info->max_clock_hz, rows[i].highest_hz);
		assert_int_equal(info->max_memory_clock_hz,
			rows[i].clock ? UINT64_C(3201000000) : 0);
		/* what expressions see is what the driver tells */
		assert_int_equal(
			info->properties.value[AT_PROPERTY_CLOCK_HZ], 1980000000);
		device->ops->close(device);
	}
}

TEST(knows_a_slice_of_a_board_by_its_profile)
{
	struct at_device *device = open_with_nvml("MIG-" UUID, "700000", "700000");
	OWNED(free)
	char *slug =
		at_device_slug("cuda", device->info.model, &device->info.properties);

	assert_string_equal(device->info.uuid, "MIG-" UUID);
	/* the model has the slice's profile, which the driver's name lacks */
	assert_string_equal(device->info.model, "Fake GPU MIG 1g.18gb");
	assert_string_equal(slug, "fake-gpu-mig-1g-18gb");
	/* the limit of the whole board, since slices do not tell theirs */
	assert_int_equal(
		device->info.properties.value[AT_PROPERTY_POWER_LIMIT_WATTS], 700);
	device->ops->close(device);
}

TEST(reads_the_energy_of_a_whole_board_alone)
{
	static const struct {
		const char *uuid, *energy, *temperature; /* NULL: it has none */
		const char *no_energy;
		double celsius;
	} rows[] = {
		{ "GPU-" UUID, "123456", "61", "", 61 },
		{ "GPU-" UUID, "123456", NULL, "", 0 },
		{ "GPU-" UUID, NULL, "61",
			"the board or its driver counts no energy: boards before Volta do not",
			0 },
		{ "MIG-" UUID, "123456", "61",
			"this is a slice of a board (MIG), and energy is counted for the whole board alone",
			0 },
		{ NULL, "123456", "61",
			"NVIDIA's management library (NVML), which counts energy, was not found",
			0 },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct at_energy now = { 0 };
		struct at_device *device;

		if (rows[i].energy)
			setenv("FAKE_NVML_ENERGY", rows[i].energy, 1);
		if (rows[i].temperature)
			setenv("FAKE_NVML_TEMPERATURE", rows[i].temperature, 1);
		device = open_with_nvml(rows[i].uuid, NULL, NULL);
		assert_string_equal(device->info.no_energy, rows[i].no_energy);
		if (rows[i].no_energy[0]) {
			assert_fails(device->ops->energy(device, &now, &failure),
				AT_EUNAVAILABLE, rows[i].no_energy);
		} else {
			assert_ok(device->ops->energy(device, &now, &failure));
			assert_int_equal(now.millijoules, 123456);
			assert_true(now.read_ns > 0);
			assert_true(device->ops->celsius(device) == rows[i].celsius);
		}
		device->ops->close(device);
		unsetenv("FAKE_NVML_ENERGY");
		unsetenv("FAKE_NVML_TEMPERATURE");
	}
}

TEST(tells_which_clocks_can_be_set)
{
	static const struct {
		const char *uuid, *no_clocks;
		bool is_offered;
	} rows[] = {
		{ "GPU-" UUID, "", true },
		{ "MIG-" UUID,
			"this is a slice of a board (MIG), and they are set for the whole board alone",
			true },
		{ NULL, "NVML, which sets them, was not found", false },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct at_device *device = open_with_nvml(rows[i].uuid, NULL, NULL);
		const struct at_clocks_offer *offer = &device->info.offer;
		/* the only answer that depends on who runs this test */
		const char *no_clocks =
			rows[i].no_clocks[0] || !geteuid()
				? rows[i].no_clocks
				: "setting them needs root: run autotune as root";

		assert_string_equal(device->info.no_clocks, no_clocks);
		assert_int_equal(!device->ops->set_clocks, no_clocks[0] != '\0');
		assert_int_equal(
			offer->memory_clocks_mhz[1], rows[i].is_offered ? 2619 : 0);
		assert_int_equal(offer->memory_clocks_mhz[2], 0);
		assert_int_equal(offer->clocks_mhz[3], rows[i].is_offered ? 345 : 0);
		assert_int_equal(offer->clocks_mhz[4], 0);
		assert_int_equal(
			offer->power_milliwatts[0], rows[i].is_offered ? 200000 : 0);
		assert_int_equal(
			offer->power_milliwatts[1], rows[i].is_offered ? 700000 : 0);
		device->ops->close(device);
	}
}

/* Opens NVML for a board that writes what is done to it to a file. */
static struct at_nvml *open_logged(const char *path)
{
	assert_int_equal(setenv("FAKE_NVML_LOG", path, 1), 0);
	assert_int_equal(setenv("FAKE_NVML_UUID", "GPU-" UUID, 1), 0);
	assert_int_equal(setenv("FAKE_NVML_LIMIT", "499600", 1), 0);
	return at_nvml_open("GPU-" UUID, "");
}

static void close_logged(struct at_nvml *nvml, const char *path, const char *expected)
{
	OWNED(free) char *log = NULL;
	size_t size;

	at_nvml_close(nvml);
	unsetenv("FAKE_NVML_LOG");
	unsetenv("FAKE_NVML_UUID");
	unsetenv("FAKE_NVML_LIMIT");
	unsetenv("FAKE_NVML_DENIED");
	(void)!at_file_read(path, 4096, &log, &size, NULL);
	assert_string_equal(log ? log : "", expected);
	remove(path);
}

/* Each configuration has its own; what it does not set is as it was before the first.
 */
TEST(sets_clocks_and_gives_them_back)
{
	static const struct {
		struct at_clocks clocks[3];
		const char *log;
	} rows[] = {
		{ { { 0 } }, "" },
		{ { { 1950, 0, 0 } }, "clock 1950 1950\nclock 0 0\n" },
		{ { { 1950, 0, 0 }, { 345, 0, 0 }, { 345, 0, 0 } },
			"clock 1950 1950\nclock 345 345\nclock 0 0\n" },
		{ { { 0, 1593, 300000 }, { 0, 0, 400000 } },
			"memory 1593 1593\npower 300000 300000\nmemory 0 0\npower 400000 400000\npower 499600 499600\n" },
	};
	const struct at_clocks none = { 0 };
	OWNED(scratch_drop) char *folder = scratch_folder("nvml");
	OWNED(free) char *path = scratch_path(folder, "log");

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct at_nvml *nvml = open_logged(path);

		for (size_t k = 0; k < 3 && at_clocks_are_set(&rows[i].clocks[k]); k++)
			assert_ok(
				at_nvml_set_clocks(nvml, &rows[i].clocks[k], &failure));
		assert_ok(at_nvml_set_clocks(nvml, &none, &failure));
		close_logged(nvml, path, rows[i].log);
	}
}

TEST(says_why_clocks_are_not_set)
{
	static const struct {
		const char *denied, *logged, *limit;
		const char *text;
	} rows[] = {
		{ "1", "1", "499600",
			"NVML does not set the power limit (code 4): this needs root, in a container also the right to administer the host (CAP_SYS_ADMIN)" },
		{ NULL, NULL, "499600",
			"NVML does not set the power limit (code 3): the board or its driver cannot; leave it out of \"board\"" },
		/* it could not be given back */
		{ NULL, "1", NULL,
			"NVML does not set the power limit (code 3): the board or its driver cannot; leave it out of \"board\"" },
	};
	const struct at_clocks clocks = { .power_milliwatts = 300000 }, none = { 0 };
	OWNED(scratch_drop) char *folder = scratch_folder("nvml");
	OWNED(free) char *path = scratch_path(folder, "log");

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct at_nvml *nvml = open_logged(path);

		if (rows[i].denied)
			setenv("FAKE_NVML_DENIED", rows[i].denied, 1);
		if (!rows[i].logged)
			unsetenv("FAKE_NVML_LOG");
		if (!rows[i].limit)
			unsetenv("FAKE_NVML_LIMIT");
		assert_fails(at_nvml_set_clocks(nvml, &clocks, &failure),
			AT_EUNAVAILABLE, rows[i].text);
		/* nothing was set, so nothing is given back */
		assert_ok(at_nvml_set_clocks(nvml, &none, NULL));
		close_logged(nvml, path, "");
	}
}

/* Without a device, since the process that had it is dead. */
TEST(gives_back_what_a_dead_process_left)
{
	static const struct {
		struct at_clocks left;
		const char *log;
	} rows[] = {
		{ { 1950, 1593, 499600 },
			"clock 0 0\nmemory 0 0\npower 499600 499600\n" },
		{ { 0, 0, 499600 }, "power 499600 499600\n" },
		{ { 1950, 0, 0 }, "clock 0 0\n" },
	};
	OWNED(scratch_drop) char *folder = scratch_folder("nvml");
	OWNED(free) char *path = scratch_path(folder, "log");

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		at_nvml_close(open_logged(path));
		assert_ok(at_device_kind_cuda.restore_clocks(
			"GPU-" UUID, &rows[i].left, &failure));
		close_logged(NULL, path, rows[i].log);
	}
	assert_fails(at_device_kind_cuda.restore_clocks(
			     "GPU-" UUID, &rows[0].left, &failure),
		AT_EUNAVAILABLE, "NVML does not find the board");
}

/* Bit 2 is the power cap, bit 6 heat. */
TEST(a_power_limit_that_a_configuration_sets_is_no_throttling)
{
	static const struct {
		uint32_t milliwatts;
		const char *reasons;
		bool is_throttled;
	} rows[] = { { 0, "4", true }, { 300000, "4", false }, { 300000, "68", true },
		{ 300000, "0", false } };
	OWNED(scratch_drop) char *folder = scratch_folder("nvml");
	OWNED(free) char *path = scratch_path(folder, "log");

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		const struct at_clocks clocks = { .power_milliwatts =
							  rows[i].milliwatts };
		struct at_nvml *nvml = open_logged(path);
		struct at_device_state now;

		assert_ok(at_nvml_set_clocks(nvml, &clocks, &failure));
		setenv("FAKE_NVML_REASONS", rows[i].reasons, 1);
		at_nvml_state(nvml, &now);
		unsetenv("FAKE_NVML_REASONS");
		assert_int_equal(now.throttled, rows[i].is_throttled);
		at_nvml_close(nvml);
	}
	close_logged(NULL, path,
		"power 300000 300000\npower 300000 300000\npower 300000 300000\n");
}

TEST(finds_a_board_by_its_place_where_its_uuid_is_unknown)
{
	struct at_device *device = open_with_nvml("GPU-other", "650000", "700000");

	assert_string_equal(device->info.uuid, "GPU-" UUID);
	assert_string_equal(device->info.model, "Fake GPU");
	assert_int_equal(
		device->info.properties.value[AT_PROPERTY_POWER_LIMIT_WATTS], 650);
	device->ops->close(device);
}

TEST(names_the_devices_there_are)
{
	struct at_device *device;

	memset(&fake, 0, sizeof(fake));
	assert_fails(at_cuda_open_with(&driver, 2, &device, &failure), AT_ENOENT,
		"there is no cuda:2; the driver shows 2 (cuda:0 to cuda:1)");
}

TEST(releases_everything_when_a_step_of_opening_fails)
{
	static const enum call steps[] = { COUNT, GET, NAME, ATTRIBUTE };

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct at_device *device;

		memset(&fake, 0, sizeof(fake));
		fake.code[steps[i]] = AT_CUDA_DEVICE_UNAVAILABLE;
		assert_fails_with(at_cuda_open_with(&driver, 1, &device, &failure),
			AT_EUNAVAILABLE, ": NAME_46 (its text); another process");
		assert_int_equal(fake.live, 0);
	}
}

/* The device is described before its context is made, so that compiling can begin.
   INIT: nothing fails. */
TEST(is_known_before_it_is_woken)
{
	static const enum call steps[] = { INIT, RETAIN, USE, STREAM, EVENT };

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct at_device *device;
		struct at_error err = { 0 };

		memset(&fake, 0, sizeof(fake));
		if (steps[i] != INIT)
			fake.code[steps[i]] = AT_CUDA_DEVICE_UNAVAILABLE;
		assert_ok(at_cuda_open_with(&driver, 1, &device, &failure));
		assert_int_equal(fake.live, 0);
		assert_string_equal(device->info.kind, "cuda");
		assert_string_equal(device->info.architecture, "sm_90");
		assert_int_equal(device->ops->wake(device, &err),
			steps[i] == INIT ? AT_OK : AT_EUNAVAILABLE);
		if (steps[i] != INIT)
			assert_non_null(strstr(
				err.text, ": NAME_46 (its text); another process"));
		close_device(device);
	}
}

/* What is set aside would survive every flush. A device that has no such lines, or a
   driver that does not know them, is as good as any. */
TEST(sets_no_part_of_the_cache_aside)
{
	static const unsigned codes[] = { 0, 215, AT_CUDA_NOT_SUPPORTED,
		AT_CUDA_INVALID_VALUE };
	struct at_cuda_driver old = driver;
	struct at_device *device;

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		memset(&fake, 0, sizeof(fake));
		fake.limit_value = 1;
		fake.code[LIMIT] = codes[i];
		device = open_device(&driver);
		assert_int_equal(fake.limit_calls, 1);
		assert_int_equal(fake.limit, AT_CUDA_LIMIT_PERSISTING_L2);
		assert_int_equal(fake.limit_value, 0);
		assert_true(device->keeps_lines);
		close_device(device);
	}
	memset(&fake, 0, sizeof(fake));
	old.context_limit = NULL;
	device = open_device(&old);
	assert_int_equal(fake.limit_calls, 0);
	device->ops->close(device);
}

TEST(says_what_to_do_about_a_driver_that_does_not_start)
{
	static const struct {
		unsigned code;
		const char *text;
	} rows[] = {
		{ AT_CUDA_NO_DEVICE,
			"cuInit: NAME_100 (its text); the driver is there, but no GPU: check nvidia-smi and CUDA_VISIBLE_DEVICES" },
		{ AT_CUDA_STUB_LIBRARY,
			"cuInit: NAME_34 (its text); this is the toolkit's stub and no driver: take its folder out of LD_LIBRARY_PATH" },
		{ ANY, "cuInit: CUDA error 9" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		memset(&fake, 0, sizeof(fake));
		fake.code[INIT] = rows[i].code;
		assert_fails(at_cuda_driver_start(&driver, &failure), AT_EUNAVAILABLE,
			rows[i].text);
		assert_string_equal(getenv("CUDA_MODULE_LOADING"), "EAGER");
	}
}

TEST(says_that_there_is_no_driver_and_what_to_do)
{
	static const char *const candidates[] = { "/nowhere/libcuda.so.1" };
	struct at_cuda_driver none;

	assert_fails(at_cuda_driver_load(&none, candidates, 1, &failure),
		AT_EUNAVAILABLE,
		"no NVIDIA driver found: install one to tune on a GPU, or tune on the CPU with --device host; tried /nowhere/libcuda.so.1");
}

TEST(finds_the_version_of_the_kernel_module)
{
	static const char *const rows[][2] = {
		{ "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  Tue Jan 6\n"
		  "GCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n",
			"580.159.04" },
		{ "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  535.54  Release\n",
			"535.54" },
		{ "NVRM version: none\n", "" },
		{ "", "" },
	};
	char version[40];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		at_cuda_parse_version(rows[i][0], version, sizeof(version));
		assert_string_equal(version, rows[i][1]);
	}
}

/* ---- memory and modules ------------------------------------------------- */

ON_BENCH(copies_within_a_buffer_through_the_stream_of_the_kernels)
{
	struct at_memory *memory;
	unsigned char data[8] = { 0 };

	assert_ok(CALL(allocate, 16, &memory, NULL));
	assert_int_equal(CALL(address, memory), 0x1000);
	assert_ok(CALL(write, memory, 8, data, 8, NULL));
	assert_ok(CALL(read, memory, 8, data, 8, NULL));
	assert_int_equal(data[7], 7);
	assert_string_equal(fake.log, ">Y<Y");
	assert_fails(CALL(write, memory, 9, data, 8, &failure), AT_EINVAL,
		"a copy of 8 bytes at offset 9 leaves a buffer of 16 bytes");
	assert_int_equal(CALL(read, memory, UINT64_MAX, data, 8, NULL), AT_EINVAL);
	fake.code[SYNCHRONIZE] = ILLEGAL_ADDRESS;
	assert_int_equal(CALL(read, memory, 8, data, 8, NULL), AT_EDEVICE);
	assert_true(bench.device->is_lost);
	CALL(release, memory);
	CALL(release, NULL);
}

ON_BENCH(says_how_much_memory_is_left)
{
	struct at_memory *memory;

	fake.code[ALLOCATE] = AT_CUDA_OUT_OF_MEMORY;
	assert_fails(CALL(allocate, 99, &memory, &failure), AT_ENOMEM,
		"cuda:1 has no 99 bytes: 5 of 10 are free; tune a smaller problem or end what uses the GPU");
}

TEST(guards_memory_where_driver_and_device_can)
{
	struct at_cuda_driver old = driver;
	struct at_device *device;

	for (int i = 0; i < 4; i++) {
		memset(&fake, 0, sizeof(fake));
		old.pages_protect = i == 1 ? NULL : driver.pages_protect;
		fake.lacks_pages = i == 2;
		fake.code[PAGE_BYTES] = i == 3 ? AT_CUDA_NOT_SUPPORTED : 0;
		device = open_device(&old);
		assert_true((device->ops->allocate_guarded != NULL) == (i == 0));
		assert_true((device->ops->mapped != NULL) == (i == 0));
		assert_true((device->ops->protect != NULL) == (i == 0));
		assert_non_null(device->ops->allocate);
		close_device(device);
	}
}

ON_BENCH(reserves_a_guard_on_either_side_of_whole_pages)
{
	static const struct {
		uint64_t bytes;
		uint64_t mapped;
	} rows[] = { { 1, PAGE }, { PAGE, PAGE }, { PAGE + 1, 2 * PAGE } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int live = fake.live;
		struct at_memory *memory;

		assert_ok(CALL(allocate_guarded, rows[i].bytes, &memory, NULL));
		assert_int_equal(CALL(mapped, memory), rows[i].mapped);
		assert_int_equal(CALL(address, memory), GUARDS + AT_GUARD_BYTES);
		assert_int_equal(fake.access, AT_CUDA_ACCESS_WRITE);
		CALL(release, memory);
		assert_int_equal(fake.live, live);
	}
}

ON_BENCH(memory_lies_as_far_apart_as_it_is_told)
{
	int live = fake.live;
	struct at_memory *memory;

	fake.extra_gap_bytes = 5 * PAGE;
	bench.device->extra_gap_bytes = 5 * PAGE + 1;
	assert_ok(CALL(allocate_guarded, 1, &memory, NULL));
	assert_int_equal(CALL(address, memory), GUARDS + AT_GUARD_BYTES + 5 * PAGE);
	CALL(release, memory);
	assert_int_equal(fake.live, live);
	/* no device has so many addresses: it does without */
	bench.device->extra_gap_bytes = UINT64_MAX / 2;
	fake.extra_gap_bytes = 0;
	assert_ok(CALL(allocate_guarded, 1, &memory, NULL));
	assert_int_equal(CALL(address, memory), GUARDS + AT_GUARD_BYTES);
	CALL(release, memory);
	bench.device->extra_gap_bytes = 0;
}

ON_BENCH(memory_lies_as_ever_where_there_are_few_addresses)
{
	struct at_memory *memory;

	fake.addresses = AT_SPARE_BYTES - 1;
	bench.device->extra_gap_bytes = PAGE;
	assert_ok(CALL(allocate_guarded, 1, &memory, NULL));
	assert_int_equal(CALL(address, memory), GUARDS + AT_GUARD_BYTES);
	CALL(release, memory);
	bench.device->extra_gap_bytes = 0;
}

ON_BENCH(a_failed_step_of_guarding_leaves_nothing_behind)
{
	static const enum call steps[] = { RESERVE, CREATE, MAP, PROTECT };
	int live = fake.live;

	for (size_t i = 0; i < 2 * sizeof(steps) / sizeof(steps[0]); i++) {
		bool is_full = i % 2 == 0;
		struct at_error err = { 0 };
		struct at_memory *memory;

		fake.code[steps[i / 2]] =
			is_full ? AT_CUDA_OUT_OF_MEMORY : AT_CUDA_NOT_SUPPORTED;
		assert_int_equal(CALL(allocate_guarded, 99, &memory, &err),
			is_full ? AT_ENOMEM : AT_EDEVICE);
		assert_memory_equal(err.text,
			is_full ? "cuda:1 has no 99 bytes: 5 of 10 are free; "
				: "cuMem",
			is_full ? 41 : 5);
		assert_int_equal(fake.live, live);
		fake.code[steps[i / 2]] = 0;
	}
	assert_int_equal(
		CALL(allocate_guarded, UINT64_MAX, &(struct at_memory *){ NULL }, NULL),
		AT_ENOMEM);
}

ON_BENCH(protects_memory_from_kernels_and_copies)
{
	static const struct {
		enum at_protection protection;
		unsigned access;
		enum at_status write, read;
	} rows[] = {
		{ AT_PROTECTION_READ, AT_CUDA_ACCESS_READ, AT_EINVAL, AT_OK },
		{ AT_PROTECTION_NONE, AT_CUDA_ACCESS_NONE, AT_EINVAL, AT_EINVAL },
		{ AT_PROTECTION_WRITE, AT_CUDA_ACCESS_WRITE, AT_OK, AT_OK },
	};
	struct at_error err = { 0 };
	struct at_memory *memory;
	char data[8] = { 0 };

	assert_ok(CALL(allocate_guarded, 16, &memory, NULL));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned calls = fake.protect_calls;

		/* protected so already, the second call does nothing */
		for (int j = 0; j < 2; j++)
			assert_ok(CALL(protect, memory, rows[i].protection, NULL));
		assert_int_equal(fake.protect_calls, calls + 1);
		assert_int_equal(fake.access, rows[i].access);
		assert_int_equal(CALL(write, memory, 8, data, 8, NULL), rows[i].write);
		assert_int_equal(CALL(read, memory, 8, data, 8, &err), rows[i].read);
	}
	assert_string_equal(
		err.text, "a copy from a buffer that is protected against it");
	assert_false(bench.device->is_lost);
	/* after a failure the device remembers the old protection */
	fake.code[PROTECT] = AT_CUDA_INVALID_VALUE;
	assert_int_equal(CALL(protect, memory, AT_PROTECTION_READ, NULL), AT_EDEVICE);
	fake.code[PROTECT] = 0;
	assert_ok(CALL(write, memory, 8, data, 8, NULL));
	CALL(release, memory);
}

ON_BENCH(gives_the_variables_of_a_module_as_ranges)
{
	static const struct {
		uint64_t hidden_bit;
		size_t count;
	} rows[] = {
		{ 0, 9 },
		/* if one variable is not found, none of the ranges is certain */
		{ 0x01, AT_VARIABLES_UNKNOWN },
		{ 0x100, AT_VARIABLES_UNKNOWN },
		{ 0x1ff, AT_VARIABLES_UNKNOWN },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_range ranges[9] = { { 0, 0 } };
		bool are_known = rows[i].count != AT_VARIABLES_UNKNOWN;
		struct at_module *module;

		fake.hidden_bit = rows[i].hidden_bit;
		module = load_image(bench.device, "cuda13_sm_90_variables.cubin");
		assert_int_equal(CALL(variables, module, ranges, 9), rows[i].count);
		for (size_t j = 0; j < 9; j++) {
			assert_int_equal(ranges[j].address,
				are_known ? variables[j].address : 0);
			assert_int_equal(
				ranges[j].bytes, are_known ? variables[j].bytes : 0);
		}
		memset(ranges, 0, sizeof(ranges));
		assert_int_equal(CALL(variables, module, ranges, 1), rows[i].count);
		assert_int_equal(ranges[1].address, 0);
		CALL(unload, module);
	}
	/* the module of facts.cu has one variable, of the same name */
	assert_int_equal(CALL(variables, bench.module, NULL, 0), 1);
}

ON_BENCH(loads_only_whole_cubins)
{
	struct at_module *module;

	assert_fails(CALL(load, (const unsigned char *)"\177ELF", 4, &module, &failure),
		AT_OUTCOME_LAUNCH_FAILED,
		"this is no cubin: too short for an ELF header");
}

ON_BENCH(tells_a_refused_module_from_a_lost_device)
{
	static const struct {
		unsigned code;
		enum at_outcome outcome;
	} rows[] = {
		{ AT_CUDA_NO_BINARY_FOR_GPU, AT_OUTCOME_LAUNCH_FAILED },
		{ AT_CUDA_OUT_OF_MEMORY, AT_OUTCOME_LAUNCH_FAILED },
		{ ILLEGAL_ADDRESS, AT_OUTCOME_CRASHED },
	};
	struct at_module *module;
	OWNED(free) char *image;
	size_t size;

	assert_ok(at_file_read(
		AT_TEST_DIR "/data/cubin/cuda13_sm_90.cubin", 0, &image, &size, NULL));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_error err = { 0 };

		fake.code[LOAD] = rows[i].code;
		assert_int_equal(
			CALL(load, (unsigned char *)image, size, &module, &err),
			rows[i].outcome);
		assert_memory_equal(err.text, "loading the kernel: NAME_", 25);
	}
}

ON_BENCH(finds_a_kernel_once)
{
	assert_ptr_equal(CALL(find, bench.module, "k"), bench.kernel.kernel);
	fake.code[FUNCTION] = AT_CUDA_NOT_FOUND;
	assert_null(CALL(find, bench.module, "other"));
}

ON_BENCH(sets_a_variable_that_is_there_and_has_room)
{
	static const struct {
		const char *name;
		uint64_t bytes;
		bool found;
		enum at_outcome outcome;
		const char *log;
		const char *text;
	} rows[] = {
		{ "s", 8, true, AT_OUTCOME_OK, ">Y", "" },
		{ "other", 8, false, AT_OUTCOME_OK, "", "" },
		{ "s", 9, true, AT_OUTCOME_LAUNCH_FAILED, "",
			"the variable \"s\" has 8 bytes, fewer than the 9 that go into it" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_error err = { 0 };
		bool found = !rows[i].found;

		memset(fake.log, 0, sizeof(fake.log));
		assert_int_equal(CALL(set_symbol, bench.module, rows[i].name,
					 "12345678", rows[i].bytes, &found, &err),
			rows[i].outcome);
		assert_int_equal(found, rows[i].found);
		assert_string_equal(fake.log, rows[i].log);
		assert_string_equal(err.text, rows[i].text);
	}
}

ON_BENCH(tells_a_refused_variable_from_a_lost_device)
{
	static const struct {
		enum call call;
		unsigned code;
		enum at_outcome outcome;
	} rows[] = {
		{ GLOBAL, AT_CUDA_INVALID_VALUE, AT_OUTCOME_LAUNCH_FAILED },
		{ GLOBAL, ILLEGAL_ADDRESS, AT_OUTCOME_CRASHED },
		{ COPY, ILLEGAL_ADDRESS, AT_OUTCOME_CRASHED },
		{ SYNCHRONIZE, ILLEGAL_ADDRESS, AT_OUTCOME_CRASHED },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_error err = { 0 };
		bool found;

		fake.code[rows[i].call] = rows[i].code;
		assert_int_equal(CALL(set_symbol, bench.module, "s", "12345678", 8,
					 &found, &err),
			rows[i].outcome);
		assert_memory_equal(err.text, "setting a variable: NAME_", 25);
		fake.code[rows[i].call] = 0;
	}
}

/* ---- running ------------------------------------------------------------ */

ON_BENCH(hands_geometry_and_arguments_to_the_driver)
{
	bench.kernel.grid[0] = 77;
	expect_run(AT_OUTCOME_OK, "kY");
	assert_int_equal(fake.grid_x, 77);
	assert_memory_equal(fake.parameter, "\1\1\1\1\1\1\1\1\2\2\2\2\2\2\2\2", 16);
}

ON_BENCH(maps_each_refusal_to_its_outcome)
{
	static const struct {
		unsigned code;
		enum at_outcome outcome;
	} rows[] = {
		{ AT_CUDA_INVALID_VALUE, AT_OUTCOME_LAUNCH_FAILED },
		{ AT_CUDA_NOT_SUPPORTED, AT_OUTCOME_LAUNCH_FAILED },
		{ AT_CUDA_LAUNCH_OUT_OF_RESOURCES, AT_OUTCOME_TOO_MANY_RESOURCES },
		{ AT_CUDA_OUT_OF_MEMORY, AT_OUTCOME_TOO_MANY_RESOURCES },
		{ ILLEGAL_ADDRESS, AT_OUTCOME_OUT_OF_BOUNDS },
		{ AT_CUDA_LAUNCH_TIMEOUT, AT_OUTCOME_TIMED_OUT },
		{ TRAPPED, AT_OUTCOME_CRASHED },
		{ AT_CUDA_ECC_UNCORRECTABLE, AT_OUTCOME_CRASHED },
		{ 809, AT_OUTCOME_CRASHED },
		{ AT_CUDA_UNKNOWN, AT_OUTCOME_CRASHED },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_error err = { 0 };
		char name[16];

		fake.code[LAUNCH] = rows[i].code;
		fake.refuse_at = fake.launches + 1;
		bench.device->is_lost = false;
		assert_int_equal(run(&err), rows[i].outcome);
		assert_true(bench.device->is_lost ==
			    (rows[i].outcome == AT_OUTCOME_CRASHED ||
				    rows[i].outcome == AT_OUTCOME_TIMED_OUT ||
				    rows[i].outcome == AT_OUTCOME_OUT_OF_BOUNDS));
		snprintf(name, sizeof(name), "NAME_%u", rows[i].code);
		assert_non_null(strstr(err.text, name));
		assert_memory_equal(err.text,
			"kernel \"k\" with grid 1x2x3, block 4x5x6, 0 bytes", 48);
	}
}

ON_BENCH(a_kernel_that_dies_is_a_crash_with_its_name)
{
	fake.code[SYNCHRONIZE] = TRAPPED;
	assert_fails(run(&failure), AT_OUTCOME_CRASHED,
		"a kernel died: NAME_719 (its text)");
	assert_true(bench.device->is_lost);
}

/* what no kernel can do: it is tried again */
ON_BENCH(a_board_that_fails_is_told_from_a_kernel_that_dies)
{
	struct at_error err = { 0 };

	fake.code[SYNCHRONIZE] = AT_CUDA_ECC_UNCORRECTABLE;
	assert_int_equal(run(&err), AT_OUTCOME_CRASHED);
	assert_int_equal(err.status, AT_EUNAVAILABLE);
	assert_string_equal(err.text, "the board failed: NAME_214 (its text)");
	assert_true(bench.device->is_lost);
}

/* whatever the code, even one that a refused launch may also have */
ON_BENCH(a_stream_that_failed_is_a_lost_device)
{
	struct at_error err = { 0 };

	fake.code[SYNCHRONIZE] = AT_CUDA_LAUNCH_OUT_OF_RESOURCES;
	assert_int_equal(run(&err), AT_OUTCOME_CRASHED);
	assert_true(bench.device->is_lost);
}

ON_BENCH(a_touch_outside_is_out_of_bounds_and_says_what_that_means)
{
	double ns;

	fake.code[SYNCHRONIZE] = ILLEGAL_ADDRESS;
	assert_fails(run(&failure), AT_OUTCOME_OUT_OF_BOUNDS,
		"a kernel touched memory outside its buffers, or wrote into one that is only to be read: NAME_700 (its text)");
	assert_true(bench.device->is_lost);
	assert_int_equal(take_time(2, &ns, NULL), AT_OUTCOME_OUT_OF_BOUNDS);
}

ON_BENCH(a_death_outweighs_a_refusal_after_it)
{
	struct at_invocation calls[2] = { bench.kernel, bench.flush };

	fake.code[LAUNCH] = AT_CUDA_INVALID_VALUE;
	fake.refuse_at = 2;
	fake.code[SYNCHRONIZE] = TRAPPED;
	assert_fails(CALL(run, calls, 2, &failure), AT_OUTCOME_CRASHED,
		"a kernel died: NAME_719 (its text)");
}

ON_BENCH(refuses_the_wrong_number_of_arguments_without_a_launch)
{
	bench.kernel.argument_count = 1;
	assert_fails(run(&failure), AT_OUTCOME_LAUNCH_FAILED,
		"kernel \"k\" takes 2 parameters, and the space file gives it 1 arguments");
	assert_int_equal(fake.launches, 0);
}

ON_BENCH(opts_in_to_shared_memory_once_for_each_need)
{
	/* beside 400 static bytes so many need no opt-in */
	bench.kernel.shared_bytes = 49152 - 400;
	assert_int_equal(run(NULL), AT_OUTCOME_OK);
	assert_int_equal(fake.set_calls, 0);
	bench.kernel.shared_bytes = 49152 - 399;
	assert_int_equal(run(NULL), AT_OUTCOME_OK);
	assert_int_equal(run(NULL), AT_OUTCOME_OK);
	assert_int_equal(fake.set_calls, 1);
	assert_int_equal(fake.shared_limit, 49152 - 399);
	bench.kernel.shared_bytes = 98304;
	assert_int_equal(run(NULL), AT_OUTCOME_OK);
	assert_int_equal(fake.shared_limit, 98304);
}

ON_BENCH(more_shared_memory_than_there_is_is_too_many_resources)
{
	fake.code[SET] = AT_CUDA_INVALID_VALUE;
	bench.kernel.shared_bytes = 1u << 20;
	assert_fails_with(run(&failure), AT_OUTCOME_TOO_MANY_RESOURCES,
		"has no more than 232448");
	assert_int_equal(fake.launches, 0);
	bench.kernel.shared_bytes = UINT32_MAX;
	fake.code[SET] = 0;
	assert_int_equal(run(NULL), AT_OUTCOME_TOO_MANY_RESOURCES);
}

/* ---- attributes ----------------------------------------------------------- */

ON_BENCH(launches_with_the_attributes_that_are_given)
{
	struct at_attributes attributes = { .cluster = { 1, 2, 1 },
		.preferred_cluster = { 1, 16, 1 },
		.is_cooperative = true,
		.is_dependent = true,
		.window = 1,
		.window_percent = 50 };
	static const unsigned ids[] = { AT_CUDA_LAUNCH_CLUSTER,
		AT_CUDA_LAUNCH_PREFERRED_CLUSTER, AT_CUDA_LAUNCH_COOPERATIVE,
		AT_CUDA_LAUNCH_DEPENDENT, AT_CUDA_LAUNCH_WINDOW };
	const struct at_cuda_window *window = &fake.attributes[4].value.window;

	bench.kernel.attributes = &attributes;
	bench.kernel.is_dependent = true;
	bench.kernel.window = (struct at_range){ 0x5000, 10000 };
	assert_int_equal(run(NULL), AT_OUTCOME_OK);
	assert_int_equal(fake.launches_with, 1);
	assert_int_equal(fake.attribute_count, AT_COUNT_OF(ids));
	for (size_t i = 0; i < AT_COUNT_OF(ids); i++)
		assert_int_equal(fake.attributes[i].id, ids[i]);
	assert_int_equal(fake.attributes[0].value.cluster[1], 2);
	assert_int_equal(fake.attributes[1].value.cluster[1], 16);
	assert_int_equal(fake.attributes[3].value.is_on, 1);
	/* as much as the device has */
	assert_int_equal((uintptr_t)window->address, 0x5000);
	assert_int_equal(window->bytes, 6000);
	assert_true(window->hit_ratio == 0.5f);
	assert_int_equal(fake.limit_value, 4000);
	assert_int_equal(fake.large_clusters, 1);
	/* what is not given is not there, and nothing stays set aside */
	bench.kernel.attributes = NULL;
	bench.kernel.is_dependent = false;
	bench.kernel.window.bytes = 0;
	assert_int_equal(run(NULL), AT_OUTCOME_OK);
	assert_int_equal(fake.launches_with, 1);
	assert_int_equal(fake.launches, 2);
	assert_int_equal(fake.limit_value, 0);
}

/* so that a device without clusters launches them, and no launch becomes slower */
ON_BENCH(launches_plainly_what_needs_no_attribute)
{
	struct at_attributes attributes = { .cluster = { 1, 1, 1 },
		.carveout = 1 + 50 };
	const unsigned limit_calls = fake.limit_calls;

	bench.kernel.attributes = &attributes;
	assert_int_equal(run(NULL), AT_OUTCOME_OK);
	assert_int_equal(fake.launches_with, 0);
	assert_int_equal(fake.carveout, 50);
	assert_int_equal(fake.large_clusters, 0);
	/* the driver decides again */
	bench.kernel.attributes = NULL;
	assert_int_equal(run(NULL), AT_OUTCOME_OK);
	assert_int_equal(fake.carveout, -1);
	assert_int_equal(fake.limit_calls, limit_calls);
}

ON_BENCH(says_what_a_launch_with_attributes_lacks)
{
	struct at_attributes attributes = { .cluster = { 1, 2, 3 },
		.is_cooperative = true };
	struct at_cuda_driver old = driver;
	struct at_error err = { 0 };

	bench.kernel.attributes = &attributes;
	fake.code[LAUNCH] = AT_CUDA_COOPERATIVE_LAUNCH_TOO_LARGE;
	fake.refuse_at = 1;
	assert_fails(run(&failure), AT_OUTCOME_LAUNCH_FAILED,
		"kernel \"k\" with grid 1x2x3, block 4x5x6, 0 bytes of dynamic shared memory, cluster 1x2x3, cooperative: NAME_720 (its text)");
	old.launch_with = NULL;
	at_cuda_device_of(bench.device)->driver = &old;
	assert_int_equal(run(&err), AT_OUTCOME_LAUNCH_FAILED);
	assert_memory_equal(err.text, "this driver has no cuLaunchKernelEx, ", 37);
	assert_int_equal(fake.launches, 1);
	at_cuda_device_of(bench.device)->driver = &driver;
}

/* ---- timing ------------------------------------------------------------- */

ON_BENCH(queues_everything_behind_the_gate_before_it_opens)
{
	assert_true(expect_time(3, "PWfRkkkRY") == 250000.0);
	/* all of it was queued while the gate was closed, and the gate is open again */
	assert_int_equal(fake.pending, 7);
	expect_time(1, "PWfRkRY");
}

/* fake_cupti.c takes three passes */
ON_BENCH(counts_a_launch_in_passes_each_behind_what_restores_its_memory)
{
	double values[AT_COUNTER_COUNT] = { 0 };

	assert_int_equal(CALL(count, &bench.flush, 1, &bench.kernel, values, &failure),
		AT_OUTCOME_OK);
	assert_string_equal(fake.log, "PfYkYPfYkYPfYkY");
	assert_true(values[AT_COUNTER_TIME] > 0);
	assert_true(bench.device->is_profiled);
}

ON_BENCH(a_launch_that_cannot_be_counted_is_no_failure)
{
	double values[AT_COUNTER_COUNT];

	assert_int_equal(
		setenv("FAKE_CUPTI_FAILS", "cuptiRangeProfilerEnable:35", 1), 0);
	assert_fails_with(CALL(count, &bench.flush, 1, &bench.kernel, values, &failure),
		AT_OUTCOME_NOT_APPLICABLE, "the hardware counters cannot be read");
	assert_false(bench.device->is_lost);
	unsetenv("FAKE_CUPTI_FAILS");
	/* and again where it can be read now */
	assert_int_equal(CALL(count, &bench.flush, 1, &bench.kernel, values, NULL),
		AT_OUTCOME_OK);
	fake.code[SYNCHRONIZE] = TRAPPED;
	assert_int_equal(CALL(count, &bench.flush, 1, &bench.kernel, values, NULL),
		AT_OUTCOME_CRASHED);
}

ON_BENCH(opens_the_gate_early_before_the_queue_is_full)
{
	double ns;

	assert_int_equal(take_time(2000, &ns, NULL), AT_OUTCOME_OK);
	assert_int_equal(fake.launches, 2001);
	assert_in_range(fake.pending, 100, 500);
}

ON_BENCH(opens_the_gate_on_every_way_out)
{
	struct at_error err = { 0 };
	double ns;

	fake.code[LAUNCH] = AT_CUDA_INVALID_VALUE;
	for (unsigned at = 1; at <= 3; at++) {
		struct at_error refusal = { 0 };

		fake.refuse_at = fake.launches + at;
		assert_int_equal(take_time(2, &ns, &refusal), AT_OUTCOME_LAUNCH_FAILED);
		assert_false(gate_is_closed());
		assert_true(ns == 0);
		/* and says whose launch it was */
		assert_memory_equal(
			refusal.text, at == 1 ? "kernel \"f\"" : "kernel \"k\"", 10);
	}
	fake.refuse_at = 0;
	fake.code[RECORD] = AT_CUDA_INVALID_HANDLE;
	assert_int_equal(take_time(2, &ns, &err), AT_OUTCOME_LAUNCH_FAILED);
	assert_false(gate_is_closed());
	assert_memory_equal(err.text, "timing: ", 8);
	fake.code[RECORD] = 0;
	fake.code[SYNCHRONIZE] = TRAPPED;
	assert_int_equal(take_time(2, &ns, NULL), AT_OUTCOME_CRASHED);
	assert_false(gate_is_closed());
}

ON_BENCH(prepares_launches_before_the_gate_is_closed)
{
	double ns;

	bench.kernel.shared_bytes = 98304;
	bench.flush.shared_bytes = 65536;
	assert_int_equal(take_time(1, &ns, NULL), AT_OUTCOME_OK);
	assert_int_equal(fake.set_calls, 2);
}

/* What earlier launches asked the cache to keep must not survive the flush, so the
   lines are let go ahead of everything that is queued. */
ON_BENCH(lets_the_lines_of_earlier_launches_go_before_a_flush)
{
	double ns;

	expect_time(2, "PWfRkkRY");
	expect_time(1, "PWfRkRY");
	/* without calls ahead of the launches there is no flush */
	memset(fake.log, 0, sizeof(fake.log));
	assert_int_equal(
		CALL(time, NULL, 0, &bench.kernel, 1, 1, &ns, NULL), AT_OUTCOME_OK);
	assert_string_equal(fake.log, "WRkRY");
}

ON_BENCH(a_driver_that_lets_no_lines_go_is_asked_once)
{
	fake.code[CACHE] = AT_CUDA_NOT_SUPPORTED;
	expect_time(1, "PWfRkRY");
	expect_time(1, "WfRkRY");
	assert_false(bench.device->is_lost);
}

ON_BENCH(times_where_the_driver_cannot_let_lines_go)
{
	struct at_cuda_device *self = at_cuda_device_of(bench.device);
	struct at_cuda_driver old = driver;

	old.cache_reset = NULL;
	self->driver = &old;
	expect_time(1, "WfRkRY");
	self->driver = &driver;
}

TEST(times_without_a_gate_where_the_driver_has_none)
{
	static const enum call steps[] = { PINNED, ADDRESS, WAIT, SYNCHRONIZE };

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) + 1; i++) {
		struct at_cuda_driver old = driver;
		struct at_device *device;
		struct at_module *module;
		struct at_invocation kernel = { .grid = { 1, 2, 3 },
			.block = { 4, 5, 6 } };
		double ns;

		memset(&fake, 0, sizeof(fake));
		if (i < sizeof(steps) / sizeof(steps[0]))
			fake.code[steps[i]] = AT_CUDA_NOT_SUPPORTED;
		else
			old.stream_wait_value = NULL;
		device = open_device(&old);
		memset(fake.code, 0, sizeof(fake.code));
		module = load_module(device);
		kernel.kernel = device->ops->find(device, module, "k");
		assert_int_equal(
			device->ops->time(device, NULL, 0, &kernel, 1, 2, &ns, NULL),
			AT_OUTCOME_OK);
		assert_string_equal(fake.log, "RkkRY");
		assert_true(device->is_ungated);
		device->ops->unload(device, module);
		close_device(device);
	}
}

/* ---- graphs ----------------------------------------------------------------- */

static enum at_outcome take_graph(double *ns, size_t samples, struct at_error *err)
{
	const struct at_invocation calls[] = { bench.flush, bench.kernel, bench.flush };

	return CALL(time_graph, calls, 3, ns, samples, err);
}

ON_BENCH(times_a_graph_behind_itself)
{
	double ns[2];

	bench.kernel.shared_bytes = 98304;
	fake.elapsed_ms[0] = 1;
	fake.elapsed_ms[1] = 2;
	fake.elapsed_calls = 0;
	assert_int_equal(take_graph(ns, 2, NULL), AT_OUTCOME_OK);
	/* captured once, without a gate; both graphs are queued before the first wait
	 */
	assert_string_equal(fake.log, "(fkf)GRGRYGRGRY");
	assert_int_equal(fake.set_calls, 1);
	assert_true(ns[0] == 1e6 && ns[1] == 2e6);
}

ON_BENCH(a_graph_that_cannot_be_made_is_nobodys_fault)
{
	static const enum call steps[] = { CAPTURE, LAUNCH, CAPTURED, INSTANTIATE };
	double ns;

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		int live = fake.live;

		/* 901: the capture was invalidated; no launch has that code */
		fake.code[steps[i]] = 901;
		fake.refuse_at = steps[i] == LAUNCH ? fake.launches + 2 : 0;
		assert_fails(take_graph(&ns, 1, &failure), AT_OUTCOME_NOT_APPLICABLE,
			"making a graph of launches: NAME_901 (its text)");
		assert_false(bench.device->is_lost);
		assert_false(fake.captures);
		assert_int_equal(fake.live, live);
		fake.code[steps[i]] = 0;
	}
	fake.refuse_at = 0;
	assert_int_equal(take_graph(&ns, 1, NULL), AT_OUTCOME_OK);
}

ON_BENCH(a_kernel_that_dies_in_a_graph_is_a_crash)
{
	double ns;

	fake.code[SYNCHRONIZE] = TRAPPED;
	assert_int_equal(take_graph(&ns, 3, NULL), AT_OUTCOME_CRASHED);
	assert_true(bench.device->is_lost);
	assert_true(ns == 0);
}

TEST(has_no_graphs_where_the_driver_has_none)
{
	for (int i = 0; i < 6; i++) {
		struct at_cuda_driver old = driver;
		struct at_device *device;

		memset(&fake, 0, sizeof(fake));
		old.capture_begin = i == 0 ? NULL : old.capture_begin;
		old.capture_end = i == 1 ? NULL : old.capture_end;
		old.graph_release = i == 2 ? NULL : old.graph_release;
		old.graph_instantiate = i == 3 ? NULL : old.graph_instantiate;
		old.graph_launch = i == 4 ? NULL : old.graph_launch;
		old.graph_end = i == 5 ? NULL : old.graph_end;
		device = open_device(&old);
		assert_null(device->ops->time_graph);
		close_device(device);
	}
}

/* ---- copies within the device --------------------------------------------- */

struct pair {
	struct at_memory *to;
	struct at_memory *from;
};

static struct pair make_pair(void)
{
	struct pair pair;

	assert_ok(CALL(allocate, 16, &pair.to, NULL));
	assert_ok(CALL(allocate, 16, &pair.from, NULL));
	return pair;
}

static void release_pair(const struct pair *pair)
{
	CALL(release, pair->to);
	CALL(release, pair->from);
}

ON_BENCH(copies_behind_the_gate_but_the_first)
{
	struct pair pair = make_pair();
	double ns;

	assert_int_equal(
		CALL(time_copy, pair.to, pair.from, 16, 3, &ns, NULL), AT_OUTCOME_OK);
	assert_string_equal(fake.log, "=YWR===RY");
	assert_int_equal(fake.pending, 6);
	assert_true(ns == 250000.0);
	assert_int_equal(
		CALL(time_copy, pair.to, pair.from, 16, 1, &ns, NULL), AT_OUTCOME_OK);
	assert_string_equal(fake.log, "=YWR===RYWR=RY");
	release_pair(&pair);
}

ON_BENCH(a_copy_that_leaves_its_memory_is_refused_without_a_call)
{
	struct pair pair = make_pair();
	double ns = 1;

	assert_fails(CALL(time_copy, pair.to, pair.from, 17, 1, &ns, &failure),
		AT_OUTCOME_LAUNCH_FAILED,
		"a copy of 17 bytes at offset 0 leaves a buffer of 16 bytes");
	assert_true(ns == 0);
	assert_string_equal(fake.log, "");
	release_pair(&pair);
}

ON_BENCH(a_refused_copy_leaves_the_gate_open)
{
	struct pair pair = make_pair();
	double ns;

	for (int i = 0; i < 2; i++) {
		fake.code[COPY] = AT_CUDA_INVALID_VALUE;
		assert_int_equal(CALL(time_copy, pair.to, pair.from, 16, 2, &ns, NULL),
			AT_OUTCOME_LAUNCH_FAILED);
		assert_false(gate_is_closed());
		/* now the copy behind the closed gate is refused */
		fake.code[COPY] = 0;
		assert_int_equal(CALL(time_copy, pair.to, pair.from, 16, 2, &ns, NULL),
			AT_OUTCOME_OK);
	}
	fake.code[SYNCHRONIZE] = TRAPPED;
	assert_int_equal(CALL(time_copy, pair.to, pair.from, 16, 2, &ns, NULL),
		AT_OUTCOME_CRASHED);
	assert_false(gate_is_closed());
	release_pair(&pair);
}

ON_BENCH(a_first_launch_is_timed_without_a_gate)
{
	const struct at_invocation calls[] = { bench.flush, bench.kernel };
	double ns = -1;

	fake.elapsed_ms[0] = 1000;
	fake.elapsed_calls = 0;
	assert_int_equal(CALL(run_timed, calls, 2, &ns, NULL), AT_OUTCOME_OK);
	assert_string_equal(fake.log, "fRkRY");
	/* less what the host took to queue it */
	assert_true(ns > 500e6 && ns < 1000e6);
	/* the host was slower than the device: nothing is known */
	fake.elapsed_ms[1] = 1e-6f;
	assert_int_equal(CALL(run_timed, calls, 2, &ns, NULL), AT_OUTCOME_OK);
	assert_true(ns == 0);
	assert_int_equal(CALL(run_timed, calls, 0, &ns, NULL), AT_OUTCOME_OK);
	fake.code[LAUNCH] = AT_CUDA_INVALID_VALUE;
	fake.refuse_at = fake.launches + 2;
	assert_int_equal(
		CALL(run_timed, calls, 2, &ns, NULL), AT_OUTCOME_LAUNCH_FAILED);
	fake.code[SYNCHRONIZE] = ILLEGAL_ADDRESS;
	assert_int_equal(
		CALL(run_timed, calls, 2, &ns, NULL), AT_OUTCOME_OUT_OF_BOUNDS);
}

/* ---- a filler ------------------------------------------------------------- */

static enum at_status crowd(unsigned multiprocessors, struct at_error *err)
{
	struct at_kernel *filler = CALL(find, bench.module, "F");

	return CALL(crowd, filler, multiprocessors, 3000000000u, err);
}

ON_BENCH(runs_beside_a_filler_until_it_is_sent_away)
{
	/* crowd() tries it out: a filler on two multiprocessors, and a kernel that
	   takes all of another one */
	assert_ok(crowd(2, NULL));
	assert_string_equal(fake.log, "21YY");
	for (int i = 0; i < 2; i++) {
		expect_run(AT_OUTCOME_OK, "2kYY");
		/* the filler was told to end */
		assert_int_equal(fake.crowd_words[0], 1);
	}
	expect_time(1, "PWfRkRY");
	assert_ok(crowd(0, NULL));
	expect_run(AT_OUTCOME_OK, "kY");
}

ON_BENCH(a_filler_leaves_one_multiprocessor)
{
	assert_ok(crowd(400, NULL));
	assert_string_equal(fake.log, "31YY");
}

ON_BENCH(calls_that_outlast_the_filler_time_out)
{
	assert_ok(crowd(2, NULL));
	fake.gives_up = true;
	assert_fails(run(&failure), AT_OUTCOME_TIMED_OUT,
		"beside a filler on 2 of 4 multiprocessors it had not ended after 3 s: it waits for blocks that find no room, or for an order of blocks");
	assert_false(bench.device->is_lost);
	/* another failure of the calls is reported rather than the filler's */
	fake.code[LAUNCH] = AT_CUDA_INVALID_VALUE;
	fake.refuse_at = fake.launches + 1;
	assert_int_equal(run(NULL), AT_OUTCOME_LAUNCH_FAILED);
	fake.gives_up = false;
	assert_int_equal(run(NULL), AT_OUTCOME_OK);
}

ON_BENCH(crowds_nobody_where_kernels_run_one_after_the_other)
{
	fake.gives_up = true;
	assert_fails(crowd(2, &failure), AT_EUNAVAILABLE,
		"cuda:1 runs no two kernels side by side");
	expect_run(AT_OUTCOME_OK, "kY");
}

ON_BENCH(a_lost_device_is_not_waited_for_twice)
{
	assert_ok(crowd(2, NULL));
	fake.code[SYNCHRONIZE] = ILLEGAL_ADDRESS;
	expect_run(AT_OUTCOME_OUT_OF_BOUNDS, "2kY");
	assert_int_equal(fake.crowd_words[0], 1);
}

ON_BENCH(clusters_run_without_a_filler)
{
	assert_ok(crowd(2, NULL));
	fake.cluster = 2;
	bench.kernel.kernel = CALL(find, bench.module, "c");
	expect_run(AT_OUTCOME_OK, "cY");
}

ON_BENCH(the_queue_never_fills_up_behind_a_filler)
{
	struct at_invocation calls[600];
	int fillers = 0;

	for (size_t i = 0; i < AT_COUNT_OF(calls); i++)
		calls[i] = bench.kernel;
	assert_ok(crowd(2, NULL));
	memset(fake.log, 0, sizeof(fake.log));
	assert_int_equal(CALL(run, calls, AT_COUNT_OF(calls), NULL), AT_OUTCOME_OK);
	for (const char *at = fake.log; *at; at += *at != '\0') {
		size_t kernels;

		assert_int_equal(*at++, '2');
		kernels = strspn(at, "k");
		assert_in_range(kernels, 1, 512);
		at += kernels;
		assert_memory_equal(at, "YY", 2);
		at++;
		fillers++;
	}
	assert_int_equal(fillers, 3);
}

ON_BENCH(a_filler_that_cannot_be_had_leaves_nothing_behind)
{
	static const enum call steps[] = { STREAM, PINNED, ADDRESS, SET, SYNCHRONIZE };

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		fake.code[steps[i]] = AT_CUDA_NOT_SUPPORTED;
		assert_int_equal(crowd(2, NULL), AT_EDEVICE);
		fake.code[steps[i]] = 0;
		expect_run(AT_OUTCOME_OK, "kY");
	}
}

static enum at_status delay_blocks(const struct at_kernel *kernel, struct at_error *err)
{
	struct at_kernel *filler = CALL(find, bench.module, "F");

	return CALL(delay_blocks, filler, kernel, 7000, err);
}

ON_BENCH(one_block_is_held_back)
{
	assert_ok(delay_blocks(bench.kernel.kernel, NULL));
	assert_string_equal(fake.log, "31YY");
	/* of six blocks five fit on the one of four multiprocessors that is left */
	expect_run(AT_OUTCOME_OK, "Y3kYY");
	/* for 7 us and no longer */
	assert_int_equal(fake.crowd_words[0], 8);
	assert_int_equal(233472 / (fake.shared_bytes + 400 + 1024), 5);
	/* the kernel may have no more memory than before */
	assert_int_equal(fake.shared_limit, 49152 - 400);
	expect_time(1, "PWfRkRY");
	assert_int_equal(fake.shared_bytes, 0);
	assert_ok(delay_blocks(NULL, NULL));
	expect_run(AT_OUTCOME_OK, "kY");
}

ON_BENCH(a_block_that_needs_all_memory_is_held_back)
{
	/* one on each multiprocessor: three of six begin */
	bench.kernel.shared_bytes = 200000;
	assert_ok(delay_blocks(bench.kernel.kernel, NULL));
	/* six are more than four multiprocessors hold: one begins late anyway */
	expect_run(AT_OUTCOME_OK, "kY");
	assert_int_equal(fake.shared_bytes, 200000);
	/* two on each: four of six */
	bench.kernel.shared_bytes = 100000;
	expect_run(AT_OUTCOME_OK, "Y2kYY");
	assert_int_equal(233472 / (fake.shared_bytes + 400 + 1024), 2);
}

ON_BENCH(only_what_can_be_held_back_is)
{
	assert_ok(delay_blocks(bench.flush.kernel, NULL));
	expect_run(AT_OUTCOME_OK, "kY");
	assert_ok(delay_blocks(bench.kernel.kernel, NULL));
	bench.kernel.grid[0] = 1000;
	expect_run(AT_OUTCOME_OK, "kY");
	bench.kernel.grid[0] = UINT32_MAX;
	expect_run(AT_OUTCOME_OK, "kY");
	bench.kernel.grid[0] = 1;
	fake.code[OCCUPANCY] = AT_CUDA_UNKNOWN;
	expect_run(AT_OUTCOME_OK, "kY");
	fake.code[OCCUPANCY] = 0;
	fake.code[SET] = AT_CUDA_INVALID_VALUE;
	expect_run(AT_OUTCOME_OK, "kY");
	assert_int_equal(fake.shared_bytes, 0);
	fake.code[SET] = 0;
	fake.cluster = 2;
	bench.kernel.kernel = CALL(find, bench.module, "c");
	assert_ok(delay_blocks(bench.kernel.kernel, NULL));
	expect_run(AT_OUTCOME_OK, "cY");
}

ON_BENCH(a_death_with_a_block_held_back_is_seen)
{
	assert_ok(delay_blocks(bench.kernel.kernel, NULL));
	fake.code[SYNCHRONIZE] = ILLEGAL_ADDRESS;
	assert_int_equal(run(NULL), AT_OUTCOME_OUT_OF_BOUNDS);
	assert_true(bench.device->is_lost);
}

/* ---- resolution ------------------------------------------------------------- */

TEST(encodes_tensor_maps_as_the_driver_has_them)
{
	static const struct {
		struct at_tensor_map map;
		uint64_t modes, strides[3];
	} rows[] = {
		{ { .rank = 2,
			  .element = AT_ELEMENT_BF16,
			  .dims = { 64, 32 },
			  .box = { 16, 8 },
			  .strides = { 0, 128 },
			  .steps = { 1, 1 },
			  .swizzle_bytes = 128,
			  .promotion_bytes = 256 },
			9 | 2 << 8 | 3 << 20 | 3 << 24, { 0, 128 } },
		{ { .rank = 3,
			  .element = AT_ELEMENT_F32,
			  .dims = { 64, 32, 2 },
			  .box = { 16, 8, 1 },
			  .strides = { 0, 256, 8192 },
			  .steps = { 1, 2, 1 },
			  .swizzle_bytes = 32,
			  .interleave_bytes = 32,
			  .promotion_bytes = 64,
			  .fills_nan = true },
			7 | 3 << 8 | 2 << 16 | 1 << 20 | 1 << 24 | 1 << 28,
			{ 0, 256, 8192 } },
	};
	struct at_device *device = open_device(&driver);
	struct at_cuda_driver old = driver;
	uint64_t words[AT_TENSOR_MAP_BYTES / 8];

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		const struct at_tensor_map *map = &rows[i].map;

		assert_ok(device->ops->encode_map(
			device, map, 4096, (unsigned char *)words, &failure));
		assert_int_equal(words[0], 4096);
		assert_int_equal(words[1], rows[i].modes);
		for (unsigned k = 0; k < map->rank; k++) {
			assert_int_equal(
				words[2 + k], (uint64_t)map->dims[k] << 32 |
						      (uint64_t)map->box[k] << 8 |
						      (uint64_t)map->steps[k]);
			assert_int_equal(words[8 + k], rows[i].strides[k]);
		}
	}
	old.map_encode = NULL;
	((struct at_cuda_device *)(void *)device)->driver = &old;
	assert_fails_with(device->ops->encode_map(device, &rows[0].map, 4096,
				  (unsigned char *)words, &failure),
		AT_EDEVICE, "this driver has no tensor maps");
	((struct at_cuda_device *)(void *)device)->driver = &driver;
	device->ops->close(device);
}

/* 48 rows of 20 texels of 2 halves, 128 bytes apart. */
static const struct at_texture image = { .of = 1,
	.element = AT_ELEMENT_F16,
	.width = 20,
	.height = 48,
	.pitch_bytes = 128,
	.channels = 2,
	.address = AT_TEXTURE_BORDER,
	.filters = true,
	.has_normalized_coordinates = true };

ON_BENCH(textures_of_linear_memory_lie_in_their_buffer)
{
	struct at_texture texture = image, line = image;
	struct at_texels *texels;
	uint64_t value;

	texture.is_linear = line.is_linear = true;
	line.height = 0;
	line.element = AT_ELEMENT_U8;
	line.filters = line.has_normalized_coordinates = false;
	assert_ok(CALL(make_texels, &texture, 4096, &texels, &value, &failure));
	assert_int_equal(fake.resource.type, AT_CUDA_RESOURCE_PITCH);
	assert_int_equal(fake.resource.of.memory.address, 4096);
	assert_int_equal(fake.resource.of.memory.format, 0x10);
	assert_int_equal(fake.resource.of.memory.channels, 2);
	assert_int_equal(fake.resource.of.memory.width, 20);
	assert_int_equal(fake.resource.of.memory.height, 48);
	assert_int_equal(fake.resource.of.memory.pitch_bytes, 128);
	assert_int_equal(fake.texture.modes[2], 3);
	assert_int_equal(fake.texture.filter, 1);
	assert_int_equal(fake.texture.flags,
		AT_CUDA_TEXTURE_INTEGERS | AT_CUDA_TEXTURE_NORMALIZED);
	CALL(free_texels, texels);
	assert_ok(CALL(make_texels, &line, 4096, &texels, &value, &failure));
	assert_int_equal(fake.resource.type, AT_CUDA_RESOURCE_LINEAR);
	assert_int_equal(fake.resource.of.memory.width, 40);
	assert_int_equal(fake.resource.of.memory.height, 0);
	assert_int_equal(fake.texture.flags, AT_CUDA_TEXTURE_INTEGERS);
	CALL(free_texels, texels);
	CALL(free_texels, NULL);
	assert_int_equal(fake.arrays, 0);
}

ON_BENCH(objects_of_one_buffer_share_an_array_that_calls_copy)
{
	struct at_texture written = image, surface, other;
	struct at_texels *texels[3];
	uint64_t value;
	struct at_invocation calls[] = { { .texels = texels, .texel_count = 3 },
		bench.kernel,
		{ .texels = texels, .texel_count = 3, .copies_back = true } };

	written.is_written = true;
	surface = written;
	surface.is_surface = true;
	other = image;
	other.depth = 3;
	other.pitch_bytes = 80;
	assert_ok(CALL(make_texels, &written, 4096, &texels[0], &value, &failure));
	assert_int_equal(fake.shape.sizes[0], 20);
	assert_int_equal(fake.shape.sizes[1], 48);
	assert_int_equal(fake.shape.sizes[2], 0);
	assert_int_equal(fake.shape.format, 0x10);
	assert_int_equal(fake.shape.channels, 2);
	assert_int_equal(fake.shape.flags, AT_CUDA_ARRAY_SURFACE);
	assert_ok(CALL(make_texels, &surface, 4096, &texels[1], &value, &failure));
	assert_int_equal(fake.arrays, 1);
	assert_int_equal(fake.resource.type, AT_CUDA_RESOURCE_ARRAY);
	assert_non_null(fake.resource.of.array);
	assert_ok(CALL(make_texels, &other, 4100, &texels[2], &value, &failure));
	assert_int_equal(fake.arrays, 2);
	assert_int_equal(fake.shape.sizes[2], 3);
	assert_int_equal(fake.shape.flags, 0);
	/* what is read only is not copied back */
	memset(fake.log, 0, sizeof(fake.log));
	assert_int_equal(CALL(run, calls, 3, NULL), AT_OUTCOME_OK);
	assert_string_equal(fake.log, "iiikooY");
	assert_int_equal(fake.copy.to.type, AT_CUDA_MEMORY_DEVICE);
	assert_int_equal(fake.copy.to.address, 4096);
	assert_int_equal(fake.copy.to.pitch_bytes, 128);
	assert_int_equal(fake.copy.from.type, AT_CUDA_MEMORY_ARRAY);
	assert_non_null(fake.copy.from.array);
	assert_int_equal(fake.copy.width_bytes, 80);
	assert_int_equal(fake.copy.height, 48);
	assert_int_equal(fake.copy.depth, 1);
	/* the array lives as long as an object of it */
	CALL(free_texels, texels[0]);
	assert_ok(CALL(make_texels, &written, 4096, &texels[0], &value, &failure));
	assert_int_equal(fake.arrays, 2);
	for (size_t i = 0; i < 3; i++)
		CALL(free_texels, texels[i]);
}

ON_BENCH(refuses_textures_beyond_the_device)
{
	static const struct {
		bool is_surface, is_linear;
		int64_t sizes[3];
		uint64_t address;
		enum call call;
		unsigned code;
		enum at_status status;
		const char *text;
	} rows[] = {
		{ false, false, { 4, 101, 0 }, 512, INIT, 0, AT_EINVAL,
			"the height of a texture of 2 dimensions is 101: this device has 100 at most" },
		{ false, true, { 101, 0, 0 }, 512, INIT, 0, AT_EINVAL,
			"the width of a texture of linear memory of 1 dimension is 101: this device has 100 at most" },
		{ true, false, { 4, 4, 101 }, 512, INIT, 0, AT_EINVAL,
			"the depth of a surface of 3 dimensions is 101: this device has 100 at most" },
		{ true, false, { 4, 4, 0 }, 256, ARRAY, AT_CUDA_OUT_OF_MEMORY,
			AT_ENOMEM,
			"cuArray3DCreate: NAME_2 (its text); other processes hold the GPU's memory: see nvidia-smi" },
		{ true, false, { 4, 4, 0 }, 256, TEXTURE, 1, AT_EDEVICE,
			"cuSurfObjectCreate: NAME_1 (its text)" },
	};

	for (size_t i = 0; i < AT_COUNT_OF(rows); i++) {
		struct at_texture texture = image;
		struct at_texels *texels;
		uint64_t value;

		texture.is_surface = rows[i].is_surface;
		texture.is_linear = rows[i].is_linear;
		texture.width = rows[i].sizes[0];
		texture.height = rows[i].sizes[1];
		texture.depth = rows[i].sizes[2];
		fake.code[rows[i].call] = rows[i].code;
		assert_fails(CALL(make_texels, &texture, rows[i].address, &texels,
				     &value, &failure),
			rows[i].status, rows[i].text);
		fake.code[rows[i].call] = 0;
	}
}

ON_BENCH(a_copy_that_is_refused_is_named)
{
	struct at_texels *texels;
	uint64_t value;
	const struct at_invocation copy = { .texels = &texels, .texel_count = 1 };

	assert_ok(CALL(make_texels, &image, 512, &texels, &value, &failure));
	fake.code[SHAPED] = AT_CUDA_INVALID_VALUE;
	assert_int_equal(CALL(run, &copy, 1, &failure), AT_OUTCOME_LAUNCH_FAILED);
	assert_string_equal(
		failure.text, "copying between buffers and arrays: NAME_1 (its text)");
	CALL(free_texels, texels);
}

TEST(the_least_step_between_times_is_the_resolution)
{
	static const struct {
		float elapsed_ms[7];
		double resolution_ns;
	} rows[] = {
		{ { 0.002048f, 0.002112f, 0.002048f, 0.002304f, 0.00208f, 0.002304f,
			  0.002144f },
			32 },
		{ { 0.004096f, 0.003072f, 0.005120f, 0.004096f, 0.003072f, 0.004096f,
			  0.003072f },
			1024 },
		/* no difference at all: the resolution in the manual */
		{ { 0 }, 500 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct at_device *device;

		memset(&fake, 0, sizeof(fake));
		memcpy(fake.elapsed_ms, rows[i].elapsed_ms, sizeof(fake.elapsed_ms));
		device = open_device(&driver);
		assert_true(device->resolution_ns > rows[i].resolution_ns - 0.1);
		assert_true(device->resolution_ns < rows[i].resolution_ns + 0.1);
		device->ops->close(device);
	}
	for (int step = 0; step < 2; step++) {
		struct at_device *device;

		memset(&fake, 0, sizeof(fake));
		fake.code[step ? ELAPSED : RECORD] = AT_CUDA_INVALID_HANDLE;
		device = open_device(&driver);
		assert_true(device->resolution_ns == 500);
		device->ops->close(device);
	}
}

RUN_SUITE(NULL, NULL)
