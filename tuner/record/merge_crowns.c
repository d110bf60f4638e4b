/*
 * Merges crowns and decides which of them stand, by the rules in record/merge.h. The
 * crown with the highest id stands. Nothing refers to a crown by its id, so one that is
 * to stand without being the last is added again under a new id.
 */
#include "record/merge_internal.h"

#include "base/memory.h"
#include "base/objective.h"
#include "record/proof.h"
#include "record/store.h"

#include <stdlib.h>
#include <string.h>

/* Crowns of one device, space and problem; they come one after the other. */
struct place {
	int64_t device_id;
	struct at_strbuf space;
	struct at_strbuf problem;
	int64_t here; /* the crown that stood here before; 0: none */
	bool here_is_known; /* the other record has that crown, too */
	int64_t other; /* the crown that stands in the other record, by its id here */
	bool other_is_new; /* this record did not have it */
};

static const char find_last[] =
	"SELECT max(id) FROM crowns WHERE device_id = ?1 AND space = ?2 AND problem = ?3"
	" AND portfolio_id IS NULL";

static enum at_status read_last(struct at_merger *self, const struct place *place,
	int64_t *id, struct at_error *err)
{
	bool found;

	return at_statement_find(
		at_sqlite_bound(self->to, find_last,
			AT_VALUES(AT_INTEGER(place->device_id),
				AT_STRING(at_strbuf_text(&place->space)),
				AT_STRING(at_strbuf_text(&place->problem)))),
		id, &found, err);
}

/* ---- two crowns that never met in finals ---------------------------------------- */

/* What decides between two of them. */
struct claim {
	bool is_unproved;
	bool is_withdrawn;
	int64_t created_seconds; /* 0: it is in the future, by a wrong clock */
	const struct at_objective *objective;
	double value;
	struct at_strbuf origin; /* source, compiler, driver */
};

static const char read_claim_of[] =
	"SELECT is_unproved, created_seconds, objective, value, source_hash, toolchain,"
	" driver, proof FROM crowns WHERE id = ?";

static enum at_status read_claim(
	struct at_merger *self, int64_t id, struct claim *out, struct at_error *err)
{
	struct at_statement *statement;
	enum at_status status;
	char *proof;
	bool row;

	statement = at_sqlite_bound(self->to, read_claim_of, AT_VALUES(AT_INTEGER(id)));
	status = at_statement_step(statement, &row, err);
	if (!status && row) {
		out->is_unproved = at_statement_integer(statement, 0) != 0;
		out->created_seconds = at_statement_integer(statement, 1);
		if (out->created_seconds > self->check.latest_seconds)
			out->created_seconds = 0;
		out->objective = at_objective_find(at_statement_text(statement, 2));
		out->value = at_statement_is_null(statement, 3)
				     ? (double)NAN
				     : at_statement_real(statement, 3);
		for (int i = 4; i < 7; i++)
			at_strbuf_addf(
				&out->origin, "%s\n", at_statement_text(statement, i));
		proof = at_strdup(at_statement_text(statement, 7));
		out->is_withdrawn = at_proof_is_withdrawn(&(struct at_crown){
			.is_unproved = out->is_unproved, .proof = proof });
		free(proof);
	}
	at_statement_reset(statement);
	return status;
}

/* Whether b, the other record's crown, takes the place of a. */
static bool takes_over(const struct claim *a, const struct claim *b)
{
	bool is_alike = a->objective && a->objective == b->objective &&
			a->origin.length > 3 &&
			!strcmp(at_strbuf_text(&a->origin), at_strbuf_text(&b->origin));

	/* a crown that was found to be wrong loses only to a newer one, proved or
	   not */
	if (a->is_withdrawn != b->is_withdrawn)
		return a->is_withdrawn ? b->created_seconds > a->created_seconds
				       : b->created_seconds >= a->created_seconds;
	if (a->is_unproved != b->is_unproved)
		return a->is_unproved;
	if (is_alike && a->value != b->value)
		return at_objective_better(a->objective, b->value, a->value);
	return b->created_seconds > a->created_seconds;
}

static enum at_status compare_claims(struct at_merger *self, const struct place *place,
	bool *other_stands, struct at_error *err)
{
	struct claim here = { 0 }, other = { 0 };
	enum at_status status = read_claim(self, place->here, &here, err);

	if (!status)
		status = read_claim(self, place->other, &other, err);
	*other_stands = !status && takes_over(&here, &other);
	at_strbuf_release(&here.origin);
	at_strbuf_release(&other.origin);
	return status;
}

/* ---- one device, space and problem after the other ------------------------------ */

/* Makes a crown the last one, by adding it again and removing the old row. */
static enum at_status add_again(
	struct at_merger *self, int64_t id, struct at_error *err)
{
	const struct at_table *table = &at_table_crowns;
	struct at_strbuf columns = { 0 }, text = { 0 };
	enum at_status status;

