import CGTK
import PickerDialog

/// What a file dialog asks beside the files: which of them are shown, and the questions of the program.
@MainActor
final class FileDialogWidgets {
    typealias Widget = UnsafeMutablePointer<GtkWidget>

    /// All of them; more than fit can be scrolled.
    let box: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6)
    private let files: FileDialog
    private var filter: Widget?
    private var readOnly: Widget?
    private var choices: [(choice: FileDialog.Choice, widget: Widget)] = []

    init(_ files: FileDialog) {
        self.files = files
        gtk_widget_set_margin_start(box, 12)
        gtk_widget_set_margin_end(box, 12)
        addFirstLine()
        addChoices()
    }

    /// The first that can be used; nil if there is none.
    var first: Widget? { filter ?? readOnly ?? choices.first?.widget }

    /// What is set.
    var answer: FileDialogAnswer {
        var answer = FileDialogAnswer(paths: [], filter: files.filter)
        if let filter {
            let selected = Int(gtk_drop_down_get_selected(OpaquePointer(filter)))
            if files.filters.indices.contains(selected) { answer.filter = selected }
        }
        answer.isReadOnly = readOnly.map { gtk_check_button_get_active(cast($0)) != 0 } ?? false
        for (choice, widget) in choices {
            guard !choice.options.isEmpty else {
                answer.choices[choice.identifier] = gtk_check_button_get_active(cast(widget)) != 0 ? "true" : "false"
                continue
            }
            let selected = Int(gtk_drop_down_get_selected(OpaquePointer(widget)))
            answer.choices[choice.identifier] =
                choice.options.indices.contains(selected) ? choice.options[selected].identifier : choice.selected
        }
        return answer
    }

    // MARK: Parts

    private func addFirstLine() {
        let line: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)
        if !files.filters.isEmpty {
            let widget = options(files.filters.map(\.name), selected: files.filter ?? 0, name: "Which files")
            gtk_box_append(cast(line), widget)
            filter = widget
        }
        if files.canNarrow {
            let widget: Widget = gtk_check_button_new_with_label("Only reading")
            WindowCallbacks.connect(widget, "toggled", .dialog)
            gtk_box_append(cast(line), widget)
            readOnly = widget
        }
        if filter != nil || readOnly != nil { gtk_box_append(cast(box), line) }
    }

    private func addChoices() {
        guard !files.choices.isEmpty else { return }
        let list: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6)
        for choice in files.choices {
            let text = WindowText.question(choice.label)
            let widget: Widget
            if choice.options.isEmpty {
                widget = gtk_check_button_new_with_label(text)
                docent_shorten_check(widget)
                gtk_check_button_set_active(cast(widget), choice.selected == "true" ? 1 : 0)
                WindowCallbacks.connect(widget, "toggled", .dialog)
                gtk_box_append(cast(list), widget)
            } else {
                let line: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)
                let label: Widget = gtk_label_new(text)
                gtk_label_set_ellipsize(OpaquePointer(label), PANGO_ELLIPSIZE_END)
                gtk_label_set_xalign(OpaquePointer(label), 0)
                gtk_widget_set_hexpand(label, 1)
                widget = options(
                    choice.options.map(\.label),
                    selected: choice.options.firstIndex { $0.identifier == choice.selected } ?? 0, name: text)
                gtk_box_append(cast(line), label)
                gtk_box_append(cast(line), widget)
                gtk_box_append(cast(list), line)
            }
            choices.append((choice, widget))
        }
        let scroller: Widget = gtk_scrolled_window_new()
        gtk_scrolled_window_set_policy(OpaquePointer(scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_propagate_natural_height(OpaquePointer(scroller), 1)
        gtk_scrolled_window_set_max_content_height(OpaquePointer(scroller), 110)
        gtk_scrolled_window_set_child(OpaquePointer(scroller), list)
        gtk_box_append(cast(box), scroller)
    }

    private func options(_ texts: [String], selected: Int, name: String) -> Widget {
        let list = gtk_string_list_new(nil)
        for text in texts { gtk_string_list_append(list, WindowText.question(text)) }
        let widget: Widget = docent_new_options(list)
        gtk_drop_down_set_selected(OpaquePointer(widget), guint(selected))
        docent_set_name(widget, name)
        WindowCallbacks.connect(property: "selected", of: UnsafeMutableRawPointer(widget), .dialog)
        return widget
    }
}
