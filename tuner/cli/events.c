/* Events of a session as JSON objects: see events.h. */
#include "cli/events.h"

#include "cli/words.h"
#include "cli/portfolio.h"
#include "record/evaluation_json.h"
#include "record/history.h"
#include "session/nights.h"

#include <math.h>

/* The evaluation that the event calls the best; NULL when none passed. */
static const struct at_evaluation *best_evaluation(const struct at_event *event)
{
	const struct at_evaluation *best = event->kind == AT_EVENT_INCUMBENT
						   ? event->evaluation
						   : event->incumbent;

	return best && best->outcome == AT_OUTCOME_OK ? best : NULL;
}

double at_event_baseline(const struct at_event *event)
{
	return event->baseline
		       ? at_evaluation_score(event->baseline, event->objective).value
		       : (double)NAN;
}

bool at_event_best(const struct at_event *event, struct at_best *out)
{
	const struct at_evaluation *evaluation = best_evaluation(event);
	const struct at_winner *best = event->best;
	double time_ns;

	*out = (struct at_best){
		.objective = event->objective,
		.score = AT_SCORE_UNKNOWN,
		.speedup = AT_SCORE_UNKNOWN,
		.baseline = NAN,
	};
	at_roofline(NAN, NAN, NAN, NULL, false, &out->roofline);
	if (!best && !evaluation)
		return false;
	/* The finals may select another configuration than the incumbent. */
	if (best && event->evaluation)
		evaluation = event->evaluation;
	out->evaluation = evaluation;
	out->configuration = best || event->kind == AT_EVENT_INCUMBENT
				     ? event->configuration
				     : event->incumbent_configuration;
	out->score =
		best ? best->score : at_evaluation_score(evaluation, event->objective);
	/* A speed-up never comes from two unrelated measurements: with a winner it is
	   that of the finals, or not known. */
	if (best) {
		out->speedup = at_winner_speedup(best);
		out->baseline = at_winner_baseline(best).value;
	} else {
		out->baseline = at_event_baseline(event);
		out->speedup.value = at_objective_gain(
			event->objective, out->baseline, out->score.value);
	}
	time_ns = best ? at_winner_time_ns(best, evaluation) : evaluation->time_ns;
	at_roofline(event->flops, event->bytes, time_ns, event->ceilings,
		evaluation && evaluation->is_double, &out->roofline);
	return true;
}

static void set_best(struct at_json *out, const struct at_best *best)
{
	at_json_set_score(out, best->objective, best->score);
	at_json_set_speedup(out, best->speedup);
	at_json_set_rates(out, &best->roofline);
}

static void set_evaluation(struct at_json *out, const struct at_event *event)
{
	at_json_set(out, "configuration",
		at_json_configuration(event->spec, event->configuration));
	at_json_set_instance(out, event->spec, event->configuration);
	if (!event->evaluation)
		return;
	at_json_set_evaluation(out, event->evaluation);
	at_json_set(out, "reused", event->reused);
}

static void set_winner(struct at_json *out, const struct at_event *event)
{
	struct at_best best;

	at_event_best(event, &best);
	at_json_set(out, "configuration",
		at_json_configuration(event->spec, best.configuration));
	at_json_set_instance(out, event->spec, best.configuration);
	set_best(out, &best);
	at_json_set(out, event->objective->baseline_key, best.baseline);
	at_json_set_facts(out, best.evaluation ? &best.evaluation->facts : NULL);
	at_json_set_winner(out, event->best);
	at_reasons_set(out, event->baseline ? event->baseline->counters : NULL,
		event->evaluation ? event->evaluation->counters : NULL);
	at_json_set(out, "header", event->header_path);
}

static void set_progress(struct at_json *out, const struct at_progress *progress)
{
	at_json_set(out, "valid", progress->valid_count);
	at_json_set(out, "evaluated", progress->evaluated);
	at_json_set(out, "reused", progress->reused);
	at_json_set(out, "outcomes", at_json_outcomes(progress->by_outcome));
	at_json_set(out, "audited", progress->audited);
	at_json_set(out, "audited_finalists", progress->audited_finalists);
	at_json_set(out, "seconds", progress->elapsed_seconds);
}

static struct at_json *begin(const char *name, const struct at_event *event)
{
	struct at_json *out = at_json_object();

	at_json_set(out, "event", name);
	at_json_set(out, "space", event->spec ? event->spec->name : NULL);
	at_json_set(out, "problem", event->problem ? event->problem->name : NULL);
	at_json_set(out, "device", event->device ? event->device->id : NULL);
	return out;
}

struct at_json *at_json_interval(struct at_score score)
{
	struct at_json *out;

	if (!isfinite(score.value))
		return at_json_null();
	out = at_json_object();
	at_json_set(out, "value", score.value);
	at_json_set(out, "low", score.low);
	at_json_set(out, "high", score.high);
	return out;
}

static void set_revisit(struct at_json *out, const struct at_event *event)
{
	const struct at_revisit *revisit = event->revisit;
	const struct at_judgement *judgement = event->judgement;

	at_json_set(out, "model", event->device ? event->device->model : NULL);
	at_json_set(out, "verdict",
		at_verdict_name(revisit ? revisit->verdict : AT_VERDICT_NONE));
	at_json_set(out, "detail", revisit ? revisit->detail : event->text);
	if (!revisit)
		return;
	at_json_set(out, "outcome", at_outcome_name(revisit->outcome));
	at_json_set_score(out, revisit->objective, revisit->score);
	at_json_set(out, revisit->objective->baseline_key, revisit->baseline.value);
	at_json_set_speedup(out, revisit->speedup);
	at_json_set(out, "change", at_json_interval(revisit->change));
	if (judgement) {
		at_json_set(
			out, "change_in_cycles", at_json_interval(judgement->cycles));
		at_json_set(out, "change_over_baseline",
			at_json_interval(judgement->relative));
		at_json_set(out, "nights", judgement->night_count);
	}
	at_json_set(out, "looks", revisit->look_count);
	at_json_set(out, "changed", event->changes);
}

bool at_event_to_json(const struct at_event *event, struct at_json **object)
{
	struct at_json *out = NULL;
	struct at_best best;

	switch (event->kind) {
	case AT_EVENT_EVALUATION:
		out = begin("evaluation", event);
		set_evaluation(out, event);
		break;
	case AT_EVENT_INCUMBENT:
		out = begin("incumbent", event);
		set_evaluation(out, event);
		at_event_best(event, &best);
		set_best(out, &best);
		break;
	case AT_EVENT_SUMMARY:
		out = begin("summary", event);
		at_json_set(out, "model", event->device ? event->device->model : NULL);
		set_winner(out, event);
		if (event->progress)
			set_progress(out, event->progress);
		break;
	case AT_EVENT_REVISIT:
		out = begin("revisit", event);
		set_revisit(out, event);
		break;
	case AT_EVENT_PORTFOLIO:
		out = begin("portfolio", event);
		at_portfolio_set_json(event, out);
		break;
	case AT_EVENT_PHASE:
		out = begin("phase", event);
		/* The event has no text when the search continues. */
		at_json_set(out, "phase",
			event->text && *event->text ? event->text : "searching");
		break;
	case AT_EVENT_NONE:
	case AT_EVENT_BEGIN:
	case AT_EVENT_STATE:
	case AT_EVENT_NOTE:
	case AT_EVENT_COUNTERS: /* cli/explain.c writes these */
		return false;
	}
	*object = out;
	return true;
}
