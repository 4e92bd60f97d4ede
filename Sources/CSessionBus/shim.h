#ifndef DOCENT_CSESSIONBUS_SHIM_H
#define DOCENT_CSESSIONBUS_SHIM_H

#include <gio/gio.h>
#include <stdint.h>

// Swift cannot call variadic C functions or use GLib's casting macros. Everything here is called on the one thread that
// has pushed its main context, and blocks for at most docent_bus_patience.

#define DOCENT_NOTIFICATIONS "org.freedesktop.Notifications"
#define DOCENT_NOTIFICATIONS_PATH "/org/freedesktop/Notifications"

enum { docent_bus_patience = 5000 };

typedef enum {
    DOCENT_BUS_ACTION,
    DOCENT_BUS_CLOSED,
    DOCENT_BUS_SERVER_BEGAN,
    DOCENT_BUS_SERVER_ENDED,
} docent_bus_news;

/// Receives news of the notification server, in the thread's main context. action: of a DOCENT_BUS_ACTION.
typedef void (*docent_bus_receiver)(void *receiver, docent_bus_news news, uint32_t number, const char *action);

typedef struct {
    docent_bus_receiver receive;
    void *receiver;
} docent_bus_listener;

/// A private connection to the session bus, or NULL.
static inline GDBusConnection *docent_bus_connect(void) {
    gchar *address = g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SESSION, NULL, NULL);
    if (address == NULL) return NULL;
    GDBusConnection *bus = g_dbus_connection_new_for_address_sync(
        address,
        (GDBusConnectionFlags)(G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                               G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION),
        NULL, NULL, NULL);
    g_free(address);
    // Otherwise GLib would end the process when the session bus ends.
    if (bus != NULL) g_dbus_connection_set_exit_on_close(bus, FALSE);
    return bus;
}

static inline GVariant *docent_bus_call(GDBusConnection *bus, const char *name, const char *path,
                                        const char *interface, const char *method, GVariant *arguments,
                                        const char *answer) {
    return g_dbus_connection_call_sync(bus, name, path, interface, method, arguments, G_VARIANT_TYPE(answer),
                                       G_DBUS_CALL_FLAGS_NONE, docent_bus_patience, NULL, NULL);
}

/// Takes a name on the bus; FALSE if another program has it.
static inline gboolean docent_bus_take_name(GDBusConnection *bus, const char *name) {
    // 4: do not wait in line. 1: the caller is the owner now.
    GVariant *answer = docent_bus_call(bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                       "RequestName", g_variant_new("(su)", name, 4u), "(u)");
    if (answer == NULL) return FALSE;
    guint32 result = 0;
    g_variant_get(answer, "(u)", &result);
    g_variant_unref(answer);
    return result == 1;
}

static inline void docent_bus_note(GDBusConnection *bus, const gchar *sender, const gchar *path,
                                   const gchar *interface, const gchar *signal, GVariant *parameters, gpointer data) {
    (void)bus, (void)sender, (void)path, (void)interface;
    docent_bus_listener *listener = (docent_bus_listener *)data;
    guint32 number = 0;
    if (g_strcmp0(signal, "ActionInvoked") == 0 && g_variant_is_of_type(parameters, G_VARIANT_TYPE("(us)"))) {
        const gchar *action = NULL;
        g_variant_get(parameters, "(u&s)", &number, &action);
        listener->receive(listener->receiver, DOCENT_BUS_ACTION, number, action);
    } else if (g_strcmp0(signal, "NotificationClosed") == 0 &&
               g_variant_is_of_type(parameters, G_VARIANT_TYPE("(uu)"))) {
        guint32 reason = 0;
        g_variant_get(parameters, "(uu)", &number, &reason);
        listener->receive(listener->receiver, DOCENT_BUS_CLOSED, number, NULL);
    } else if (g_strcmp0(signal, "NameOwnerChanged") == 0 &&
               g_variant_is_of_type(parameters, G_VARIANT_TYPE("(sss)"))) {
        const gchar *name = NULL, *former = NULL, *owner = NULL;
        g_variant_get(parameters, "(&s&s&s)", &name, &former, &owner);
        if (former[0] != '\0') listener->receive(listener->receiver, DOCENT_BUS_SERVER_ENDED, 0, NULL);
        if (owner[0] != '\0') listener->receive(listener->receiver, DOCENT_BUS_SERVER_BEGAN, 0, NULL);
    }
}

static inline void docent_bus_note_end(GDBusConnection *bus, gboolean vanished, GError *error, gpointer unused) {
    // Wakes the main context; the caller sees that the connection is closed.
    (void)bus, (void)vanished, (void)error, (void)unused;
}

