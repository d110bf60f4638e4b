/*
 * A program that launches kernels of tests/fake_cuda.c, to be captured. Its words:
 * "graph" launches into a stream that is being captured, "kill" lets a kernel kill the
 * process, "wait FILE" makes the file after the launches and waits for ever, "threads"
 * launches a kernel that ends only after another thread has launched one, "odd"
 * launches a kernel with a name that C++ cannot have, "broken" leaves a recording
 * without contents, "sizes" launches a kernel with other sizes, too.
 */
#include "fake_cuda.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define N 1000

struct view {
	float *data;
	int stride;
	int count;
};

/* Kernels have the names that they would have in a cubin. */
void _Z5saxpyifPKfPf(void **parameters);
void _ZN5tools5scaleE4viewfPS_(void **parameters);
void end(void **parameters);
void await(void **parameters);
void arrive(void **parameters);

float weights[4] = { 1, 2, 3, 4 };

void _Z5saxpyifPKfPf(void **parameters)
{
	int n = *(int *)parameters[0];
	float a = *(float *)parameters[1];
	const float *x = *(float **)parameters[2];
	float *y = *(float **)parameters[3];

	for (int i = 0; i < n; i++)
		y[i] += a * x[i];
}

/* v[0].data[i] *= f, and the same memory again by the pointer behind the structure */
void _ZN5tools5scaleE4viewfPS_(void **parameters)
{
	const struct view *view = parameters[0];
	float factor = *(float *)parameters[1];

	for (int i = 0; i < view->count; i++)
		view->data[i * view->stride] *= factor * weights[i % 4];
}

void end(void **parameters)
{
	(void)parameters;
	raise(SIGKILL);
}

static atomic_bool is_awaited, has_arrived;

void await(void **parameters)
{
	float *y = *(float **)parameters[0];

	y[0]++;
	is_awaited = true;
	while (!has_arrived)
		sched_yield();
}

void arrive(void **parameters)
{
	float *y = *(float **)parameters[0];

	y[0]++;
	has_arrived = true;
}

static const struct fake_function saxpy = { "_Z5saxpyifPKfPf", _Z5saxpyifPKfPf, 4,
	{ 4, 4, 8, 8 } };
static const struct fake_function scale = { "_ZN5tools5scaleE4viewfPS_",
	_ZN5tools5scaleE4viewfPS_, 3, { sizeof(struct view), 4, 8 } };
static const struct fake_function kill_process = { "end", end, 1, { 8 } };
static const struct fake_function odd = { "odd$name", arrive, 1, { 8 } };
static const struct fake_function waiting = { "await", await, 1, { 8 } };
static const struct fake_function arriving = { "arrive", arrive, 1, { 8 } };

static void launch(
	const struct fake_function *function, void *stream, void **parameters)
{
	cuLaunchKernel(function, 4, 1, 1, 256, 1, 1, 64, stream, parameters, NULL);
}

/* Launches saxpy with other memory. */
static void launch_size(int n)
{
	unsigned long long at[2];
	float *x, *y, a = 2.5f;

	cuMemAlloc_v2(&at[0], (size_t)n * sizeof(*x));
	cuMemAlloc_v2(&at[1], (size_t)n * sizeof(*y));
	memcpy(&x, &at[0], sizeof(x));
	memcpy(&y, &at[1], sizeof(y));
	for (int i = 0; i < n; i++)
		x[i] = y[i] = (float)(n + i);
	cuLaunchKernel(&saxpy, (unsigned)(n + 255) / 256, 1, 1, 256, 1, 1, 64, NULL,
		(void *[]){ &n, &a, &x, &y }, NULL);
}

/* Launches a kernel while the other thread's runs. */
static void *launch_meanwhile(void *memory)
{
	while (!is_awaited)
		sched_yield();
	launch(&arriving, NULL, (void *[]){ &memory });
	return NULL;
}

int main(int count, char **words)
{
	const char *word = count > 1 ? words[1] : "";
	unsigned long long x_at, y_at;
	int n = N;
	float a = 2.5f;
	float *x, *y;

	cuInit(0);
	fake_variable("weights", weights, sizeof(weights));
	cuMemAlloc_v2(&x_at, N * sizeof(*x));
	cuMemAlloc_v2(&y_at, 2 * N * sizeof(*y));
	memcpy(&x, &x_at, sizeof(x));
	memcpy(&y, &y_at, sizeof(y));
	for (int i = 0; i < N; i++) {
		x[i] = (float)i;
		y[i] = y[N + i] = (float)(i % 7);
	}
	for (int i = 0; i < 2; i++)
		launch(&saxpy, NULL, (void *[]){ &n, &a, &x, &y });
	struct view view = { y + N, 1, N };
	float *last = y + 2 * N - 1;
	launch(&scale, NULL, (void *[]){ &view, &a, &last });
	if (!strcmp(word, "graph"))
		launch(&saxpy, stdout, (void *[]){ &n, &a, &x, &y });
	if (!strcmp(word, "kill"))
		launch(&kill_process, NULL, (void *[]){ &x });
	if (!strcmp(word, "odd"))
		launch(&odd, NULL, (void *[]){ &y });
	for (int k = 600; k <= 700 && !strcmp(word, "sizes"); k += 100)
		launch_size(k);
	if (!strcmp(word, "broken")) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/launch-1-0",
			getenv("AUTOTUNE_CAPTURE_FOLDER"));
		mkdir(path, 0700);
	}
	if (!strcmp(word, "threads")) {
		pthread_t other;

		pthread_create(&other, NULL, launch_meanwhile, x);
		launch(&waiting, NULL, (void *[]){ &y });
		pthread_join(other, NULL);
	}
	if (!strcmp(word, "wait")) {
		fclose(fopen(words[2], "w"));
		for (;;)
			pause();
	}
	printf("%g\n", (double)y[N + 1]);
	return 0;
}
