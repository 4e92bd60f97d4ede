/// The version of bubblewrap, as `bwrap --version` prints it. Pure.
package struct SandboxVersion: Hashable, Comparable, Sendable {
    package var major: Int
    package var minor: Int

    package init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// Parses `bubblewrap 0.8.0`; nil for anything else.
    package init?(_ line: some StringProtocol) {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count == 2, words[0] == "bubblewrap" else { return nil }
        let numbers = words[1].split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count >= 2, let major = numbers[0], let minor = numbers[1], major >= 0, minor >= 0 else {
            return nil
        }
        self.init(major: major, minor: minor)
    }

    package static func < (left: SandboxVersion, right: SandboxVersion) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }

    /// Whether this version can refuse further user namespaces inside.
    package var canCloseNamespaces: Bool { self >= SandboxVersion(major: 0, minor: 8) }
}
