/*
 * Claims of keys: locks of bytes in a file next to the record (record/claims.h).
 *
 * A lock takes two microseconds, a row in the record would take two commits, and the
 * kernel drops the lock with its process. The file stays empty: locked bytes need not
 * exist. Its last user removes it.
 */
/* Linux has F_OFD_SETLK. Such a lock belongs to its descriptor, not to its process: the
   locks of two stores in one process are independent, and closing one leaves the
   other's. */
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
/* Tries to wait for a file that its last user is removing: .1 s in total. The user
   holds the contended lock for two calls. */
#define TRIES 100
#define PAUSE_NS 1000000

/*
 * Layout of the locked bytes. A key has a range, in which mark_of() bytes are locked, a
 * number that identifies the process: a conflicting lock is reported with its length,
 * but without its process. Two keys with the same range are rare and harmless: one
 * waits for the other.
 */
#define KEY_BITS 30
#define MARK_BITS 32
#define PROCESS_BITS 22 /* the kernel's largest */
/* all users of the file share a lock of this byte, after all keys */
#define USED ((off_t)1 << (KEY_BITS + MARK_BITS))

_Static_assert(sizeof(off_t) == 8, "offsets must have room for keys");

struct at_claims {
	int file; /* -1: none now */
	bool is_refused; /* there will be none */
	int tries; /* for the file, when it is next needed */
	off_t mark; /* bytes to lock for a claim */
	char path[];
};

static void (*tell_refused)(const struct at_error *reason);

void at_claims_on_refused(void (*tell)(const struct at_error *reason))
{
	tell_refused = tell;
}

static int64_t process_of(const struct at_claims *self, off_t mark)
{
	const off_t processes = ((off_t)1 << PROCESS_BITS) - 1;

	if (!(mark & ~processes) || (mark ^ self->mark) & ~processes)
		return 0;
	return (int64_t)(mark & processes);
}

/* F_OFD_SETLK, or F_OFD_GETLK, which returns a conflicting lock. */
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

/* Whether the call may succeed a moment later. */
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

/* Disables claims, unless the reason is temporary. */
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

/* Opens or makes the file. It must not be a link, and opening must not block. */
static void open_file(struct at_claims *self, const char *record)
{
	const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
	struct stat facts;

	self->file = open(self->path, flags);
	if (self->file < 0 && errno == ENOENT && stat(record, &facts) == 0) {
		self->file = open(
			self->path, flags | O_CREAT | O_EXCL, facts.st_mode & 0666);
		/* With the record's permissions every writer of the record may claim.
		   If that is not allowed, others go without claims. */
		if (self->file >= 0) {
			(void)!fchown(self->file,
				geteuid() == 0 ? facts.st_uid : (uid_t)-1,
				facts.st_gid);
			(void)!fchmod(self->file, facts.st_mode & 0666);
		}
	}
	if (self->file < 0)
		note_failure(self, errno,
			errno == ELOOP ? "is a link, which is not followed" : NULL);
	else if (fstat(self->file, &facts) < 0 || !S_ISREG(facts.st_mode))
		note_failure(self, 0, "is no file");
}

/* Whether the file has lost its name: new processes do not see its claims. */
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
	/* an obstacle may last, and claims are many */
	self->tries = 1;
}

static struct at_claims *new_claims(const char *record)
{
	size_t size = strlen(record) + sizeof(SUFFIX);
	struct at_claims *claims = at_malloc(sizeof(*claims) + size);

	*claims = (struct at_claims){ .file = -1, .tries = TRIES };
	/* The id of a process, below some bits that identify its namespace. Zero bits:
	   namespace unknown. */
	const uint64_t places = (1u << (MARK_BITS - PROCESS_BITS)) - 1;
	const struct at_hash space = at_process_namespace();
	uint64_t place = space.low || space.high ? 1 + space.low % places : 0;

	claims->mark = (off_t)(place << PROCESS_BITS | (uint64_t)(int64_t)getpid());
	snprintf(claims->path, size, "%s" SUFFIX, record);
	return claims;
}

/* The store's claims, or NULL if none are possible now. */
static struct at_claims *claims_of(struct at_store *self)
{
	struct at_claims *claims;

	if (!self->is_shared)
		return NULL;
	if (!self->claims)
		self->claims = new_claims(at_sqlite_path(self->database));
	claims = self->claims;
	/* Somebody may remove it by hand. Its claims are then lost, but all runs meet
	   in the next file. */
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

	/* a descriptor does not see its own locks, so open another */
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
	/* A later opener sees the lock, or that the file has lost its name. A file of
	   another name is not ours. */
	if (claims->file >= 0 &&
		lock(claims, F_OFD_SETLK, F_WRLCK, USED, 1, NULL) == 0 &&
		fstat(claims->file, &ours) == 0 && lstat(claims->path, &there) == 0 &&
		ours.st_dev == there.st_dev && ours.st_ino == there.st_ino)
		unlink(claims->path);
	/* A forked child has the file open, too; then closing it here would drop no
	   lock. */
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
