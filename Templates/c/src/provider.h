// Functions shared by provider.c (reading) and changing.c (writing).
#ifndef PROVIDER_H
#define PROVIDER_H

#include "store.h"

// Answers with a document. Called with the lock.
void provider_give(struct docent_call *call, const struct document *document, int64_t size);

// The document with an identifier; not the top folder. NULL or false: the call has failed. Called with the lock.
struct document *provider_require(struct docent_call *call, struct store *store, struct docent_text identifier);
bool provider_require_folder(
    struct docent_call *call, struct store *store, struct docent_text identifier, uint64_t *id);

// As in struct docent_provider.
bool provider_create(
    struct docent_call *call, void *state, struct docent_text parent, struct docent_text name, bool is_folder,
    int64_t size, struct docent_operation operation);
bool provider_modify(
    struct docent_call *call, void *state, struct docent_text identifier, struct docent_text base, int64_t size,
    struct docent_operation operation);
bool provider_remove(
    struct docent_call *call, void *state, struct docent_text identifier, struct docent_text base, bool recursive);
bool provider_move(
    struct docent_call *call, void *state, struct docent_text identifier, struct docent_text base,
    struct docent_text parent, struct docent_text name, struct docent_operation operation);

#endif
