#include "domains.h"

#include <stdlib.h>
#include <string.h>

struct domain {
    struct domain *next;
    struct docent_domain told;
    const struct json *settings;
    struct arena arena; // memory of the two above
    int users;
    bool is_dropped;
    pthread_mutex_t opening;
    bool is_open;
    void *state;
};

void domains_begin(struct domains *domains, const struct docent_provider *provider) {
    *domains = (struct domains){.provider = provider};
    pthread_mutex_init(&domains->lock, NULL);
}

static void destroy(struct domains *domains, struct domain *domain) {
    if (domain->is_open && domains->provider->close != NULL) {
        domains->provider->close(domain->state);
    }
    pthread_mutex_destroy(&domain->opening);
    arena_end(&domain->arena);
    free(domain);
}

// Removes dropped domains without users from the list. They are destroyed outside the lock, because `close` may take a
// while.
static struct domain *take_unused(struct domains *domains) {
    struct domain *unused = NULL;
    for (struct domain **place = &domains->first; *place != NULL;) {
        struct domain *domain = *place;
        if (domain->is_dropped && domain->users == 0) {
            *place = domain->next;
            domain->next = unused;
            unused = domain;
        } else {
            place = &domain->next;
        }
    }
    return unused;
}

static void destroy_all(struct domains *domains, struct domain *domain) {
    while (domain != NULL) {
        struct domain *next = domain->next;
        destroy(domains, domain);
        domain = next;
    }
}

void domains_end(struct domains *domains) {
    destroy_all(domains, domains->first);
    pthread_mutex_destroy(&domains->lock);
}

// MARK: Initialize

static bool copy_text(struct arena *arena, struct docent_text from, struct docent_text *to) {
    char *copy = arena_take(arena, from.length + 1);
    if (copy != NULL) {
        if (from.length > 0) {
            memcpy(copy, from.bytes, from.length);
        }
        *to = (struct docent_text){.bytes = copy, .length = from.length};
    }
    return copy != NULL;
}

// A copy of an object whose members are texts, each with a NUL after it.
static bool copy_settings(struct arena *arena, const struct json *from, const struct json **to) {
    struct json *copy = arena_take(arena, sizeof *copy);
    *to = copy;
    if (copy == NULL) {
        return false;
    }
    copy->kind = JSON_OBJECT;
    struct json **place = &copy->first;
    for (const struct json *member = from != NULL ? from->first : NULL; member != NULL; member = member->next) {
        struct json *setting = arena_take(arena, sizeof *setting);
        if (setting == NULL || !copy_text(arena, member->key, &setting->key) ||
            !copy_text(arena, member->string, &setting->string)) {
            return false;
        }
        setting->kind = member->kind;
        *place = setting;
        place = &setting->next;
    }
    return true;
}

static bool read_text(const struct json *object, const char *key, struct docent_text *value) {
    const struct json *member = json_member(object, key);
    if (member == NULL || member->kind != JSON_STRING) {
        return false;
    }
    *value = member->string;
    return true;
}

bool domains_read(const struct json *given, struct docent_domain *told, const struct json **settings) {
    const struct json *folder = json_member(given, "folder");
    *told = (struct docent_domain){.folder = {.bytes = NULL, .length = 0}};
    *settings = json_member(given, "settings");
    return read_text(given, "identifier", &told->identifier) && read_text(given, "displayName", &told->display_name) &&
           read_text(given, "storage", &told->storage) && (folder == NULL || read_text(given, "folder", &told->folder)) &&
           (*settings == NULL || (*settings)->kind == JSON_OBJECT);
}

static struct domain *make(const struct json *given) {
    struct docent_domain told;
    const struct json *settings;
    if (!domains_read(given, &told, &settings)) {
        return NULL;
    }
    struct domain *domain = calloc(1, sizeof *domain);
    if (domain == NULL) {
        return NULL;
    }
    pthread_mutex_init(&domain->opening, NULL);
    if (copy_text(&domain->arena, told.identifier, &domain->told.identifier) &&
        copy_text(&domain->arena, told.display_name, &domain->told.display_name) &&
        copy_text(&domain->arena, told.storage, &domain->told.storage) &&
        (told.folder.bytes == NULL || copy_text(&domain->arena, told.folder, &domain->told.folder)) &&
        copy_settings(&domain->arena, settings, &domain->settings)) {
        return domain;
    }
    arena_end(&domain->arena);
    pthread_mutex_destroy(&domain->opening);
    free(domain);
    return NULL;
}

