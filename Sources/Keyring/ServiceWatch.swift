import CLibSecret
import Dispatch
import Synchronization

/// Watches the session bus for signs that the Secret Service appeared, disappeared or was unlocked. It has its own
/// connection and thread for as long as it exists.
///
/// `@unchecked`: other threads may wake the GMainContext, and the mutex protects the rest.
final class ServiceWatch: @unchecked Sendable {
    private let context = g_main_context_new()
    private let isEnded = Mutex(false)
    private let pause: Duration
    private let changed: @Sendable () -> Void

    /// Starts watching.
    ///
    /// - Parameters:
    ///   - pause: the interval for calls without a sign, and for checks whether there is a bus.
    ///   - changed: called on the watch's thread at every sign.
    init(pause: Duration, changed: @escaping @Sendable () -> Void) {
        self.pause = pause
        self.changed = changed
        DispatchQueue(label: "org.docent.keyring.watch").async { [self] in run() }
    }

    /// Stops watching; the thread frees its resources soon after.
    func end() {
        isEnded.withLock { $0 = true }
        g_main_context_wakeup(context)
    }

    private func run() {
        g_main_context_push_thread_default(context)
        defer {
            g_main_context_pop_thread_default(context)
            g_main_context_unref(context)
        }
        while !isEnded.withLock(\.self) {
            guard let bus = docent_private_bus(nil) else {
                waitOnce()
                changed()
                continue
            }
            docent_begin_watch(bus)
            changed()
            while !isEnded.withLock(\.self), g_dbus_connection_is_closed(bus) == 0 {
                waitOnce()
                while g_main_context_iteration(context, 0) != 0 {}
                changed()
            }
            docent_end_watch(bus)
            while g_main_context_iteration(context, 0) != 0 {}
        }
    }

    private func waitOnce() {
        let (seconds, attoseconds) = pause.components
        docent_iterate(context, guint(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000))
    }
}
