// GTK and libadwaita for Swift, and what their macros and variadic functions are for.
#pragma once

#include <adwaita.h>
#include <glib-unix.h>

#ifdef GDK_WINDOWING_X11
#include <gdk/x11/gdkx.h>
#endif
#ifdef GDK_WINDOWING_WAYLAND
#include <gdk/wayland/gdkwayland.h>
#endif

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

// Replaces the rows after the first `kept` ones. They have no content: GTK asks for it when it shows them.
static inline void docent_set_rows(GtkStringList *rows, guint kept, guint count) {
    guint before = g_list_model_get_n_items(G_LIST_MODEL(rows));
    const char **texts = g_new0(const char *, count - kept + 1);
    for (guint index = 0; index < count - kept; index++) texts[index] = "";
    gtk_string_list_splice(rows, kept, before - kept, texts);
    g_free(texts);
}

// How many rows are selected; the positions of the first `most`.
static inline guint docent_selected(void *model, guint *rows, guint most) {
    GtkBitset *selected = gtk_selection_model_get_selection(GTK_SELECTION_MODEL(model));
    guint count = (guint)gtk_bitset_get_size(selected);
    for (guint index = 0; index < count && index < most; index++) rows[index] = gtk_bitset_get_nth(selected, index);
    gtk_bitset_unref(selected);
    return count;
}

static inline void docent_select(void *model, guint row, gboolean alone) {
    gtk_selection_model_select_item(GTK_SELECTION_MODEL(model), row, alone);
}

static inline void docent_unselect(void *model) { gtk_selection_model_unselect_all(GTK_SELECTION_MODEL(model)); }

// Whether the focus of the window is in the widget.
static inline gboolean docent_has_focus(void *window, void *widget) {
    GtkWidget *focus = gtk_window_get_focus(GTK_WINDOW(window));
    return focus != NULL && (focus == widget || gtk_widget_is_ancestor(focus, GTK_WIDGET(widget)));
}

static inline void docent_scroll_to(void *list, guint row) {
    gtk_widget_activate_action(GTK_WIDGET(list), "list.scroll-to-item", "u", row);
}

static inline void docent_set_up_row(GtkListItem *item) {
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
    GtkWidget *icon = gtk_image_new();
    GtkWidget *name = gtk_label_new("");
    GtkWidget *detail = gtk_label_new("");
    gtk_label_set_ellipsize(GTK_LABEL(name), PANGO_ELLIPSIZE_MIDDLE);
    gtk_label_set_xalign(GTK_LABEL(name), 0);
    gtk_widget_set_hexpand(name, TRUE);
    gtk_widget_add_css_class(detail, "dim-label");
    gtk_box_append(GTK_BOX(box), icon);
    gtk_box_append(GTK_BOX(box), name);
    gtk_box_append(GTK_BOX(box), detail);
    gtk_widget_set_margin_top(box, 6);
    gtk_widget_set_margin_bottom(box, 6);
    gtk_widget_set_margin_start(box, 12);
    gtk_widget_set_margin_end(box, 12);
    gtk_list_item_set_child(item, box);
}

static inline void docent_fill_row(
    GtkListItem *item, const char *icon, const char *name, const char *detail, gboolean is_enabled) {
    GtkWidget *box = gtk_list_item_get_child(item);
    GtkWidget *image = gtk_widget_get_first_child(box);
    GtkWidget *row = gtk_widget_get_parent(box);
    gtk_image_set_from_icon_name(GTK_IMAGE(image), icon);
    gtk_label_set_text(GTK_LABEL(gtk_widget_get_next_sibling(image)), name);
    gtk_label_set_text(GTK_LABEL(gtk_widget_get_last_child(box)), detail);
    gtk_widget_set_sensitive(box, is_enabled);
    gtk_list_item_set_selectable(item, is_enabled);
    gtk_list_item_set_activatable(item, is_enabled);
    if (row == NULL) return;
    docent_set_name(row, name);
    gtk_accessible_update_property(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, detail, -1);
    gtk_accessible_update_state(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_STATE_DISABLED, !is_enabled, -1);
}

// The label of a check button is never wider than there is room.
static inline void docent_shorten_check(GtkWidget *check) {
    for (GtkWidget *child = gtk_widget_get_first_child(check); child; child = gtk_widget_get_next_sibling(child)) {
        if (GTK_IS_LABEL(child)) gtk_label_set_ellipsize(GTK_LABEL(child), PANGO_ELLIPSIZE_END);
    }
}

// The label of a button is never wider than so many letters.
static inline void docent_shorten_button(GtkWidget *button, int letters) {
    GtkWidget *child = gtk_button_get_child(GTK_BUTTON(button));
    if (child == NULL || !GTK_IS_LABEL(child)) return;
    gtk_label_set_ellipsize(GTK_LABEL(child), PANGO_ELLIPSIZE_END);
    gtk_label_set_max_width_chars(GTK_LABEL(child), letters);
}

static inline void docent_set_up_option(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data) {
    GtkWidget *label = gtk_label_new("");
    gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
    gtk_label_set_max_width_chars(GTK_LABEL(label), 40);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_list_item_set_child(item, label);
}

static inline void docent_bind_option(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data) {
    GtkStringObject *text = gtk_list_item_get_item(item);
    gtk_label_set_text(GTK_LABEL(gtk_list_item_get_child(item)), gtk_string_object_get_string(text));
}

// Options of which one is chosen. Their texts are never wider than there is room.
static inline GtkWidget *docent_new_options(GtkStringList *texts) {
    GtkWidget *widget = gtk_drop_down_new(G_LIST_MODEL(texts), NULL);
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    g_signal_connect(factory, "setup", G_CALLBACK(docent_set_up_option), NULL);
    g_signal_connect(factory, "bind", G_CALLBACK(docent_bind_option), NULL);
    gtk_drop_down_set_factory(GTK_DROP_DOWN(widget), factory);
    g_object_unref(factory);
    return widget;
}

// Puts the window before that of another program. On X11 only the window's own property is set, so that a number of no
// window does nothing.
static inline void docent_set_parent(void *window, const char *parent) {
    GdkSurface *surface = gtk_native_get_surface(GTK_NATIVE(window));
    if (surface == NULL) return;
#ifdef GDK_WINDOWING_X11
    if (GDK_IS_X11_SURFACE(surface) && g_str_has_prefix(parent, "x11:")) {
        guint64 number = 0;
        if (!g_ascii_string_to_unsigned(parent + 4, 16, 1, G_MAXUINT32, &number, NULL)) return;
        XSetTransientForHint(
            gdk_x11_display_get_xdisplay(gdk_surface_get_display(surface)), gdk_x11_surface_get_xid(surface),
            (Window)number);
    }
#endif
#ifdef GDK_WINDOWING_WAYLAND
    if (GDK_IS_WAYLAND_TOPLEVEL(surface) && g_str_has_prefix(parent, "wayland:")) {
        gdk_wayland_toplevel_set_transient_for_exported(GDK_TOPLEVEL(surface), parent + 8);
    }
#endif
}
