/// The rules for names inside packages. Pure.
package enum ElementName {
    /// The longest name that Linux file systems keep, in bytes.
    static let longest = 255

    /// The longest path inside a package, in bytes.
    static let longestPath = 3072

    /// - Throws: ``DocumentsError`` `invalidArgument` for what can be no name of a file.
    static func check(_ name: String) throws(DocumentsError) {
        let isGood =
            !name.isEmpty && name != "." && name != ".." && name.utf8.count <= longest
            && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
        guard !isGood else { return }
        throw DocumentsError(
            .invalidArgument, "\"\(name)\" is no name for an element of a package.",
            suggestion: "Use a name without slashes, of 1 to \(longest) bytes.")
    }

    /// The names on the way to an element.
    ///
    /// - Throws: ``DocumentsError`` `invalidArgument` for a path that leads nowhere, or out of the package.
    static func components(of path: String) throws(DocumentsError) -> [String] {
        let names = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        for name in names { try check(name) }
        return names
    }

    /// A name that is not taken yet: the preferred one, or that with Apple's numbered prefix.
    ///
    /// - Parameter taken: names that are in use; `a` and `A` count as the same (M9).
    static func unique(_ preferred: String, among taken: some Sequence<String>) -> String {
        let folded = Set(taken.map { $0.lowercased() })
        guard folded.contains(preferred.lowercased()) else { return preferred }
        var number = 1
        while folded.contains("\(number)\(separator)\(preferred)".lowercased()) { number += 1 }
        return "\(number)\(separator)\(preferred)"
    }

    private static let separator = "__#$!@%!#__"
}
