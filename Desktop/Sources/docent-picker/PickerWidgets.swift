import CGTK
import CommandConsole
import PickerDialog

/// The controls of the window.
@MainActor
final class PickerWidgets {
    typealias Widget = UnsafeMutablePointer<GtkWidget>

    private let window: Widget
    private let upButton: Widget
    private let confirmButton: Widget
    private let placeLabel: Widget
    private let filterEntry: Widget
    private let nameEntry: Widget
    private let noticeLabel: Widget
    private let retryButton: Widget
    private let replaceButton: Widget
    /// The rows: GTK needs only their number.
    private let rows: OpaquePointer
    private let chosen: OpaquePointer

    init(_ request: DialogRequest) {
        window = adw_window_new()
        upButton = gtk_button_new_from_icon_name("go-up-symbolic")
        placeLabel = gtk_label_new("")
        filterEntry = gtk_search_entry_new()
        nameEntry = gtk_entry_new()
        noticeLabel = gtk_label_new("")
        retryButton = gtk_button_new_with_label("Try Again")
        replaceButton = gtk_button_new_with_label("Replace")
        let words = Self.words(request.mode)
        confirmButton = gtk_button_new_with_label(request.acceptLabel.map(Self.short) ?? words.accept)
        let cancelButton: Widget = gtk_button_new_with_label("Cancel")
        rows = gtk_string_list_new(nil)
        chosen = gtk_single_selection_new(rows)
        gtk_single_selection_set_autoselect(chosen, 0)
        gtk_single_selection_set_can_unselect(chosen, 1)
        let factory = gtk_signal_list_item_factory_new()
        let list: Widget = gtk_list_view_new(chosen, factory)
        docent_set_name(list, "Documents")

        let title = request.title.map(Self.short) ?? words.title
        gtk_window_set_title(cast(window), title)
        gtk_window_set_default_size(cast(window), 760, 520)
        let bar: Widget = adw_header_bar_new()
        adw_header_bar_set_show_end_title_buttons(OpaquePointer(bar), 0)
        adw_header_bar_set_show_start_title_buttons(OpaquePointer(bar), 0)
        adw_header_bar_pack_start(OpaquePointer(bar), cancelButton)
        adw_header_bar_pack_start(OpaquePointer(bar), upButton)
        adw_header_bar_pack_end(OpaquePointer(bar), confirmButton)
        gtk_widget_add_css_class(confirmButton, "suggested-action")
        gtk_widget_add_css_class(replaceButton, "destructive-action")

        let content: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6)
        let scroller: Widget = gtk_scrolled_window_new()
        gtk_scrolled_window_set_child(OpaquePointer(scroller), list)
        gtk_widget_set_vexpand(scroller, 1)
        let notices: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6)
        gtk_widget_set_hexpand(noticeLabel, 1)
        for child in [noticeLabel, retryButton, replaceButton] { gtk_box_append(cast(notices), child) }
        gtk_box_append(cast(content), bar)
        if let program = request.program {
            gtk_box_append(cast(content), Self.label("\(Self.short(program)) asks."))
        }
        if let reason = request.reason {
            gtk_box_append(cast(content), Self.label("It says: \u{201C}\(Self.short(reason))\u{201D}"))
        }
        for child in [placeLabel, filterEntry, scroller, notices] { gtk_box_append(cast(content), child) }
        if request.mode == .save { gtk_box_append(cast(content), nameEntry) }
        for label in [placeLabel, noticeLabel] { Self.shorten(label) }
        adw_window_set_content(cast(window), content)

        docent_set_name(upButton, "Folder above")
        docent_set_name(filterEntry, "Filter")
        docent_set_name(nameEntry, "Name")
        if let name = request.currentName { gtk_editable_set_text(OpaquePointer(nameEntry), name) }
        connect(cancelButton, "clicked", .cancel)
        connect(upButton, "clicked", .up)
        connect(confirmButton, "clicked", .confirm)
        connect(retryButton, "clicked", .retry)
        connect(replaceButton, "clicked", .replace)
        connect(filterEntry, "search-changed", .filter)
        connect(filterEntry, "activate", .enter)
        connect(filterEntry, "stop-search", .cancel)
        connect(nameEntry, "changed", .name)
        connect(nameEntry, "activate", .confirm)
        WindowCallbacks.connect(window: window, list: list, factory: factory, chosen: chosen)
    }

    func present() {
        gtk_window_present(cast(window))
        gtk_widget_grab_focus(filterEntry)
    }

    var filter: String {
        get { String(cString: gtk_editable_get_text(OpaquePointer(filterEntry))) }
        set { gtk_editable_set_text(OpaquePointer(filterEntry), newValue) }
    }

    var name: String {
        get { String(cString: gtk_editable_get_text(OpaquePointer(nameEntry))) }
        set { gtk_editable_set_text(OpaquePointer(nameEntry), newValue) }
    }

    /// The selected row.
    var selection: Int? {
        let position = gtk_single_selection_get_selected(chosen)
        return position == guint.max ? nil : Int(position)
    }

    func select(_ row: Int?) { gtk_single_selection_set_selected(chosen, row.map(guint.init) ?? guint.max) }

    /// Makes GTK ask for all rows again.
    func showRows(_ count: Int) { docent_set_rows(rows, guint(count)) }

    func showPlace(_ text: String, hasUp: Bool) {
        gtk_label_set_text(OpaquePointer(placeLabel), text)
        gtk_widget_set_sensitive(upButton, hasUp ? 1 : 0)
    }

    func setConfirmable(_ isConfirmable: Bool) { gtk_widget_set_sensitive(confirmButton, isConfirmable ? 1 : 0) }

    func showNotice(_ text: String?, way: PickerWindow.Signal?) {
        gtk_label_set_text(OpaquePointer(noticeLabel), text ?? "")
        gtk_widget_set_visible(retryButton, way == .retry ? 1 : 0)
        gtk_widget_set_visible(replaceButton, way == .replace ? 1 : 0)
    }

    private func connect(_ widget: Widget, _ signal: String, _ meaning: PickerWindow.Signal) {
        WindowCallbacks.connect(widget, signal, meaning)
    }

    /// A line of Docent's words with those of others in it.
    private static func label(_ text: String) -> Widget {
        let label: Widget = gtk_label_new(text)
        shorten(label)
        return label
    }

    /// However long the text is, the window keeps its size.
    private static func shorten(_ label: Widget) {
        gtk_label_set_ellipsize(OpaquePointer(label), PANGO_ELLIPSIZE_MIDDLE)
        gtk_label_set_xalign(OpaquePointer(label), 0)
        gtk_widget_set_margin_start(label, 12)
        gtk_widget_set_margin_end(label, 12)
    }

    /// The words of others, harmless and on one line.
    private static func short(_ text: String) -> String { SafeText.escaped(String(text.prefix(200))) }

    private static func words(_ mode: DialogRequest.Mode) -> (title: String, accept: String) {
        switch mode {
        case .open: ("Choose a Document", "Open")
        case .folder: ("Choose a Folder", "Choose")
        case .save: ("Choose Where to Save", "Save")
        }
    }
}

/// The widget as the class that a function of GTK wants.
func cast<Class>(_ widget: UnsafeMutablePointer<GtkWidget>) -> UnsafeMutablePointer<Class> {
    UnsafeMutableRawPointer(widget).assumingMemoryBound(to: Class.self)
}
