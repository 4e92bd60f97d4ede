/// How many lines of one kind the log takes about one provider or client. Pure.
struct LineBudget<Instant: InstantProtocol> where Instant.Duration == Duration {
    /// What becomes of a line.
    enum Verdict: Equatable {
        case written
        /// The first one too many: the number of those left out is to be written when the span is over.
        case firstLeftOut
        case leftOut
    }

    private struct Window {
        var began: Instant
        var lines = 0
    }

    /// Lines that are written within ``span``.
    static var lines: Int { 20 }
    /// How long they are counted together.
    let span: Duration
    private static var mostSources: Int { 1_024 }

    private var windows: [String: Window] = [:]

    init(span: Duration = .seconds(10)) { self.span = span }

    /// Counts a line.
    mutating func take(_ source: String, at now: Instant) -> Verdict {
        var window = windows[source] ?? Window(began: now)
        // One that left lines out goes on until its number was written.
        if window.lines <= Self.lines, window.began.advanced(by: span) <= now { window = Window(began: now) }
        window.lines += 1
        if windows.count >= Self.mostSources, windows[source] == nil { forgetOld(now) }
        windows[source] = window
        return window.lines <= Self.lines ? .written : window.lines == Self.lines + 1 ? .firstLeftOut : .leftOut
    }

    /// Begins anew.
    ///
    /// - Returns: how many lines were left out.
    mutating func end(_ source: String) -> Int {
        max(0, (windows.removeValue(forKey: source)?.lines ?? 0) - Self.lines)
    }

    private mutating func forgetOld(_ now: Instant) {
        windows = windows.filter { $0.value.lines > Self.lines || $0.value.began.advanced(by: span) > now }
    }
}
