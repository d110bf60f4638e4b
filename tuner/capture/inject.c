/*
 * The library that records launches of a program. The CUDA driver loads it into the
 * program and calls InitializeInjection() in cuInit() (CUDA_INJECTION64_PATH). CUPTI
 * then calls on_launch() before and after each launch. "autotune capture" sets the
 * environment (capture/inject.h) and reads the folder.
 *
 * The library links only libc: it uses the program's libcupti and libcuda. A build
 * needs no toolkit, so their types are declared here, and tests/test_cuda_abi.c
 * compares them. A failure here may cost a recording but never the program: nothing
 * exits or prints.
 *
 * Threads: a program launches from many. A table in each thread recognises unrecorded
 * launches without a lock. No lock is held while the driver launches, copies or waits:
 * a kernel may end only after another thread launches. One launch is recorded at a
 * time; other threads' launches meanwhile are not.
 */
#include "capture/inject.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* ---- the driver and CUPTI ------------------------------------------------------ */

/* clang-format off */
#define DRIVER(X) \
	X(synchronize, cuStreamSynchronize, (void *stream)) \
	X(range, cuMemGetAddressRange_v2, \
		(unsigned long long *base, size_t *bytes, unsigned long long at)) \
	X(copy, cuMemcpyDtoHAsync_v2, \
		(void *to, unsigned long long from, size_t bytes, void *stream)) \
	X(function_name, cuFuncGetName, (const char **name, void *function)) \
	X(kernel_name, cuKernelGetName, (const char **name, void *kernel)) \
	X(kernel_function, cuKernelGetFunction, (void **function, void *kernel)) \
	X(parameter, cuFuncGetParamInfo, \
		(void *function, size_t index, size_t *offset, size_t *bytes)) \
	X(kernel_parameter, cuKernelGetParamInfo, \
		(void *kernel, size_t index, size_t *offset, size_t *bytes)) \
	X(function_module, cuFuncGetModule, (void **module, void *function)) \
	X(variable, cuModuleGetGlobal_v2, \
		(unsigned long long *at, size_t *bytes, void *module, const char *name)) \
	X(capture_mode, cuThreadExchangeStreamCaptureMode, (unsigned *mode)) \
	X(is_capturing, cuStreamIsCapturing, (void *stream, unsigned *status)) \
	X(device, cuCtxGetDevice, (int *device)) \
	X(device_name, cuDeviceGetName, (char *name, int size, int device)) \
	X(device_attribute, cuDeviceGetAttribute, \
		(int *value, unsigned attribute, int device))
/* clang-format on */

enum {
	/* CUpti_CallbackDomain, CUpti_CallbackId, CUpti_ApiCallbackSite */
	DOMAIN_DRIVER = 1,
	DOMAIN_RESOURCE = 3,
	MODULE_LOADED = 6,
	MODULE_UNLOADS = 7,
	LAUNCH = 307,
	LAUNCH_PTSZ = 442,
	LAUNCH_COOPERATIVE = 477,
	LAUNCH_COOPERATIVE_PTSZ = 478,
	LAUNCH_EX = 652,
	LAUNCH_EX_PTSZ = 653,
	SITE_ENTER = 0,
	STREAM_PER_THREAD = 2, /* CU_STREAM_PER_THREAD */
	CAPTURE_RELAXED = 2, /* CUstreamCaptureMode */
	CAPABILITY_MAJOR = 75, /* CUdevice_attribute */
	CAPABILITY_MINOR = 76,
	/* the keys of a packed parameter block */
	EXTRA_END = 0,
	EXTRA_POINTER = 1,
};

static const unsigned launch_ids[] = { LAUNCH, LAUNCH_PTSZ, LAUNCH_COOPERATIVE,
	LAUNCH_COOPERATIVE_PTSZ, LAUNCH_EX, LAUNCH_EX_PTSZ };

typedef void callback_function(
	void *user, unsigned domain, unsigned id, const void *data);

static struct {
#define MEMBER(member, symbol, parameters) unsigned(*member) parameters;
	DRIVER(MEMBER)
#undef MEMBER
	unsigned (*subscribe)(void **out, callback_function *callback, void *user);
	unsigned (*enable)(
		uint32_t enable, void *subscriber, unsigned domain, uint32_t id);
} api;

/* ---- settings and state ------------------------------------------------- */

/* Machine code that the driver loaded. */
struct code {
	struct code *next; /* older code */
	size_t bytes;
	unsigned char data[];
};

/* A kernel that the program launched. */
struct known {
	struct known *next;
	char *name;
	bool is_wanted; /* its name matches */
	unsigned long seen;
	unsigned long recorded;
};

