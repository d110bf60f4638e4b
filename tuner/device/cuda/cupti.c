/* CUPTI's range profiler: our own declarations, and the counting of one launch. */
#include "device/cuda/cupti.h"
#include "base/dynlib.h"
#include "base/file.h"
#include "base/memory.h"
#include "kernel/nvrtc_library.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- declarations ------------------------------------------------------------- */

/*
 * The parameters of CUPTI 13.0, which are those of 12.6 and later. Later versions
 * append members (cupti_profiler_host.h of 13.5, cupti_range_profiler.h of 13.4); the
 * size shows that they are absent. CUPTI's size excludes the structure's trailing
 * padding.
 */
#define SIZE_TO(type, last) (offsetof(type, last) + sizeof(((type *)0)->last))

struct plain { /* cuptiProfilerInitialize() */
	size_t size;
	void *reserved;
};

struct chip_name { /* cuptiDeviceGetChipName() */
	size_t size;
	void *reserved;
	size_t device;
	const char *name; /* out */
};

struct availability { /* cuptiProfilerGetCounterAvailability() */
	size_t size;
	void *reserved;
	struct CUctx_st *context;
	size_t image_bytes; /* in and out */
	uint8_t *image; /* NULL asks for the size */
};

struct host_initialize {
	size_t size;
	void *reserved;
	int type; /* 0: the range profiler */
	const char *chip;
	const uint8_t *availability;
	void *host; /* out */
};

struct host_only { /* cuptiProfilerHostDeinitialize() */
	size_t size;
	void *reserved;
	void *host;
};

struct host_metrics { /* cuptiProfilerHostConfigAddMetrics() */
	size_t size;
	void *reserved;
	void *host;
	const char **names;
	size_t count;
};

struct host_image { /* GetConfigImageSize() up to bytes, GetConfigImage() */
	size_t size;
	void *reserved;
	void *host;
	size_t bytes;
	uint8_t *image;
};

struct host_values { /* cuptiProfilerHostEvaluateToGpuValues() */
	size_t size;
	void *reserved;
	void *host;
	const uint8_t *data;
	size_t data_bytes;
	size_t range;
	const char **names;
	size_t count;
	double *values;
};

struct range_enable {
	size_t size;
	void *reserved;
	struct CUctx_st *context;
	void *profiler; /* out */
};

struct range_only { /* Disable, Start */
	size_t size;
	void *reserved;
	void *profiler;
};

struct range_stop {
	size_t size;
	void *reserved;
	void *profiler;
	size_t pass; /* out, the next one */
	size_t nesting_level; /* out, of the next one */
	uint8_t is_complete; /* out */
};

struct range_decode {
	size_t size;
	void *reserved;
	void *profiler;
	size_t dropped; /* out */
};

struct range_data_size {
	size_t size;
	void *reserved;
	void *profiler;
	const char **names;
	size_t count;
	size_t ranges;
	uint32_t nodes;
	size_t bytes; /* out */
};

struct range_data {
	size_t size;
	void *reserved;
	void *profiler;
	size_t bytes;
	uint8_t *data;
};

/* CUpti_ProfilerRange, CUpti_ProfilerReplayMode. Each launch is a range: a range around
   it would be 60 us longer on an H200, the cost of its beginning and end. */
enum { AUTO_RANGE = 1, USER_REPLAY = 3 };

struct range_config {
	size_t size;
	void *reserved;
	void *profiler;
	size_t config_bytes;
	const uint8_t *config;
	size_t data_bytes;
	uint8_t *data;
	int range;
	int replay;
	size_t ranges_per_pass;
	uint16_t nesting_levels;
	uint16_t least_nesting_level;
	size_t pass;
	uint16_t nesting_level;
};

/* The functions in use; all return a CUptiResult, 0 is success. */
/* clang-format off */
#define FUNCTIONS(X) \
	X(result_text, cuptiGetResultString, (unsigned result, const char **text)) \
	X(initialize, cuptiProfilerInitialize, (struct plain *)) \
	X(chip_name, cuptiDeviceGetChipName, (struct chip_name *)) \
	X(availability, cuptiProfilerGetCounterAvailability, (struct availability *)) \
	X(host_initialize, cuptiProfilerHostInitialize, (struct host_initialize *)) \
	X(host_deinitialize, cuptiProfilerHostDeinitialize, (struct host_only *)) \
	X(host_add, cuptiProfilerHostConfigAddMetrics, (struct host_metrics *)) \
	X(host_image_size, cuptiProfilerHostGetConfigImageSize, (struct host_image *)) \
	X(host_image, cuptiProfilerHostGetConfigImage, (struct host_image *)) \
	X(host_values, cuptiProfilerHostEvaluateToGpuValues, (struct host_values *)) \
	X(enable, cuptiRangeProfilerEnable, (struct range_enable *)) \
	X(disable, cuptiRangeProfilerDisable, (struct range_only *)) \
	X(data_size, cuptiRangeProfilerGetCounterDataSize, (struct range_data_size *)) \
	X(data_begin, cuptiRangeProfilerCounterDataImageInitialize, (struct range_data *)) \
	X(configure, cuptiRangeProfilerSetConfig, (struct range_config *)) \
	X(start, cuptiRangeProfilerStart, (struct range_only *)) \
	X(stop, cuptiRangeProfilerStop, (struct range_stop *)) \
	X(decode, cuptiRangeProfilerDecodeData, (struct range_decode *))
