/// What a program is told in a debug build that ends its client without having stopped all that it started (complaint 20). Pure.
enum AccessLeak {
    /// One line; nil when all is balanced.
    static func line(_ left: [DocumentReference: Int]) -> String? {
        guard !left.isEmpty else { return nil }
        let some = left.map { "\($0.key.url) (\($0.value))" }.sorted().prefix(5).joined(separator: ", ")
        let starts = left.values.reduce(0, +)
        return
            "Documents: \(starts) \(starts == 1 ? "call" : "calls") of startAccessingSecurityScopedResource without a stop: "
            + "\(some)\(left.count > 5 ? ", …" : "")\n"
    }
}
