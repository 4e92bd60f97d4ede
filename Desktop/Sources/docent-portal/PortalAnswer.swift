import CGIO

/// A call that waits for its answer.
@MainActor
final class PortalAnswer {
    private let invocation: OpaquePointer

    init(_ invocation: OpaquePointer) { self.invocation = invocation }

    /// - Parameter reply: in the text form of GVariant.
    func send(_ reply: String, after delay: Duration) {
        Task { @MainActor in
            if delay > .zero { try? await Task.sleep(for: delay) }
            let value = docent_parse("(ua{sv})", reply) ?? docent_parse("(ua{sv})", "(uint32 2, @a{sv} {})")
            g_dbus_method_invocation_return_value(invocation, value)
        }
    }
}