/* clang-format on */

struct functions {
#define MEMBER(member, symbol, parameters) unsigned(*member) parameters;
	FUNCTIONS(MEMBER)
#undef MEMBER
};

static const struct at_dynlib_symbol symbols[] = {
#define SYMBOL(member, symbol, parameters) \
	{ #symbol, offsetof(struct functions, member), true },
	FUNCTIONS(SYMBOL)
#undef SYMBOL
};

/* What to do about a CUptiResult. */
static const struct {
	unsigned code;
	const char *hint;
} hints[] = {
	{ 26, "another profiler or a monitor holds the counters: end it, or pause DCGM with \"dcgmi profiling --pause\"" },
	{ 33, "the host of a virtual GPU must allow profiling" },
	{ 35, "run as root, or let all users read counters: \"options nvidia NVreg_RestrictProfilingToAdminUsers=0\" in /etc/modprobe.d/nvidia.conf, then load the module anew; a container needs --cap-add SYS_ADMIN" },
	{ 39, "another tool has attached itself to this process: run without nsys, ncu, cuda-gdb and compute-sanitizer" },
	{ 40, "the host of a virtual GPU must allow profiling" },
	{ 41, "a GPU in the mode of confidential computing has no counters" },
	{ 42, "GPUs for mining have no counters" },
	{ 43, "a slice of a GPU (MIG) has no counters here" },
	{ 44, "GPUs joined by SLI have no counters: switch SLI off" },
	{ 45, "counters under WSL must be allowed in the NVIDIA control panel of Windows" },
};

struct at_cupti {
	struct functions cupti;
	void *host;
	void *profiler;
	const char *names[AT_COUNTER_COUNT]; /* the counters that the device has */
	enum at_counter counters[AT_COUNTER_COUNT]; /* their ids */
	size_t count;
	uint8_t *config;
	size_t config_bytes;
	uint8_t *data;
	size_t data_bytes;
	size_t pass;
	uint16_t nesting_level;
};

static enum at_status fail(const struct at_cupti *self, struct at_error *err,
	const char *what, unsigned code)
{
	const char *text = NULL, *hint = NULL;

	for (size_t i = 0; i < AT_COUNT_OF(hints); i++)
		if (hints[i].code == code)
			hint = hints[i].hint;
	if (self->cupti.result_text(code, &text) || !text)
		text = "unknown";
	return at_fail(err, AT_EUNAVAILABLE, NULL, 0,
		"the hardware counters cannot be read: %s says %s (%u)%s%s", what, text,
		code, hint ? "; " : "", hint ? hint : "");
}

/* ---- the library --------------------------------------------------------------- */

void at_cupti_places(struct at_words *out)
{
	static const char *const names[] = { "libcupti.so.13", "libcupti.so.12" };
	/* the last one is next to NVRTC's pip package, for CUDA 12 */
	static const char *const folders[] = { "extras/CUPTI/lib64", "lib64", "lib",
		"targets/x86_64-linux/lib", "targets/sbsa-linux/lib",
		"../cuda_cupti/lib" };
	struct at_nvrtc_places places;

	for (size_t i = 0; i < AT_COUNT_OF(names); i++)
		at_words_add(out, "%s", names[i]);
	at_nvrtc_places_find(&places);
	for (size_t root = 0; root < places.roots.count; root++)
		for (size_t i = 0; i < AT_COUNT_OF(folders); i++)
			for (size_t k = 0; k < AT_COUNT_OF(names); k++) {
				at_words_add(out, "%s/%s/%s", places.roots.items[root],
					folders[i], names[k]);
				if (!at_file_exists(out->items[out->count - 1]))
					free(out->items[--out->count]);
			}
	at_nvrtc_places_release(&places);
}

/* What CUPTI's host library needs to know of the device. */
struct chip {
	const char *name;
	uint8_t *availability; /* heap */
};

static unsigned find_chip(struct at_cupti *self, struct CUctx_st *context, int device,
	struct chip *out, const char **what)
{
	struct chip_name name = { SIZE_TO(struct chip_name, name), NULL, (size_t)device,
		NULL };
	struct availability available = { SIZE_TO(struct availability, image), NULL,
		context, 0, NULL };
	unsigned code = self->cupti.chip_name(&name);

	*what = "cuptiDeviceGetChipName";
	if (code)
		return code;
	*what = "cuptiProfilerGetCounterAvailability";
	code = self->cupti.availability(&available);
	if (code)
		return code;
	out->name = name.name;
	out->availability = at_calloc(1, available.image_bytes + 1);
	available.image = out->availability;
	return self->cupti.availability(&available);
}

static void close_host(struct at_cupti *self)
{
	struct host_only host = { SIZE_TO(struct host_only, host), NULL, self->host };

	if (self->host)
		(void)!self->cupti.host_deinitialize(&host);
	self->host = NULL;
}

/*
 * Restarts the choice of counters with these. They are added in one call: added one by
 * one, each would get its own pass. After a rejected counter the object rejects all
 * others.
 */
static unsigned open_host(struct at_cupti *self, const struct chip *chip,
	const char **names, size_t count, const char **what)
{
	struct host_initialize host = { .size = SIZE_TO(struct host_initialize, host),
		.chip = chip->name,
		.availability = chip->availability };
	struct host_metrics metrics = { SIZE_TO(struct host_metrics, count), NULL, NULL,
		names, count };
	unsigned code;

	close_host(self);
	*what = "cuptiProfilerHostInitialize";
	code = self->cupti.host_initialize(&host);
	if (code)
		return code;
	self->host = metrics.host = host.host;
	*what = "cuptiProfilerHostConfigAddMetrics";
	return self->cupti.host_add(&metrics);
}

/* Chooses the counters that the device has. Usually it has all, and one try
   suffices. */
static unsigned choose_counters(
	struct at_cupti *self, const struct chip *chip, const char **what)
{
	unsigned code;

	self->count = AT_COUNTER_COUNT;
	for (size_t i = 0; i < self->count; i++) {
		self->counters[i] = (enum at_counter)i;
		self->names[i] = at_counter_name(self->counters[i]);
	}
	code = open_host(self, chip, self->names, self->count, what);
	if (!code || !self->host)
		return code;
	self->count = 0;
	for (int i = 0; i < AT_COUNTER_COUNT; i++) {
		const char *names[] = { at_counter_name((enum at_counter)i),
			at_counter_other_name((enum at_counter)i) };

		for (size_t k = 0; k < AT_COUNT_OF(names); k++) {
			if (!*names[k] || open_host(self, chip, &names[k], 1, what))
				continue;
			self->names[self->count] = names[k];
			self->counters[self->count++] = (enum at_counter)i;
			break;
		}
	}
	return self->count ? open_host(self, chip, self->names, self->count, what) : 0;
}

/* Makes the assignment of counters to passes, in the library's format. */
static enum at_status make_config(struct at_cupti *self, struct CUctx_st *context,
	int device, struct at_error *err)
{
	struct host_image image = { SIZE_TO(struct host_image, bytes), NULL, NULL, 0,
		NULL };
	struct chip chip = { NULL, NULL };
	const char *what;
	unsigned code = find_chip(self, context, device, &chip, &what);

	if (!code)
		code = choose_counters(self, &chip, &what);
	free(chip.availability);
	if (!code && !self->count)
		return at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"the hardware counters cannot be read: the device has none of those that are asked for; a newer CUPTI may know it");
	if (!code) {
		what = "cuptiProfilerHostGetConfigImageSize";
		image.host = self->host;
		code = self->cupti.host_image_size(&image);
	}
	if (!code) {
		what = "cuptiProfilerHostGetConfigImage";
		self->config_bytes = image.bytes;
		self->config = at_calloc(1, image.bytes + 1);
		image.size = SIZE_TO(struct host_image, image);
		image.image = self->config;
		code = self->cupti.host_image(&image);
	}
	return code ? fail(self, err, what, code) : AT_OK;
}

