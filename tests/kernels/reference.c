/* A reference on the CPU: void f(void **arguments), one pointer an argument. */
void scale_on_cpu(void **arguments)
{
	const float *x = arguments[0];
	float *y = arguments[1];
	float factor = *(const float *)arguments[2];
	int n = *(const int *)arguments[3];

	for (int i = 0; i < n; i++)
		y[i] = factor * x[i];
}
