/* autotune devices: lists the devices of this machine with their ceilings, and why
   others cannot be used. */
#include "cli/cli.h"
#include "cli/format.h"
#include "cli/output.h"
#include "cli/words.h"

#include "base/clock.h"
#include "base/memory.h"
#include "evaluator/workers/ceilings.h"
#include "evaluator/workers/probe.h"
#include "record/evaluation_json.h"
#include "session/session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The width of "cuda:15" and three blanks. */
#define TEXT_COLUMN 10

/* ---- ceilings: read from the record, or else measured and recorded ------------- */

/* The ceilings of one device; all boards that count as that device share them. */
struct known_ceilings {
	struct at_device_info device;
	struct at_record_ceilings record;
};

/* The source of ceilings, and a cache. */
struct ceilings_source {
	const char *results; /* the record's folder; borrowed */
	bool fresh; /* measure even recorded ceilings */
	struct at_store *store; /* NULL: not opened, or opening failed */
	bool is_opened; /* opening was tried */
	struct known_ceilings *known; /* found or measured by this process */
	size_t known_count;
	size_t known_capacity;
};

/* ---- the record ----------------------------------------------------------- */

static void note(const char *what, const struct at_error *reason)
{

	at_say("autotune: %s: %s", what, at_format_error(reason).text);
}

/* The store, or NULL if it cannot be opened, which is reported once. A record is
   created only with `make`. */
static struct at_store *open_store(struct ceilings_source *self, bool make)
{
	struct at_error reason = { 0 };
	enum at_status status;

	if (self->is_opened)
		return self->store;
	status = make ? at_store_open(self->results, &self->store, &reason)
		      : at_store_open_reading(self->results, &self->store, &reason);
	if (status == AT_ENOENT)
		return NULL;
	if (status)
		note("the ceilings are not recorded", &reason);
	self->is_opened = true;
	return self->store;
}

static bool find_recorded(struct ceilings_source *self,
	const struct at_record_device *device, struct at_record_ceilings *out)
{
	struct at_store *store = open_store(self, false);
	struct at_error reason = { 0 };
	bool found = false;
	int64_t id = 0;

	if (!store)
		return false;
	if (at_store_match_device(store, device, &id, &reason) ||
		(id && at_store_get_ceilings(store, id, out, &found, &reason)))
		note("the recorded ceilings cannot be read", &reason);
	return found;
}

/* ---- finding and measuring ------------------------------------------------ */

/*
 * *out is borrowed until the next call. It is NULL, with the reason in err, if the
 * ceilings are not recorded and cannot be measured. AT_EINTERRUPTED: a signal ended the
 * measurement. A record that cannot be read or written is reported on stderr and is no
 * failure.
 */
static enum at_status get_ceilings(struct ceilings_source *self,
	const struct at_device_info *device, const struct at_record_ceilings **out,
	struct at_error *err)
{
	struct known_ceilings *known;
	struct at_error reason = { 0 };
	struct at_record_device record;
	enum at_status status = AT_OK;
	struct at_store *store;

	*out = NULL;
	for (size_t i = 0; i < self->known_count; i++) {
		known = &self->known[i];
		if (at_session_shares_results(&known->device, device)) {
			*out = &known->record;
			return AT_OK;
		}
	}
	AT_GROW(self->known, self->known_capacity, self->known_count + 1);
	known = &self->known[self->known_count];
	memset(known, 0, sizeof(*known));
	known->device = *device;
	at_session_record_device(device, &record);
	if (self->fresh || !find_recorded(self, &record, &known->record)) {
		struct at_device_info measured;

		if (at_output_is_terminal(STDERR_FILENO))
			at_say("autotune: measuring what %s does at best", device->id);
		status = at_workers_measure_ceilings(
			NULL, device->id, &measured, &known->record.ceilings, err);
		if (!status) {
			known->record.driver = at_strdup(measured.driver);
			known->record.created_seconds = at_clock_wall_seconds();
		}
		store = status ? NULL : open_store(self, true);
		if (store && at_store_put_ceilings_on(
				     store, &record, &known->record, &reason))
			note("the ceilings are not recorded", &reason);
	}
	at_record_device_release(&record);
	if (status) {
		at_record_ceilings_release(&known->record);
		return status;
	}
	self->known_count++;
	*out = &known->record;
	return AT_OK;
}

