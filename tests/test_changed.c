/*
 * A file that a template includes is edited during a run: units that the compiler may
 * have made from the new contents must not be used. The test's own toolchain only makes
 * the edit at the right moment.
 */
#include "suite.h"

#include "base/memory.h"
#include "folder.h"
#include "kernel/reach.h"
#include "kernel/source.h"
#include "kernel/toolchain.h"

#include <sys/stat.h>
#include <unistd.h>

static const char text[] = "#include \"first.h\"\n#include <second.h>\nint x = WAY;\n";
/* what is rendered of it, as far as includes go */
static const char rendered[] = "#define WAY 7\n#include <second.h>\n"
			       "#line 1 \"t.cu\"\n#include \"first.h\"\n"
			       "#include <second.h>\nint x = WAY;\n";

struct place {
	char folder[64];
	char first[96];
	char second[96];
	struct at_hash files;
};

/* what the compiler does with it */
static void (*meanwhile)(const struct place *);
static struct place place;
static unsigned compiled;

static enum at_status compile(const struct at_compile_request *request,
	struct at_compile_result *result, struct at_error *err)
{
	compiled++;
	if (meanwhile)
		meanwhile(&place);
	result->outcome = AT_OUTCOME_COMPILE_FAILED;
	result->log = at_strdup("no");
	return AT_OK;
}

static enum at_status version(char *buffer, size_t size, struct at_error *err)
{
	snprintf(buffer, size, "1");
	return AT_OK;
}

static const struct at_toolchain toolchain = {
	.name = "edited", .makes = "nothing", .compile = compile, .version = version
};

static void put(const char *path, const char *contents)
{
	file_write(path, contents);
}

static struct at_hash look(const char *source)
{
	struct at_reach reach;
	struct at_hash files;

	assert_ok(
		at_reach_find(source, place.folder, NULL, 0, NULL, NULL, &reach, NULL));
	files = reach.files;
	at_reach_release(&reach);
	return files;
}

static int set_up(void **state)
{
	snprintf(place.folder, sizeof(place.folder), "/tmp/changed-XXXXXX");
	assert_non_null(folder_make(place.folder));
	snprintf(place.first, sizeof(place.first), "%s/first.h", place.folder);
	snprintf(place.second, sizeof(place.second), "%s/second.h", place.folder);
	put(place.first, "#define A 1\n");
	put(place.second, "#define B 2\n");
	place.files = look(text);
	meanwhile = NULL;
	compiled = 0;
	return 0;
}

static int tear_down(void **state)
{
	return folder_remove(place.folder);
}

static enum at_status try_it(struct at_error *err)
{
	const struct at_compile_request request = {
		.toolchain = (char *)"edited",
		.architecture = (char *)"",
		.name = (char *)"t.cu",
		.directory = place.folder,
		.source = (char *)rendered,
		.files = place.files,
	};
	RELEASED(at_compile_result_release) struct at_compile_result result;
	enum at_status status;

	memset(err, 0, sizeof(*err));
	status = at_compile(&request, &result, err);
	assert_int_equal(
		result.outcome, status ? AT_OUTCOME_NONE : AT_OUTCOME_COMPILE_FAILED);
	return status;
}

TEST_WITH(what_is_rendered_includes_the_same, set_up, tear_down)
{
	assert_true(place.files.low || place.files.high);
	assert_true(at_hash_equal(look(rendered), place.files));
	assert_ok(try_it(&failure));
	assert_int_equal(compiled, 1);
	/* where nothing is included there is nothing to be changed */
	assert_true(at_hash_equal(look("int x;\n"), (struct at_hash){ 0 }));
}

static void edit(const struct place *self)
{
	put(self->second, "#define B 3\n");
}

static void swap(const struct place *self)
{
	put(self->first, "#define B 2\n");
	put(self->second, "#define A 2\n");
}

static void take_away(const struct place *self)
{
	assert_int_equal(unlink(self->first), 0);
}

static void make_a_folder(const struct place *self)
{
	take_away(self);
	assert_int_equal(mkdir(self->first, 0700), 0);
}

static void make_a_pipe(const struct place *self)
{
	take_away(self);
	assert_int_equal(mkfifo(self->first, 0600), 0);
}

static void include_more(const struct place *self)
{
	put(self->first, "#define A 1\n#include \"second.h\"\n");
}

static void (*const changes[])(const struct place *) = { edit, swap, take_away,
	make_a_folder, make_a_pipe, include_more };

