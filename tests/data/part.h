/* Included by a test with quotes. */
#define PART 2.0f
