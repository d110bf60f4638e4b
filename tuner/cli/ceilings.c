/* Finds, measures and shows the ceilings of devices: see ceilings.h. */
#include "cli/ceilings.h"
#include "cli/format.h"
#include "cli/output.h"

#include "base/clock.h"
#include "base/memory.h"
#include "evaluator/workers/ceilings.h"
#include "session/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The length of "2026-11-21" in "2026-11-21 14:05 UTC". */
#define DAY_LENGTH 10

void at_ceilings_source_init(
	struct at_ceilings_source *self, const char *results, bool fresh)
{
	*self = (struct at_ceilings_source){ .results = results, .fresh = fresh };
}

void at_ceilings_source_release(struct at_ceilings_source *self)
{
	for (size_t i = 0; i < self->known_count; i++)
		at_record_ceilings_release(&self->known[i].record);
	free(self->known);
	at_store_close(self->store);
	memset(self, 0, sizeof(*self));
}

/* ---- the record ----------------------------------------------------------- */

static void note(const char *what, const struct at_error *reason)
{
	char text[sizeof(reason->file) + sizeof(reason->text) + 32];

	at_say("autotune: %s: %s", what, at_error_format(reason, text, sizeof(text)));
}

/* The store, or NULL where it cannot be opened, which is reported once. Only with
   `make` is a record created. */
static struct at_store *open_store(struct at_ceilings_source *self, bool make)
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

static bool find_recorded(struct at_ceilings_source *self,
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

static void put_recorded(struct at_ceilings_source *self,
	const struct at_record_device *device,
	const struct at_record_ceilings *ceilings)
{
	struct at_store *store = open_store(self, true);
	struct at_error reason = { 0 };

	if (store && at_store_put_ceilings_on(store, device, ceilings, &reason))
		note("the ceilings are not recorded", &reason);
}

/* ---- finding and measuring ------------------------------------------------ */

static enum at_status measure(const struct at_device_info *device,
	struct at_record_ceilings *out, struct at_error *err)
{
	struct at_device_info measured;
	enum at_status status;

	if (at_output_is_terminal(STDERR_FILENO))
		at_say("autotune: measuring what %s does at best", device->id);
	status = at_workers_measure_ceilings(
		NULL, device->id, &measured, &out->ceilings, err);
	if (status)
		return status;
	out->driver = at_strdup(measured.driver);
	out->created_seconds = at_clock_wall_seconds();
	return AT_OK;
}

static enum at_status find_or_measure(struct at_ceilings_source *self,
	const struct at_device_info *device, struct at_record_ceilings *out,
	struct at_error *err)
{
	struct at_record_device record;
	enum at_status status = AT_OK;

	at_session_record_device(device, &record);

	if (self->fresh || !find_recorded(self, &record, out)) {
		status = measure(device, out, err);
		if (!status)
			put_recorded(self, &record, out);
	}
	at_record_device_release(&record);
	return status;
}

enum at_status at_ceilings_source_get(struct at_ceilings_source *self,
	const struct at_device_info *device, const struct at_record_ceilings **out,
	struct at_error *err)
{
	struct at_known_ceilings *known;
	enum at_status status = AT_OK;

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
	status = find_or_measure(self, device, &known->record, err);
	if (status) {
		at_record_ceilings_release(&known->record);
		return status;
	}
	self->known_count++;
	*out = &known->record;
	return AT_OK;
}

/* ---- showing -------------------------------------------------------------- */

static double ridge(const struct at_ceilings *ceilings)
{
	struct at_roofline roofline;

	at_roofline(NAN, NAN, NAN, ceilings, false, &roofline);
	return roofline.ridge;
}

void at_ceilings_format(
	struct at_strbuf *out, const struct at_record_ceilings *ceilings)
{
	const struct at_ceilings *rates = &ceilings->ceilings;
	struct at_strbuf date = { 0 };

	at_strbuf_add(&date, at_format_date(ceilings->created_seconds).text);
	at_strbuf_addf(out,
		"copy %s, FMA %s float, %s double; ridge at %.1f flop/B; measured %.*s",
		at_format_rate(rates->copy_bytes_per_second, "B/s").text,
		at_format_rate(rates->float_flops_per_second, "FLOP/s").text,
		at_format_rate(rates->double_flops_per_second, "FLOP/s").text,
		ridge(rates), DAY_LENGTH, at_strbuf_text(&date));
	at_strbuf_release(&date);
}

/* A rate of 0 was not measured. */
static double known_rate(double per_second)
{
	return per_second > 0 ? per_second : (double)NAN;
}

struct at_json *at_ceilings_to_json(const struct at_record_ceilings *ceilings)
{
	const struct at_ceilings *rates;
	struct at_json *out;

	if (!ceilings)
		return at_json_null();
	rates = &ceilings->ceilings;
	out = at_json_object();
	at_json_set(
		out, "copy_bytes_per_second", known_rate(rates->copy_bytes_per_second));
	at_json_set(out, "float_flops_per_second",
		known_rate(rates->float_flops_per_second));
	at_json_set(out, "double_flops_per_second",
		known_rate(rates->double_flops_per_second));
	at_json_set(out, "ridge", ridge(rates));
	at_json_set(out, "driver", ceilings->driver);
	at_json_set(out, "created_seconds", ceilings->created_seconds);
	return out;
}