/// Sends a listener the news from now on. Only what the owner of the server's name sends counts. The listener has to
/// live until docent_bus_disconnect has returned.
static inline void docent_bus_listen(GDBusConnection *bus, docent_bus_listener *listener) {
    g_dbus_connection_signal_subscribe(bus, DOCENT_NOTIFICATIONS, DOCENT_NOTIFICATIONS, "ActionInvoked",
                                       DOCENT_NOTIFICATIONS_PATH, NULL, G_DBUS_SIGNAL_FLAGS_NONE, docent_bus_note,
                                       listener, NULL);
    g_dbus_connection_signal_subscribe(bus, DOCENT_NOTIFICATIONS, DOCENT_NOTIFICATIONS, "NotificationClosed",
                                       DOCENT_NOTIFICATIONS_PATH, NULL, G_DBUS_SIGNAL_FLAGS_NONE, docent_bus_note,
                                       listener, NULL);
    g_dbus_connection_signal_subscribe(bus, "org.freedesktop.DBus", "org.freedesktop.DBus", "NameOwnerChanged",
                                       "/org/freedesktop/DBus", DOCENT_NOTIFICATIONS, G_DBUS_SIGNAL_FLAGS_NONE,
                                       docent_bus_note, listener, NULL);
    g_signal_connect_data(bus, "closed", G_CALLBACK(docent_bus_note_end), NULL, NULL, (GConnectFlags)0);
}

/// Closes the connection, and delivers nothing more.
static inline void docent_bus_disconnect(GDBusConnection *bus, GMainContext *context) {
    if (!g_dbus_connection_is_closed(bus)) g_dbus_connection_close_sync(bus, NULL, NULL);
    g_object_unref(bus);
    while (g_main_context_iteration(context, FALSE)) {
    }
}

/// The names of what the notification server can do, to be freed with g_strfreev; NULL if there is no answer.
static inline gchar **docent_bus_capabilities(GDBusConnection *bus) {
    GVariant *answer = docent_bus_call(bus, DOCENT_NOTIFICATIONS, DOCENT_NOTIFICATIONS_PATH, DOCENT_NOTIFICATIONS,
                                       "GetCapabilities", NULL, "(as)");
    if (answer == NULL) return NULL;
    gchar **names = NULL;
    g_variant_get(answer, "(^as)", &names);
    g_variant_unref(answer);
    return names;
}

/// Shows a notification, in the place of another one if its number is not 0. Returns its number, or 0 if it could not
/// be shown. actions: keys and labels by turns, count in all. expiry: milliseconds; 0 for never, -1 for the server's
/// own idea.
static inline uint32_t docent_bus_notify(GDBusConnection *bus, uint32_t replaced, const char *summary,
                                         const char *body, const char *const *actions, gssize count,
                                         uint8_t urgency, int32_t expiry) {
    GVariantBuilder hints;
    g_variant_builder_init(&hints, G_VARIANT_TYPE("a{sv}"));
    g_variant_builder_add(&hints, "{sv}", "urgency", g_variant_new_byte(urgency));
    // A click closes it only if that settles the matter; then it is closed from here.
    g_variant_builder_add(&hints, "{sv}", "resident", g_variant_new_boolean(TRUE));
    GVariant *arguments =
        g_variant_new("(susss@asa{sv}i)", "Docent", replaced, "dialog-warning", summary, body,
                      g_variant_new_strv(actions, count), &hints, expiry);
    GVariant *answer = docent_bus_call(bus, DOCENT_NOTIFICATIONS, DOCENT_NOTIFICATIONS_PATH, DOCENT_NOTIFICATIONS,
                                       "Notify", arguments, "(u)");
    if (answer == NULL) return 0;
    guint32 number = 0;
    g_variant_get(answer, "(u)", &number);
    g_variant_unref(answer);
    return number;
}

/// Takes a notification away. Does not start a server for that.
static inline void docent_bus_close_notification(GDBusConnection *bus, uint32_t number) {
    GVariant *answer = g_dbus_connection_call_sync(
        bus, DOCENT_NOTIFICATIONS, DOCENT_NOTIFICATIONS_PATH, DOCENT_NOTIFICATIONS, "CloseNotification",
        g_variant_new("(u)", number), NULL, G_DBUS_CALL_FLAGS_NO_AUTO_START, docent_bus_patience, NULL, NULL);
    if (answer != NULL) g_variant_unref(answer);
}

#endif
