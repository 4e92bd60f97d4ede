import CLibSecret
import Dispatch
import Synchronization

/// Listens on the session bus for signs that the Secret Service came, went, or was unlocked. It has a connection and a
/// thread of its own, from the first to the last moment of its life.
///
/// `@unchecked`: GMainContext is made for being woken up from other threads, the rest is behind the mutex.
final class ServiceWatch: @unchecked Sendable {
    private let context = g_main_context_new()
    private let isEnded = Mutex(false)
    private let pause: Duration
    private let changed: @Sendable () -> Void

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - pause: how often it says so without a sign too, and looks for a bus where there is none.
    ///   - changed: called on the watch's thread at every sign.
    init(pause: Duration, changed: @escaping @Sendable () -> Void) {
        self.pause = pause
        self.changed = changed
        DispatchQueue(label: "org.docent.keyring.watch").async { [self] in run() }
    }

    /// Ends it; the thread lets go of everything soon after.
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