static struct {
	const char *folder;
	const char *pattern;
	unsigned long skip;
	unsigned long limit;
	size_t most_bytes; /* of one allocation */
	unsigned count; /* of recordings, by this process */
	struct code *codes;
	struct known *known;
	bool is_recording; /* from a launch's entry to its exit */
	bool has_missed; /* a launch was missed, since another was being recorded */
	/* changes when a function's address may mean another kernel, or when a kernel
	   needs no more recordings */
	unsigned generation;
} self;

/* for the known kernels, is_recording and has_missed */
static pthread_mutex_t known_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t code_lock = PTHREAD_MUTEX_INITIALIZER;
/* the library's own calls also call back */
static __thread bool is_inside;

static FILE *open_in(const char *folder, const char *name, const char *mode)
{
	char path[PATH_MAX];

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", folder, name) >= sizeof(path))
		return NULL;
	return fopen(path, mode);
}

/* Appends a whole line to a file of the folder, even among several processes. */
static void add_line(const char *name, const char *line)
{
	char text[AT_CAPTURE_NAME_BYTES + 2];
	FILE *file = open_in(self.folder, name, "ae");

	if (!file)
		return;
	snprintf(text, sizeof(text), "%s\n", line);
	fputs(text, file);
	fclose(file);
}

/* ---- names ----------------------------------------------------------------------- */

/* The plain name in a mangled one: "softmax" of "_ZN3dnn7softmaxIfEEvPT_". The lengths
   before namespaces and classes lead from each to the next. Other names stay. */
static void plain_name(const char *name, char *out, size_t size)
{
	const char *at = name + 2;
	unsigned long bytes;
	bool is_nested;
	char *end;

	snprintf(out, size, "%s", name);
	if (strncmp(name, "_Z", 2) != 0)
		return;
	is_nested = *at == 'N';
	at += strspn(at, "NLKV");
	while (*at >= '1' && *at <= '9') {
		bytes = strtoul(at, &end, 10);
		if (bytes > strlen(end))
			return;
		snprintf(out, bytes + 1 < size ? bytes + 1 : size, "%s", end);
		at = end + bytes;
		if (!is_nested)
			return;
		at += *at == 'L';
	}
}

static bool is_wanted(const char *name)
{
	char plain[AT_CAPTURE_NAME_BYTES];

	plain_name(name, plain, sizeof(plain));
	return !fnmatch(self.pattern, name, 0) || !fnmatch(self.pattern, plain, 0);
}

/* The name of a function, or of a CUkernel launched as one. NULL: unknown. */
static const char *name_of(void *function)
{
	const char *name = NULL;

	if (api.function_name && !api.function_name(&name, function) && name)
		return name;
	if (api.kernel_name && !api.kernel_name(&name, function))
		return name;
	return NULL;
}

/* ---- machine code ---------------------------------------------------------------- */

/* Copies a part of the file at any offset; false: it is not completely there. */
static bool read_part(const struct code *code, uint64_t offset, void *out, size_t bytes)
{
	if (bytes > code->bytes || offset > code->bytes - bytes)
		return false;
	memcpy(out, code->data + offset, bytes);
	return true;
}

static bool read_section(
	const struct code *code, const Elf64_Ehdr *head, size_t index, Elf64_Shdr *out)
{
	return index < head->e_shnum &&
	       read_part(code, head->e_shoff + index * sizeof(*out), out, sizeof(*out));
}

/* A text in a string table; "" if it is outside. */
static const char *text_in(
	const struct code *code, const Elf64_Shdr *table, uint64_t offset)
{
	const char *texts = (const char *)code->data + table->sh_offset;

	if (table->sh_offset > code->bytes ||
		table->sh_size > code->bytes - table->sh_offset ||
		offset >= table->sh_size ||
		!memchr(texts + offset, '\0', table->sh_size - offset))
		return "";
	return texts + offset;
}

