import FileProvider
import Glibc
import Synchronization

/// The script of a domain, and how often each rule could have struck. Safe to use from any thread.
final class FaultScript: Sendable {
    private let rules: [String: [FaultRule]]
    private let counts = Mutex<[FaultRule: Int]>([:])
    private let noted = Mutex<Set<String>>([])
    private let struck: String
    private let fired: String

    /// - Parameters:
    ///   - text: What the setting `faults` says.
    ///   - storage: The domain's folder, where it is noted what struck once.
    /// - Throws: ``FileProviderError`` for a script that cannot be read.
    init(_ text: String, storage: String) throws {
        rules = Dictionary(grouping: try FaultRule.script(text), by: \.fault.name)
        struck = storage + "/struck"
        fired = storage + "/fired"
        if !rules.isEmpty {
            for folder in [storage, struck, fired] { _ = mkdir(folder, 0o700) }
        }
    }

    /// Whether there is a rule for the fault at all. Counts nothing.
    func has(_ fault: String) -> Bool { rules[fault] != nil }

    /// Whether the fault strikes now.
    ///
    /// - Parameters:
    ///   - fault: Its name.
    ///   - item: Names of what the call is about, its identifier and its file name.
    func strikes(_ fault: String, _ item: String?...) -> Bool { rule(fault, item.compactMap { $0 }) != nil }

    /// The value with which the fault strikes now, as a number; nil: it does not.
    func number(_ fault: String, _ item: String?..., otherwise: Double) -> Double? {
        guard let rule = rule(fault, item.compactMap { $0 }) else { return nil }
        return rule.value.flatMap(Double.init) ?? otherwise
    }

    /// The value with which the fault strikes now; nil: it does not.
    func text(_ fault: String, _ item: String?..., otherwise: String) -> String? {
        guard let rule = rule(fault, item.compactMap { $0 }) else { return nil }
        return rule.value ?? otherwise
    }

    private func rule(_ fault: String, _ item: [String]) -> FaultRule? {
        guard let candidates = rules[fault] else { return nil }
        let fitting = candidates.filter { rule in rule.item.map(item.contains) ?? true }
        // All are counted, whichever strikes.
        let numbers = counts.withLock { counts in
            for rule in fitting { counts[rule, default: 0] += 1 }
            return fitting.map { counts[$0, default: 0] }
        }
        let struck = zip(fitting, numbers).first { rule, number in
            rule.strikes(on: number) && (rule.occasion != .once || isFirst(rule))
        }?.0
        if let struck { note(struck.fault.name) }
        return struck
    }

    // Before it does anything, for what it does may be the end of the process. A file is what a test beside it can see.
    private func note(_ fault: String) {
        guard noted.withLock({ $0.insert(fault).inserted }) else { return }
        let file = open("\(fired)/\(fault)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        if file >= 0 { close(file) }
    }

    // Noted before it strikes: what it does may be the end of the process.
    private func isFirst(_ rule: FaultRule) -> Bool {
        let file = open("\(struck)/\(rule.fault.name)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        close(file)
        return true
    }
}