	for (size_t i = 0; i < table->count; i++)
		at_strbuf_addf(&columns, "%s%s", i ? ", " : "", table->columns[i].name);
	at_strbuf_addf(&text,
		"INSERT INTO crowns (%s) SELECT %s FROM crowns WHERE id = %lld;"
		"DELETE FROM crowns WHERE id = %lld",
		at_strbuf_text(&columns), at_strbuf_text(&columns), (long long)id,
		(long long)id);
	status = at_sqlite_execute(self->to, at_strbuf_text(&text), err);
	at_strbuf_release(&columns);
	at_strbuf_release(&text);
	return status;
}

static enum at_status end_place(
	struct at_merger *self, struct place *place, struct at_error *err)
{
	enum at_status status = AT_OK;
	bool other_stands = true;
	int64_t standing, last = 0;

	if (!place->other)
		return AT_OK;
	/* this record has the other one's crown and a later one, which therefore beat
	   it */
	if (place->here && !place->other_is_new)
		other_stands = false;
	else if (place->here && !place->here_is_known)
		status = compare_claims(self, place, &other_stands, err);
	if (!status)
		status = read_last(self, place, &last, err);
	standing = other_stands ? place->other : place->here;
	self->merged->standing += other_stands;
	if (!status && standing != last)
		status = add_again(self, standing, err);
	return status;
}

static enum at_status begin_place(struct at_merger *self, struct place *place,
	int64_t device_id, const char *space, const char *problem, struct at_error *err)
{
	at_strbuf_clear(&place->space);
	at_strbuf_clear(&place->problem);
	at_strbuf_add(&place->space, space);
	at_strbuf_add(&place->problem, problem);
	place->device_id = device_id;
	place->here_is_known = place->other_is_new = false;
	place->other = 0;
	return read_last(self, place, &place->here, err);
}

static const char complete[] =
	"UPDATE crowns SET gains = CASE gains WHEN '' THEN ?1 ELSE gains END,"
	/*
	 * met: of the two lists the one of the later finals. If it is the wrong one,
	 * the next run holds finals against the missing candidates again, which only
	 * costs time.
	 */
	" met = CASE WHEN ?3 > stood_seconds THEN ?4 ELSE met END,"
	" stood_seconds = max(stood_seconds, ?3) WHERE id = ?2";

/* Takes over what happened to a crown since it was merged before: that it was
   explained, or won finals again. */
static enum at_status complete_crown(const struct at_merge_walk *walk,
	struct at_merger *self, int64_t id, struct at_error *err)
{
	int gains = (int)at_table_column(walk->table, "gains") + 1;
	int stood = (int)at_table_column(walk->table, "stood_seconds") + 1;
	int met = (int)at_table_column(walk->table, "met") + 1;
	struct at_statement *statement = at_sqlite_cached(self->to, complete);

	at_statement_bind_column(statement, 1, walk->select, gains);
	at_statement_bind_integer(statement, 2, id);
	at_statement_bind_column(statement, 3, walk->select, stood);
	at_statement_bind_column(statement, 4, walk->select, met);
	return at_statement_run(statement, err);
}

/* Merges the current row, which may be the first one of another place. */
static enum at_status put_crown(struct at_merge_walk *walk, struct at_merger *self,
	struct place *place, struct at_error *err)
{
	const struct at_table *table = walk->table;
	const char *space = at_statement_text(
		walk->select, (int)at_table_column(table, "space") + 1);
	const char *problem = at_statement_text(
		walk->select, (int)at_table_column(table, "problem") + 1);
	int64_t device_id = at_merge_link_find(
		&self->devices, at_statement_integer(walk->select,
					(int)at_table_column(table, "device_id") + 1));
	enum at_status status = AT_OK;
	bool is_new;
	int64_t id;

	/* members of portfolios are not in the contest for a problem's crown */
	if (!at_statement_is_null(
		    walk->select, (int)at_table_column(table, "portfolio_id") + 1))
		return at_merge_walk_put(
			walk, self, &self->merged->crowns, &id, &is_new, err);
	if (device_id != place->device_id ||
		strcmp(space, at_strbuf_text(&place->space)) != 0 ||
		strcmp(problem, at_strbuf_text(&place->problem)) != 0) {
		status = end_place(self, place, err);
		if (!status)
			status = begin_place(
				self, place, device_id, space, problem, err);
	}
	if (!status)
		status = at_merge_walk_put(
			walk, self, &self->merged->crowns, &id, &is_new, err);
	if (status)
		return status;
	place->other = id;
	place->other_is_new = is_new;
	place->here_is_known = place->here_is_known || id == place->here;
	return is_new ? AT_OK : complete_crown(walk, self, id, err);
}

enum at_status at_merge_put_crowns(struct at_merger *self, struct at_error *err)
{
	struct place place = { 0 };
	struct at_merge_walk walk;
	bool row = true;
	enum at_status status = at_merge_walk_begin(
		&walk, self, &at_table_crowns, "device_id, space, problem, id", err);

	while (!status) {
		status = at_merge_walk_next(&walk, self, &row, err);
		if (status || !row)
			break;
		status = put_crown(&walk, self, &place, err);
	}
	if (!status)
		status = end_place(self, &place, err);
	at_merge_walk_end(&walk);
	at_strbuf_release(&place.space);
	at_strbuf_release(&place.problem);
	return status;
}