/* Calls visit() for each symbol with a name; stops if visit() returns true. */
static bool each_symbol(const struct code *code,
	bool (*visit)(const char *name, const Elf64_Sym *symbol, void *context),
	void *context)
{
	Elf64_Ehdr head;
	Elf64_Shdr table, texts;
	Elf64_Sym symbol;

	if (!read_part(code, 0, &head, sizeof(head)) ||
		memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
		return false;
	for (size_t i = 0; read_section(code, &head, i, &table); i++) {
		if (table.sh_type != SHT_SYMTAB ||
			!read_section(code, &head, table.sh_link, &texts))
			continue;
		for (uint64_t at = 0;
			at + sizeof(symbol) <= table.sh_size &&
			read_part(code, table.sh_offset + at, &symbol, sizeof(symbol));
			at += sizeof(symbol)) {
			const char *name = text_in(code, &texts, symbol.st_name);

			if (name[0] && visit(name, &symbol, context))
				return true;
		}
	}
	return false;
}

static bool is_wanted_kernel(const char *name, const Elf64_Sym *symbol, void *context)
{
	(void)context;
	return ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx &&
	       is_wanted(name);
}

static bool is_kernel(const char *name, const Elf64_Sym *symbol, void *context)
{
	return ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx &&
	       !strcmp(name, context);
}

/* Copies the code, which is CUPTI's, if a kernel in it may be recorded. */
static void keep_code(const void *data, size_t bytes)
{
	struct code *code;

	if (!data || !bytes)
		return;
	code = malloc(sizeof(*code) + bytes);
	if (!code)
		return;
	code->bytes = bytes;
	memcpy(code->data, data, bytes);
	if (!each_symbol(code, is_wanted_kernel, NULL)) {
		free(code);
		return;
	}
	pthread_mutex_lock(&code_lock);
	code->next = self.codes;
	self.codes = code;
	pthread_mutex_unlock(&code_lock);
}

/* The newest code with the kernel. *others: how many more with other contents. */
static const struct code *find_code(const char *name, unsigned *others)
{
	const struct code *found = NULL;
	char wanted[AT_CAPTURE_NAME_BYTES];

	*others = 0;
	snprintf(wanted, sizeof(wanted), "%s", name);
	pthread_mutex_lock(&code_lock);
	for (const struct code *code = self.codes; code; code = code->next) {
		if (!each_symbol(code, is_kernel, wanted))
			continue;
		if (!found)
			found = code;
		else
			*others += code->bytes != found->bytes ||
				   memcmp(code->data, found->data, code->bytes) != 0;
	}
	pthread_mutex_unlock(&code_lock);
	return found;
}

/* ---- one launch ------------------------------------------------------------------ */

/* Memory that is copied before and after the launch. */
struct block {
	unsigned long long base; /* of the allocation, or of the variable */
	unsigned long long first; /* the start of the copied part */
	size_t bytes;
	size_t cut_bytes; /* bytes after it that are not copied */
	char variable[AT_CAPTURE_NAME_BYTES]; /* "": an allocation */
	unsigned char *before;
	unsigned char *after;
};

struct pointer {
	size_t parameter;
	size_t offset; /* in the parameter */
	unsigned long long address;
	unsigned long long base; /* of the allocation */
};

struct parameter {
	size_t offset;
	size_t bytes;
	unsigned char *data;
};

struct launch {
	struct known *kernel;
	unsigned long number; /* among the kernel's launches, from 1 */
	void *function;
	unsigned grid[3];
	unsigned block[3];
	unsigned shared_bytes;
	void *stream;
	void **parameters;
	void **extra;
	const unsigned char *attributes; /* CUlaunchAttribute */
	unsigned attribute_count;
	bool is_cooperative;
	bool is_in_graph;
	bool lacks_memory;
	size_t count; /* of parameters */
	struct parameter *list;
	size_t pointer_count;
	struct pointer *pointers;
	size_t block_count;
	struct block *blocks;
};

/* cuLaunchKernel_params; the cooperative struct ends before extra */
struct plain_parameters {
	void *function;
	unsigned grid[3];
	unsigned block[3];
	unsigned shared_bytes;
	void *stream;
	void **parameters;
	void **extra;
};

/* CUlaunchConfig */
struct launch_config {
	unsigned grid[3];
	unsigned block[3];
	unsigned shared_bytes;
	void *stream;
	const unsigned char *attributes;
	unsigned attribute_count;
};

/* cuLaunchKernelEx_params */
struct config_parameters {
	const struct launch_config *config;
	void *function;
	void **parameters;
	void **extra;
};

/* CUpti_CallbackData */
struct api_call {
	unsigned site;
	const char *name;
	const void *parameters;
	const unsigned *result;
	const char *symbol;
	void *context;
	uint32_t context_id;
	uint64_t *word; /* the library's own, from entry to exit */
	uint32_t id;
};

/* CUpti_ResourceData with CUpti_ModuleResourceData */
struct module_data {
	uint32_t id;
	size_t bytes;
	const char *code;
};

struct resource_data {
	void *context;
	void *stream;
	const struct module_data *module;
};

/* CUlaunchAttribute: an id, padded, and a value of 64 bytes */
enum { ATTRIBUTE_BYTES = 72, ATTRIBUTE_VALUE = 8 };

static void *grow(void *list, size_t count, size_t bytes)
{
	return realloc(list, (count + 1) * bytes);
}

/* The function stays NULL without a configuration: the driver rejects the launch. */
static void read_config(const struct config_parameters *call, struct launch *out)
{
	const struct launch_config *config = call->config;

	if (!config)
		return;
	out->function = call->function;
	memcpy(out->grid, config->grid, sizeof(out->grid));
	memcpy(out->block, config->block, sizeof(out->block));
	out->shared_bytes = config->shared_bytes;
	out->stream = config->stream;
	out->attributes = config->attributes;
	out->attribute_count = config->attribute_count;
	out->parameters = call->parameters;
	out->extra = call->extra;
}

static void read_plain(
	unsigned id, const struct plain_parameters *call, struct launch *out)
{
	out->function = call->function;
	memcpy(out->grid, call->grid, sizeof(out->grid));
	memcpy(out->block, call->block, sizeof(out->block));
	out->shared_bytes = call->shared_bytes;
	out->stream = call->stream;
	out->parameters = call->parameters;
	out->is_cooperative = id == LAUNCH_COOPERATIVE || id == LAUNCH_COOPERATIVE_PTSZ;
	out->extra = out->is_cooperative ? NULL : call->extra;
}

static void read_call(unsigned id, const void *data, struct launch *out)
{
	bool is_per_thread = id == LAUNCH_PTSZ || id == LAUNCH_COOPERATIVE_PTSZ ||
			     id == LAUNCH_EX_PTSZ;

	if (id == LAUNCH_EX || id == LAUNCH_EX_PTSZ)
		read_config(data, out);
	else
		read_plain(id, data, out);
	/* in these programs NULL means the thread's default stream */
	if (is_per_thread && !out->stream)
		out->stream = (void *)(uintptr_t)STREAM_PER_THREAD;
}

static bool parameter_place(void *function, size_t index, size_t *offset, size_t *bytes)
{
	return (api.parameter && !api.parameter(function, index, offset, bytes)) ||
	       (api.kernel_parameter &&
		       !api.kernel_parameter(function, index, offset, bytes));
}

/* The packed parameter block, if the program passes one. */
static const unsigned char *packed(void **extra)
{
	for (; extra && (uintptr_t)extra[0] != EXTRA_END; extra += 2)
		if ((uintptr_t)extra[0] == EXTRA_POINTER)
			return extra[1];
	return NULL;
}

static bool copy_parameters(struct launch *launch)
{
	const unsigned char *block = packed(launch->extra);
	size_t offset, bytes;

	while (parameter_place(launch->function, launch->count, &offset, &bytes)) {
		const void *from = launch->parameters
					   ? launch->parameters[launch->count]
				   : block ? block + offset
					   : NULL;
		struct parameter *list =
			grow(launch->list, launch->count, sizeof(*list));

		if (!list)
			return false;
		launch->list = list;
		list[launch->count] =
			(struct parameter){ offset, bytes, calloc(1, bytes + 1) };
		if (!list[launch->count++].data || !from)
			return false;
		memcpy(list[launch->count - 1].data, from, bytes);
	}
	return true;
}

static bool add_block(struct launch *launch, const struct block *block)
{
	struct block *blocks =
		grow(launch->blocks, launch->block_count, sizeof(*blocks));

	if (!blocks)
		return false;
	launch->blocks = blocks;
	blocks[launch->block_count++] = *block;
	return true;
}

/* Adds the memory to which a pointer leads: from the lowest pointer into an allocation
   to its end. Memory before all pointers rarely belongs to the kernel. */
static bool add_range(struct launch *launch, unsigned long long at,
	unsigned long long base, size_t all)
{
	struct block block = { .base = base, .first = at };

	block.bytes = (size_t)(base + all - at);
	for (size_t i = 0; i < launch->block_count; i++) {
		struct block *known = &launch->blocks[i];

		if (known->base != base)
			continue;
		if (at < known->first) {
			known->bytes += (size_t)(known->first - at);
			known->first = at;
		}
		return true;
	}
	return add_block(launch, &block);
}

static bool find_pointers(struct launch *launch)
{
	for (size_t p = 0; p < launch->count; p++) {
		const struct parameter *parameter = &launch->list[p];

		/* words that are aligned in the parameter list */
		for (size_t i = (8 - parameter->offset % 8) % 8;
			i + 8 <= parameter->bytes; i += 8) {
			struct pointer found = { .parameter = p, .offset = i };
			struct pointer *list;
			size_t bytes = 0;

			memcpy(&found.address, parameter->data + i, 8);
			if (!found.address ||
				api.range(&found.base, &bytes, found.address) ||
				found.address < found.base ||
				found.address >= found.base + bytes)
				continue;
			list = grow(
				launch->pointers, launch->pointer_count, sizeof(*list));
			if (!list)
				return false;
			launch->pointers = list;
			list[launch->pointer_count++] = found;
			if (!add_range(launch, found.address, found.base, bytes))
				return false;
		}
	}
	return true;
}

struct variables {
	struct launch *launch;
	void *module;
};

/* Adds a variable of the module. The compiler's own variables, such as the texts of
   printf(), have a "$" in their names: their contents are in the machine code. */
static bool add_variable(const char *name, const Elf64_Sym *symbol, void *context)
{
	struct variables *found = context;
	struct block block = { 0 };

	if (ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || !symbol->st_size ||
		strchr(name, '$') || strlen(name) >= sizeof(block.variable) ||
		api.variable(&block.base, &block.bytes, found->module, name) ||
		!block.bytes)
		return false;
	block.first = block.base;
	snprintf(block.variable, sizeof(block.variable), "%s", name);
	return !add_block(found->launch, &block);
}

static void find_variables(struct launch *launch)
{
	struct variables found = { .launch = launch };
	void *function = launch->function;
	const struct code *code;
	unsigned others;

	if (!api.function_module || !api.variable)
		return;
	if (api.function_module(&found.module, function) &&
		(!api.kernel_function ||
			api.kernel_function(&function, launch->function) ||
			api.function_module(&found.module, function)))
		return;
	/* only now, since the calls may have loaded the module */
	code = find_code(launch->kernel->name, &others);
	if (code)
		each_symbol(code, add_variable, &found);
}

/* Copies all blocks to the host, into before or after. The copies use the launch's
   stream: waiting for the context, or copying in the default stream, would invalidate a
   graph that another stream is capturing. */
static bool copy_blocks(struct launch *launch, bool is_after)
{
	for (size_t i = 0; i < launch->block_count; i++) {
		struct block *block = &launch->blocks[i];
		unsigned char **to = is_after ? &block->after : &block->before;

		if (block->bytes > self.most_bytes) {
			block->cut_bytes = block->bytes - self.most_bytes;
			block->bytes = self.most_bytes;
		}
		*to = malloc(block->bytes);
		if (!*to || api.copy(*to, block->first, block->bytes, launch->stream) ||
			api.synchronize(launch->stream))
			return false;
	}
	return true;
}

static void release(struct launch *launch)
{
	for (size_t i = 0; i < launch->count; i++)
		free(launch->list[i].data);
	for (size_t i = 0; i < launch->block_count; i++) {
		free(launch->blocks[i].before);
		free(launch->blocks[i].after);
	}
	free(launch->list);
	free(launch->pointers);
	free(launch->blocks);
	free(launch);
}

/* ---- writing --------------------------------------------------------------------- */

/* Pages of zeros become holes: much of a caching allocator's range is often empty. */
static bool write_bytes(
	const char *folder, const char *name, const unsigned char *data, size_t bytes)
{
	static const unsigned char zeros[4096];
	FILE *file = open_in(folder, name, "we");
	bool ok = file != NULL;

	for (size_t at = 0; at < bytes && ok; at += sizeof(zeros)) {
		size_t part = bytes - at < sizeof(zeros) ? bytes - at : sizeof(zeros);

		if (at + part < bytes && !memcmp(data + at, zeros, part))
			ok = !fseeko(file, (off_t)part, SEEK_CUR);
		else
			ok = fwrite(data + at, 1, part, file) == part;
	}
	return file && !fclose(file) && ok;
}

static void write_hex(FILE *file, const unsigned char *data, size_t bytes)
{
	fputc('"', file);
	for (size_t i = 0; i < bytes; i++)
		fprintf(file, "%02x", data[i]);
	fputc('"', file);
}

static void write_device(FILE *file)
{
	int device = 0, major = 0, minor = 0;
	char name[128] = "";

	if (api.device && !api.device(&device) && api.device_name &&
		!api.device_name(name, sizeof(name), device) && api.device_attribute) {
		api.device_attribute(&major, CAPABILITY_MAJOR, device);
		api.device_attribute(&minor, CAPABILITY_MINOR, device);
	}
	/* device names have neither quotes nor control characters */
	fprintf(file, "\"device\": \"%s\", \"compute_capability\": %d,\n", name,
		10 * major + minor);
}

static bool write_block(
	const char *folder, FILE *file, const struct block *block, size_t index)
{
	char before[32], after[32];
	bool is_changed = block->before && block->after &&
			  memcmp(block->before, block->after, block->bytes) != 0;
	bool ok = true;

	snprintf(before, sizeof(before), "before-%zu", index);
	snprintf(after, sizeof(after), "after-%zu", index);
	if (block->before)
		ok = write_bytes(folder, before, block->before, block->bytes);
	if (is_changed && ok)
		ok = write_bytes(folder, after, block->after, block->bytes);
	fprintf(file,
		"%s\n  { \"variable\": \"%s\", \"address\": %llu, \"bytes\": %zu, \"cut_bytes\": %zu, \"before\": \"%s\", \"after\": \"%s\" }",
		index ? "," : "", block->variable, block->first, block->bytes,
		block->cut_bytes, block->before ? before : "", is_changed ? after : "");
	return ok;
}

/* Writes a recording into a folder with a temporary name, and renames the folder when
   it is complete. */
static bool write_launch(const struct launch *launch)
{
	char part[PATH_MAX], folder[PATH_MAX], plain[AT_CAPTURE_NAME_BYTES];
	unsigned others;
	const struct code *code = find_code(launch->kernel->name, &others);
	FILE *file;
	bool ok;

	if ((size_t)snprintf(part, sizeof(part), "%s/part-%ld-%u", self.folder,
		    (long)getpid(), self.count) >= sizeof(part) ||
		(size_t)snprintf(folder, sizeof(folder), "%s/launch-%ld-%u",
			self.folder, (long)getpid(), self.count) >= sizeof(folder) ||
		mkdir(part, 0700))
		return false;
	self.count++;
	file = open_in(part, "launch.json", "we");
	if (!file)
		return false;
	plain_name(launch->kernel->name, plain, sizeof(plain));
	fprintf(file, "{ \"kernel\": \"%s\", \"name\": \"%s\", \"number\": %lu,\n",
		launch->kernel->name, plain, launch->number);
	write_device(file);
	fprintf(file,
		"\"grid\": [%u, %u, %u], \"block\": [%u, %u, %u], \"shared_bytes\": %u,\n\"is_cooperative\": %s, \"is_in_graph\": %s, \"lacks_memory\": %s, \"other_cubins\": %u, \"cubin\": \"%s\",\n\"attributes\": [",
		launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0],
		launch->block[1], launch->block[2], launch->shared_bytes,
		launch->is_cooperative ? "true" : "false",
		launch->is_in_graph ? "true" : "false",
		launch->lacks_memory ? "true" : "false", others,
		code ? "kernel.cubin" : "");
	for (unsigned i = 0; i < launch->attribute_count; i++) {
		const unsigned char *attribute =
			launch->attributes + (size_t)i * ATTRIBUTE_BYTES;
		unsigned id;

		memcpy(&id, attribute, sizeof(id));
		fprintf(file, "%s{ \"id\": %u, \"value\": ", i ? ", " : "", id);
		write_hex(file, attribute + ATTRIBUTE_VALUE,
			ATTRIBUTE_BYTES - ATTRIBUTE_VALUE);
		fputs(" }", file);
	}
	fputs("],\n\"parameters\": [", file);
	for (size_t i = 0; i < launch->count; i++) {
		fprintf(file, "%s\n  { \"offset\": %zu, \"bytes\": %zu, \"data\": ",
			i ? "," : "", launch->list[i].offset, launch->list[i].bytes);
		write_hex(file, launch->list[i].data, launch->list[i].bytes);
		fputs(" }", file);
	}
	fputs("],\n\"pointers\": [", file);
	for (size_t i = 0; i < launch->pointer_count; i++) {
		const struct pointer *pointer = &launch->pointers[i];
		size_t b = 0;

		while (launch->blocks[b].base != pointer->base ||
			launch->blocks[b].variable[0])
			b++;
		fprintf(file,
			"%s\n  { \"parameter\": %zu, \"offset\": %zu, \"block\": %zu, \"at\": %llu }",
			i ? "," : "", pointer->parameter, pointer->offset, b,
			pointer->address - launch->blocks[b].first);
	}
	fputs("],\n\"blocks\": [", file);
	ok = !code || write_bytes(part, "kernel.cubin", code->data, code->bytes);
	for (size_t i = 0; i < launch->block_count && ok; i++)
		ok = write_block(part, file, &launch->blocks[i], i);
	fputs("] }\n", file);
	ok = !ferror(file) && ok;
	return !fclose(file) && ok && !rename(part, folder);
}

