import CGIO
import DesktopPrograms
import FoundationEssentials
import PickerDialog
import PortalDialog

/// Answers the calls of the portal. Each window is a process of its own: whatever becomes of it, the program that asked
/// gets an answer.
@MainActor
final class PortalService {
    private static let name = "org.freedesktop.impl.portal.desktop.docent"
    private static let path = "/org/freedesktop/portal/desktop"
    /// How long an answer takes at least: Qt 5 listens for it only after it has asked.
    private static let delay: Duration = .milliseconds(300)
    private static var shared: PortalService?
    private static let interfaces = """
        <node>
          <interface name='org.freedesktop.impl.portal.FileChooser'>
            <method name='OpenFile'>
              <arg type='o' name='handle' direction='in'/><arg type='s' name='app_id' direction='in'/>
              <arg type='s' name='parent_window' direction='in'/><arg type='s' name='title' direction='in'/>
              <arg type='a{sv}' name='options' direction='in'/>
              <arg type='u' name='response' direction='out'/><arg type='a{sv}' name='results' direction='out'/>
            </method>
            <method name='SaveFile'>
              <arg type='o' name='handle' direction='in'/><arg type='s' name='app_id' direction='in'/>
              <arg type='s' name='parent_window' direction='in'/><arg type='s' name='title' direction='in'/>
              <arg type='a{sv}' name='options' direction='in'/>
              <arg type='u' name='response' direction='out'/><arg type='a{sv}' name='results' direction='out'/>
            </method>
            <method name='SaveFiles'>
              <arg type='o' name='handle' direction='in'/><arg type='s' name='app_id' direction='in'/>
              <arg type='s' name='parent_window' direction='in'/><arg type='s' name='title' direction='in'/>
              <arg type='a{sv}' name='options' direction='in'/>
              <arg type='u' name='response' direction='out'/><arg type='a{sv}' name='results' direction='out'/>
            </method>
            <property name='version' type='u' access='read'/>
          </interface>
          <interface name='org.freedesktop.impl.portal.Request'>
            <method name='Close'/>
          </interface>
        </node>
        """

    private let connection: OpaquePointer
    private let closing: UnsafeMutablePointer<GDBusInterfaceInfo>?
    private var queue = DialogQueue()
    private var dialogs: [Int: PortalCall] = [:]
    private var last = 0

    static func start(on connection: OpaquePointer) {
        guard let node = g_dbus_node_info_new_for_xml(interfaces, nil) else {
            DocentPortal.fail(70, "The description of the interfaces cannot be read.")
        }
        var table = GDBusInterfaceVTable()
        table.method_call = { _, sender, _, _, method, parameters, invocation, _ in
            MainActor.assumeIsolated {
                PortalService.shared?.call(
                    PortalService.text(sender), PortalService.text(method),
                    parameters.map { PortalValue($0) } ?? .other, invocation)
            }
        }
        table.get_property = { _, _, _, _, _, _, _ in g_variant_new_uint32(3) }
        shared = PortalService(
            connection, g_dbus_node_info_lookup_interface(node, "org.freedesktop.impl.portal.Request"))
        let chooser = g_dbus_node_info_lookup_interface(node, "org.freedesktop.impl.portal.FileChooser")
        guard g_dbus_connection_register_object(connection, path, chooser, &table, nil, nil, nil) != 0 else {
            DocentPortal.fail(70, "The interface cannot be offered.")
        }
        g_bus_own_name_on_connection(
            connection, name, G_BUS_NAME_OWNER_FLAGS_NONE, nil,
            { _, _, _ in DocentPortal.fail(69, "The session has ended, or another program is the back end already.") },
            nil, nil)
    }

    private init(
        _ connection: OpaquePointer, _ closing: UnsafeMutablePointer<GDBusInterfaceInfo>?
    ) {
        self.connection = connection
        self.closing = closing
    }

    private static func text(_ characters: UnsafePointer<CChar>?) -> String {
        characters.map { String(cString: $0) } ?? ""
    }

    // MARK: Calls

    private func call(_ sender: String, _ method: String, _ parameters: PortalValue, _ invocation: OpaquePointer?) {
        guard let invocation else { return }
        let answered = PortalAnswer(invocation)
        guard let method = PortalRequest.Method(rawValue: method),
            let request = PortalRequest(method: method, parameters: parameters)
        else { return answered.send(PortalReply.ended, after: Self.delay) }
        last += 1
        let number = last
        dialogs[number] = PortalCall(request, answered, sender: sender)
        offerClosing(number, request.handle)
        // A program that has gone needs no window, and one that the portal has forgotten neither.
        for name in Set([sender, request.connection].compactMap(\.self)) where !name.isEmpty {
            let watch = g_bus_watch_name_on_connection(
                connection, name, G_BUS_NAME_WATCHER_FLAGS_NONE, nil,
                { _, _, data in
                    let number = Int(bitPattern: data)
                    MainActor.assumeIsolated { PortalService.shared?.finish(number, with: PortalReply.ended) }
                }, UnsafeMutableRawPointer(bitPattern: number), nil)
            dialogs[number]?.watches.append(watch)
        }
        perform(queue.add(number, caller: request.caller))
    }

    /// Offers the object that ends a request.
    private func offerClosing(_ number: Int, _ handle: String) {
        var table = GDBusInterfaceVTable()
        table.method_call = { _, sender, _, _, _, _, invocation, data in
            let number = Int(bitPattern: data)
            MainActor.assumeIsolated {
                // Only who has asked may end it.
                guard PortalService.shared?.dialogs[number]?.sender == PortalService.text(sender) else {
                    g_dbus_method_invocation_return_dbus_error(
                        invocation, "org.freedesktop.DBus.Error.AccessDenied", "This is the request of another program."
                    )
                    return
                }
                g_dbus_method_invocation_return_value(invocation, nil)
                PortalService.shared?.finish(number, with: PortalReply.ended)
            }
        }
        dialogs[number]?.object = g_dbus_connection_register_object(
            connection, handle, closing, &table, UnsafeMutableRawPointer(bitPattern: number), nil, nil)
    }

    private func perform(_ steps: [DialogQueue.Step]) {
        for step in steps {
            switch step {
            case .show(let number): show(number)
            case .report(let number, let others): dialogs[number]?.report(others)
            case .refuse(let number): finish(number, with: PortalReply.ended)
            }
        }
    }

    private func show(_ number: Int) {
        guard let call = dialogs[number] else { return }
        let request = call.request
        let isShown = call.show { ending in
            let reply: String? =
                switch ending.code {
                case 0: FileDialogAnswer(line: Data(ending.output)).map { PortalReply.text($0, to: request) }
                case 7: PortalReply.cancelled
                default: nil
                }
            Task { @MainActor in PortalService.shared?.finish(number, with: reply ?? PortalReply.ended) }
        }
        if !isShown { finish(number, with: PortalReply.ended) }
    }

    /// Answers a request, if that was not done, and ends its window.
    private func finish(_ number: Int, with reply: String) {
        guard let call = dialogs.removeValue(forKey: number) else { return }
        for watch in call.watches { g_bus_unwatch_name(watch) }
        if call.object != 0 { g_dbus_connection_unregister_object(connection, call.object) }
        call.close()
        call.answer.send(reply, after: Self.delay - (ContinuousClock.now - call.began))
        perform(queue.remove(number))
    }
}
