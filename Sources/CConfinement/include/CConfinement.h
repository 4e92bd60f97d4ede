// What a program is freed from, and held back from, before it is confined, in C since the calls are the kernel's own.
//
// Descriptors and memory end with an exec. What this closes is the rest: what a process hands to its children by its
// credentials, by its limits and by its scheduling, and the calls of the kernel that reach around namespaces.
#ifndef CCONFINEMENT_H
#define CCONFINEMENT_H

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Gives the calling thread, and all that it starts from now on, a session keyring that is new and empty.
///
/// 0, also where the kernel has no keys or an outer filter gives none to anybody; else a negative errno: -EDQUOT when
/// this user has as many keys as are allowed.
int confinement_leave_session_keyring(void);

/// Takes from the calling thread, and from all that it starts from now on, what an ordinary program has not got:
/// another personality, real-time scheduling, more than ordinary priority for the processor and for disks. Gives
/// nothing.
void confinement_reset_thread(void);

/// Takes from a process of this user, and from all that it starts from now on, the limits that would let it take all
/// that back, and the protection from being ended when memory runs short.
///
/// @param process 0 for the calling one.
void confinement_limit_process(pid_t process);

/// Writes the filter of system calls for a client's sandbox, as bubblewrap reads it, for this machine's architecture
/// and the 32-bit one that goes with it.
///
/// @param network whether the sockets of a network are for the client; local ones always are. @return 0 or a negative
/// errno.
int confinement_write_client_filter(int descriptor, int network);

#ifdef __cplusplus
}
#endif

#endif
