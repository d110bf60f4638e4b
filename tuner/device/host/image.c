/* Loads a shared object with dlopen() and finds what it contains; see image.h. */
/* memfd_create() is Linux's own, dladdr1() and dl_iterate_phdr() are glibc's */
#define _GNU_SOURCE
#include "device/host/image.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/scratch.h"
#include "kernel/elf.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- a file for the loader ------------------------------------------------ */

/* Reports a failure to create or write a file for the image. It is never the image's
   fault: AT_ENOMEM. */
static void fail_file(int code, struct at_error *reason)
{
	at_fail(reason, AT_ENOMEM, NULL, 0, "cannot load this shared object: %s",
		strerror(code));
}

static void open_file(struct at_module *self, const char *path, struct at_error *reason)
{
	/* Substrings of messages of the loader and the C library for lack of a
	   resource. Messages about thread-local data concern the image, which wants too
	   much of it. */
	static const char *const lacks[] = { "annot allocate memory",
		"oo many open files", "o space left", "failed to map segment" };
	const char *said;
	bool lacks_some = false;

	self->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (self->handle)
		return;
	said = dlerror();
	if (!said)
		said = "no reason was given";
	for (size_t i = 0; i < sizeof(lacks) / sizeof(lacks[0]); i++)
		lacks_some = lacks_some || strstr(said, lacks[i]);
	/* "not permitted": memory may not be executed here, and open_on_disk() comes
	   next */
	if (strstr(said, "TLS block") || strstr(said, "not permitted"))
		lacks_some = false;
	at_fail(reason, lacks_some ? AT_ENOMEM : AT_EINVAL, NULL, 0,
		"cannot load this shared object: %s", said);
}

/*
 * Loads the image from memory. The descriptor stays open while the image is loaded:
 * otherwise the next image would get the same name, and the loader would take the two
 * for one file.
 */
static void open_in_memory(struct at_module *self, const unsigned char *bytes,
	size_t size, struct at_error *reason)
{
	char path[64];

	self->file = memfd_create("autotune-kernel", MFD_CLOEXEC);
	if (self->file >= 0) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", self->file);
		if (at_write_all(self->file, bytes, size)) {
			open_file(self, path, reason);
			return;
		}
	}
	fail_file(errno, reason);
}

/* Loads the image from a file, if memory cannot be executed or /proc is missing. */
static void open_on_disk(struct at_module *self, const unsigned char *bytes,
	size_t size, struct at_error *reason)
{
	char path[512];
	int length, file;

	length = snprintf(path, sizeof(path), "%s/autotune-XXXXXX", at_scratch_place());
	if (length < 0 || (size_t)length >= sizeof(path))
		return;
	file = mkstemp(path);
	if (file < 0) {
		fail_file(errno, reason);
		return;
	}
	if (at_write_all(file, bytes, size))
		open_file(self, path, reason);
	else
		fail_file(errno, reason);
	unlink(path);
	close(file);
}

/* Whether the loader could read the image and found it invalid. */
static bool is_about_image(const struct at_error *reason)
{
	return reason->status == AT_EINVAL && !strstr(reason->text, "not permitted") &&
	       !strstr(reason->text, "annot open shared object");
}

/* ---- its shared memory: thread-local data (PT_TLS) ----------------------- */

/* The range of a variable in shared memory. */
struct piece {
	size_t first;
	size_t end;
};

/* Finds the segment of thread-local data; *segment is zero if it is missing. False: a
   segment is truncated. */
static bool find_segment(const struct at_elf *elf, Elf64_Phdr *segment)
{
	uint64_t at = at_elf_load(elf->file, offsetof(Elf64_Ehdr, e_phoff), 8);
	uint64_t count = at_elf_load(elf->file, offsetof(Elf64_Ehdr, e_phnum), 2);

	memset(segment, 0, sizeof(*segment));
	for (; count; count--, at += sizeof(*segment)) {
		struct at_elf_view header, content;
		Elf64_Phdr each;

		if (!at_elf_cut(elf->file, at, sizeof(each), &header))
			return false;
		memcpy(&each, header.data, sizeof(each));
		if (!at_elf_cut(elf->file, each.p_offset, each.p_filesz, &content))
			return false;
		if (each.p_type == PT_TLS)
			*segment = each;
	}
	return true;
}

