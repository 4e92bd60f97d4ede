#ifndef DOCENT_CLIBSECRET_SHIM_H
#define DOCENT_CLIBSECRET_SHIM_H

#include <libsecret/secret.h>
#include <string.h>
#include <sys/prctl.h>

// Swift cannot call variadic C functions or use GLib's casting macros.

/// The schema of all of Docent's credentials. It lives as long as the process.
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

/// The value of an attribute, or NULL. The table owns it.
static inline const char *docent_attributes_get(GHashTable *attributes, const char *name) {
    return (const char *)g_hash_table_lookup(attributes, name);
}

/// Stores bytes in the default collection. Blocks.
static inline gboolean docent_secret_store(SecretService *service, GHashTable *attributes, const char *label,
                                           const void *bytes, gssize length, GCancellable *cancellable,
                                           GError **error) {
    SecretValue *value = secret_value_new(bytes != NULL ? (const char *)bytes : "", length, "application/octet-stream");
    gboolean stored = secret_service_store_sync(service, docent_credential_schema(), attributes,
                                                SECRET_COLLECTION_DEFAULT, label, value, cancellable, error);
    secret_value_unref(value);
    return stored;
}

/// Bytes for libsecret, in memory that it wipes; the caller releases them with `secret_value_unref`.
static inline SecretValue *docent_secret_value(const void *bytes, gssize length) {
    return secret_value_new(bytes != NULL ? (const char *)bytes : "", length, "application/octet-stream");
}

static inline void docent_object_unref(void *object) {
    g_object_unref(object);
}

/// The item in a node of a search's result. The list owns it.
static inline SecretItem *docent_list_item(GList *node) {
    return (SecretItem *)node->data;
}

/// The item in a node of the other kind of search's result. The list owns it.
static inline SecretRetrievable *docent_list_retrievable(GList *node) {
    return (SecretRetrievable *)node->data;
}

/// An open connection to the session bus, or NULL with an error; the caller releases it. Blocks.
static inline void *docent_session_bus(GCancellable *cancellable, GError **error) {
    GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, cancellable, error);
    if (bus != NULL && g_dbus_connection_is_closed(bus)) {
        // A proxy that could not be made can keep the dead connection alive, and GLib would return it forever.
        g_object_run_dispose(G_OBJECT(bus));
        g_object_unref(bus);
        bus = g_bus_get_sync(G_BUS_TYPE_SESSION, cancellable, error);
    }
    if (bus != NULL) {
        // Otherwise GLib would end the process when the session bus ends.
        g_dbus_connection_set_exit_on_close(bus, FALSE);
    }
    return bus;
}

/// Replaces the bytes and the label of an item. Blocks.
static inline gboolean docent_item_replace(SecretItem *item, const void *bytes, gssize length, const char *label,
                                           GCancellable *cancellable, GError **error) {
    SecretValue *value = docent_secret_value(bytes, length);
    gboolean done = secret_item_set_secret_sync(item, value, cancellable, error);
    secret_value_unref(value);
    return done && secret_item_set_label_sync(item, label, cancellable, error);
}

/// The alias object of the default collection, or NULL with or without an error. Blocks.
static inline SecretCollection *docent_default_collection(SecretService *service, GCancellable *cancellable,
                                                          GError **error) {
    return secret_collection_for_alias_sync(service, SECRET_COLLECTION_DEFAULT, SECRET_COLLECTION_NONE, cancellable,
                                            error);
}

/// The process of the service, or 0. Blocks.
static inline guint docent_service_process(SecretService *service, GCancellable *cancellable) {
    GDBusConnection *bus = g_dbus_proxy_get_connection(G_DBUS_PROXY(service));
    GVariant *answer = g_dbus_connection_call_sync(
        bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixProcessID",
        g_variant_new("(s)", "org.freedesktop.secrets"), G_VARIANT_TYPE("(u)"), G_DBUS_CALL_FLAGS_NONE, 2000,
        cancellable, NULL);
    guint process = 0;
    if (answer != NULL) {
        g_variant_get(answer, "(u)", &process);
        g_variant_unref(answer);
    }
    return process;
}

