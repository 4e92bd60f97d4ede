import Synchronization

/// Something that is done once, at a moment that others choose.
final class Later: Sendable {
    private let body = Mutex<(@Sendable () async -> Void)?>(nil)

    func set(_ new: @escaping @Sendable () async -> Void) { body.withLock { $0 = new } }

    func run() async {
        let mine = body.withLock { body in
            defer { body = nil }
            return body
        }
        await mine?()
    }
}
