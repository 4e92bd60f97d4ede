import FoundationEssentials

/// The folder for documents that an environment names, to compare a client's with a daemon's. What the daemon shows is
/// decided by `UserFolders`, which reads the same variables and the same file.
struct NamedDocuments: Sendable, Hashable {
    /// The folder that is named, as an absolute path; nil if none is, or if the home is, which stands for none.
    let path: String?
    /// The folder for documents, named or not; nil if there is no home either.
    let folder: String?

    /// Reads `user-dirs.dirs` in the configuration directory, then `XDG_DOCUMENTS_DIR`.
    init(_ environment: [String: String]) {
        func absolute(_ name: String) -> String? {
            environment[name].flatMap { $0.hasPrefix("/") ? DaemonExpectation.plain($0) : nil }
        }
        let home = absolute("HOME")
        let configuration = absolute("XDG_CONFIG_HOME") ?? home.map { $0 + "/.config" }
        let settings = configuration.flatMap { try? String(contentsOfFile: $0 + "/user-dirs.dirs", encoding: .utf8) }
        let named = Self.named(in: settings ?? "", home: home ?? "") ?? absolute("XDG_DOCUMENTS_DIR")
        path = named == home ? nil : named
        folder = path ?? home.map { DaemonExpectation.plain($0 + "/Documents") }
    }

    /// The last folder for documents in the text of a `user-dirs.dirs`.
    private static func named(in settings: String, home: String) -> String? {
        var found: String?
        for line in settings.split(whereSeparator: \.isNewline) {
            let parts = line.drop { $0 == " " || $0 == "\t" }.split(separator: "\"", omittingEmptySubsequences: false)
            guard parts.count > 1, parts[0] == "XDG_DOCUMENTS_DIR=" else { continue }
            var value = String(parts[1])
            for prefix in ["$HOME", "${HOME}"] where value == prefix || value.hasPrefix(prefix + "/") {
                value = home + value.dropFirst(prefix.count)
            }
            if value.hasPrefix("/") { found = DaemonExpectation.plain(value) }
        }
        return found
    }
}
