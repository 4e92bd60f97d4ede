#ifndef DOCENT_SOCKET_ACTIVATION_H
#define DOCENT_SOCKET_ACTIVATION_H

#include <sys/types.h>

/// Starts a program with a listening socket as descriptor 3, by the convention of systemd: `LISTEN_FDS` and
/// `LISTEN_PID` are added to its environment. Its standard streams are the null device, and no other descriptors are
/// open. It may use `memory` bytes of data, and is killed when the calling thread ends.
///
/// Returns 0 and the process, or the error number, also when the program cannot be executed.
int csocket_activation_start(const char *program, char *const arguments[], char *const environment[], int listener,
                             unsigned long memory, pid_t *process);

/// Creates a socket that listens on 127.0.0.1, on a port chosen by the kernel. Returns a negative error number on
/// failure.
int csocket_activation_listen(void);

/// The port of a socket on 127.0.0.1, or a negative error number.
int csocket_activation_port(int listener);

#endif
