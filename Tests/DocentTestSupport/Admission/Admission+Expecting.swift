import Testing

extension Admission {
    /// Reports a fault of the running test where it uses what it did not say that it needs: it would run beside too
    /// much, and slow others down or starve. Called by whatever is about to start such a thing; does nothing outside of
    /// a test's own tasks.
    package static func expect(_ need: Need) {
        guard let test = Test.current, !isDeclared(need, among: current) else { return }
        Issue.record("\(test.id) uses \(need.name) and does not say so by .needs(…)")
    }

    /// Whether what was said covers a need. Whoever said that it needs anything may start programs.
    static func isDeclared(_ need: Need, among declared: Set<Need>?) -> Bool {
        guard let declared else { return false }
        return need == .programs ? !declared.isEmpty : declared.contains(need)
    }
}
