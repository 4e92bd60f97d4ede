// Prepares a program for its confinement, in C because it works with system calls.
//
// Descriptors and memory end with an exec. These functions close the rest: what a process passes on to its children
// through its credentials, its limits and its scheduling, and the system calls that reach around namespaces.
#ifndef CCONFINEMENT_H
#define CCONFINEMENT_H

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Gives the calling thread, and everything that it starts from now on, a new and empty session keyring.
///
/// Returns 0, also if the kernel has no keys or an outer filter refuses them to everyone; else a negative errno:
/// -EDQUOT when this user has reached the limit of keys.
int confinement_leave_session_keyring(void);

/// Removes from the calling thread, and from everything that it starts from now on, what an ordinary program does not
/// have: another personality, real-time scheduling, and raised priorities for the processor and for disks. Grants
/// nothing.
void confinement_reset_thread(void);

/// Removes from a process of this user, and from everything that it starts from now on, the limits that would let it
/// get all that back, and the protection from being killed when memory runs short.
///
/// @param process 0 for the calling one.
void confinement_limit_process(pid_t process);

/// Writes the system call filter for a client's sandbox in the format that bubblewrap reads, for this machine's
/// architecture and its 32-bit variant.
///
/// @param network whether the client may use network sockets; local ones are always allowed. @return 0 or a negative
/// errno.
int confinement_write_client_filter(int descriptor, int network);

#ifdef __cplusplus
}
#endif

#endif
