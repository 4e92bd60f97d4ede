import Glibc

/// Where the user's folder for documents is: `~/Documents`, or the one that `xdg-user-dir DOCUMENTS` names, which has
/// another name in other languages. A home-relative entitlement `Documents` means this folder.
package struct UserFolders: Sendable, Hashable {
    /// The name that stands for the folder in an entitlement.
    package static let documentsName = "Documents"
    /// The variable that tells an extension of it.
    package static let documentsVariable = "XDG_DOCUMENTS_DIR"

    /// The user's home, absolute.
    package let home: String
    /// The folder for documents, absolute, whether it exists or not.
    package let documents: String

    /// Reads what the user has set up: `user-dirs.dirs` in the configuration directory, then `XDG_DOCUMENTS_DIR`.
    ///
    /// A folder that no entitlement may name, such as the home itself, where it leads when there is none for documents,
    /// counts as not set.
    ///
    /// - Parameter variables: as of the daemon's process.
    package init(variables: [String: String]) {
        let environment = ManifestEnvironment(variables: variables)
        let configuration = variables["XDG_CONFIG_HOME"].flatMap { Paths.isAbsolute($0) ? $0 : nil }
        let file = Paths.join(configuration ?? Paths.join(environment.home, ".config"), "user-dirs.dirs")
        let set = Self.documents(settings: Self.text(of: file), home: environment.home)
        self.init(
            home: environment.home, documents: set ?? variables[Self.documentsVariable],
            protected: environment.protectedDirectories)
    }

    /// The folders from their parts.
    ///
    /// - Parameters:
    ///   - documents: what the user has set; nil for nothing.
    ///   - protected: directories that no provider may see.
    init(home: String, documents: String?, protected: [String]) {
        self.home = home
        let standard = Paths.join(home, Self.documentsName)
        guard let documents, Paths.isAbsolute(documents), let path = Paths.normalized(documents),
            !Paths.contains(path, home), !path.utf8.starts(with: (Paths.join(home, ".")).utf8),
            !protected.contains(where: { Paths.contains(path, $0) || Paths.contains($0, path) })
        else {
            self.documents = standard
            return
        }
        self.documents = path
    }

    /// The absolute path of a folder that an entitlement names relative to the home.
    package func path(of name: String) -> String {
        guard let path = Paths.normalized(name) else { return home }
        if path == Self.documentsName { return documents }
        let below = Self.documentsName + "/"
        guard path.utf8.starts(with: below.utf8) else { return Paths.join(home, path) }
        return Paths.join(documents, String(path.dropFirst(below.count)))
    }

    /// A path for people: `~` stands for the home.
    package func displayed(_ path: String) -> String {
        path != home && Paths.contains(home, path) ? "~/" + path.dropFirst(Paths.join(home, "").count) : path
    }

    /// What a `user-dirs.dirs` says of the folder for documents; the last line counts, as for a shell.
    static func documents(settings: String, home: String) -> String? {
        var found: String?
        for line in settings.split(whereSeparator: \.isNewline) {
            let line = line.drop { $0 == " " || $0 == "\t" }
            guard line.hasPrefix(documentsVariable + "=\"") else { continue }
            var value = ""
            var isEscaped = false
            for character in line.dropFirst(documentsVariable.count + 2) {
                if !isEscaped, character == "\"" { break }
                if !isEscaped, character == "\\" {
                    isEscaped = true
                } else {
                    value.append(character)
                    isEscaped = false
                }
            }
            for prefix in ["$HOME", "${HOME}"] where value == prefix || value.hasPrefix(prefix + "/") {
                value = home + value.dropFirst(prefix.count)
            }
            if Paths.isAbsolute(value) { found = value }
        }
        return found
    }

    // Nothing but an ordinary file, of which links may be made, and not more of it than any has.
    private static func text(of path: String) -> String {
        let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return "" }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : ""
    }
}
