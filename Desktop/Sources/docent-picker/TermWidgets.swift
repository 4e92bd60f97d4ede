import CGTK
import PickerDialog
import TerminalPicker

/// What a program gets of what it asked for: a person can narrow it.
@MainActor
final class TermWidgets {
    typealias Widget = UnsafeMutablePointer<GtkWidget>

    /// All of them.
    let box: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)
    private let readOnly: Widget = gtk_check_button_new_with_label("Only reading")
    private let lifetime: Widget
    private let companions: Widget?

    init(_ asker: PickerAsker, _ terms: PickerTerms) {
        let lifetimes = PickerTerms.Lifetime.allCases
        let texts = gtk_string_list_new(nil)
        for lifetime in lifetimes { gtk_string_list_append(texts, Self.text(lifetime)) }
        lifetime = gtk_drop_down_new(texts, nil)
        companions = WindowText.companions(asker).map { gtk_check_button_new_with_label($0) }
        gtk_check_button_set_active(cast(readOnly), terms.isReadOnly || !asker.mayWrite ? 1 : 0)
        gtk_widget_set_sensitive(readOnly, asker.mayWrite ? 1 : 0)
        gtk_drop_down_set_selected(
            OpaquePointer(lifetime), guint(lifetimes.firstIndex(of: terms.lifetime) ?? 0))
        docent_set_name(lifetime, "How long")
        for widget in [readOnly, lifetime, companions].compactMap(\.self) { gtk_box_append(cast(box), widget) }
        gtk_widget_set_margin_start(box, 12)
        gtk_widget_set_margin_end(box, 12)
        WindowCallbacks.connect(readOnly, "toggled", .terms)
        WindowCallbacks.connect(property: "selected", of: UnsafeMutableRawPointer(lifetime), .terms)
        if let companions {
            docent_shorten_check(companions)
            WindowCallbacks.connect(companions, "toggled", .terms)
        }
    }

    /// The first that can be used.
    var first: Widget { gtk_widget_get_sensitive(readOnly) != 0 ? readOnly : lifetime }

    var terms: PickerTerms {
        let selected = Int(gtk_drop_down_get_selected(OpaquePointer(lifetime)))
        let lifetimes = PickerTerms.Lifetime.allCases
        return PickerTerms(
            isReadOnly: gtk_check_button_get_active(cast(readOnly)) != 0,
            lifetime: lifetimes.indices.contains(selected) ? lifetimes[selected] : .program,
            hasCompanions: companions.map { gtk_check_button_get_active(cast($0)) != 0 } ?? false)
    }

    private static func text(_ lifetime: PickerTerms.Lifetime) -> String {
        lifetime.text.prefix(1).uppercased() + lifetime.text.dropFirst()
    }
}