static size_t count_members(const struct json *object) {
    size_t count = 0;
    for (const struct json *member = object->first; member != NULL; member = member->next) {
        count++;
    }
    return count;
}

static bool is_same(const struct domain *left, const struct domain *right) {
    for (const struct json *member = left->settings->first; member != NULL; member = member->next) {
        const struct json *other = json_member(right->settings, member->key.bytes);
        if (other == NULL || !docent_text_equal(member->string, other->string)) {
            return false;
        }
    }
    return docent_text_equal(left->told.identifier, right->told.identifier) &&
           (left->told.folder.bytes == NULL) == (right->told.folder.bytes == NULL) &&
           docent_text_equal(left->told.folder, right->told.folder) &&
           docent_text_equal(left->told.display_name, right->told.display_name) &&
           docent_text_equal(left->told.storage, right->told.storage) &&
           count_members(left->settings) == count_members(right->settings);
}

bool domains_replace(struct domains *domains, struct docent_call *call, const struct json *list) {
    struct domain *arrived = NULL;
    for (const struct json *given = list->first; given != NULL; given = given->next) {
        struct domain *domain = make(given);
        if (domain == NULL) {
            destroy_all(domains, arrived);
            return call_refuse(
                call, "org.varlink.service.InvalidParameter", "parameter", docent_text_of("domains"));
        }
        domain->next = arrived;
        arrived = domain;
    }
    pthread_mutex_lock(&domains->lock);
    struct domain *former = domains->first;
    for (struct domain *old = former; old != NULL; old = old->next) {
        struct domain **place = &arrived;
        while (*place != NULL && (old->is_dropped || !is_same(old, *place))) {
            place = &(*place)->next;
        }
        old->is_dropped = *place == NULL;
        if (*place != NULL) {
            struct domain *again = *place;
            *place = again->next;
            destroy(domains, again);
        }
    }
    while (arrived != NULL) {
        struct domain *next = arrived->next;
        arrived->next = domains->first;
        domains->first = arrived;
        arrived = next;
    }
    domains->is_initialized = true;
    struct domain *unused = take_unused(domains);
    pthread_mutex_unlock(&domains->lock);
    destroy_all(domains, unused);
    return true;
}

// MARK: Calls

static struct domain *find(struct domains *domains, struct docent_text identifier) {
    for (struct domain *domain = domains->first; domain != NULL; domain = domain->next) {
        if (!domain->is_dropped && docent_text_equal(domain->told.identifier, identifier)) {
            domain->users++;
            return domain;
        }
    }
    return NULL;
}

struct domain *domains_enter(struct domains *domains, struct docent_call *call, struct docent_text identifier) {
    pthread_mutex_lock(&domains->lock);
    bool is_initialized = domains->is_initialized;
    struct domain *domain = find(domains, identifier);
    pthread_mutex_unlock(&domains->lock);
    if (domain == NULL) {
        docent_fail(
            call, DOCENT_INVALID_ARGUMENT, "%s",
            is_initialized ? "There is no such domain." : "Initialize has not been called.");
        return NULL;
    }
    call->settings = domain->settings;
    pthread_mutex_lock(&domain->opening);
    if (!domain->is_open) {
        domain->is_open =
            domains->provider->open == NULL || domains->provider->open(call, &domain->told, &domain->state);
    }
    bool is_open = domain->is_open;
    pthread_mutex_unlock(&domain->opening);
    if (!is_open) {
        domains_leave(domains, domain);
        return NULL;
    }
    call->state = domain->state;
    return domain;
}

void domains_leave(struct domains *domains, struct domain *domain) {
    pthread_mutex_lock(&domains->lock);
    domain->users--;
    struct domain *unused = take_unused(domains);
    pthread_mutex_unlock(&domains->lock);
    destroy_all(domains, unused);
}
