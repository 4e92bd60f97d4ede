/// Progress on one line. Pure.
package enum ProgressLine {
    /// As in `label  [##########----------] 5.0 MB of 10.0 MB, 1.0 MB/s, 5 s left`, with less if less is known.
    ///
    /// - Parameters:
    ///   - columns: of the terminal. If there is no room, the bar is left out, then the label is cut.
    ///   - rate: bytes per second; nil if unknown.
    ///   - seconds: since the start.
    package static func text(
        _ label: String, done: Int, total: Int?, rate: Double? = nil, seconds: Int, columns: Int = 80
    ) -> String {
        let facts = facts(done: done, total: total, rate: rate, seconds: seconds)
        let bar = bar(done: done, total: total)
        let size = TerminalText(columns: columns)
        func width(_ texts: String...) -> Int { texts.reduce(0) { $0 + TerminalText.width($1) } }
        if width(label, bar, facts) < size.columns { return label + bar + facts }
        // The numbers matter more than the label.
        guard width(facts) + 4 < size.columns else { return size.line("", String(facts.drop { $0 == " " })) }
        return size.line("", label, facts)
    }

    private static func bar(done: Int, total: Int?) -> String {
        guard done > 0, let total, total > 0 else { return "" }
        let filled = min(20, Int(Double(done) * 20 / Double(total)))
        return "  [" + String(repeating: "#", count: filled) + String(repeating: "-", count: 20 - filled) + "]"
    }

    private static func facts(done: Int, total: Int?, rate: Double?, seconds: Int) -> String {
        guard done > 0 else { return "  \(seconds) s" }
        let speed = rate.flatMap(speed) ?? ""
        guard let total, total > 0 else { return "  \(ByteCount.text(done))\(speed)" }
        let left = remaining(total - done, rate: rate).map { ", \($0) left" } ?? ""
        return " \(ByteCount.text(done)) of \(ByteCount.text(total))\(speed)\(left)"
    }

    /// The time for this many bytes; nil if the rate is unknown or too low.
    package static func remaining(_ bytes: Int, rate: Double?) -> String? {
        guard let rate, rate >= 1, rate.isFinite, bytes > 0 else { return nil }
        return duration(Int(min(Double(bytes) / rate, 1e9).rounded(.up)))
    }

    /// As in `59 s`, `3 min 20 s` or `2 h 5 min`.
    package static func duration(_ seconds: Int) -> String {
        switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min \(seconds % 60) s"
        default: "\(seconds / 3600) h \(seconds / 60 % 60) min"
        }
    }

    private static func speed(_ rate: Double) -> String? {
        guard rate.isFinite, rate >= 1 else { return nil }
        return ", \(ByteCount.text(Int(min(rate, 1e15))))/s"
    }
}
