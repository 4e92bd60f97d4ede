/// How many lines of one kind about one provider or client the log accepts. Pure.
struct LineBudget<Instant: InstantProtocol> where Instant.Duration == Duration {
    /// What happens to a line.
    enum Verdict: Equatable {
        case written
        /// The first line over the limit: the number of omitted lines is to be written when the span is over.
        case firstLeftOut
        case leftOut
    }

    private struct Window {
        var began: Instant
        var lines = 0
    }

    /// Lines that are written within ``span``.
    static var lines: Int { 20 }
    /// The time over which lines are counted together.
    let span: Duration
    private static var mostSources: Int { 1_024 }

    private var windows: [String: Window] = [:]

    init(span: Duration = .seconds(10)) { self.span = span }

    /// Counts a line.
    mutating func take(_ source: String, at now: Instant) -> Verdict {
        var window = windows[source] ?? Window(began: now)
        // A window that omitted lines stays open until their number was written.
        if window.lines <= Self.lines, window.began.advanced(by: span) <= now { window = Window(began: now) }
        window.lines += 1
        if windows.count >= Self.mostSources, windows[source] == nil { forgetOld(now) }
        windows[source] = window
        return window.lines <= Self.lines ? .written : window.lines == Self.lines + 1 ? .firstLeftOut : .leftOut
    }

    /// Ends the window of a source.
    ///
    /// - Returns: how many lines were omitted.
    mutating func end(_ source: String) -> Int {
        max(0, (windows.removeValue(forKey: source)?.lines ?? 0) - Self.lines)
    }

    private mutating func forgetOld(_ now: Instant) {
        windows = windows.filter { $0.value.lines > Self.lines || $0.value.began.advanced(by: span) > now }
    }
}
