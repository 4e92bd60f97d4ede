// The domains that the host announced, and the provider's state of each.
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

// Takes the domains of Initialize. Unchanged domains keep their state; others lose it as soon as none of their calls is
// running any more. False: the call has failed, and nothing has changed.
bool domains_replace(struct domains *domains, struct docent_call *call, const struct json *list);

// Reads a domain from the host. False: it is not a domain.
bool domains_read(const struct json *given, struct docent_domain *told, const struct json **settings);

// Finds the domain of a call, and creates its state if there is none yet. Has to be released. NULL: the call has
// failed.
struct domain *domains_enter(struct domains *domains, struct docent_call *call, struct docent_text identifier);
void domains_leave(struct domains *domains, struct domain *domain);

#endif
