import CGTK
import PickerDialog

/// What GTK calls, always on the main thread.
enum WindowCallbacks {
    private typealias Raw = UnsafeMutableRawPointer

    /// A signal without arguments.
    @MainActor
    static func connect(_ widget: UnsafeMutablePointer<GtkWidget>, _ signal: String, _ meaning: WindowSignal) {
        docent_connect(widget, signal, unsafeBitCast(simple, to: GCallback.self), context(meaning))
    }

    /// A change of a property.
    @MainActor
    static func connect(property: String, of object: UnsafeMutableRawPointer, _ meaning: WindowSignal) {
        docent_connect(object, "notify::\(property)", unsafeBitCast(noted, to: GCallback.self), context(meaning))
    }

    @MainActor
    static func connect(
        window: UnsafeMutablePointer<GtkWidget>, list: UnsafeMutablePointer<GtkWidget>, factory: OpaquePointer?,
        chosen: OpaquePointer
    ) {
        docent_connect(window, "close-request", unsafeBitCast(closing, to: GCallback.self), context(.cancel))
        docent_connect(
            Raw(chosen), "selection-changed", unsafeBitCast(selected, to: GCallback.self), context(.select))
        docent_connect(list, "activate", unsafeBitCast(activated, to: GCallback.self), nil)
        let keys = gtk_event_controller_key_new()
        gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
        if let keys { docent_connect(Raw(keys), "key-pressed", unsafeBitCast(pressed, to: GCallback.self), nil) }
        gtk_widget_add_controller(window, keys)
        guard let factory else { return }
        docent_connect(Raw(factory), "setup", unsafeBitCast(setUp, to: GCallback.self), nil)
        docent_connect(Raw(factory), "bind", unsafeBitCast(bind, to: GCallback.self), nil)
    }

    private static func context(_ meaning: WindowSignal) -> Raw? { Raw(bitPattern: meaning.rawValue) }

    private static let simple: @convention(c) (Raw?, Raw?) -> Void = { _, data in report(data) }

    private static let closing: @convention(c) (Raw?, Raw?) -> gboolean = { _, data in
        report(data)
        return 1
    }

    private static let noted: @convention(c) (Raw?, Raw?, Raw?) -> Void = { _, _, data in report(data) }

    private static let selected: @convention(c) (Raw?, guint, guint, Raw?) -> Void = { _, _, _, data in
        report(data)
    }

    private static let activated: @convention(c) (Raw?, guint, Raw?) -> Void = { _, position, _ in
        MainActor.assumeIsolated { PickerWindow.shared?.activate(Int(position)) }
    }

    private static let pressed: @convention(c) (Raw?, guint, guint, guint, Raw?) -> gboolean = {
        _, key, _, state, _ in
        let hasAlt = state & GDK_ALT_MASK.rawValue != 0
        let hasControl = state & GDK_CONTROL_MASK.rawValue != 0
        return MainActor.assumeIsolated { PickerWindow.shared?.press(key, hasAlt, hasControl) ?? false } ? 1 : 0
    }

    private static let setUp: @convention(c) (Raw?, OpaquePointer?, Raw?) -> Void = { _, item, _ in
        docent_set_up_row(item)
    }

    private static let bind: @convention(c) (Raw?, OpaquePointer?, Raw?) -> Void = { _, item, _ in
        let position = Int(gtk_list_item_get_position(item))
        let row = MainActor.assumeIsolated { PickerWindow.shared?.row(position) }
        guard let row else { return }
        docent_fill_row(item, row.icon, row.name, row.detail, row.isEnabled ? 1 : 0)
    }

    private static func report(_ data: Raw?) {
        let number = Int(bitPattern: data)
        MainActor.assumeIsolated {
            if let signal = WindowSignal(rawValue: number) { PickerWindow.shared?.handle(signal) }
        }
    }
}
