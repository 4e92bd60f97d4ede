/// Tracks whether others have the document's file, between relinquishing and reacquiring it. Saves wait for the end.
@MainActor
final class Relinquishment {
    /// After this time a save waits in line with all others instead of here, in case the end is never reported.
    private static let patience: Duration = .seconds(30)
    private var next = 0
    private var going: Set<Int> = []
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Whether anyone has the file.
    var isGoingOn: Bool { !going.isEmpty }

    /// Records that someone has the file.
    ///
    /// - Returns: the number to pass to ``reacquire(_:)``.
    func begin() -> Int {
        next += 1
        let number = next
        going.insert(number)
        Task.detached { [weak self] in
            try? await Task.sleep(for: Self.patience)
            await self?.reacquire(number)
        }
        return number
    }

    /// Records that one of them is done.
    func reacquire(_ number: Int) {
        going.remove(number)
        if going.isEmpty { wake() }
    }

    /// Forgets all of them, because no end will be reported any more.
    func reset() {
        going = []
        wake()
    }

    /// Waits until all of them are done.
    func end() async {
        guard isGoingOn else { return }
        // It may have ended before the body is called: see FileAccessQueue.
        await withCheckedContinuation { if isGoingOn { waiting.append($0) } else { $0.resume() } }
    }

    private func wake() {
        for one in waiting { one.resume() }
        waiting = []
    }
}
