// Between the connections (server.c) and the methods (methods.c).
#ifndef DOCENT_SERVER_H
#define DOCENT_SERVER_H

#include "domains.h"

// Twice as many as the host ever has at the same time.
#define MOST_CONNECTIONS 128

struct attempt;
struct operation;

struct server {
    struct domains domains;
    pthread_mutex_t lock; // guards what follows
    pthread_cond_t ended;
    pthread_cond_t answered; // signalled when an answer arrives for an attempt
    struct attempt *attempts;
    struct operation *operations; // packages that were begun, the latest first
    int sockets[MOST_CONNECTIONS]; // of the active connections; less than 0: none
    int count;
    bool is_closing;
};

struct method {
    const char *name;
    // NULL: a method of the interface that this library does not implement.
    bool (*answer)(struct server *server, struct docent_call *call);
    // The parameters that are indices of descriptors.
    const char *descriptors[2];
    // Whether it concerns no domain, or finds the domain itself.
    bool is_global;
    // Whether its parameters contain secrets.
    bool has_secrets;
    // Adds the parameters of the answer; NULL: an item, if one was given.
    void (*add_answer)(struct docent_call *call, struct buffer *message);
};

// Serves another connection on a new thread. Takes ownership of the socket in any case. False: there are too many.
bool server_connect(struct server *server, int socket);

// The method with that full name; NULL if the interface has none.
const struct method *method_find(struct docent_text name);
// Answers a call whose descriptors were taken. False: the caller has gone.
bool method_answer(struct server *server, struct docent_call *call, const struct method *method);
bool method_send_answer(struct docent_call *call, const struct method *method);
// The call fails because the provider has no such method.
bool method_is_missing(struct docent_call *call, const char *name);

// MARK: Methods in other files

// signin.c
bool sign_in(struct server *server, struct docent_call *call);
bool sign_out(struct server *server, struct docent_call *call);
bool sign_in_forms(struct server *server, struct docent_call *call);
bool authenticate(struct server *server, struct docent_call *call);
void add_account(struct docent_call *call, struct buffer *message);
void add_forms(struct docent_call *call, struct buffer *message);
void add_signed_in(struct docent_call *call, struct buffer *message);
// questions.c
bool answer_question(struct server *server, struct docent_call *call);
bool continue_attempt(struct server *server, struct docent_call *call);
// news.c
bool events(struct server *server, struct docent_call *call);
void add_last_event(struct docent_call *call, struct buffer *message);
void news_begin(void);
void news_end(void);
// packages.c
bool begin_package(struct server *server, struct docent_call *call);
bool stage_element(struct server *server, struct docent_call *call);
bool commit_package(struct server *server, struct docent_call *call);
void add_needed(struct docent_call *call, struct buffer *message);
void operations_end(struct server *server);

#endif
