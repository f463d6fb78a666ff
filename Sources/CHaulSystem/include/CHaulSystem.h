#ifndef CHAULSYSTEM_H
#define CHAULSYSTEM_H

// Calls that need _GNU_SOURCE or are variadic, and so are not imported into Swift.
// Each returns what the call returns and leaves errno as the call left it.

#include <stdint.h>
#include <sys/types.h>

int haul_openat(int directory, const char *name, int flags, mode_t mode);
// A file without a name in this folder, for its owner alone.
int haul_open_unnamed(int directory);
// A file in this folder that has no name yet.
int haul_open_nameless(int directory, mode_t mode);
// Gives an open file without a name one; -1 and EEXIST when it is taken.
int haul_link_open_file(int descriptor, int directory, const char *name);
int haul_fallocate(int descriptor, int64_t offset, int64_t length);
int haul_rename_noreplace(int directory, const char *from, const char *to);

// Open-file-description lock of one byte: 0 taken, -1 and EAGAIN when another holds it.
int haul_lock_byte(int descriptor, int64_t offset);
// Releases all byte locks of this open file description.
void haul_unlock_bytes(int descriptor);
// 1 when another open file description holds that byte, 0 when free, -1 on failure.
int haul_byte_is_locked(int descriptor, int64_t offset);
// The same of any byte from that offset on.
int haul_any_byte_is_locked(int descriptor, int64_t offset);

// Sends what fits now; -1 and EAGAIN when nothing does. Never raises SIGPIPE.
ssize_t haul_send_now(int socket, const void *bytes, size_t count);

// The size of a terminal; both numbers are 0 where it does not know it.
int haul_terminal_size(int descriptor, int *columns, int *rows);

// From now on up to `kept` bytes that are free at the end of a heap stay with the process, and only
// blocks of `block` bytes or more have memory of their own, which the system gets back at once.
// Does nothing where the allocator has no such settings.
void haul_keep_free_memory(int kept, int block);

/* Gives memory that is free back to the system. */
void haul_give_back_free_memory(void);

#endif
