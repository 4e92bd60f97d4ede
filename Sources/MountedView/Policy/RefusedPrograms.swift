import ViewPolicies

/// The programs for which documents were not downloaded lately. Pure.
struct RefusedPrograms: Sendable {
    private static let most = 20
    /// An extended attribute has at most 64 KiB.
    private static let mostBytes = 60_000
    /// The seconds after which another refusal is reported again.
    private static let silence: Double = 600

    /// In the order of their last refusals, the oldest first.
    private(set) var list: [RefusedProgram] = []

    /// Adds a refusal.
    ///
    /// - Parameters:
    ///   - process: the number of the program's thread.
    ///   - verdict: why it is refused.
    ///   - now: in seconds since 1970.
    /// - Returns: whether it should be reported: it is the first one in a while.
    mutating func note(
        _ program: CallingProgram, process: UInt32, because verdict: DownloadPolicy.Verdict, at now: Double
    ) -> Bool {
        var rule: String?
        var limit: Int?
        switch verdict {
        case .refuse(let refusal): rule = refusal.subject.text
        case .limit(let number): limit = number
        case .allow: break
        }
        var entry = RefusedProgram(
            program: program.name, executable: program.executable, process: Int(process), unit: program.unit,
            rule: rule, limit: limit, count: 1, last: now)
        var isNew = true
        let known = list.firstIndex {
            $0.executable == entry.executable && $0.program == entry.program && $0.rule == rule && $0.limit == limit
        }
        if let known {
            let earlier = list.remove(at: known)
            entry.count += earlier.count
            isNew = now - earlier.last > Self.silence
        }
        list.append(entry)
        if list.count > Self.most { list.removeFirst() }
        return isNew
    }

    /// The list as JSON, without the oldest if it would be too long; nil if it is empty.
    var text: String? {
        var shown = list[...]
        while !shown.isEmpty {
            if let text = RefusedProgram.text(Array(shown)), text.utf8.count <= Self.mostBytes { return text }
            shown = shown.dropFirst()
        }
        return nil
    }
}
