// A provider may control a program over a socket, but the sandbox forbids both of them to listen. So the socket is
// created here, before the sandbox becomes active, and no other one can be created inside it.
#define _GNU_SOURCE
#include "host.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { WAITING_CONNECTIONS = 64 };

void open_loopback_listener(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (const struct sockaddr *)&address, sizeof address) != 0 ||
        listen(listener, WAITING_CONNECTIONS) != 0) {
        fail(EXIT_SYSTEM, "no socket can listen on 127.0.0.1: %s", strerror(errno));
    }
    char number[16];
    snprintf(number, sizeof number, "%d", listener);
    if (setenv("DOCENT_LOOPBACK_LISTENER", number, 1) != 0) {
        fail(EXIT_SYSTEM, "the environment cannot be set: %s", strerror(errno));
    }
}
