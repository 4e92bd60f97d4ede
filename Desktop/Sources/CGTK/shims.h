// GTK and libadwaita for Swift, and what their macros and variadic functions are for.
#pragma once

#include <adwaita.h>
#include <glib-unix.h>

// The main queue of Dispatch, which MainActor runs on.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);

static inline void docent_connect(void *object, const char *signal, GCallback handler, void *context) {
    g_signal_connect_data(object, signal, handler, context, NULL, 0);
}

// The name that a screen reader says.
static inline void docent_set_name(void *widget, const char *name) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}
