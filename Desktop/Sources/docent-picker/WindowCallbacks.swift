import CGTK

/// What GTK calls, always on the main thread.
enum WindowCallbacks {
    private typealias Raw = UnsafeMutableRawPointer

    /// A signal without arguments.
    @MainActor
    static func connect(
        _ widget: UnsafeMutablePointer<GtkWidget>, _ signal: String, _ meaning: PickerWindow.Signal
    ) {
        docent_connect(widget, signal, unsafeBitCast(simple, to: GCallback.self), Raw(bitPattern: meaning.rawValue))
    }

    @MainActor
    static func connect(
        window: UnsafeMutablePointer<GtkWidget>, list: UnsafeMutablePointer<GtkWidget>, factory: OpaquePointer?,
        chosen: OpaquePointer
    ) {
        let cancel = Raw(bitPattern: PickerWindow.Signal.cancel.rawValue)
        let select = Raw(bitPattern: PickerWindow.Signal.select.rawValue)
        docent_connect(window, "close-request", unsafeBitCast(closing, to: GCallback.self), cancel)
        docent_connect(Raw(chosen), "notify::selected", unsafeBitCast(noted, to: GCallback.self), select)
        docent_connect(list, "activate", unsafeBitCast(activated, to: GCallback.self), nil)
        guard let factory else { return }
        docent_connect(Raw(factory), "setup", unsafeBitCast(setUp, to: GCallback.self), nil)
        docent_connect(Raw(factory), "bind", unsafeBitCast(bind, to: GCallback.self), nil)
    }

    private static let simple: @convention(c) (Raw?, Raw?) -> Void = { _, data in report(data) }

    private static let closing: @convention(c) (Raw?, Raw?) -> gboolean = { _, data in
        report(data)
        return 1
    }

    private static let noted: @convention(c) (Raw?, Raw?, Raw?) -> Void = { _, _, data in report(data) }

    private static let activated: @convention(c) (Raw?, guint, Raw?) -> Void = { _, position, _ in
        MainActor.assumeIsolated { PickerWindow.shared?.activate(Int(position)) }
    }

    private static let setUp: @convention(c) (Raw?, OpaquePointer?, Raw?) -> Void = { _, item, _ in
        docent_set_up_row(item)
    }

    private static let bind: @convention(c) (Raw?, OpaquePointer?, Raw?) -> Void = { _, item, _ in
        let position = Int(gtk_list_item_get_position(item))
        let row = MainActor.assumeIsolated { PickerWindow.shared?.row(position) }
        guard let row else { return }
        docent_fill_row(item, row.name, row.detail, row.isEnabled ? 1 : 0)
    }

    private static func report(_ data: Raw?) {
        let number = Int(bitPattern: data)
        MainActor.assumeIsolated {
            if let signal = PickerWindow.Signal(rawValue: number) { PickerWindow.shared?.handle(signal) }
        }
    }
}
