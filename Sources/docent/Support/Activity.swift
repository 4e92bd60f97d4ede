import Dispatch
import Glibc
import Synchronization

/// What takes its time, told on a terminal from the second second on: `label  12.5 MB of 40.0 MB`.
final class Activity: Sendable {
    private let label: String
    private let total: Int?
    private let done = Atomic(0)
    private let isDrawn = Atomic(false)
    private let started: ContinuousClock.Instant = .now
    private let queue = DispatchQueue(label: "org.docent.activity")
    // Dispatch objects are thread-safe; they only do not say so on Linux.
    nonisolated(unsafe) private let timer: any DispatchSourceTimer

    /// Begins, if standard error is a terminal.
    ///
    /// - Parameter total: bytes, where known.
    init?(_ label: String, total: Int? = nil) {
        guard StandardError.isTerminal else { return nil }
        self.label = SafeText.escaped(label)
        self.total = total
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + 1, repeating: 0.2)
        timer.setEventHandler { [weak self] in self?.draw() }
        timer.activate()
    }

    /// Tells of copied bytes.
    func add(_ count: Int) { done.add(count, ordering: .relaxed) }

    /// Ends, and takes the line away.
    func finish() {
        timer.cancel()
        queue.sync {}
        if isDrawn.load(ordering: .acquiring) { StandardError.write("\r\u{1B}[K") }
    }

    private func draw() {
        isDrawn.store(true, ordering: .releasing)
        let seconds = Int((ContinuousClock.now - started).components.seconds)
        let line = Self.line(label, done: done.load(ordering: .relaxed), total: total, seconds: seconds)
        StandardError.write("\r\u{1B}[K" + line)
    }

    /// The line. Pure.
    static func line(_ label: String, done: Int, total: Int?, seconds: Int) -> String {
        guard done > 0 else { return "\(label)  \(seconds) s" }
        guard let total, total > 0 else { return "\(label)  \(ByteCount.text(done))" }
        let filled = min(20, done * 20 / total)
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: 20 - filled)
        return "\(label)  [\(bar)] \(ByteCount.text(done)) of \(ByteCount.text(total))"
    }
}

/// Runs a body with an activity that ends with it.
nonisolated(nonsending) func withActivity<Result>(
    _ label: String, total: Int? = nil, isShown: Bool = true,
    _ body: nonisolated(nonsending) (Activity?) async throws -> Result
) async throws -> Result {
    let activity = isShown ? Activity(label, total: total) : nil
    defer { activity?.finish() }
    return try await body(activity)
}

/// Sizes for people.
enum ByteCount {
    /// `999 B`, `12.5 MB`: powers of ten, one decimal.
    static func text(_ bytes: Int) -> String {
        guard bytes >= 1000 else { return "\(bytes) B" }
        var tenths = bytes / 100
        var unit = 0
        let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
        while tenths >= 10_000, unit < units.count - 1 {
            tenths /= 1000
            unit += 1
        }
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}
