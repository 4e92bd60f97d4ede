/// The next pages of folders that clients read through, which are made while the page before is read.
struct PagesAhead<Place: Hashable & Sendable, Page: Sendable> {
    private struct Asked {
        let task: Task<Page, any Error>
        let moment: ContinuousClock.Instant
    }

    /// How long a page may wait for its reader: what it says must be true at most a moment ago.
    let patience: Duration = .seconds(1)
    // A page may be as large as a message.
    private let mostPages = 8

    private var pages: [Place: Asked] = [:]

    /// Begins to make a page.
    ///
    /// - Returns: whether it is being made now. ``drop(_:askedAt:)`` must follow after ``patience``.
    mutating func ask(
        _ place: Place, at now: ContinuousClock.Instant, _ make: @escaping @Sendable () async throws -> Page
    ) -> Bool {
        guard pages.count < mostPages, pages[place] == nil else { return false }
        pages[place] = Asked(task: Task { try await make() }, moment: now)
        return true
    }

    /// The page, if it was asked for a moment ago. The next reader of the same page gets it from the provider.
    mutating func take(_ place: Place, at now: ContinuousClock.Instant) -> Task<Page, any Error>? {
        guard let page = pages.removeValue(forKey: place) else { return nil }
        guard now - page.moment < patience else {
            page.task.cancel()
            return nil
        }
        return page.task
    }

    /// Forgets a page that nobody has read.
    mutating func drop(_ place: Place, askedAt asked: ContinuousClock.Instant) {
        guard let page = pages[place], page.moment == asked else { return }
        page.task.cancel()
        pages[place] = nil
    }
}