/* ---- devices ------------------------------------------------------------------- */

struct devices {
	bool json;
	/* from --device; none: every device */
	const char *const *wanted;
	size_t wanted_count;
	struct ceilings_source ceilings;
};

static void add_property(struct at_strbuf *out, const struct at_properties *properties,
	enum at_property property, const char *unit, const char *what)
{
	int64_t value = properties->value[property];

	if (!properties->known[property])
		return;
	at_strbuf_add(out, ", ");
	if (!strcmp(unit, "B"))
		at_strbuf_add(out, at_format_bytes(value).text);
	else if (*unit)
		at_strbuf_add(out, at_format_rate((double)value, unit).text);
	else
		at_strbuf_add_integer(out, value);
	at_strbuf_addf(out, " %s", what);
}

static void add_device(struct at_strbuf *out, const struct at_device_info *device)
{
	const struct at_properties *properties = &device->properties;
	bool is_cpu = device->shares_cores; /* with the compilers */
	size_t start = out->length;

	at_strbuf_add(out, device->id);
	at_format_pad(out, start, TEXT_COLUMN);
	at_format_plain(out, device->model);
	at_strbuf_addf(out, ", %s", device->architecture);
	if (device->driver[0])
		at_format_plain(
			out, is_cpu ? ", kernel " : ", driver ", device->driver);
	at_strbuf_add_char(out, '\n');
	start = out->length;
	at_format_pad(out, start, TEXT_COLUMN - 2);
	/* each item begins with ", "; the first comma is in the margin and is
	   blanked */
	start = out->length;
	add_property(out, properties, AT_PROPERTY_MULTIPROCESSOR_COUNT, "",
		is_cpu ? "cores" : "multiprocessors");
	add_property(out, properties, AT_PROPERTY_MEMORY_BYTES, "B", "memory");
	add_property(out, properties, AT_PROPERTY_L2_BYTES, "B",
		is_cpu ? "last-level cache" : "L2 cache");
	add_property(out, properties, AT_PROPERTY_CLOCK_HZ, "Hz", "clock");
	if (out->length > start)
		out->data[start] = ' ';
	at_strbuf_add_char(out, '\n');
}

/* A device is listed even without ceilings; only a signal ends the list. */
static enum at_status print_device(
	struct devices *self, const struct at_device_info *device)
{
	const struct at_record_ceilings *ceilings;
	struct at_error err = { 0 };
	struct at_strbuf text = { 0 };
	enum at_status status = get_ceilings(&self->ceilings, device, &ceilings, &err);

	if (self->json) {
		if (status)
			at_say_error(&err);
		const struct at_properties *properties = &device->properties;
		struct at_json *out = at_json_object(), *known = at_json_object();

		for (int i = 0; i < AT_PROPERTY_COUNT; i++)
			if (properties->known[i])
				at_json_set(known,
					at_property_name((enum at_property)i),
					properties->value[i]);
		at_json_set(out, "device", device->id);
		at_json_set(out, "kind", device->kind);
		at_json_set(out, "model", device->model);
		at_json_set(out, "uuid", device->uuid);
		at_json_set(out, "architecture", device->architecture);
		at_json_set(out, "driver", device->driver);
		at_json_set(out, "properties", known);
		at_json_set(out, "ceilings", at_ceilings_to_json(ceilings));
		at_print_json(out);
	} else {
		add_device(&text, device);
		at_format_pad(&text, text.length, TEXT_COLUMN);
		at_strbuf_add(&text, "ceilings: ");
		if (ceilings) {
			at_ceilings_format(&text, ceilings);
		} else {
			at_format_plain(
				&text, "not measured: ", at_format_error(&err).text);
		}
		at_strbuf_add_char(&text, '\n');
		at_print_folded(&text);
	}
	return status == AT_EINTERRUPTED ? status : AT_OK;
}

static void print_missing(
	const struct devices *self, const struct at_device_listing *listing)
{
	struct at_strbuf text = { 0 };

	if (self->json) {
		struct at_json *out = at_json_object();

		at_json_set(out, "device", (char *)NULL);
		at_json_set(out, "kind", listing->kind);
		at_json_set(out, "reason", listing->reason);
		at_print_json(out);
		return;
	}
	at_strbuf_add(&text, listing->kind);
	at_format_pad(&text, 0, TEXT_COLUMN);
	at_format_plain(&text, "none: ", listing->reason);
	at_strbuf_add_char(&text, '\n');
	at_print_folded(&text);
}

