#ifndef DOCENT_CLIBSECRET_SHIM_H
#define DOCENT_CLIBSECRET_SHIM_H

#include <libsecret/secret.h>
#include <string.h>

// Swift cannot call variadic C functions, nor read GLib's casting macros.

/// The schema of every credential of Docent. It lives as long as the process.
static inline const SecretSchema *docent_credential_schema(void) {
    static const SecretSchema schema = {
        "org.docent.Credential",
        SECRET_SCHEMA_NONE,
        {
            {"access-group", SECRET_SCHEMA_ATTRIBUTE_STRING},
            {"provider", SECRET_SCHEMA_ATTRIBUTE_STRING},
            {"domain", SECRET_SCHEMA_ATTRIBUTE_STRING},
            {"account", SECRET_SCHEMA_ATTRIBUTE_STRING},
            {NULL, (SecretSchemaAttributeType)0},
        },
        0, 0, 0, 0, 0, 0, 0, 0,
    };
    return &schema;
}

/// A table of attributes; the caller releases it with `g_hash_table_unref`.
static inline GHashTable *docent_attributes_new(void) {
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

/// Adds copies of a name and a value.
static inline void docent_attributes_set(GHashTable *attributes, const char *name, const char *value) {
    g_hash_table_replace(attributes, g_strdup(name), g_strdup(value));
}

/// The value of an attribute, or NULL; it belongs to the table.
static inline const char *docent_attributes_get(GHashTable *attributes, const char *name) {
    return (const char *)g_hash_table_lookup(attributes, name);
}

/// Stores bytes in the default collection. Waits.
static inline gboolean docent_secret_store(SecretService *service, GHashTable *attributes, const char *label,
                                           const char *bytes, gssize length, GCancellable *cancellable,
                                           GError **error) {
    SecretValue *value = secret_value_new(bytes, length, "application/octet-stream");
    gboolean stored = secret_service_store_sync(service, docent_credential_schema(), attributes,
                                                SECRET_COLLECTION_DEFAULT, label, value, cancellable, error);
    secret_value_unref(value);
    return stored;
}

static inline void docent_object_unref(void *object) {
    g_object_unref(object);
}

/// The item of a node of a search's answer; it belongs to the list.
static inline SecretItem *docent_list_item(GList *node) {
    return (SecretItem *)node->data;
}

/// A living connection to the session bus, or NULL with an error; the caller releases it. Waits.
static inline void *docent_session_bus(GCancellable *cancellable, GError **error) {
    GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, cancellable, error);
    if (bus != NULL && g_dbus_connection_is_closed(bus)) {
        // A proxy whose making failed can keep the dead connection alive, and GLib would hand it out for ever.
        g_object_run_dispose(G_OBJECT(bus));
        g_object_unref(bus);
        bus = g_bus_get_sync(G_BUS_TYPE_SESSION, cancellable, error);
    }
    if (bus != NULL) {
        // GLib would end the process with the session bus.
        g_dbus_connection_set_exit_on_close(bus, FALSE);
    }
    return bus;
}

/// The alias object of the default collection, or NULL with or without an error. Waits.
static inline SecretCollection *docent_default_collection(SecretService *service, GCancellable *cancellable,
                                                          GError **error) {
    return secret_collection_for_alias_sync(service, SECRET_COLLECTION_DEFAULT, SECRET_COLLECTION_NONE, cancellable,
                                            error);
}

static inline guint docent_g_dbus_error(void) {
    return g_dbus_error_quark();
}

static inline guint docent_secret_error(void) {
    return secret_error_get_quark();
}

static inline guint docent_g_io_error(void) {
    return g_io_error_quark();
}

#endif