static int compare_pieces(const void *left, const void *right)
{
	const struct piece *a = left, *b = right;

	return (a->first > b->first) - (a->first < b->first);
}

/* Finds the gaps between variables, up to the end of the last one. */
static void find_gaps(const struct at_elf *elf, struct at_host_shared *out)
{
	struct piece *pieces = at_calloc(elf->symbol_count + 1, sizeof(*pieces));
	struct at_elf_symbol symbol;
	size_t count = 0, end = 0;

	for (size_t i = 0; at_elf_symbol(elf, i, &symbol); i++)
		if (symbol.type == STT_TLS &&
			symbol.value < AT_HOST_STATIC_SHARED_BYTES)
			pieces[count++] = (struct piece){ symbol.value,
				symbol.value + symbol.bytes };
	qsort(pieces, count, sizeof(*pieces), compare_pieces);
	out->gaps = at_calloc(count + 1, sizeof(*out->gaps));
	for (size_t i = 0; i < count; i++) {
		if (pieces[i].first > end)
			out->gaps[out->gap_count++] =
				(struct at_host_gap){ end, pieces[i].first - end };
		if (pieces[i].end > end)
			end = pieces[i].end;
	}
	/* not the segment's padding after its last variable */
	if (count)
		out->static_bytes = end;
	free(pieces);
}

static enum at_status refuse_size(
	const struct at_host_shared *shared, struct at_error *err)
{
	return at_fail(err, AT_EINVAL, NULL, 0,
		"the __shared__ variables of this unit take %zu bytes, more than the %zu that there is room for",
		shared->static_bytes, (size_t)AT_HOST_STATIC_SHARED_BYTES);
}

/*
 * Reads the layout; *out must be zeroed. AT_EINVAL: the image is not an ELF file; it is
 * truncated, so that the loader would map missing data and crash; or its shared memory
 * is too large. Finds no gaps in an image without symbols.
 */
static enum at_status read_shared(const unsigned char *bytes, size_t size,
	struct at_host_shared *out, struct at_error *err)
{
	struct at_elf elf = { .file = { bytes, size } };
	Elf64_Phdr segment;

	if (at_elf_open(&elf) || !find_segment(&elf, &segment))
		return at_fail(err, AT_EINVAL, NULL, 0,
			"this is no shared object, or one that is cut short at %zu bytes",
			size);
	out->alignment = segment.p_align ? segment.p_align : 1;
	out->static_bytes = segment.p_memsz;
	/* dynamic shared memory is at the end of the segment, with its maximum size */
	if (segment.p_memsz >=
		((size_t)1 << AT_HOST_DYNAMIC_SHIFT) + AT_HOST_DYNAMIC_SHARED_BYTES) {
		out->dynamic_offset = segment.p_memsz - AT_HOST_DYNAMIC_SHARED_BYTES;
		out->static_bytes =
			out->dynamic_offset - ((size_t)1 << AT_HOST_DYNAMIC_SHIFT);
	}
	if (segment.p_memsz > ((size_t)1 << AT_HOST_DYNAMIC_SHIFT) +
				      AT_HOST_STATIC_SHARED_BYTES +
				      AT_HOST_DYNAMIC_SHARED_BYTES ||
		out->static_bytes > AT_HOST_STATIC_SHARED_BYTES)
		return refuse_size(out, err);
	find_gaps(&elf, out);
	/* variables so large that they were taken for dynamic shared memory above */
	return out->static_bytes > AT_HOST_STATIC_SHARED_BYTES ? refuse_size(out, err)
							       : AT_OK;
}

/* ---- its contents -------------------------------------------------------- */

static void add_range(struct at_module *self, uint64_t first, uint64_t end)
{
	size_t room = sizeof(self->variables) / sizeof(self->variables[0]);

	if (first < end && self->variable_count < room)
		self->variables[self->variable_count++] =
			(struct at_range){ first, end - first };
}

/*
 * Finds the writable segments, except the part that the loader makes read-only after
 * relocation (RELRO; the image is linked with -z now, so that the loader writes nothing
 * else). The table of kernels is also in that read-only part. What remains are the
 * unit's variables, including __constant__ ones; restoring these is harmless, since
 * only set_symbol() changes them. It also includes a marker of the C library, which
 * unloading sets.
 */