/* ---- callbacks ------------------------------------------------------------------- */

/* The kernel of that name; a new kernel is added and listed for the user. NULL: out of
   memory. The caller holds known_lock. */
static struct known *find_known(const char *name)
{
	char plain[AT_CAPTURE_NAME_BYTES];
	struct known *known = self.known;

	while (known && strcmp(known->name, name) != 0)
		known = known->next;
	if (known)
		return known;
	known = calloc(1, sizeof(*known));
	if (!known)
		return NULL;
	known->name = strdup(name);
	if (!known->name) {
		free(known);
		return NULL;
	}
	known->is_wanted = is_wanted(name);
	known->next = self.known;
	self.known = known;
	plain_name(name, plain, sizeof(plain));
	add_line(AT_CAPTURE_KERNELS, plain);
	return known;
}

enum {
	VERDICTS = 256, /* a power of two */
	VERDICT_SHIFT = 4, /* functions are at multiples of 16 */
};

/* A thread's cached decisions about functions, by address. */
struct verdict {
	const void *function;
	unsigned generation;
	bool is_wanted;
};

static __thread struct verdict verdicts[VERDICTS];

/* Whether to record more launches of the kernel. The caller holds known_lock. */
static bool has_need(const struct known *known)
{
	return known && known->is_wanted &&
	       (!self.limit || known->recorded < self.limit);
}

