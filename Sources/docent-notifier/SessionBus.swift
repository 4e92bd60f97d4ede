import CSessionBus
import DesktopNotices
import Dispatch
import Synchronization

/// The notification server on the session bus. The connection has a thread of its own, and no call of this type blocks:
/// a server that does not answer is given up after a few seconds.
///
/// `@unchecked`: other threads may wake the GMainContext, and the mutex protects the rest.
final class SessionBus: @unchecked Sendable {
    /// A report of the bus.
    enum News: Sendable, Hashable {
        /// A button of a notification was pressed.
        case action(UInt32, String)
        /// A notification was closed.
        case closed(UInt32)
        /// There is a notification server.
        case serverBegan
        /// The notification server has ended.
        case serverEnded
        /// The bus has ended.
        case ended
    }

    /// Why there is nothing to be done on this bus.
    enum Refusal: Error {
        case noBus
        /// Another process shows the notifications of this session.
        case isRunning
    }

    private typealias Work = @Sendable (OpaquePointer?) -> Void

    private struct State {
        var work: [Work] = []
        var isEnded = false
    }

    private let context = g_main_context_new()
    private let state = Mutex(State())
    private let received: @Sendable (News) -> Void

    /// - Parameter received: called on the thread of the bus, in the order of the news.
    init(received: @escaping @Sendable (News) -> Void) { self.received = received }

    /// Connects, and takes the name that only one process of a session has.
    func start(as name: String) async throws(Refusal) {
        let refusal: Refusal? = await withCheckedContinuation { continuation in
            DispatchQueue(label: "org.docent.notifier.bus").async { [self] in
                run(name) { continuation.resume(returning: $0) }
            }
        }
        if let refusal { throw refusal }
    }

    /// Shows a notice.
    ///
    /// - Parameter number: the notification whose place it takes.
    /// - Returns: its number; nil if it could not be shown.
    func show(_ notice: Notice, replacing number: UInt32?) async -> UInt32? {
        await withCheckedContinuation { continuation in
            post { bus in
                guard let bus else { return continuation.resume(returning: nil) }
                let rendered = notice.rendered(for: Self.capabilities(bus))
                let shown = Self.notify(bus, rendered, replacing: number ?? 0)
                continuation.resume(returning: shown == 0 ? nil : shown)
            }
        }
    }

    /// Takes notifications away.
    func close(_ numbers: [UInt32]) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            post { bus in
                if let bus { for number in numbers { docent_bus_close_notification(bus, number) } }
                continuation.resume()
            }
        }
    }

    private func post(_ work: @escaping Work) {
        let isEnded = state.withLock { state in
            guard !state.isEnded else { return true }
            state.work.append(work)
            // The context is there for as long as the thread has not ended.
            g_main_context_wakeup(context)
            return false
        }
        if isEnded { work(nil) }
    }

    // MARK: The thread of the bus

    private func run(_ name: String, _ started: (Refusal?) -> Void) {
        g_main_context_push_thread_default(context)
        defer {
            g_main_context_pop_thread_default(context)
            g_main_context_unref(context)
        }
        guard let bus = docent_bus_connect() else {
            end()
            return started(.noBus)
        }
        guard docent_bus_take_name(bus, name) != 0 else {
            docent_bus_disconnect(bus, context)
            end()
            return started(.isRunning)
        }
        let receiver = Unmanaged.passUnretained(self).toOpaque()
        let listener = UnsafeMutablePointer<docent_bus_listener>.allocate(capacity: 1)
        listener.initialize(
            to: docent_bus_listener(
                receive: { receiver, news, number, action in
                    guard let receiver else { return }
                    Unmanaged<SessionBus>.fromOpaque(receiver).takeUnretainedValue().note(news, number, action)
                }, receiver: receiver))
        docent_bus_listen(bus, listener)
        started(nil)
        while g_dbus_connection_is_closed(bus) == 0 {
            g_main_context_iteration(context, 1)
            for work in take() { work(bus) }
        }
        docent_bus_disconnect(bus, context)
        listener.deallocate()
        end()
        received(.ended)
    }

    private func take() -> [Work] {
        state.withLock { state in
            defer { state.work = [] }
            return state.work
        }
    }

    private func end() {
        let left = state.withLock { state in
            state.isEnded = true
            defer { state.work = [] }
            return state.work
        }
        for work in left { work(nil) }
    }

    private func note(_ news: docent_bus_news, _ number: UInt32, _ action: UnsafePointer<CChar>?) {
        switch news {
        case DOCENT_BUS_ACTION:
            if let action { received(.action(number, String(cString: action))) }
        case DOCENT_BUS_CLOSED: received(.closed(number))
        case DOCENT_BUS_SERVER_BEGAN: received(.serverBegan)
        case DOCENT_BUS_SERVER_ENDED: received(.serverEnded)
        default: break
        }
    }

    private static func capabilities(_ bus: OpaquePointer) -> Set<String>? {
        guard let names = docent_bus_capabilities(bus) else { return nil }
        defer { g_strfreev(names) }
        var result: Set<String> = []
        var next = names
        while let name = next.pointee {
            result.insert(String(cString: name))
            next += 1
        }
        return result
    }

    private static func notify(_ bus: OpaquePointer, _ rendered: Notice.Rendered, replacing number: UInt32) -> UInt32 {
        let words = rendered.actions.map { g_strdup($0) }
        defer { for word in words { g_free(word) } }
        let keys = words.map { UnsafePointer($0) }
        return docent_bus_notify(
            bus, number, rendered.summary, rendered.body, keys, keys.count, rendered.isUrgent ? 2 : 1,
            rendered.mayExpire ? -1 : 0)
    }
}