/// A private connection to the session bus, or NULL; the caller closes it with `docent_end_watch`. Blocks.
static inline GDBusConnection *docent_private_bus(GCancellable *cancellable) {
    gchar *address = g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SESSION, cancellable, NULL);
    if (address == NULL) return NULL;
    GDBusConnection *bus = g_dbus_connection_new_for_address_sync(
        address,
        (GDBusConnectionFlags)(G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                               G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION),
        NULL, cancellable, NULL);
    g_free(address);
    if (bus != NULL) g_dbus_connection_set_exit_on_close(bus, FALSE);
    return bus;
}

static inline void docent_note_signal(GDBusConnection *bus, const gchar *sender, const gchar *path,
                                      const gchar *interface, const gchar *signal, GVariant *parameters,
                                      gpointer unused) {
    (void)bus, (void)sender, (void)path, (void)interface, (void)signal, (void)parameters, (void)unused;
}

/// Wakes the thread's own main context whenever the Secret Service starts, ends, or reports a change.
static inline void docent_begin_watch(GDBusConnection *bus) {
    g_dbus_connection_signal_subscribe(bus, "org.freedesktop.DBus", "org.freedesktop.DBus", "NameOwnerChanged",
                                       "/org/freedesktop/DBus", "org.freedesktop.secrets", G_DBUS_SIGNAL_FLAGS_NONE,
                                       docent_note_signal, NULL, NULL);
    g_dbus_connection_signal_subscribe(bus, "org.freedesktop.secrets", "org.freedesktop.DBus.Properties",
                                       "PropertiesChanged", NULL, NULL, G_DBUS_SIGNAL_FLAGS_NONE, docent_note_signal, NULL,
                                       NULL);
    g_dbus_connection_signal_subscribe(bus, "org.freedesktop.secrets", "org.freedesktop.Secret.Service", NULL, NULL,
                                       NULL, G_DBUS_SIGNAL_FLAGS_NONE, docent_note_signal, NULL, NULL);
}

static inline void docent_end_watch(GDBusConnection *bus) {
    if (!g_dbus_connection_is_closed(bus)) g_dbus_connection_close_sync(bus, NULL, NULL);
    g_object_unref(bus);
}

static inline gboolean docent_tick(gpointer unused) {
    (void)unused;
    return G_SOURCE_REMOVE;
}

/// Waits in a main context until something happens in it, it is woken, or the time is over.
static inline void docent_iterate(GMainContext *context, guint milliseconds) {
    GSource *timer = g_timeout_source_new(milliseconds);
    g_source_set_callback(timer, docent_tick, NULL, NULL);
    g_source_attach(timer, context);
    g_main_context_iteration(context, TRUE);
    g_source_destroy(timer);
    g_source_unref(timer);
}

// How a prompt ended.
typedef struct {
    gboolean completed, dismissed, gone;
} docent_prompt_end;

static inline void docent_note_completed(GDBusConnection *bus, const gchar *sender, const gchar *path,
                                         const gchar *interface, const gchar *signal, GVariant *parameters,
                                         gpointer data) {
    (void)bus, (void)sender, (void)path, (void)interface;
    docent_prompt_end *end = (docent_prompt_end *)data;
    if (g_strcmp0(signal, "Completed") != 0) {
        end->gone = TRUE;
    } else if (g_variant_is_of_type(parameters, G_VARIANT_TYPE("(bv)"))) {
        g_variant_get_child(parameters, 0, "b", &end->dismissed);
        end->completed = TRUE;
    }
}

static inline GVariant *docent_call_service(GDBusConnection *bus, const char *path, const char *interface,
                                            const char *method, GVariant *arguments, const char *answer,
                                            GCancellable *cancellable, GError **error) {
    return g_dbus_connection_call_sync(bus, "org.freedesktop.secrets", path, interface, method, arguments,
                                       G_VARIANT_TYPE(answer), G_DBUS_CALL_FLAGS_NONE, 30000, cancellable, error);
}

