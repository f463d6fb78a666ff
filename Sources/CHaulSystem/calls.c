#define _GNU_SOURCE
#include "CHaulSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#ifdef __linux__
#include <linux/magic.h>
#include <sys/vfs.h>
#endif
#include <sys/socket.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

int haul_openat(int directory, const char *name, int flags, mode_t mode) {
    return openat(directory, name, flags, mode);
}

int haul_open_unnamed(int directory) {
#ifdef O_TMPFILE
    // O_EXCL: it can never be given a name.
    return openat(directory, ".", O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
#else
    (void)directory;
    errno = EOPNOTSUPP;
    return -1;
#endif
}

int haul_open_nameless(int directory, mode_t mode) {
#ifdef O_TMPFILE
    // Btrfs of older kernels does not log a file that had no name when it was synced: after a power
    // cut it would be there, and empty.
    struct statfs volume;
    if (fstatfs(directory, &volume) == 0 && volume.f_type == BTRFS_SUPER_MAGIC) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return openat(directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
#else
    (void)directory, (void)mode;
    errno = EOPNOTSUPP;
    return -1;
#endif
}

int haul_link_open_file(int descriptor, int directory, const char *name) {
#ifdef __linux__
    if (linkat(descriptor, "", directory, name, AT_EMPTY_PATH) == 0) return 0;
    // Older kernels grant that to a few only, and say that there is no such file.
    if (errno != ENOENT) return -1;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, path, directory, name, AT_SYMLINK_FOLLOW);
#else
    (void)descriptor, (void)directory, (void)name;
    errno = EOPNOTSUPP;
    return -1;
#endif
}

int haul_fallocate(int descriptor, int64_t offset, int64_t length) {
#ifdef __linux__
    return fallocate(descriptor, 0, offset, length);
#else
    (void)descriptor, (void)offset, (void)length;
    errno = EOPNOTSUPP;
    return -1;
#endif
}

int haul_rename_noreplace(int directory, const char *from, const char *to) {
#ifdef __linux__
    return renameat2(directory, from, directory, to, RENAME_NOREPLACE);
#else
    return renameatx_np(directory, from, directory, to, RENAME_EXCL);
#endif
}

static struct flock one_byte(int64_t offset) {
    struct flock lock = {0};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = offset;
    lock.l_len = 1;
    return lock;
}

int haul_lock_byte(int descriptor, int64_t offset) {
#ifdef F_OFD_SETLK
    struct flock lock = one_byte(offset);
    return fcntl(descriptor, F_OFD_SETLK, &lock);
#else
    (void)descriptor, (void)offset;
    errno = ENOTSUP;
    return -1;
#endif
}

void haul_unlock_bytes(int descriptor) {
#ifdef F_OFD_SETLK
    struct flock lock = {0};
    lock.l_type = F_UNLCK;
    lock.l_whence = SEEK_SET;
    fcntl(descriptor, F_OFD_SETLK, &lock);
#else
    (void)descriptor;
#endif
}

static int is_locked(int descriptor, struct flock lock) {
#ifdef F_OFD_GETLK
    if (fcntl(descriptor, F_OFD_GETLK, &lock) != 0) return -1;
    return lock.l_type != F_UNLCK;
#else
    (void)descriptor, (void)lock;
    errno = ENOTSUP;
    return -1;
#endif
}

int haul_byte_is_locked(int descriptor, int64_t offset) {
    return is_locked(descriptor, one_byte(offset));
}

int haul_any_byte_is_locked(int descriptor, int64_t offset) {
    struct flock lock = one_byte(offset);
    lock.l_len = 0;
    return is_locked(descriptor, lock);
}

ssize_t haul_send_now(int socket, const void *bytes, size_t count) {
#ifdef MSG_NOSIGNAL
    return send(socket, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
#else
    return send(socket, bytes, count, MSG_DONTWAIT);
#endif
}

int haul_terminal_size(int descriptor, int *columns, int *rows) {
    struct winsize size = {0};
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return -1;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return 0;
}

void haul_give_back_free_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void haul_keep_free_memory(int kept, int block) {
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, kept);
    mallopt(M_MMAP_THRESHOLD, block);
#else
    (void)kept, (void)block;
#endif
}
