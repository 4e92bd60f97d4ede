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

// As many rows without content, all of them new.
static inline void docent_set_rows(GtkStringList *rows, guint count) {
    const char **texts = g_new0(const char *, count + 1);
    for (guint index = 0; index < count; index++) texts[index] = "";
    gtk_string_list_splice(rows, 0, g_list_model_get_n_items(G_LIST_MODEL(rows)), texts);
    g_free(texts);
}

static inline void docent_set_up_row(GtkListItem *item) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
    GtkWidget *name = gtk_label_new("");
    GtkWidget *detail = gtk_label_new("");
    gtk_label_set_ellipsize(GTK_LABEL(name), PANGO_ELLIPSIZE_MIDDLE);
    gtk_label_set_xalign(GTK_LABEL(name), 0);
    gtk_widget_set_hexpand(name, TRUE);
    gtk_widget_add_css_class(detail, "dim-label");
    gtk_box_append(GTK_BOX(box), name);
    gtk_box_append(GTK_BOX(box), detail);
    gtk_list_item_set_child(item, box);
}

static inline void docent_fill_row(GtkListItem *item, const char *name, const char *detail, gboolean is_enabled) {
    GtkWidget *box = gtk_list_item_get_child(item);
    gtk_label_set_text(GTK_LABEL(gtk_widget_get_first_child(box)), name);
    gtk_label_set_text(GTK_LABEL(gtk_widget_get_last_child(box)), detail);
    gtk_widget_set_sensitive(box, is_enabled);
    gtk_list_item_set_selectable(item, is_enabled);
    gtk_list_item_set_activatable(item, is_enabled);
    docent_set_name(gtk_widget_get_parent(box), name);
}
