/*
 * Claims of keys, as locks of bytes in a file beside the record: see record/claims.h.
 *
 * A lock takes two microseconds, where a row in the record would be two commits, and
 * the kernel ends it with its process. The file stays empty; only its bytes are locked,
 * which need not exist. Its last user removes it.
 */
/* F_OFD_SETLK belongs to Linux. Such a lock is its descriptor's and not its process's:
   the locks of two stores in one process are apart, and closing one leaves the other's
   alone. */
#define _GNU_SOURCE
#include "record/claims.h"

#include "base/memory.h"
#include "base/owner.h"
#include "record/store_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX "-claims"
/* Between opening the file and marking it as used, its last user may remove it. */
#define TRIES 100

/*
 * Which bytes are locked. A key has a range of its own, of which as many bytes are
 * locked as the number that stands for the process (mark_of()): a lock that is in the
 * way is told with its length, but without its process. Two keys with the same range
 * are as rare as harmless, since one of them only has to wait for the other.
 */
#define KEY_BITS 30
#define MARK_BITS 32
#define PROCESS_BITS 22 /* the kernel gives no larger numbers */
/* all users of the file share a lock of this byte, which is behind all keys */
#define USED ((off_t)1 << (KEY_BITS + MARK_BITS))

struct at_claims {
	int file; /* -1: claims are not possible */
	off_t mark; /* bytes that are locked for a claim */
	char path[];
};

/* The number of a process and, above it, some bits that stand for the place where it
   has this number. */
static off_t mark_of(int64_t process)
{
	const uint64_t places = (1u << (MARK_BITS - PROCESS_BITS)) - 1;
	uint64_t place = at_process_namespace().low & places;

	return (off_t)(place << PROCESS_BITS | (uint64_t)process);
}

static int64_t process_of(const struct at_claims *self, off_t mark)
{
	const off_t processes = ((off_t)1 << PROCESS_BITS) - 1;

	/* a place of zero is one that is not known */
	if (!(mark & ~processes) || (mark ^ self->mark) & ~processes)
		return 0;
	return (int64_t)(mark & processes);
}

/* F_OFD_SETLK or, with F_OFD_GETLK, what is in the way of a lock. */
static int lock(const struct at_claims *self, int how, short type, off_t first,
	off_t count, struct flock *out)
{
	struct flock range = {
		.l_type = type, .l_whence = SEEK_SET, .l_start = first, .l_len = count
	};
	int code = fcntl(self->file, how, &range);

	if (out)
		*out = range;
	return code;
}

/* Opens the file or makes it, with the rights of the record, so that whoever may write
   to the one may claim. It is nobody's link, and waits for nothing. */
static int open_file(const char *path, const char *record)
{
	const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
	struct stat facts;
	int file = open(path, flags);

	if (file < 0 && stat(record, &facts) == 0) {
		file = open(path, flags | O_CREAT | O_EXCL, facts.st_mode & 0666);
		if (file >= 0)
			(void)!fchmod(file, facts.st_mode & 0666);
	}
	if (file >= 0 && (fstat(file, &facts) < 0 || !S_ISREG(facts.st_mode))) {
		close(file);
		file = -1;
	}
	return file;
}

static void use_file(struct at_claims *self, const char *record)
{
	struct stat facts;

	for (int i = 0; i < TRIES; i++) {
		self->file = open_file(self->path, record);
		if (self->file >= 0 &&
			lock(self, F_OFD_SETLK, F_RDLCK, USED, 1, NULL) == 0 &&
			fstat(self->file, &facts) == 0 && facts.st_nlink > 0)
			return;
		if (self->file >= 0)
			close(self->file);
		self->file = -1;
		sched_yield();
	}
}

/* The store's claims, or NULL where there are none. */
static struct at_claims *claims_of(struct at_store *self)
{
	struct at_claims *claims = self->claims;
	const char *record;
	size_t length;

	if (!claims && self->is_shared) {
		record = at_sqlite_path(self->database);
		length = strlen(record);
		claims = malloc(sizeof(*claims) + length + sizeof(SUFFIX));
		if (!claims)
			return NULL;
		memcpy(claims->path, record, length);
		memcpy(claims->path + length, SUFFIX, sizeof(SUFFIX));
		claims->mark = mark_of((int64_t)getpid());
		use_file(claims, record);
		self->claims = claims;
	}
	return claims && claims->file >= 0 ? claims : NULL;
}

void at_store_end_claims(struct at_store *self)
{
	struct at_claims *claims = self->claims;
	struct stat ours, there;

	self->claims = NULL;
	if (!claims)
		return;
	/* Whoever opens it from now on sees that it is locked, or that it has lost its
	   name. A file of another name is somebody else's. */
	if (claims->file >= 0 &&
		lock(claims, F_OFD_SETLK, F_WRLCK, USED, 1, NULL) == 0 &&
		fstat(claims->file, &ours) == 0 && lstat(claims->path, &there) == 0 &&
		ours.st_dev == there.st_dev && ours.st_ino == there.st_ino)
		unlink(claims->path);
	if (claims->file >= 0)
		close(claims->file);
	free(claims);
}

static off_t place_of(struct at_hash key)
{
	return (off_t)(key.low & ((UINT64_C(1) << KEY_BITS) - 1)) << MARK_BITS;
}

enum at_claim at_store_claim(struct at_store *self, struct at_hash key, int64_t *owner)
{
	struct at_claims *claims = claims_of(self);
	const off_t place = place_of(key);
	struct flock other;

	if (owner)
		*owner = 0;
	if (!claims)
		return AT_CLAIM_OURS;
	for (int i = 0; i < TRIES; i++) {
		if (lock(claims, F_OFD_SETLK, F_WRLCK, place, claims->mark, NULL) ==
				0 ||
			(errno != EAGAIN && errno != EACCES))
			return AT_CLAIM_OURS;
		if (lock(claims, F_OFD_GETLK, F_WRLCK, place, claims->mark, &other) ==
				0 &&
			other.l_type != F_UNLCK) {
			if (owner)
				*owner = process_of(claims, other.l_len);
			break;
		}
		/* it was dropped between the two calls */
	}
	return AT_CLAIM_THEIRS;
}

void at_store_drop_claim(struct at_store *self, struct at_hash key)
{
	struct at_claims *claims = self->claims;

	if (claims && claims->file >= 0)
		lock(claims, F_OFD_SETLK, F_UNLCK, place_of(key), claims->mark, NULL);
}