static enum at_status open_profiler(
	struct at_cupti *self, struct CUctx_st *context, struct at_error *err)
{
	struct range_enable enable = { SIZE_TO(struct range_enable, profiler), NULL,
		context, NULL };
	struct range_data_size size = { .size = SIZE_TO(struct range_data_size, bytes),
		.names = self->names,
		.count = self->count,
		.ranges = 1,
		.nodes = 1 };
	const char *what = "cuptiRangeProfilerEnable";
	unsigned code = self->cupti.enable(&enable);

	if (!code) {
		self->profiler = size.profiler = enable.profiler;
		what = "cuptiRangeProfilerGetCounterDataSize";
		code = self->cupti.data_size(&size);
	}
	if (code)
		return fail(self, err, what, code);
	self->data_bytes = size.bytes;
	self->data = at_calloc(1, size.bytes + 1);
	return AT_OK;
}

enum at_status at_cupti_open(const char *const *candidates, size_t count,
	struct CUctx_st *context, int device, struct at_cupti **out,
	struct at_error *err)
{
	struct at_cupti *self = at_calloc(1, sizeof(*self));
	struct plain plain = { SIZE_TO(struct plain, reserved), NULL };
	struct at_dynlib library; /* stays open: see cupti.h */
	enum at_status status = at_dynlib_open(&library,
		"the hardware counters cannot be read: no CUPTI on this machine, which is a part of the CUDA toolkit; put its folder into LD_LIBRARY_PATH",
		candidates, count, symbols, AT_COUNT_OF(symbols), &self->cupti, err);
	unsigned code;

