/// The warning that a debug build prints when its client is closed while starts of access are unbalanced. Pure.
enum AccessLeak {
    /// One line; nil when every start was stopped.
    static func line(_ left: [DocumentReference: Int]) -> String? {
        guard !left.isEmpty else { return nil }
        let some = left.map { "\($0.key.url) (\($0.value))" }.sorted().prefix(5).joined(separator: ", ")
        let starts = left.values.reduce(0, +)
        return
            "Documents: \(starts) \(starts == 1 ? "call" : "calls") to startAccessingSecurityScopedResource without a stop: "
            + "\(some)\(left.count > 5 ? ", …" : "")\n"
    }
}
