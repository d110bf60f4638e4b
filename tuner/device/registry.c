/* The kinds of devices: built-in ones, and those that a program adds. */
#include "base/text.h"
#include "device/device.h"

#include <ctype.h>
#include <string.h>

static const struct at_device_kind *const built_in[] = {
	&at_device_kind_cuda,
	&at_device_kind_host,
};

enum {
	BUILT_IN_COUNT = AT_COUNT_OF(built_in),
	/* a fixed size needs no clean-up, and no program adds more than a few kinds */
	ADDED_MAX = 8,
	/* above every machine's count; a larger number is a typo */
	INDEX_MAX = 1023,
	NAME_LENGTH_MAX = sizeof(((struct at_device_info *)NULL)->kind) - 1,
};

static const struct at_device_kind *added[ADDED_MAX];
static size_t added_count;

const struct at_device_kind *at_device_kind_at(size_t index)
{
	if (index < BUILT_IN_COUNT)
		return built_in[index];
	index -= BUILT_IN_COUNT;
	return index < added_count ? added[index] : NULL;
}

static const struct at_device_kind *find(const char *name, size_t length)
{
	const struct at_device_kind *kind;

	for (size_t i = 0; (kind = at_device_kind_at(i)); i++)
		if (strlen(kind->name) == length && !strncmp(kind->name, name, length))
			return kind;
	return NULL;
}

enum at_status at_device_kind_find(
	const char *name, const struct at_device_kind **out, struct at_error *err)
{
	const char *names[BUILT_IN_COUNT + ADDED_MAX];
	size_t count = BUILT_IN_COUNT + added_count;
	struct at_strbuf known = { 0 };

	*out = find(name, strlen(name));
	if (*out)
		return AT_OK;
	for (size_t i = 0; i < count; i++)
		names[i] = at_device_kind_at(i)->name;
	at_text_add_known(&known, name, names, count);
	at_fail(err, AT_ENOENT, NULL, 0, "unknown kind of device \"%s\"%s", name,
		known.data);
	at_strbuf_release(&known);
	return AT_ENOENT;
}

enum at_status at_device_add(const struct at_device_kind *kind, struct at_error *err)
{
	size_t length = 0;

	while (isalnum((unsigned char)kind->name[length]) || kind->name[length] == '_')
		length++;
	/* --device ends a name at a colon or a comma, and a problem's `on` accepts only
	   identifiers */
	if (kind->name[length] || length == 0 || length > NAME_LENGTH_MAX ||
		isdigit((unsigned char)kind->name[0]))
		return at_fail(err, AT_EINVAL, NULL, 0,
			"kind of device \"%s\": expected an identifier of 1 to %d characters",
			kind->name, (int)NAME_LENGTH_MAX);
	if (find(kind->name, length))
		return at_fail(err, AT_EINVAL, NULL, 0,
			"there is a kind of device \"%s\" already", kind->name);
	if (added_count == ADDED_MAX)
		return at_fail(err, AT_EOVERFLOW, NULL, 0,
			"kind of device \"%s\": %d were added, and there is no room for more",
			kind->name, ADDED_MAX);
	added[added_count++] = kind;
	return AT_OK;
}

enum at_status at_device_resolve(
	const char *id, struct at_device_choice *out, struct at_error *err)
{
	static const char *const usual[] = { "cuda:0", "cuda:all", "host" };
	const char *meant;
	size_t length = strcspn(id, ":");
	struct at_strbuf known = { 0 };
	int64_t number = 0;

	memset(out, 0, sizeof(*out));
	out->kind = find(id, length);
	if (!out->kind) {
		meant = at_text_nearest(id, usual, AT_COUNT_OF(usual));
		at_device_add_known(&known);
		at_fail(err, AT_ENOENT, NULL, 0,
			"unknown device \"%s\"%s%s%s%snown are %s", id,
			meant ? ", did you mean \"" : "", meant ? meant : "",
			meant ? "\"?" : ";", meant ? " K" : " k",
			at_strbuf_text(&known));
		at_strbuf_release(&known);
		return AT_ENOENT;
	}
	out->all = !strcmp(id + length, ":all");
	if (id[length] && !out->all &&
		(!at_text_integer(id + length + 1, &number) || number < 0 ||
			number > INDEX_MAX))
		return at_fail(err, AT_EINVAL, NULL, 0,
			"device \"%s\": expected a number after the colon, as in \"%s:0\"",
			id, out->kind->name);
	out->index = (unsigned)number;
	return AT_OK;
}

bool at_device_describe(const char *architecture, struct at_device_info *out)
{
	const struct at_device_kind *kind;

	for (size_t i = 0; (kind = at_device_kind_at(i)); i++)
		if (kind->describe && kind->describe(architecture, out))
			return true;
	return false;
}

void at_device_add_known(struct at_strbuf *out)
{
	const struct at_device_kind *kind;
	size_t count = 0, told = 0;

	for (size_t i = 0; (kind = at_device_kind_at(i)); i++)
		count += kind->single ? 1 : 2;
	for (size_t i = 0; (kind = at_device_kind_at(i)); i++) {
		at_strbuf_addf(out, "%s%s%s", at_text_between(told++, count, " and "),
			kind->name, kind->single ? "" : ":N");
		if (!kind->single)
			at_strbuf_addf(out, "%s%s:all",
				at_text_between(told++, count, " and "), kind->name);
	}
}