/* Whether launches of the function may be recorded; most calls end here. */
static bool may_record(void *function)
{
	struct verdict *verdict =
		&verdicts[(uintptr_t)function >> VERDICT_SHIFT & (VERDICTS - 1)];
	unsigned generation = __atomic_load_n(&self.generation, __ATOMIC_ACQUIRE);
	const char *name;

	if (verdict->function == function && verdict->generation == generation)
		return verdict->is_wanted;
	name = name_of(function);
	pthread_mutex_lock(&known_lock);
	verdict->is_wanted = name && has_need(find_known(name));
	pthread_mutex_unlock(&known_lock);
	verdict->function = function;
	verdict->generation = generation;
	return verdict->is_wanted;
}

/* Counts the launch. True: record it, and no other launch until end_recording(). */
static bool begin_recording(const char *name, struct launch *launch)
{
	bool is_due, begins, is_first_miss;

	pthread_mutex_lock(&known_lock);
	launch->kernel = find_known(name);
	if (launch->kernel)
		launch->number = ++launch->kernel->seen;
	is_due = has_need(launch->kernel) && launch->number > self.skip;
	begins = is_due && !self.is_recording;
	is_first_miss = is_due && !begins && !self.has_missed;
	self.is_recording |= begins;
	self.has_missed |= is_first_miss;
	pthread_mutex_unlock(&known_lock);
	if (is_first_miss)
		add_line(AT_CAPTURE_TROUBLE,
			"launches of a thread were not recorded while a launch of another thread was");
	return begins;
}

