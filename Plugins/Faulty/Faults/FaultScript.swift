import FileProvider
import Glibc
import Synchronization

/// The script of a domain, and how many calls matched each rule. Safe to use from any thread.
final class FaultScript: Sendable {
    private let rules: [String: [FaultRule]]
    private let counts = Mutex<[FaultRule: Int]>([:])
    private let noted = Mutex<Set<String>>([])
    private let struck: String
    private let fired: String

    /// - Parameters:
    ///   - text: The value of the setting `faults`.
    ///   - storage: The domain's folder, in which faults with `once` are recorded.
    /// - Throws: ``FileProviderError`` for an invalid script.
    init(_ text: String, storage: String) throws {
        rules = Dictionary(grouping: try FaultRule.script(text), by: \.fault.name)
        struck = storage + "/struck"
        fired = storage + "/fired"
        if !rules.isEmpty {
            for folder in [storage, struck, fired] { _ = mkdir(folder, 0o700) }
        }
    }

    /// Whether there is a rule for the fault. Does not count as a call.
    func has(_ fault: String) -> Bool { rules[fault] != nil }

    /// Whether the fault occurs now.
    ///
    /// - Parameters:
    ///   - fault: Its name.
    ///   - item: The identifier and the file name of the item that the call is about.
    func strikes(_ fault: String, _ item: String?...) -> Bool { rule(fault, item.compactMap { $0 }) != nil }

    /// The value of the fault if it occurs now, as a number; nil if it does not.
    func number(_ fault: String, _ item: String?..., otherwise: Double) -> Double? {
        guard let rule = rule(fault, item.compactMap { $0 }) else { return nil }
        return rule.value.flatMap(Double.init) ?? otherwise
    }

    /// The value of the fault if it occurs now; nil if it does not.
    func text(_ fault: String, _ item: String?..., otherwise: String) -> String? {
        guard let rule = rule(fault, item.compactMap { $0 }) else { return nil }
        return rule.value ?? otherwise
    }

    private func rule(_ fault: String, _ item: [String]) -> FaultRule? {
        guard let candidates = rules[fault] else { return nil }
        let fitting = candidates.filter { rule in rule.item.map(item.contains) ?? true }
        // All matching rules count the call, whichever of them applies.
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

    // Before the fault occurs, because it may end the process. The file is visible to a test outside.
    private func note(_ fault: String) {
        guard noted.withLock({ $0.insert(fault).inserted }) else { return }
        let file = open("\(fired)/\(fault)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        if file >= 0 { close(file) }
    }

    // Recorded before the fault occurs, because it may end the process.
    private func isFirst(_ rule: FaultRule) -> Bool {
        let file = open("\(struck)/\(rule.fault.name)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        close(file)
        return true
    }
}
