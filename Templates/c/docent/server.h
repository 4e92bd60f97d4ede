// Between the connections (server.c) and the methods (methods.c).
#ifndef DOCENT_SERVER_H
#define DOCENT_SERVER_H

#include "domains.h"

// As many as the host ever has at the same time, twice.
#define MOST_CONNECTIONS 128

struct server {
    struct domains domains;
    pthread_mutex_t lock; // guards what follows
    pthread_cond_t ended;
    int sockets[MOST_CONNECTIONS]; // of the connections that are served; less than 0: none
    int count;
    bool is_closing;
};

struct method {
    const char *name;
    // NULL: a method of the interface that this library does not have.
    bool (*answer)(struct server *server, struct docent_call *call);
    // Parameters that are indices of descriptors.
    const char *descriptors[2];
};

// Serves a further connection on a thread of its own. Owns the socket in any case. False: there are too many.
bool server_connect(struct server *server, int socket);

// The method of that full name; NULL if the interface has none.
const struct method *method_find(struct docent_text name);
// Answers a call whose descriptors were taken. False: nobody waits for the answer any more.
bool method_answer(struct server *server, struct docent_call *call, const struct method *method);
bool method_send_answer(struct docent_call *call, const struct method *method);
// The call fails because the provider has no such method.
bool method_is_missing(struct docent_call *call, const char *name);

#endif
