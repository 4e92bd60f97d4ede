// The domains that the host told of, and what the provider made for each.
#ifndef DOCENT_DOMAINS_H
#define DOCENT_DOMAINS_H

#include <pthread.h>

#include "call.h"

struct domain;

struct domains {
    const struct docent_provider *provider;
    pthread_mutex_t lock;
    struct domain *first;
    bool is_initialized;
};

void domains_begin(struct domains *domains, const struct docent_provider *provider);
// Drops all of them.
void domains_end(struct domains *domains);

// Takes the domains of Initialize. Those that are as before keep their state; others lose it as soon as none of their
// calls runs any more. False: the call has failed, and all is as before.
bool domains_replace(struct domains *domains, struct docent_call *call, const struct json *list);

// Reads a domain of the host. False: it is none.
bool domains_read(const struct json *given, struct docent_domain *told, const struct json **settings);

// Finds the domain of a call and makes its state if there is none yet. To be released. NULL: the call has failed.
struct domain *domains_enter(struct domains *domains, struct docent_call *call, struct docent_text identifier);
void domains_leave(struct domains *domains, struct domain *domain);

#endif
