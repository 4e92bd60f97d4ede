// The messages of /dev/fuse, as the kernel's headers declare them, and what kernels after Debian 12's headers add.
#ifndef CFUSE_H
#define CFUSE_H

#include <linux/fuse.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// A request may be sent again to a new reader of the same connection (Linux 6.9).
#define CFUSE_HAS_RESEND (1ULL << 39)
#define CFUSE_NOTIFY_RESEND 7
#define CFUSE_UNIQUE_RESEND (1ULL << 63)

/// Where the name of a directory entry starts.
#define CFUSE_NAME_OFFSET 24

/// Receives a message, and a descriptor if one comes with it, close-on-exec; otherwise `*descriptor` is -1. Returns the
/// number of bytes, 0 at the end, or a negative errno.
ssize_t cfuse_receive(int socket, void *bytes, size_t count, int *descriptor);
/// Sends a message, with a descriptor unless that is -1. Returns 0 or a negative errno.
int cfuse_send(int socket, const void *bytes, size_t count, int descriptor);

#endif
