/*
 * How far sums of products are off that are stored in narrow types, by how they are
 * added up: what the tolerances of tuner/measure/tolerance.c follow from. The largest
 * errors against the sum in double, rounded to the type, in parts of |value| + the mean
 * magnitude.
 * By hand: bench_narrow
 */
#define _XOPEN_SOURCE 700
#include "space/element.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum way { IN_FLOAT, ONE_BY_ONE, IN_256_PARTS, WITHOUT_THE_LAST, WAYS };

static const char *const ways[WAYS] = { "in float", "one after the other",
	"256 partial sums, a tree", "the last term forgotten" };

static double number(enum at_element element, int is_signed)
{
	return at_element_round(element, is_signed ? 2 * drand48() - 1 : drand48());
}

/* One sum of n products, in all ways; returns that in double. */
static double sum(enum at_element element, int n, int is_signed, double *out)
{
	double exact = 0, last = 0, one = 0, parts[256] = { 0 };
	float single = 0;

	for (int i = 0; i < n; i++) {
		last = number(element, is_signed) * number(element, is_signed);
		exact += last;
		single += (float)last;
		one = at_element_round(element, one + last);
		parts[i % 256] = at_element_round(element, parts[i % 256] + last);
	}
	for (int step = 128; step; step /= 2)
		for (int i = 0; i < step; i++)
			parts[i] =
				at_element_round(element, parts[i] + parts[i + step]);
	out[IN_FLOAT] = at_element_round(element, (double)single);
	out[ONE_BY_ONE] = one;
	out[IN_256_PARTS] = parts[0];
	out[WITHOUT_THE_LAST] = at_element_round(element, exact - last);
	return at_element_round(element, exact);
}

static void measure(enum at_element element, int n, int is_signed)
{
	enum { MOST = 2000 };
	static double exact[MOST], found[MOST][WAYS];
	int count = n > 1000 ? 40 : n > 100 ? 200 : MOST;
	double scale = 0;

	for (int i = 0; i < count; i++) {
		exact[i] = sum(element, n, is_signed, found[i]);
		scale += fabs(exact[i]) / count;
	}
	for (int way = 0; way < WAYS; way++) {
		double worst = 0;

		for (int i = 0; i < count; i++)
			worst = fmax(worst, fabs(found[i][way] - exact[i]) /
						    (fabs(exact[i]) + scale));
		printf("%-14s %-14s n = %5d  %-25s %.1e\n", at_element_name(element),
			is_signed ? "uniform(-1, 1)" : "uniform(0, 1)", n, ways[way],
			worst);
	}
}

int main(void)
{
	for (int element = 1; element < AT_ELEMENT_COUNT; element++)
		for (int is_signed = 0; is_signed < 2; is_signed++)
			for (int n = 100; n <= 10000; n *= 10)
				if (at_element_is_narrow((enum at_element)element))
					measure((enum at_element)element, n, is_signed);
	return 0;
}
