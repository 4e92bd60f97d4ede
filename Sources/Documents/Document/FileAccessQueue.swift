/// Runs the reads and writes of one document one at a time, in the order of their arrival.
///
/// A task with a preferred executor can be suspended before `withCheckedContinuation` calls its body, although it is on
/// the main actor already. Whoever waits looks at the state again there.
@MainActor
final class FileAccessQueue {
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var urgent: [CheckedContinuation<Bool, Never>] = []
    private var isDismissing = false

    /// Runs a body in its turn.
    func run<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        if isBusy {
            await withCheckedContinuation { continuation in
                if isBusy {
                    waiting.append(continuation)
                } else {
                    isBusy = true
                    continuation.resume()
                }
            }
        }
        // isBusy stays true when a waiter is resumed: the turn passes to it.
        isBusy = true
        defer { leave() }
        return try await body()
    }

    /// Runs a body before all that wait for their turn, because someone else waits for it to end.
    ///
    /// - Returns: nil if it was dismissed.
    func runUrgently<Result>(_ body: () async throws -> Result) async rethrows -> Result? {
        if isBusy {
            let isMine = await withCheckedContinuation { continuation in
                if isDismissing {
                    continuation.resume(returning: false)
                } else if isBusy {
                    urgent.append(continuation)
                } else {
                    isBusy = true
                    continuation.resume(returning: true)
                }
            }
            guard isMine else { return nil }
        }
        isBusy = true
        defer { leave() }
        return try await body()
    }

    /// Runs a part of a body that has the turn and waits for those who wait for urgent bodies: these are dismissed
    /// meanwhile, also those that are waiting already.
    func dismissingUrgent(_ body: () async -> Void) async {
        isDismissing = true
        defer { isDismissing = false }
        for one in urgent { one.resume(returning: false) }
        urgent = []
        await body()
    }

    private func leave() {
        if !urgent.isEmpty {
            urgent.removeLast().resume(returning: true)
        } else if !waiting.isEmpty {
            waiting.removeFirst().resume()
        } else {
            isBusy = false
        }
    }
}
