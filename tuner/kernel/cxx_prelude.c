/* Makes, caches and finds the dialect as a precompiled header of gcc. */
#include "kernel/cxx_prelude.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "kernel/cxx.h"
#include "kernel/native.h"
#include "kernel/units.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_BYTES_MAX ((size_t)1 << 30)
#define HEADER "host_dialect.h"
#define COMPILED HEADER ".gch"
#define DEPENDENCIES "dependencies"

/* characters that cannot occur in a name of #include */
#define UNNAMEABLE "\"\n\r"

static struct {
	const char *units;
	const char *folder;
	char *header; /* on the heap; the header found last */
	/* one attempt per process: a failure would recur */
	bool is_refused;
} kept;

void at_cxx_prelude_keep(const char *units, const char *folder)
{
	free(kept.header);
	memset(&kept, 0, sizeof(kept));
	kept.units = units;
	kept.folder = folder;
}

bool at_cxx_prelude_is_to_blame(const char *log)
{
	/* gcc writes "cannot read PCH file" or "had to relocate PCH"; a modified file
	   may crash it */
	bool is = strstr(log, "PCH") || strstr(log, "precompiled") ||
		  strstr(log, "internal compiler error");

	if (is)
		kept.is_refused = true;
	return is;
}

/* ---- the headers it was made of ----------------------------------------- */

/* Appends "PATH<tab>SIZE SECONDS NANOSECONDS"; false: the file does not exist. */
static bool add_stamp(struct at_strbuf *out, const char *path)
{
	struct stat facts;

	if (stat(path, &facts) < 0)
		return false;
	at_strbuf_addf(out, "%s\t%lld %lld %ld\n", path, (long long)facts.st_size,
		(long long)facts.st_mtim.tv_sec, (long)facts.st_mtim.tv_nsec);
	return true;
}

/* Appends stamps of the system's headers, since gcc does not check whether these have
   changed: after an upgrade of the C library, old and new declarations would mix. False
   if a name has an escape that only make understands. */
static bool add_stamps(struct at_strbuf *out, char *dependencies)
{
	char *state = NULL;

	for (char *word = strtok_r(dependencies, " \n", &state); word;
		word = strtok_r(NULL, " \n", &state)) {
		if (!strcmp(word, "\\") || word[strlen(word) - 1] == ':')
			continue;
		if (strpbrk(word, "\\$#\t"))
			return false;
		/* the header itself lies in a temporary folder */
		if (strstr(word, "/" HEADER))
			continue;
		if (word[0] != '/' || !add_stamp(out, word))
			return false;
	}
	return out->length > 0;
}

static bool stamps_hold(const char *stamps)
{
	struct at_strbuf now = { 0 };
	bool hold = true;

	for (const char *line = stamps; *line && hold;) {
		size_t length = strcspn(line, "\n"), name = strcspn(line, "\t");
		char *path = name < length ? at_strndup(line, name) : NULL;

		at_strbuf_clear(&now);
		hold = path && add_stamp(&now, path) && now.length == length + 1 &&
		       !memcmp(now.data, line, length);
		free(path);
		line += length + (line[length] != '\0');
	}
	at_strbuf_release(&now);
	return hold && stamps[0];
}

/* ---- making a folder ---------------------------------------------------- */

static bool write_file(
	const char *folder, const char *name, const void *data, size_t size)
{
	char *path = at_path_join(folder, name);
	bool written = !at_job_write(path, data, size, NULL);

	free(path);
	return written;
}

static void remove_file(const char *folder, const char *name)
{
	char *path = at_path_join(folder, name);

	unlink(path);
	free(path);
}

/* Writes the header's text as units contain it; gcc uses the text if the compiled
   header does not fit. */
static bool write_header(const char *folder)
{
	struct at_strbuf text = { 0 };
	bool written;

	at_strbuf_add(&text, "#line 1 \"" HEADER "\"\n");
	at_strbuf_add_bytes(&text, (const char *)at_embedded_host_dialect,
		at_embedded_host_dialect_size);
	at_strbuf_add_char(&text, '\n');
	written = write_file(folder, HEADER, text.data, text.length);
	at_strbuf_release(&text);
	return written;
}

static bool run_compiler(const struct at_cxx_tool *tool, const char *folder,
	const struct at_words *flags)
{
	struct at_words words = { 0 };
	struct at_strbuf log = { 0 };
	bool succeeded = false;

	at_words_add_all(&words, (const char *const *)flags->items, flags->count);
	at_words_add(&words, "-x");
	at_words_add(&words, "c++-header");
	at_words_add(&words, "%s/" HEADER, folder);
	at_words_add(&words, "-MD");
	at_words_add(&words, "-MF");
	at_words_add(&words, "%s/" DEPENDENCIES, folder);
	at_words_add(&words, "-o");
	at_words_add(&words, "%s/" COMPILED, folder);
	if (at_cxx_tool_run(tool, folder, &words, &log, &succeeded, NULL))
		succeeded = false;
	at_strbuf_release(&log);
	at_words_release(&words);
	return succeeded;
}