static void end_recording(struct known *kernel, bool is_recorded)
{
	pthread_mutex_lock(&known_lock);
	self.is_recording = false;
	if (is_recorded && ++kernel->recorded == self.limit)
		__atomic_add_fetch(&self.generation, 1, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&known_lock);
}

/* Copies parameters and memory; false: no memory for the parameters. */
static bool copy_launch(struct launch *launch)
{
	unsigned capturing = 0;

	if (!copy_parameters(launch))
		return false;
	/* A stream that is being captured does not run: the memory is the present one,
	   not that of the graph's launches. The call fails if another stream is
	   captured for which the default stream would wait. */
	launch->is_in_graph =
		api.is_capturing &&
		(api.is_capturing(launch->stream, &capturing) || capturing);
	if (!find_pointers(launch))
		return false;
	if (!launch->is_in_graph) {
		find_variables(launch);
		launch->lacks_memory = !copy_blocks(launch, false);
	}
	return true;
}

/* Begins a recording, or returns NULL. */
static struct launch *enter(const struct launch *call)
{
	const char *name = name_of(call->function);
	struct launch *launch = name ? malloc(sizeof(*launch)) : NULL;

	if (!launch)
		return NULL;
	*launch = *call;
	if (!begin_recording(name, launch)) {
		release(launch);
		return NULL;
	}
	if (!copy_launch(launch)) {
		end_recording(launch->kernel, false);
		release(launch);
		return NULL;
	}
	return launch;
}

