/* Structures with padding between fields and at the end: what lies there belongs to no field. */
struct Particle {
	unsigned char kind;
	/* three bytes of nothing */
	float3 position;
	double mass;
	short cells[3];
	/* two more */
};

/* by value, and more than the 16 bytes that a number has */
struct Motion {
	double2 gain;
	float step;
	int n;
};

static __device__ Particle moved(const Particle &old, const Motion &motion, int *clock)
{
	Particle out = old;
	float step = motion.step;

	out.kind = (unsigned char)(old.kind + 1);
	out.position.x += step * (float)old.mass;
	out.position.y -= step * (float)old.mass;
	out.position.z *= 0.5f;
	out.mass = old.mass * 0.999 + motion.gain.x + motion.gain.y + *clock;
	for (int i = 0; i < 3; i++)
		out.cells[i] = (short)(old.cells[2 - i] + i);
	return out;
}

extern "C" __global__ void mutant_particles(
	const Particle *from, Particle *to, Particle *self, int *clock, Motion motion)
{
	int i = blockIdx.x * 128 + threadIdx.x;
	Particle next;

	if (i >= motion.n)
		return;
	next = moved(from[i], motion, clock);
	if (MISTAKE == MISTAKE_mass_in_float)
		next.mass = (float)next.mass;
	if (MISTAKE == MISTAKE_position)
		next.position.y += 0.001f;
	if (MISTAKE == MISTAKE_cell && i % 1000 == 999)
		next.cells[2]++;
	if (METHOD == METHOD_by_field || MISTAKE == MISTAKE_kind_unwritten) {
		to[i].position = next.position;
		to[i].mass = next.mass;
		for (int k = 0; k < 3; k++)
			to[i].cells[k] = next.cells[k];
		if (MISTAKE != MISTAKE_kind_unwritten)
			to[i].kind = next.kind;
	} else {
		to[i] = next;
	}
	if (METHOD == METHOD_zeros_between) {
		unsigned char *bytes = (unsigned char *)&to[i];

		for (int k = 1; k < 4; k++)
			bytes[k] = 0;
		bytes[30] = bytes[31] = 0;
	}
	self[i].mass += MISTAKE == MISTAKE_own_mass ? 1.0001 : 1.0;
}

extern "C" __global__ void mutant_particles_reference(
	const Particle *from, Particle *to, Particle *self, int *clock, Motion motion)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < motion.n; i += gridDim.x * blockDim.x) {
		to[i] = moved(from[i], motion, clock);
		self[i].mass += 1.0;
	}
}
