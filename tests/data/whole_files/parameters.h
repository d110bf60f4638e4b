#define BLOCK_SIZE 16 /* the tests give 64 */
#ifndef BLOCK
#define BLOCK 512
#endif
