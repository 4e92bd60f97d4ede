/// Whether somebody else has a document's file, between relinquishing and reacquiring it; saves wait for the end.
@MainActor
final class Relinquishment {
    /// After that time a save no longer waits here but in line with everybody else, in case the end is never told.
    private static let patience: Duration = .seconds(30)
    private var next = 0
    private var going: Set<Int> = []
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Whether somebody has it.
    var isGoingOn: Bool { !going.isEmpty }

    /// Somebody has it.
    ///
    /// - Returns: what names them when they are done.
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

    /// One of them is done.
    func reacquire(_ number: Int) {
        going.remove(number)
        if going.isEmpty { wake() }
    }

    /// Nobody is going to tell any more.
    func reset() {
        going = []
        wake()
    }

    /// Waits until all are done.
    func end() async {
        guard isGoingOn else { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func wake() {
        for one in waiting { one.resume() }
        waiting = []
    }
}
