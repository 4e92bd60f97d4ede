// The messages of /dev/fuse, as the kernel's headers declare them, and what kernels after Debian 12's headers add.
#ifndef CFUSE_H
#define CFUSE_H

#include <linux/fuse.h>
#include <stddef.h>
#include <stdint.h>

// A request may be sent again to a new reader of the same connection (Linux 6.9).
#define CFUSE_HAS_RESEND (1ULL << 39)
#define CFUSE_NOTIFY_RESEND 7
#define CFUSE_UNIQUE_RESEND (1ULL << 63)

/// Where the name of a directory entry starts.
#define CFUSE_NAME_OFFSET 24

/// Receives the descriptor that fusermount3 sends on its socket. Returns it, close-on-exec, or a negative errno; -EPIPE
/// if fusermount3 ended without one.
int cfuse_receive_descriptor(int socket);

#endif
