// A stencil that reads files, with globals and structures.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <iostream>
#include <fstream>
#ifdef GROUP_SIZE
	#define BLOCK_SIZE GROUP_SIZE
#endif
#define LINE_SIZE 256

struct Cell { float temp; float power; };
typedef struct plate {
	int rows;
	int cols;
	FILE *source;
} plate;

float thickness = 0.0005;
float *h_temp, *h_power;
Cell *cells = NULL;
int rows, cols;
std::string input_name;

void run(int argc, char** argv);

void fatal(char *s) {
	fprintf(stderr, "error: %s\n", s);
}

double seconds() {
	struct timeval t;
	gettimeofday(&t, NULL);
	return t.tv_sec + t.tv_usec * 1e-6;
}

void load_cells(Cell *vect, int height, int width, char *file) {
	FILE *fp;
	char str[LINE_SIZE];
	if ((fp = fopen(file, "r")) == 0)
		fatal("cannot open it");
	for (int i = 0; i < height * width; i++) {
		fgets(str, LINE_SIZE, fp);
		if ((sscanf(str, "%f", &vect[i].temp) != 1))
			fatal("no number");
	}
	fclose(fp);
}

__global__ void step(int rows, int cols, const Cell *from, Cell *to, float k)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= cols || y >= rows) return;
	int w = x > 0 ? x - 1 : x, e = x + 1 < cols ? x + 1 : x;
	Cell c = from[y * cols + x];
	to[y * cols + x].temp = c.temp + k * (from[y * cols + w].temp + from[y * cols + e].temp - 2 * c.temp + c.power);
	to[y * cols + x].power = c.power;
}

__global__ void step_plain(int rows, int cols, const Cell *from, Cell *to, float k)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * cols; i += gridDim.x * blockDim.x) {
		int x = i % cols, y = i / cols;
		int w = x > 0 ? x - 1 : x, e = x + 1 < cols ? x + 1 : x;
		Cell c = from[i];
		to[i].temp = c.temp + k * (from[y * cols + w].temp + from[y * cols + e].temp - 2 * c.temp + c.power);
		to[i].power = c.power;
	}
}

int compute(Cell *d[2], int steps)
{
	dim3 dimBlock(BLOCK_SIZE, 4);
	dim3 dimGrid((cols + BLOCK_SIZE - 1) / BLOCK_SIZE, (rows + 3) / 4);
	int src = 1, dst = 0;
	for (int t = 0; t < steps; t++) {
		int temp = src; src = dst; dst = temp;
		step<<<dimGrid, dimBlock>>>(rows, cols, d[src], d[dst], 0.1f);
	}
	return dst;
}

void usage(int argc, char **argv)
{
	std::cerr << "Usage: " << argv[0] << std::endl;
	exit(1);
}

int main(int argc, char** argv)
{
	try { run(argc, argv); } catch (std::exception &e) { std::cerr << e.what(); }
	return EXIT_SUCCESS;
}

void run(int argc, char** argv)
{
	char *tfile;
	if (argc != 7) usage(argc, argv);
	if ((rows = atoi(argv[1])) <= 0) usage(argc, argv);
	cells = (Cell *) malloc(rows * cols * sizeof(Cell));
	load_cells(cells, rows, cols, tfile);
	Cell *d[2];
	cudaMalloc((void**)&d[0], sizeof(Cell) * rows * cols);
	cudaMemcpy(d[0], cells, sizeof(Cell) * rows * cols, cudaMemcpyHostToDevice);
	double begin = seconds();
	compute(d, 3);
	cudaThreadSynchronize();
	std::ofstream out(input_name.c_str());
	out << begin;
	free(cells);
}