static int find_segments(struct dl_phdr_info *info, size_t size, void *argument)
{
	struct at_module *self = argument;
	struct link_map *map;
	uint64_t relro_first = 0, relro_end = 0;

	(void)size;
	if (dlinfo(self->handle, RTLD_DI_LINKMAP, &map) ||
		map->l_addr != info->dlpi_addr)
		return 0;
	self->base = info->dlpi_addr;
	for (unsigned i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO) {
			relro_first = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
			relro_end = relro_first + info->dlpi_phdr[i].p_memsz;
		}
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uint64_t first = info->dlpi_addr + segment->p_vaddr;
		uint64_t end = first + segment->p_memsz;

		if (segment->p_type == PT_LOAD && segment->p_flags & PF_X)
			self->code = (struct at_range){ first, end - first };
		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_W))
			continue;
		if (relro_end <= first || relro_first >= end) {
			add_range(self, first, end);
			continue;
		}
		add_range(self, first, relro_first);
		add_range(self, relro_end, end);
	}
	return 1;
}

static enum at_status read_table(struct at_module *self, struct at_error *err)
{
	const struct at_host_image *image = dlsym(self->handle, "at_host_image");

	if (!image || image->version != AT_HOST_ABI_VERSION)
		return at_fail(err, AT_EINVAL, NULL, 0,
			"this shared object has no table of kernels of version %d; compile it again",
			AT_HOST_ABI_VERSION);
	self->kernels = at_calloc(image->kernel_count + 1, sizeof(*self->kernels));
	self->kernel_count = image->kernel_count;
	for (unsigned i = 0; i < image->kernel_count; i++)
		self->kernels[i] = (struct at_kernel){ &image->kernels[i], self };
	return AT_OK;
}

enum at_outcome at_host_load(struct at_device *device, const unsigned char *bytes,
	size_t size, struct at_module **out, struct at_error *err)
{
	struct at_module *self = at_calloc(1, sizeof(*self));
	struct at_error in_memory = { 0 }, on_disk = { 0 };
	enum at_status status = read_shared(bytes, size, &self->shared, err);

	(void)device;
	self->file = -1;
	if (status)
		goto unload;
	at_image_variables_read(bytes, size, &self->names);
	open_in_memory(self, bytes, size, &in_memory);
	if (!self->handle)
		open_on_disk(self, bytes, size, &on_disk);
	if (self->handle) {
		status = read_table(self, err);
		dl_iterate_phdr(find_segments, self);
	} else {
		/* Both methods may fail for good: the reason of the last one says more,
		   unless the first one failed because of the image. */
		const struct at_error *reason =
			on_disk.status && !is_about_image(&in_memory) ? &on_disk
								      : &in_memory;

		status = at_fail(err, reason->status, NULL, 0, "%s", reason->text);
	}
unload:
	if (status) {
		at_host_unload(device, self);
		return AT_OUTCOME_LAUNCH_FAILED;
	}
	*out = self;
	return AT_OUTCOME_OK;
}

void *at_host_image_variable(
	const struct at_module *self, const char *name, size_t *bytes)
{
	size_t index = at_variable_find(self->names.symbols, self->names.count, name);
	uint64_t address, size;

	if (index == AT_NO_VARIABLE)
		return NULL;
	address = self->base + self->names.addresses[index];
	size = self->names.sizes_bytes[index];
	for (size_t i = 0; i < self->variable_count; i++) {
		const struct at_range *range = &self->variables[i];

		if (address < range->address ||
			address - range->address > range->bytes ||
			size > range->bytes - (address - range->address))
			continue;
		*bytes = (size_t)size;
		return (void *)(uintptr_t)address;
	}
	return NULL;
}

void at_host_unload(struct at_device *device, struct at_module *self)
{
	(void)device;
	if (!self)
		return;
	if (self->handle)
		dlclose(self->handle);
	if (self->file >= 0)
		close(self->file);
	free(self->shared.gaps);
	at_image_variables_release(&self->names);
	free(self->kernels);
	free(self);
}
