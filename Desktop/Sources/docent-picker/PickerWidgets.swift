import CGTK
import PickerDialog
import TerminalPicker

/// The controls of the window.
@MainActor
final class PickerWidgets {
    typealias Widget = UnsafeMutablePointer<GtkWidget>

    private let window: Widget = adw_window_new()
    private let upButton: Widget = gtk_button_new_from_icon_name("go-up-symbolic")
    private let folderButton: Widget = gtk_button_new_from_icon_name("folder-new-symbolic")
    private let folderBox: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6)
    private let folderEntry: Widget = gtk_entry_new()
    private let makeButton: Widget = gtk_button_new_with_label("Make Folder")
    private let confirmButton: Widget
    private let othersLabel = PickerWidgets.label()
    private let placeLabel = PickerWidgets.label()
    private let filterEntry: Widget = gtk_search_entry_new()
    private let list: Widget
    private let nameEntry: Widget = gtk_entry_new()
    private let noticeLabel = PickerWidgets.label()
    private let wayButtons: [(way: WindowText.Way, button: Widget)] = [
        (.retry, gtk_button_new_with_label("Try Again")), (.replace, gtk_button_new_with_label("Replace")),
        (.useCopies, gtk_button_new_with_label("Use the Copy Here")),
    ]
    private let workBox: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)
    private let workLabel = PickerWidgets.label()
    private let workBar: Widget = gtk_progress_bar_new()
    private let stopButton: Widget = gtk_button_new_with_label("Stop")
    private let termWidgets: TermWidgets?
    private let fileWidgets: FileDialogWidgets?
    private let parentWindow: String?
    /// The rows: GTK needs only their number.
    private let rows: OpaquePointer
    private let chosen: OpaquePointer

    init(_ model: WindowModel) {
        let request = model.request
        confirmButton = gtk_button_new_with_label(WindowText.accept(request))
        rows = gtk_string_list_new(nil)
        if request.multiple {
            chosen = gtk_multi_selection_new(rows)
        } else {
            chosen = gtk_single_selection_new(rows)
            gtk_single_selection_set_autoselect(chosen, 0)
            gtk_single_selection_set_can_unselect(chosen, 1)
        }
        let factory = gtk_signal_list_item_factory_new()
        list = gtk_list_view_new(chosen, factory)
        let isGrant = request.mode == .open
        termWidgets = model.asker.flatMap { isGrant ? TermWidgets($0, model.terms) : nil }
        fileWidgets = request.files.map { FileDialogWidgets($0) }
        parentWindow = request.files?.parentWindow
        if let files = request.files, files.isModal, parentWindow != nil { gtk_window_set_modal(cast(window), 1) }
        docent_shorten_button(confirmButton, 24)
        gtk_window_set_title(cast(window), WindowText.title(request))
        gtk_window_set_default_size(cast(window), 760, 520)
        adw_window_set_content(cast(window), content(model))
        describe()
        if let name = request.currentName { gtk_editable_set_text(OpaquePointer(nameEntry), name) }
        connect()
        WindowCallbacks.connect(window: window, list: list, factory: factory, chosen: chosen)
    }

    func present() {
        if let parentWindow {
            gtk_widget_realize(window)
            docent_set_parent(window, parentWindow)
        }
        gtk_window_present(cast(window))
        focusFilter()
    }

    func close() { gtk_window_destroy(cast(window)) }

    // MARK: What the person did

    var filter: String {
        get { String(cString: gtk_editable_get_text(OpaquePointer(filterEntry))) }
        set { gtk_editable_set_text(OpaquePointer(filterEntry), newValue) }
    }

    var name: String {
        get { String(cString: gtk_editable_get_text(OpaquePointer(nameEntry))) }
        set { gtk_editable_set_text(OpaquePointer(nameEntry), newValue) }
    }

    /// The name of the new folder.
    var folderName: String { String(cString: gtk_editable_get_text(OpaquePointer(folderEntry))) }

    /// Whether the name of a new folder is being asked for.
    var asksForFolder: Bool { gtk_widget_get_visible(folderBox) != 0 }

    /// What the program gets; nil if that is not asked.
    var terms: PickerTerms? { termWidgets?.terms }

    /// What is set in a file dialog beside the files; nil if this is none.
    var dialog: FileDialogAnswer? { fileWidgets?.answer }

    /// Whether the person types in the filter.
    var isFiltering: Bool { docent_has_focus(window, filterEntry) != 0 }

    /// Whether the person is among the rows.
    var isInRows: Bool { docent_has_focus(window, list) != 0 }

    /// The selected rows.
    var selection: [Int] {
        var positions = [guint](repeating: 0, count: 4096)
        let count = docent_selected(UnsafeMutableRawPointer(chosen), &positions, guint(positions.count))
        return positions.prefix(Int(count)).map(Int.init)
    }

    // MARK: What is shown

    func select(_ selection: [Int]) {
        docent_unselect(UnsafeMutableRawPointer(chosen))
        for row in selection { docent_select(UnsafeMutableRawPointer(chosen), guint(row), 0) }
    }

    /// Moves the person to the rows.
    func focusRows() {
        gtk_widget_grab_focus(list)
        docent_scroll_to(list, 0)
    }

    func askForFolder(_ asks: Bool) {
        guard asks != asksForFolder else { return }
        gtk_editable_set_text(OpaquePointer(folderEntry), "")
        gtk_widget_set_visible(folderBox, asks ? 1 : 0)
        if asks { gtk_widget_grab_focus(folderEntry) } else { focusFilter() }
    }

    func setCanMakeFolder(_ canMake: Bool) {
        gtk_widget_set_sensitive(folderButton, canMake ? 1 : 0)
        gtk_widget_set_sensitive(makeButton, canMake ? 1 : 0)
    }

    func focusFilter() { gtk_widget_grab_focus(filterEntry) }

    /// Moves the person to the first control after the rows that can be used.
    func focusAfterRows() {
        let after = (noticeButtons + [stopButton, termWidgets?.first, fileWidgets?.first, nameEntry, confirmButton])
            .compactMap(\.self)
        if !after.contains(where: { gtk_widget_get_mapped($0) != 0 && gtk_widget_grab_focus($0) != 0 }) {
            focusFilter()
        }
    }

    private var noticeButtons: [Widget?] { wayButtons.map(\.button) }

    /// Makes GTK ask for the rows after the first `kept` ones again.
    func showRows(kept: Int, of count: Int) { docent_set_rows(rows, guint(kept), guint(count)) }

    func showPlace(_ text: String, hasUp: Bool) {
        gtk_label_set_text(OpaquePointer(placeLabel), text)
        gtk_widget_set_sensitive(upButton, hasUp ? 1 : 0)
    }

    func setConfirmable(_ isConfirmable: Bool) { gtk_widget_set_sensitive(confirmButton, isConfirmable ? 1 : 0) }

    func showOthers(_ text: String?) {
        gtk_label_set_text(OpaquePointer(othersLabel), text ?? "")
        gtk_widget_set_visible(othersLabel, text == nil ? 0 : 1)
    }

    func showNotice(_ text: String, ways: [WindowText.Way], isArmed: Bool) {
        gtk_label_set_text(OpaquePointer(noticeLabel), text)
        for (way, button) in wayButtons {
            gtk_widget_set_visible(button, ways.contains(way) ? 1 : 0)
            gtk_widget_set_sensitive(button, way == .retry || isArmed ? 1 : 0)
        }
    }

    /// - Parameter fraction: what is done, from 0 to 1; nil if that is unknown.
    func showWork(_ text: String?, fraction: Double?, canStop: Bool) {
        gtk_widget_set_visible(workBox, text == nil ? 0 : 1)
        gtk_label_set_text(OpaquePointer(workLabel), text ?? "")
        gtk_widget_set_visible(workBar, fraction == nil ? 0 : 1)
        gtk_progress_bar_set_fraction(OpaquePointer(workBar), fraction ?? 0)
        gtk_widget_set_sensitive(stopButton, canStop ? 1 : 0)
    }

    // MARK: Parts

    private func content(_ model: WindowModel) -> Widget {
        let cancelButton: Widget = gtk_button_new_with_label(model.asker == nil ? "Cancel" : "Refuse")
        WindowCallbacks.connect(cancelButton, "clicked", .cancel)
        let bar: Widget = adw_header_bar_new()
        adw_header_bar_set_show_end_title_buttons(OpaquePointer(bar), 0)
        adw_header_bar_set_show_start_title_buttons(OpaquePointer(bar), 0)
        adw_header_bar_pack_start(OpaquePointer(bar), cancelButton)
        adw_header_bar_pack_start(OpaquePointer(bar), upButton)
        adw_header_bar_pack_end(OpaquePointer(bar), confirmButton)
        if !model.request.choosesDocuments { adw_header_bar_pack_start(OpaquePointer(bar), folderButton) }
        gtk_widget_add_css_class(confirmButton, "suggested-action")

        let content: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6)
        let scroller: Widget = gtk_scrolled_window_new()
        gtk_scrolled_window_set_child(OpaquePointer(scroller), list)
        gtk_widget_set_vexpand(scroller, 1)
        let words = [WindowText.asker(model), WindowText.reason(model), WindowText.names(model.request)]
        let asker = words.compactMap(\.self).map(Self.label)
        if let first = asker.first { gtk_widget_add_css_class(first, "heading") }
        for child in [bar] + asker + [othersLabel, placeLabel, fillFolderBox(), filterEntry, scroller] {
            gtk_box_append(cast(content), child)
        }
        for child in [noticeBox(), fillWorkBox()] { gtk_box_append(cast(content), child) }
        for box in [termWidgets?.box, fileWidgets?.box].compactMap(\.self) { gtk_box_append(cast(content), box) }
        if model.request.choosesName { gtk_box_append(cast(content), nameEntry) }
        for entry in [filterEntry, nameEntry, noticeLabel] {
            gtk_widget_set_margin_start(entry, 12)
            gtk_widget_set_margin_end(entry, 12)
        }
        gtk_widget_set_margin_bottom(content, 12)
        return content
    }

    private func fillFolderBox() -> Widget {
        gtk_widget_set_margin_start(folderBox, 12)
        gtk_widget_set_margin_end(folderBox, 12)
        gtk_widget_set_hexpand(folderEntry, 1)
        for child in [folderEntry, makeButton] { gtk_box_append(cast(folderBox), child) }
        gtk_widget_set_visible(folderBox, 0)
        return folderBox
    }

    private func noticeBox() -> Widget {
        let box: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6)
        gtk_widget_set_margin_end(box, 12)
        gtk_widget_set_hexpand(noticeLabel, 1)
        // An error is worth two lines.
        gtk_label_set_wrap(OpaquePointer(noticeLabel), 1)
        gtk_label_set_wrap_mode(OpaquePointer(noticeLabel), PANGO_WRAP_WORD_CHAR)
        gtk_label_set_lines(OpaquePointer(noticeLabel), 2)
        gtk_label_set_ellipsize(OpaquePointer(noticeLabel), PANGO_ELLIPSIZE_END)
        gtk_box_append(cast(box), noticeLabel)
        for (way, button) in wayButtons {
            gtk_widget_add_css_class(button, way == .replace ? "destructive-action" : "flat")
            gtk_box_append(cast(box), button)
        }
        return box
    }

    private func fillWorkBox() -> Widget {
        gtk_widget_set_margin_end(workBox, 12)
        gtk_widget_set_hexpand(workLabel, 1)
        gtk_widget_set_valign(workBar, GTK_ALIGN_CENTER)
        for child in [workLabel, workBar, stopButton] { gtk_box_append(cast(workBox), child) }
        return workBox
    }

    /// What a screen reader says.
    private func describe() {
        docent_set_name(upButton, "Folder above")
        docent_set_name(folderButton, "New folder")
        docent_set_name(folderEntry, "Name of the new folder")
        docent_set_name(filterEntry, "Filter")
        docent_set_name(nameEntry, "Name")
        docent_set_name(list, "Documents")
        docent_set_name(workBar, "Progress")
    }

    private func connect() {
        WindowCallbacks.connect(upButton, "clicked", .up)
        WindowCallbacks.connect(confirmButton, "clicked", .confirm)
        WindowCallbacks.connect(folderButton, "clicked", .newFolder)
        WindowCallbacks.connect(makeButton, "clicked", .makeFolder)
        WindowCallbacks.connect(folderEntry, "activate", .makeFolder)
        WindowCallbacks.connect(stopButton, "clicked", .stop)
        // Not "search-changed", which waits a moment: Enter must choose what the filter shows.
        WindowCallbacks.connect(filterEntry, "changed", .filter)
        WindowCallbacks.connect(filterEntry, "activate", .enter)
        WindowCallbacks.connect(nameEntry, "changed", .name)
        WindowCallbacks.connect(nameEntry, "activate", .confirm)
        for (way, button) in wayButtons {
            WindowCallbacks.connect(
                button, "clicked", way == .retry ? .retry : way == .replace ? .replace : .useCopies)
        }
        // What is typed among the rows filters, too.
        gtk_search_entry_set_key_capture_widget(OpaquePointer(filterEntry), window)
    }

    /// A line that is never wider than the window.
    private static func label() -> Widget { label("") }

    private static func label(_ text: String) -> Widget {
        let label: Widget = gtk_label_new(text)
        gtk_label_set_ellipsize(OpaquePointer(label), PANGO_ELLIPSIZE_MIDDLE)
        gtk_label_set_xalign(OpaquePointer(label), 0)
        gtk_widget_set_margin_start(label, 12)
        gtk_widget_set_margin_end(label, 12)
        return label
    }
}

/// The widget as the class that a function of GTK wants.
func cast<Class>(_ widget: UnsafeMutablePointer<GtkWidget>) -> UnsafeMutablePointer<Class> {
    UnsafeMutableRawPointer(widget).assumingMemoryBound(to: Class.self)
}