static void leave(struct launch *launch, bool has_failed)
{
	if (!has_failed) {
		if (!launch->is_in_graph && !launch->lacks_memory)
			launch->lacks_memory = !copy_blocks(launch, true);
		if (!write_launch(launch))
			add_line(AT_CAPTURE_TROUBLE,
				"a launch could not be written: is the disk full?");
	}
	end_recording(launch->kernel, !has_failed);
	release(launch);
}

static void on_launch(unsigned id, const struct api_call *call)
{
	unsigned mode = CAPTURE_RELAXED;
	struct launch found = { 0 };
	struct launch *launch = NULL;

	if (call->site == SITE_ENTER) {
		*call->word = 0;
		read_call(id, call->parameters, &found);
		if (!found.function || !may_record(found.function))
			return;
	} else {
		launch = (struct launch *)(uintptr_t)*call->word;
		if (!launch)
			return;
	}
	/* another thread may be capturing a stream, which forbids copies */
	if (api.capture_mode)
		api.capture_mode(&mode);
	if (call->site == SITE_ENTER)
		*call->word = (uint64_t)(uintptr_t)enter(&found);
	else
		leave(launch, *call->result != 0);
	if (api.capture_mode)
		api.capture_mode(&mode);
}

static void on_callback(void *user, unsigned domain, unsigned id, const void *data)
{
	const struct resource_data *resource = data;

	(void)user;
	/* even while a call of this library loads a kernel's module lazily */
	if (domain == DOMAIN_RESOURCE && id == MODULE_LOADED && resource->module)
		keep_code(resource->module->code, resource->module->bytes);
	else if (domain == DOMAIN_RESOURCE && id == MODULE_UNLOADS)
		__atomic_add_fetch(&self.generation, 1, __ATOMIC_RELEASE);
	if (domain != DOMAIN_DRIVER || is_inside)
		return;
	is_inside = true;
	on_launch(id, data);
	is_inside = false;
}

