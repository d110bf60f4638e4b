/* Reads pictures that a browser wrote: PNG with 8 bits a channel, red, green and blue,
   with or without alpha, not interlaced. */
#ifndef AT_TESTS_PNG_H
#define AT_TESTS_PNG_H

#include <stdbool.h>
#include <stddef.h>

struct png {
	size_t width;
	size_t height;
	unsigned char *pixels; /* 3 bytes each (red, green, blue), row by row; heap */
};

/* False: the file is no such picture. Release *out in either case. */
bool png_read(const char *path, struct png *out);
void png_release(struct png *self);
/* Borrowed: three bytes. The place must be in the picture. */
const unsigned char *png_at(const struct png *self, size_t x, size_t y);

#endif
