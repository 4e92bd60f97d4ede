import Glibc

/// The location of the user's documents folder: `~/Documents`, or the one that `xdg-user-dir DOCUMENTS` names, which
/// has another name in other languages. A home-relative entitlement `Documents` means this folder.
package struct UserFolders: Sendable, Hashable {
    /// The name that stands for the folder in an entitlement.
    package static let documentsName = "Documents"
    /// The variable with which an extension receives its path.
    package static let documentsVariable = "XDG_DOCUMENTS_DIR"

    /// The user's home, absolute.
    package let home: String
    /// The absolute path of the documents folder, whether it exists or not.
    package let documents: String

    /// Reads the user's settings: `user-dirs.dirs` in the configuration directory, then `XDG_DOCUMENTS_DIR`.
    ///
    /// A folder that no entitlement may name counts as not set, for example the home, which is set when there is no
    /// documents folder.
    ///
    /// - Parameter variables: the environment of the daemon.
    package init(variables: [String: String]) {
        let environment = ManifestEnvironment(variables: variables)
        let configuration = variables["XDG_CONFIG_HOME"].flatMap { Paths.isAbsolute($0) ? $0 : nil }
        let file = Paths.join(configuration ?? Paths.join(environment.home, ".config"), "user-dirs.dirs")
        let set = Self.documents(settings: Self.text(of: file), home: environment.home)
        self.init(
            home: environment.home, documents: set ?? variables[Self.documentsVariable],
            protected: environment.protectedDirectories)
    }

    /// Creates the folders.
    ///
    /// - Parameters:
    ///   - documents: the user's setting; nil for none.
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

    /// The documents folder in the text of a `user-dirs.dirs`; the last line counts, as in a shell.
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

    // Only a regular file, which links may lead to, and only as much of it as any such file has.
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