/// Unlocks the default collection, and our items that are locked separately, on a private bus in the thread's own main
/// context. If the service shows a prompt, this waits for its end or for the cancellable. Returns whether the
/// collection is unlocked.
///
/// We never dismiss the prompt: GNOME Keyring of Debian 12 (42.1) ends when that happens. Closing the bus leaves the
/// prompt alone.
static inline gboolean docent_unlock(GDBusConnection *bus, GMainContext *context, GCancellable *cancellable,
                                     GError **error) {
    static const char *const service = "org.freedesktop.Secret.Service", *const root = "/org/freedesktop/secrets";
    GVariant *answer = docent_call_service(bus, root, service, "ReadAlias", g_variant_new("(s)", "default"), "(o)",
                                           cancellable, error);
    if (answer == NULL) return FALSE;
    gchar *collection = NULL;
    g_variant_get(answer, "(o)", &collection);
    g_variant_unref(answer);
    // KeePassXC locks items one by one, until its user allows a program to have them.
    GVariantBuilder ours, objects;
    g_variant_builder_init(&ours, G_VARIANT_TYPE("a{ss}"));
    g_variant_builder_add(&ours, "{ss}", "xdg:schema", docent_credential_schema()->name);
    GVariant *found = docent_call_service(bus, root, service, "SearchItems", g_variant_new("(a{ss})", &ours),
                                          "(aoao)", cancellable, NULL);
    g_variant_builder_init(&objects, G_VARIANT_TYPE("ao"));
    g_variant_builder_add(&objects, "o", collection);
    g_free(collection);
    if (found != NULL) {
        GVariant *locked = g_variant_get_child_value(found, 1);
        GVariantIter paths;
        const gchar *path;
        g_variant_iter_init(&paths, locked);
        while (g_variant_iter_next(&paths, "&o", &path)) g_variant_builder_add(&objects, "o", path);
        g_variant_unref(locked);
        g_variant_unref(found);
    }
    answer = docent_call_service(bus, root, service, "Unlock", g_variant_new("(ao)", &objects), "(aoo)", cancellable,
                                 error);
    if (answer == NULL) return FALSE;
    GVariant *unlocked = g_variant_get_child_value(answer, 0);
    gboolean done = g_variant_n_children(unlocked) > 0;
    g_variant_unref(unlocked);
    gchar *prompt = NULL;
    g_variant_get_child(answer, 1, "o", &prompt);
    g_variant_unref(answer);
    if (g_strcmp0(prompt, "/") == 0) {
        g_free(prompt);
        return done;
    }
    docent_prompt_end end = {FALSE, FALSE, FALSE};
    guint completion = g_dbus_connection_signal_subscribe(
        bus, "org.freedesktop.secrets", "org.freedesktop.Secret.Prompt", "Completed", prompt, NULL,
        G_DBUS_SIGNAL_FLAGS_NONE, docent_note_completed, &end, NULL);
    guint loss = g_dbus_connection_signal_subscribe(
        bus, "org.freedesktop.DBus", "org.freedesktop.DBus", "NameOwnerChanged", "/org/freedesktop/DBus",
        "org.freedesktop.secrets", G_DBUS_SIGNAL_FLAGS_NONE, docent_note_completed, &end, NULL);
    answer = docent_call_service(bus, prompt, "org.freedesktop.Secret.Prompt", "Prompt", g_variant_new("(s)", ""),
                                 "()", cancellable, error);
    g_free(prompt);
    if (answer != NULL) {
        g_variant_unref(answer);
        while (!end.completed && !end.gone && !g_cancellable_is_cancelled(cancellable) &&
               !g_dbus_connection_is_closed(bus))
            docent_iterate(context, 100);
        done = end.completed && !end.dismissed;
    }
    g_dbus_connection_signal_unsubscribe(bus, completion);
    g_dbus_connection_signal_unsubscribe(bus, loss);
    return done;
}

static inline guint docent_g_dbus_error(void) {
    return g_dbus_error_quark();
}

static inline guint docent_secret_error(void) {
    return secret_error_get_quark();
}

/// Keeps other processes of the user from inspecting this one, and the kernel from writing it to a core file.
static inline int docent_hide_process(void) {
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

static inline guint docent_g_io_error(void) {
    return g_io_error_quark();
}

#endif