TEST_WITH(nothing_comes_of_a_unit_whose_files_are_others, set_up, tear_down)
{
	for (size_t i = 0; i < AT_COUNT_OF(changes); i++) {
		struct at_error err;

		changes[i](&place);
		assert_int_equal(try_it(&err), AT_EINVAL);
		assert_non_null(strstr(err.text, "changed"));
		assert_true(err.file[0] && !strchr(err.text, '\n'));
		/* a pipe would be read for ever */
		assert_int_equal(compiled, 0);
		tear_down(state);
		set_up(state);
	}
}

TEST_WITH(nor_of_one_whose_files_become_others_meanwhile, set_up, tear_down)
{
	for (size_t i = 0; i < AT_COUNT_OF(changes); i++) {
		struct at_error err;

		meanwhile = changes[i];
		assert_int_equal(try_it(&err), AT_EINVAL);
		/* a pipe is refused when the files are read once more */
		assert_non_null(strstr(
			err.text, changes[i] == make_a_pipe ? "a pipe" : "changed"));
		assert_int_equal(compiled, 1);
		tear_down(state);
		set_up(state);
	}
}

/* as an editor does that saves the same again: another file, the same contents */
TEST_WITH(what_is_saved_again_is_the_same, set_up, tear_down)
{
	take_away(&place);
	put(place.first, "#define A 1\n");
	assert_ok(try_it(&failure));
}

/* what a template includes in <> from a folder that only the environment names */
TEST_WITH(contents_in_folders_of_variables_count, set_up, tear_down)
{
	static const char source[] = "#include <second.h>\nint x = B;\n";
	static const char *const variables[] = { "TEST_FOLDERS", NULL };
	struct at_template template = { 0 };
	const struct at_reach *host, *none;
	struct at_reach reach;
	struct at_hash before, includes;
	char list[128], path[] = "/tmp/changed-space-XXXXXX", file[96];

	assert_non_null(folder_make(path));
	snprintf(list, sizeof(list), "/nowhere::%s", place.folder);
	for (int turn = 0; turn < 3; turn++) {
		/* at first the folder is not named, at last the header is another */
		if (turn)
			assert_int_equal(setenv("TEST_FOLDERS", list, 1), 0);
		if (turn == 2)
			put(place.second, "#define B 5\n");
		assert_ok(at_reach_find(
			source, path, NULL, 0, variables, NULL, &reach, NULL));
		assert_int_equal(!reach.files.low && !reach.files.high, !turn);
		assert_int_equal(at_reach_mentions(&reach, "B"), true);
		assert_int_equal(reach.toolkit.length > 0, !turn);
		if (turn == 2) {
			assert_false(at_hash_equal(reach.files, before));
			assert_false(at_hash_equal(reach.digest, includes));
		}
		before = reach.files;
		includes = reach.digest;
		at_reach_release(&reach);
	}
	/* the toolkit's own folder is no folder of users */
	snprintf(file, sizeof(file), "%s/cuda_runtime.h", place.folder);
	put(file, "");
	assert_ok(at_reach_find(source, path, NULL, 0, variables, NULL, &reach, NULL));
	assert_true(!reach.files.low && !reach.files.high && reach.toolkit.length > 0);
	at_reach_release(&reach);
	assert_int_equal(unlink(file), 0);
	/* a template that two compilers read: only one of them looks there */
	snprintf(file, sizeof(file), "%s/t.cu", path);
	put(file, source);
	assert_ok(at_template_load(file, &template, NULL));
	assert_ok(at_template_reach(&template, NULL, 0, variables, &host, NULL));
	assert_ok(at_template_reach(&template, NULL, 0, NULL, &none, NULL));
	assert_true(at_hash_equal(host->files, before));
	assert_true(!none->files.low && !none->files.high);
	at_template_release(&template);
	assert_int_equal(unsetenv("TEST_FOLDERS"), 0);
	folder_remove(path);
	/* the compilers that do look there */
	assert_string_equal(at_toolchain_named("c++")->folders[0], "CPATH");
	assert_string_equal(at_toolchain_named("nvcc")->folders[0], "CPATH");
	assert_null(at_toolchain_named("nvrtc")->folders);
	assert_null(at_toolchain_named("edited")->folders);
}

int main(int argc, char **argv)
{
	if (at_toolchain_add(&toolchain, NULL))
		return 1;
	return run_suite(argc, argv, NULL, NULL);
}