static bool read_file(const char *folder, const char *name, char **data, size_t *size)
{
	char *path = at_path_join(folder, name);
	bool read = !at_file_read(path, READ_BYTES_MAX, data, size, NULL);

	free(path);
	return read;
}

/* Caches the header for the next run, as a unit: the header is its image, the stamps
   are its log. */
static void keep_compiled(const char *folder, const char *path)
{
	struct at_compile_result unit = { .outcome = AT_OUTCOME_OK };
	struct at_strbuf stamps = { 0 };
	char *bytes = NULL, *dependencies = NULL;
	size_t size;

	if (read_file(folder, DEPENDENCIES, &dependencies, &size) &&
		add_stamps(&stamps, dependencies) &&
		read_file(folder, COMPILED, &bytes, &unit.image_bytes)) {
		unit.image = (unsigned char *)bytes;
		unit.image_hash = at_hash_bytes(bytes, unit.image_bytes);
		unit.log = stamps.data;
		/* if the disk is full, the next run makes it again */
		(void)at_unit_write(path, &unit, NULL);
	}
	free(bytes);
	free(dependencies);
	at_strbuf_release(&stamps);
}

static bool fetch_compiled(const char *folder, const char *path)
{
	struct at_compile_result unit;
	bool fetched;

	if (at_unit_read(path, &unit, true, NULL))
		return false;
	fetched = unit.image && unit.log && stamps_hold(unit.log) &&
		  write_file(folder, COMPILED, unit.image, unit.image_bytes);
	at_compile_result_release(&unit);
	return fetched;
}

/* ---- finding it --------------------------------------------------------- */

static struct at_hash make_key(
	const struct at_cxx_tool *tool, const struct at_words *flags)
{
	const struct at_hash machine = at_native_identity();
	struct at_hasher *hasher = at_hasher_new();
	struct at_hash key;

	at_hasher_add_text(hasher, "prelude");
	at_hasher_add(hasher, &machine, sizeof(machine));
	at_hasher_add_text(hasher, tool->version);
	for (size_t i = 0; i < tool->words.count; i++)
		at_hasher_add_text(hasher, tool->words.items[i]);
	at_hasher_add_integer(hasher, (int64_t)flags->count);
	for (size_t i = 0; i < flags->count; i++)
		at_hasher_add_text(hasher, flags->items[i]);
	at_hasher_add(hasher, at_embedded_host_dialect, at_embedded_host_dialect_size);
	key = at_hasher_result(hasher);
	at_hasher_free(hasher);
	return key;
}

/* Puts the header into `made`, an empty folder, from cached units or the compiler. */
static bool fill(const char *made, const struct at_cxx_tool *tool,
	const struct at_words *flags, struct at_hash key)
{
	char *unit = kept.units ? at_unit_path(kept.units, key) : NULL;
	bool filled = write_header(made);

	if (filled && !(unit && fetch_compiled(made, unit))) {
		filled = run_compiler(tool, made, flags);
		if (filled && unit)
			keep_compiled(made, unit);
		remove_file(made, DEPENDENCIES);
	}
	free(unit);
	return filled;
}

/* Makes a header's folder under a temporary name and renames it: several processes of a
   run may do this at once, and the first to finish wins. */
static bool make(const char *folder, const struct at_cxx_tool *tool,
	const struct at_words *flags, struct at_hash key)
{
	char *made = at_path_join(kept.folder, "prelude-XXXXXX");
	bool is_there =
		mkdtemp(made) && fill(made, tool, flags, key) &&
		(!rename(made, folder) || errno == EEXIST || errno == ENOTEMPTY) &&
		at_file_exists(kept.header);

	remove_file(made, HEADER);
	remove_file(made, COMPILED);
	rmdir(made);
	free(made);
	return is_there;
}

/* Whether the environment names header folders: each unit searches them, so an earlier
   header may not fit. */
static bool has_other_folders(void)
{
	for (size_t i = 0; at_cxx_tool_folders[i]; i++)
		if (getenv(at_cxx_tool_folders[i]))
			return true;
	return false;
}

const char *at_cxx_prelude_find(
	const struct at_cxx_tool *tool, const struct at_words *flags)
{
	struct at_strbuf name = { 0 };
	char hex[AT_HASH_HEX_SIZE];
	struct at_hash key;
	char *folder;

	/* not for clang, which rejects a header that does not fit, nor for a script,
	   which may compile elsewhere */
	if (!kept.folder || strpbrk(kept.folder, UNNAMEABLE) || kept.is_refused ||
		tool->clang || has_other_folders() || at_cxx_tool_is_script(tool))
		return NULL;
	key = make_key(tool, flags);
	at_strbuf_addf(&name, "prelude-%s", at_hash_hex(key, hex));
	folder = at_path_join(kept.folder, name.data);
	at_strbuf_release(&name);
	free(kept.header);
	kept.header = at_path_join(folder, HEADER);
	if (!at_file_exists(kept.header) && !make(folder, tool, flags, key)) {
		kept.is_refused = true;
		free(kept.header);
		kept.header = NULL;
	}
	free(folder);
	return kept.header;
}