/* ---- the start ------------------------------------------------------------------- */

static unsigned long number_of(const char *variable, unsigned long otherwise)
{
	const char *text = getenv(variable);

	return text && text[0] ? strtoul(text, NULL, 10) : otherwise;
}

static void find(void *library, const char *name, void *out)
{
	void *address = library ? dlsym(library, name) : NULL;

	memcpy(out, &address, sizeof(address));
}

/* The program's libcupti, or the first of a list of paths. */
static void *open_cupti(void)
{
	static const char *const names[] = { "libcupti.so.13", "libcupti.so.12",
		"libcupti.so" };
	char paths[PATH_MAX * 4];
	char *rest = NULL;
	void *library = NULL;

	for (size_t i = 0; i < COUNT_OF(names) && !library; i++)
		library = dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD);
	snprintf(paths, sizeof(paths), "%s",
		getenv(AT_CAPTURE_CUPTI) ? getenv(AT_CAPTURE_CUPTI) : "");
	for (char *path = strtok_r(paths, ":", &rest); path && !library;
		path = strtok_r(NULL, ":", &rest))
		library = dlopen(path, RTLD_LAZY);
	for (size_t i = 0; i < COUNT_OF(names) && !library; i++)
		library = dlopen(names[i], RTLD_LAZY);
	return library;
}

__attribute__((visibility("default"))) int InitializeInjection(void);

/* The driver calls it once, at the end of its own start. */
int InitializeInjection(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
	void *cupti, *subscriber = NULL;
	const char *folder = getenv(AT_CAPTURE_FOLDER);
	const char *pattern = getenv(AT_CAPTURE_KERNEL);
	char text[200];
	unsigned code;

	if (!folder)
		return 1;
	/* copies, since the program may change its environment */
	self.folder = strdup(folder);
	self.pattern = strdup(pattern ? pattern : "*");
	if (!self.folder || !self.pattern)
		return 1;
	self.skip = number_of(AT_CAPTURE_SKIP, 0);
	self.limit = number_of(AT_CAPTURE_LIMIT, 1);
	self.most_bytes = number_of(AT_CAPTURE_BYTES, SIZE_MAX);
	self.generation = 1;
	add_line(AT_CAPTURE_STARTED, "1");
	cupti = open_cupti();
	if (!cupti) {
		add_line(AT_CAPTURE_TROUBLE,
			"libcupti was not found: it is part of the CUDA toolkit and of PyTorch; set CUDA_HOME to a toolkit");
		return 1;
	}
	find(cupti, "cuptiSubscribe", &api.subscribe);
	find(cupti, "cuptiEnableCallback", &api.enable);
#define FIND(member, symbol, parameters) find(driver, #symbol, &api.member);
	DRIVER(FIND)
#undef FIND
	if (!api.subscribe || !api.enable || !api.synchronize || !api.range ||
		!api.copy || !api.parameter) {
		add_line(AT_CAPTURE_TROUBLE,
			"the driver or libcupti is too old: CUDA 12.4 is needed");
		return 1;
	}
	code = api.subscribe(&subscriber, on_callback, NULL);
	if (code) {
		snprintf(text, sizeof(text),
			"CUPTI refuses to call back (code %u): does another profiler work in the program?",
			code);
		add_line(AT_CAPTURE_TROUBLE, text);
		return 1;
	}
	api.enable(1, subscriber, DOMAIN_RESOURCE, MODULE_LOADED);
	api.enable(1, subscriber, DOMAIN_RESOURCE, MODULE_UNLOADS);
	for (size_t i = 0; i < COUNT_OF(launch_ids); i++)
		api.enable(1, subscriber, DOMAIN_DRIVER, launch_ids[i]);
	return 1;
}
