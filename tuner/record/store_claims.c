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
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SUFFIX "-claims"
/* How often a file that its last user is removing is waited for: .1 s in all. The lock
   that this takes is his for two calls. */
#define TRIES 100
#define PAUSE_NS 1000000

/*
 * Which bytes are locked. A key has a range of its own, in which as many bytes are
 * locked as the number that stands for the process (mark_of()): a lock that is in the
 * way is reported with its length, but without its process. Two keys with the same
 * range are as rare as harmless, since one of them only has to wait for the other.
 */
#define KEY_BITS 30
#define MARK_BITS 32
#define PROCESS_BITS 22 /* the kernel gives no larger numbers */
/* all users of the file share a lock of this byte, which is behind all keys */
#define USED ((off_t)1 << (KEY_BITS + MARK_BITS))

_Static_assert(sizeof(off_t) == 8, "offsets must have room for keys");

struct at_claims {
	int file; /* -1: none exists now */
	bool is_refused; /* and there will be none */
	int tries; /* to get the file, when it is needed next */
	off_t mark; /* bytes that are locked for a claim */
	char path[];
};

static void (*tell_refused)(const struct at_error *reason);

void at_claims_on_refused(void (*tell)(const struct at_error *reason))
{
	tell_refused = tell;
}

/* The number of a process and, above it, some bits that stand for the place where it
   has this number. Zero stands for a place that is not known. */
static off_t mark_of(int64_t process)
{
	const uint64_t places = (1u << (MARK_BITS - PROCESS_BITS)) - 1;
	const struct at_hash space = at_process_namespace();
	uint64_t place = space.low || space.high ? 1 + space.low % places : 0;

	return (off_t)(place << PROCESS_BITS | (uint64_t)process);
}

static int64_t process_of(const struct at_claims *self, off_t mark)
{
	const off_t processes = ((off_t)1 << PROCESS_BITS) - 1;

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

static void close_file(struct at_claims *self)
{
	if (self->file >= 0)
		close(self->file);
	self->file = -1;
}

/* Whether the same call may go well a moment later. */
static bool is_of_the_moment(int code)
{
	switch (code) {
	case EINTR:
	case EMFILE:
	case ENFILE:
	case ENOMEM:
	case ENOSPC:
	case EDQUOT:
	/* others make and remove the file */
	case ENOENT:
	case EEXIST:
	case ESTALE:
		return true;
	default:
		return false;
	}
}

/* Goes without claims from now on, unless the reason is one of the moment. */
static void note_failure(struct at_claims *self, int code, const char *reason)
{
	struct at_error line = { 0 };

	if (is_of_the_moment(code))
		return;
	close_file(self);
	self->is_refused = true;
	at_fail(&line, AT_EIO, self->path, 0,
		"%s: runs that use this record at the same time may measure the same",
		reason ? reason : strerror(code));
	if (tell_refused)
		tell_refused(&line);
}

/* Gives a file that we made the rights of the record, so that whoever may write to the
   one may claim. Where that is not allowed, others go without claims. */
static void share_file(int file, const struct stat *record)
{
	uid_t owner = geteuid() == 0 ? record->st_uid : (uid_t)-1;

	(void)!fchown(file, owner, record->st_gid);
	(void)!fchmod(file, record->st_mode & 0666);
}

/* Opens the file or makes it. It is not a link, and waits for nothing. */
static void open_file(struct at_claims *self, const char *record)
{
	const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
	struct stat facts;

	self->file = open(self->path, flags);
	if (self->file < 0 && errno == ENOENT && stat(record, &facts) == 0) {
		self->file = open(
			self->path, flags | O_CREAT | O_EXCL, facts.st_mode & 0666);
		if (self->file >= 0)
			share_file(self->file, &facts);
	}
	if (self->file < 0)
		note_failure(self, errno,
			errno == ELOOP ? "is a link, which is not followed" : NULL);
	else if (fstat(self->file, &facts) < 0 || !S_ISREG(facts.st_mode))
		note_failure(self, 0, "is no file");
}

/* Whether the file has lost its name: new processes do not see claims in it. */
static bool is_removed(const struct at_claims *self)
{
	struct stat facts;

	return fstat(self->file, &facts) < 0 || !facts.st_nlink;
}

/* Marks the file as used. False: its last user is removing it, or locks are refused. */
static bool mark_used(struct at_claims *self)
{
	if (lock(self, F_OFD_SETLK, F_RDLCK, USED, 1, NULL) == 0)
		return !is_removed(self);
	if (errno != EAGAIN && errno != EACCES)
		note_failure(self, errno, NULL);
	return false;
}

static void use_file(struct at_claims *self, const char *record)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };

	for (int i = 0; i < self->tries && !self->is_refused; i++) {
		if (i)
			nanosleep(&pause, NULL);
		open_file(self, record);
		if (self->file >= 0 && mark_used(self)) {
			self->tries = TRIES;
			return;
		}
		if (self->file < 0 && errno != ENOENT && errno != EEXIST)
			break;
		close_file(self);
	}
	/* whatever is in the way may stay for long, and claims are many */
	self->tries = 1;
}

static struct at_claims *new_claims(const char *record)
{
	size_t size = strlen(record) + sizeof(SUFFIX);
	struct at_claims *claims = at_malloc(sizeof(*claims) + size);

	*claims = (struct at_claims){ .file = -1, .tries = TRIES };
	claims->mark = mark_of((int64_t)getpid());
	snprintf(claims->path, size, "%s" SUFFIX, record);
	return claims;
}

/* The store's claims, or NULL where there can be none now. */
static struct at_claims *claims_of(struct at_store *self)
{
	struct at_claims *claims = self->claims;

	if (!self->is_shared)
		return NULL;
	if (!claims) {
		claims = self->claims = new_claims(at_sqlite_path(self->database));
		if (!claims)
			return NULL;
	}
	/* Somebody may remove it by hand. What is claimed in it is lost then, but all
	   runs meet again in the next one. */
	if (claims->file >= 0 && is_removed(claims))
		close_file(claims);
	if (claims->file < 0 && !claims->is_refused)
		use_file(claims, at_sqlite_path(self->database));
	return claims->file >= 0 ? claims : NULL;
}

void at_store_begin_claims(struct at_store *self)
{
	claims_of(self);
}

bool at_store_is_in_use(const struct at_store *self)
{
	struct at_claims *other = new_claims(at_sqlite_path(self->database));
	struct flock used = { .l_type = F_UNLCK };

	/* of its own descriptor the kernel tells nothing, so there is another one */
	other->file = open(other->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (other->file >= 0)
		lock(other, F_OFD_GETLK, F_WRLCK, USED, 1, &used);
	else if (errno != ENOENT)
		used.l_type = F_WRLCK;
	close_file(other);
	free(other);
	return used.l_type != F_UNLCK;
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
	/* A child that was forked meanwhile has the file open, too, and closing it here
	   would end no lock then. */
	if (claims->file >= 0)
		lock(claims, F_OFD_SETLK, F_UNLCK, 0, 0, NULL);
	close_file(claims);
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
		if (lock(claims, F_OFD_SETLK, F_WRLCK, place, claims->mark, NULL) == 0)
			return AT_CLAIM_OURS;
		if (errno != EAGAIN && errno != EACCES) {
			note_failure(claims, errno, NULL);
			return AT_CLAIM_OURS;
		}
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
