// GDBus for Swift, and what its macros and variadic functions are for.
#pragma once

#include <gio/gio.h>
#include <glib-unix.h>

// The main queue of Dispatch, which MainActor runs on.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);

// The object of a format string that g_variant_print would write; NULL if it is none of this type.
static inline GVariant *docent_parse(const char *type, const char *text) {
    return g_variant_parse(G_VARIANT_TYPE(type), text, NULL, NULL, NULL);
}

static inline gboolean docent_is_bytes(GVariant *value) { return g_variant_is_of_type(value, G_VARIANT_TYPE("ay")); }

static inline gboolean docent_is_dictionary(GVariant *value) {
    return g_variant_is_of_type(value, G_VARIANT_TYPE("a{s*}"));
}