/* ---- selection ----------------------------------------------------------------- */

/* Whether an item of --device, already checked, means device `id`; id NULL: any device
   of the kind. */
static bool names(const char *wanted, const char *kind, const char *id)
{
	struct at_device_choice asked, other;

	if (at_device_resolve(wanted, &asked, NULL) ||
		strcmp(asked.kind->name, kind) != 0)
		return false;
	return asked.all || !id ||
	       (!at_device_resolve(id, &other, NULL) && other.index == asked.index);
}

static bool wants(const struct devices *self, const char *kind, const char *id)
{
	for (size_t i = 0; i < self->wanted_count; i++)
		if (names(self->wanted[i], kind, id))
			return true;
	return self->wanted_count == 0;
}

static bool is_listed(
	const char *wanted, const struct at_device_listing *listings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (unsigned j = 0; j < listings[i].count; j++)
			if (names(wanted, listings[i].kind, listings[i].devices[j].id))
				return true;
	return false;
}

static enum at_exit print_all(
	struct devices *self, const struct at_device_listing *listings, size_t count)
{
	enum at_exit code = AT_EXIT_DONE;

	for (size_t i = 0; i < count; i++) {
		const struct at_device_listing *listing = &listings[i];

		if (!listing->count && wants(self, listing->kind, NULL))
			print_missing(self, listing);
		for (unsigned j = 0; j < listing->count; j++)
			if (wants(self, listing->kind, listing->devices[j].id) &&
				print_device(self, &listing->devices[j]))
				return AT_EXIT_INTERRUPTED;
	}
	/* after the list, report the requested devices that do not exist */
	for (size_t i = 0; i < self->wanted_count; i++)
		if (!is_listed(self->wanted[i], listings, count)) {
			at_say("autotune: there is no device %s here", self->wanted[i]);
			code = AT_EXIT_FAILED;
		}
	return code;
}

static enum at_exit list_devices(struct devices *self, struct at_error *err)
{
	struct at_device_listing *listings;
	struct at_device_choice choice;
	enum at_exit code;
	size_t count;

	for (size_t i = 0; i < self->wanted_count; i++)
		if (at_device_resolve(self->wanted[i], &choice, err))
			return AT_EXIT_USAGE;
	if (at_probe_list_devices(NULL, &listings, &count, err))
		return AT_EXIT_FAILED;
	code = print_all(self, listings, count);
	at_probe_free_devices(listings, count);
	return code;
}

static enum at_exit run_devices(
	const struct at_cli_arguments *arguments, struct at_error *err)
{
	struct devices self = {
		.json = at_cli_given(arguments, "json"),
		.ceilings = {
			.results = at_cli_text(arguments, "results", "results"),
			.fresh = at_cli_given(arguments, "fresh"),
		},
	};
	enum at_exit code = AT_EXIT_FAILED;

	at_cli_each(arguments, "device", &self.wanted, &self.wanted_count);
	code = list_devices(&self, err);
	for (size_t i = 0; i < self.ceilings.known_count; i++)
		at_record_ceilings_release(&self.ceilings.known[i].record);
	free(self.ceilings.known);
	at_store_close(self.ceilings.store);
	free((void *)self.wanted);
	return code;
}

const struct at_cli_command at_command_devices = {
	.name = "devices",
	.operands = "",
	.summary =
		"list devices with their properties and measured ceilings, or why they cannot be used",
	.details =
		"Lists every device, or those of --device. The ceilings are the best that a model of device was measured to do: the bytes per second of a copy within its memory, bytes read and bytes written both counted; and the operations per second of fused multiply-adds, two operations each. The ridge is where both take equally long, in operations per byte: a kernel with fewer operations per byte is bound by memory. Ceilings are measured once, in a few seconds, and kept in the record, where boards of one model share them; --fresh measures them again.\n"
		"\n"
		"  autotune devices\n"
		"  autotune devices --device cuda:0 --fresh",
	.options = "device results fresh json",
	.run = run_devices,
};
