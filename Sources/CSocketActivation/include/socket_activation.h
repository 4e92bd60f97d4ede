#ifndef DOCENT_SOCKET_ACTIVATION_H
#define DOCENT_SOCKET_ACTIVATION_H

#include <sys/types.h>

/// Starts a program that finds a listening socket as its descriptor 3, by the convention of systemd: `LISTEN_FDS` and
/// `LISTEN_PID` are added to its environment. It has no other descriptor but the null device for input and output, may
/// use `memory` bytes of data, and is killed when the calling thread ends.
///
/// Returns 0 and the process, or the error number, also when the program cannot be executed.
int csocket_activation_start(const char *program, char *const arguments[], char *const environment[], int listener,
                             unsigned long memory, pid_t *process);

/// A socket that listens on 127.0.0.1, on a port that the kernel chooses; a negative error number when there can be
/// none.
int csocket_activation_listen(void);

/// The port of a socket of 127.0.0.1; a negative error number when it is none.
int csocket_activation_port(int listener);

#endif