	if (status) {
		free(self);
		return status;
	}
	code = self->cupti.initialize(&plain);
	if (code)
		status = fail(self, err, "cuptiProfilerInitialize", code);
	if (!status)
		status = make_config(self, context, device, err);
	if (!status)
		status = open_profiler(self, context, err);
	if (status)
		at_cupti_close(self);
	else
		*out = self;
	return status;
}

void at_cupti_close(struct at_cupti *self)
{
	struct range_only range = { SIZE_TO(struct range_only, profiler), NULL, NULL };

	if (!self)
		return;
	range.profiler = self->profiler;
	if (self->profiler)
		(void)!self->cupti.disable(&range);
	close_host(self);
	free(self->config);
	free(self->data);
	free(self);
}

/* ---- counting ------------------------------------------------------------------ */

static enum at_status configure(struct at_cupti *self, struct at_error *err)
{
	struct range_config config = {
		.size = SIZE_TO(struct range_config, nesting_level),
		.profiler = self->profiler,
		.config_bytes = self->config_bytes,
		.config = self->config,
		.data_bytes = self->data_bytes,
		.data = self->data,
		.range = AUTO_RANGE,
		.replay = USER_REPLAY,
		.ranges_per_pass = 1,
		.nesting_levels = 1,
		.least_nesting_level = 1,
		.pass = self->pass,
		.nesting_level = self->nesting_level,
	};
	unsigned code = self->cupti.configure(&config);

	return code ? fail(self, err, "cuptiRangeProfilerSetConfig", code) : AT_OK;
}

enum at_status at_cupti_begin(struct at_cupti *self, struct at_error *err)
{
	struct range_data data = { SIZE_TO(struct range_data, data), NULL,
		self->profiler, self->data_bytes, self->data };
	unsigned code;

	memset(self->data, 0, self->data_bytes);
	code = self->cupti.data_begin(&data);
	if (code)
		return fail(self, err, "cuptiRangeProfilerCounterDataImageInitialize",
			code);
	self->pass = 0;
	self->nesting_level = 1;
	return configure(self, err);
}

enum at_status at_cupti_start(struct at_cupti *self, struct at_error *err)
{
	struct range_only start = { SIZE_TO(struct range_only, profiler), NULL,
		self->profiler };
	unsigned code = self->cupti.start(&start);

	return code ? fail(self, err, "cuptiRangeProfilerStart", code) : AT_OK;
}

enum at_status at_cupti_stop(
	struct at_cupti *self, bool *is_complete, struct at_error *err)
{
	struct range_stop stop = { .size = SIZE_TO(struct range_stop, is_complete),
		.profiler = self->profiler };
	unsigned code = self->cupti.stop(&stop);

	if (code)
		return fail(self, err, "cuptiRangeProfilerStop", code);
	*is_complete = stop.is_complete;
	self->pass = stop.pass;
	self->nesting_level = (uint16_t)stop.nesting_level;
	return *is_complete ? AT_OK : configure(self, err);
}

enum at_status at_cupti_read(
	struct at_cupti *self, double *values, struct at_error *err)
{
	double found[AT_COUNTER_COUNT];
	struct range_decode decode = { .size = SIZE_TO(struct range_decode, dropped),
		.profiler = self->profiler };
	struct host_values evaluate = {
		.size = SIZE_TO(struct host_values, values),
		.host = self->host,
		.data = self->data,
		.data_bytes = self->data_bytes,
		.names = self->names,
		.count = self->count,
		.values = found,
	};
	const char *what = "cuptiRangeProfilerDecodeData";
	unsigned code = self->cupti.decode(&decode);

	if (!code && decode.dropped)
		return at_fail(err, AT_EUNAVAILABLE, NULL, 0,
			"the hardware counters cannot be read: CUPTI dropped the launch");
	if (!code) {
		what = "cuptiProfilerHostEvaluateToGpuValues";
		code = self->cupti.host_values(&evaluate);
	}
	if (code)
		return fail(self, err, what, code);
	for (int i = 0; i < AT_COUNTER_COUNT; i++)
		values[i] = NAN;
	for (size_t i = 0; i < self->count; i++)
		values[self->counters[i]] = found[i];
	return AT_OK;
}
