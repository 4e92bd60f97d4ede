/// The rules for names inside packages. Pure.
package enum ElementName {
    /// The longest name on Linux file systems, in bytes.
    static let longest = 255

    /// The longest path inside a package, in bytes.
    static let longestPath = 3072

    /// Checks a name.
    ///
    /// - Throws: ``DocumentsError`` `invalidArgument` when it cannot be a file name.
    static func check(_ name: String) throws(DocumentsError) {
        let isGood =
            !name.isEmpty && name != "." && name != ".." && name.utf8.count <= longest
            && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
        guard !isGood else { return }
        throw DocumentsError(
            .invalidArgument, "\"\(name)\" is not a valid name for an element of a package.",
            suggestion: "Use a name without slashes, of 1 to \(longest) bytes.")
    }

    /// The components of an element's path.
    ///
    /// - Throws: ``DocumentsError`` `invalidArgument` for a path with an empty component, "." or "..".
    static func components(of path: String) throws(DocumentsError) -> [String] {
        let names = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        for name in names { try check(name) }
        return names
    }

    /// A name that is not in use: the preferred one, or that with Apple's numbered prefix.
    ///
    /// - Parameter taken: the names in use; names that differ only in case count as the same.
    static func unique(_ preferred: String, among taken: some Sequence<String>) -> String {
        let folded = Set(taken.map { $0.lowercased() })
        guard folded.contains(preferred.lowercased()) else { return preferred }
        var number = 1
        while folded.contains("\(number)\(separator)\(preferred)".lowercased()) { number += 1 }
        return "\(number)\(separator)\(preferred)"
    }

    private static let separator = "__#$!@%!#__"
}
