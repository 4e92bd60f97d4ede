import Testing

extension Admission {
    /// Reports an error in the running test if it uses something that it did not declare, because it would run beside
    /// too many others. Called by whatever is about to start such a thing. Does nothing outside a test's own tasks.
    package static func expect(_ need: Need) {
        guard let test = Test.current, !isDeclared(need, among: current) else { return }
        Issue.record("\(test.id) uses \(need.name) and does not say so by .needs(…)")
    }

    /// Whether the declared needs cover a need. A test with any declared need may start programs.
    static func isDeclared(_ need: Need, among declared: Set<Need>?) -> Bool {
        guard let declared else { return false }
        return need == .programs ? !declared.isEmpty : declared.contains(need)
    }
}
