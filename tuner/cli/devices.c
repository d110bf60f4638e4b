/* autotune devices: what can be tuned on here, and why the rest cannot. */
#include "cli/cli.h"
#include "cli/format.h"
#include "cli/output.h"

#include "session/session.h"

#include <inttypes.h>
#include <string.h>

#define TEXT_COLUMN 10

static struct at_json *properties_to_json(const struct at_properties *properties)
{
	struct at_json *out = at_json_object();

	for (int i = 0; i < AT_PROPERTY_COUNT; i++)
		if (properties->known[i])
			at_json_set(out, at_property_name((enum at_property)i),
				at_json_integer(properties->value[i]));
	return out;
}

static void print_device_json(const struct at_device_info *device)
{
	struct at_json *out = at_json_object();

	at_json_set(out, "device", at_json_string(device->id));
	at_json_set(out, "kind", at_json_string(device->kind));
	at_json_set(out, "model", at_json_string(device->model));
	at_json_set(out, "uuid", at_json_string(device->uuid));
	at_json_set(out, "architecture", at_json_string(device->architecture));
	at_json_set(out, "driver", at_json_string(device->driver));
	at_json_set(out, "properties", properties_to_json(&device->properties));
	at_print_json(out);
}

static void print_missing_json(const struct at_device_listing *listing)
{
	struct at_json *out = at_json_object();

	at_json_set(out, "device", at_json_null());
	at_json_set(out, "kind", at_json_string(listing->kind));
	at_json_set(out, "reason", at_json_string(listing->reason));
	at_print_json(out);
}

static void add_count(struct at_strbuf *out, const struct at_properties *properties,
	enum at_property property, const char *what)
{
	if (properties->known[property])
		at_strbuf_addf(
			out, ", %" PRId64 " %s", properties->value[property], what);
}

static void add_bytes(struct at_strbuf *out, const struct at_properties *properties,
	enum at_property property, const char *what)
{
	if (!properties->known[property])
		return;
	at_strbuf_add(out, ", ");
	at_format_bytes(out, properties->value[property]);
	at_strbuf_addf(out, " %s", what);
}

static void add_hertz(struct at_strbuf *out, const struct at_properties *properties,
	enum at_property property, const char *what)
{
	if (!properties->known[property])
		return;
	at_strbuf_add(out, ", ");
	at_format_rate(out, (double)properties->value[property], "Hz");
	at_strbuf_addf(out, " %s", what);
}

static void add_device(struct at_strbuf *out, const struct at_device_info *device)
{
	const struct at_properties *properties = &device->properties;
	bool host = !strcmp(device->kind, "host");
	size_t start = out->length;

	at_strbuf_add(out, device->id);
	at_format_pad(out, start, TEXT_COLUMN);
	at_format_plain(out, device->model);
	at_strbuf_addf(out, ", %s", device->architecture);
	if (device->driver[0]) {
		at_strbuf_add(out, host ? ", kernel " : ", driver ");
		at_format_plain(out, device->driver);
	}
	at_strbuf_add_char(out, '\n');
	start = out->length;
	at_format_pad(out, start, TEXT_COLUMN - 2);
	/* each begins with ", ": the first comma stands in the margin */
	start = out->length;
	add_count(out, properties, AT_PROPERTY_MULTIPROCESSOR_COUNT,
		host ? "cores" : "multiprocessors");
	add_bytes(out, properties, AT_PROPERTY_MEMORY_BYTES, "memory");
	add_bytes(out, properties, AT_PROPERTY_L2_BYTES,
		host ? "last-level cache" : "L2 cache");
	add_hertz(out, properties, AT_PROPERTY_CLOCK_HZ, "clock");
	if (out->length > start && !out->failed)
		out->data[start] = ' ';
	at_strbuf_add_char(out, '\n');
}

static void print_listing(const struct at_device_listing *listing, bool json)
{
	struct at_strbuf text = { 0 };

	if (json && !listing->count)
		print_missing_json(listing);
	for (unsigned i = 0; i < listing->count; i++) {
		if (json)
			print_device_json(&listing->devices[i]);
		else
			add_device(&text, &listing->devices[i]);
	}
	if (!json && !listing->count) {
		at_strbuf_add(&text, listing->kind);
		at_format_pad(&text, 0, TEXT_COLUMN);
		at_strbuf_add(&text, "none: ");
		at_format_plain(&text, listing->reason);
		at_strbuf_add_char(&text, '\n');
	}
	if (text.length)
		at_print(&text);
	at_strbuf_release(&text);
}

static enum at_exit run_devices(const struct at_cli_arguments *arguments)
{
	struct at_device_listing *listings;
	struct at_error err = { 0 };
	size_t count;

	if (at_session_list_devices(NULL, &listings, &count, &err)) {
		at_say_error(&err);
		return AT_EXIT_FAILED;
	}
	for (size_t i = 0; i < count; i++)
		print_listing(&listings[i], at_cli_given(arguments, &at_option_json));
	at_session_free_devices(listings, count);
	return AT_EXIT_DONE;
}

static const struct at_cli_option *const options[] = { &at_option_json, NULL };

const struct at_cli_command at_command_devices = {
	.name = "devices",
	.operands = "",
	.summary =
		"what can be tuned on here, with properties, and why the rest cannot",
	.options = options,
	.run = run_devices,
};
