package import HostCore

/// Concurrent work on several elements with one time limit for all of it.
package enum JointWait {
    /// Starts the work on all elements at once, and returns when all of it is done or the time is over. Unfinished work
    /// continues.
    ///
    /// - Parameter patience: the time limit for all elements together.
    package static func forEach<Element: Sendable>(
        _ elements: [Element], atMost patience: Duration, clock: any HostClock = SystemClock(),
        _ body: @escaping @Sendable (Element) async -> Void
    ) async {
        guard !elements.isEmpty else { return }
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        Task {
            await withTaskGroup { group in
                for element in elements { group.addTask { await body(element) } }
            }
            continuation.finish()
        }
        let timer = Task {
            try? await clock.sleep(for: patience)
            continuation.finish()
        }
        for await _ in ended {}
        timer.cancel()
    }
}
