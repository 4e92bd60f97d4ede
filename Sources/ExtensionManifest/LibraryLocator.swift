import Glibc

/// Finds the library that a manifest names, without loading it.
struct LibraryLocator {
    /// The result of the search.
    struct Result {
        /// The library's path without links, or nil.
        var path: String?
        /// Why there is no library, or why it is not trusted.
        var problems: [ManifestProblem] = []
        /// Whether only root can change it.
        var ownedByRoot = false
    }

    private static let key = ManifestKey.executable.rawValue

    let environment: ManifestEnvironment
    let inspector: FileInspector

    /// Looks beside the manifest, then in the library directory of the manifest directory, then on
    /// `DOCENT_LIBRARY_PATH`. In each place but the first, the provider's own directory takes precedence over the
    /// shared files.
    ///
    /// - Parameters:
    ///   - name: the value of `CFBundleExecutable`.
    ///   - provider: the identifier of the provider, which is the name of its own directory; nil when unknown.
    ///   - manifest: the manifest's path.
    ///   - libraryDirectory: the directory that belongs to the manifest directory.
    func locate(_ name: String, of provider: String?, besides manifest: String, libraryDirectory: String?) -> Result {
        if let problem = problem(ofName: name) { return Result(problems: [problem]) }
        let shared = (libraryDirectory.map { [$0] } ?? []) + environment.libraryPath
        let places =
            [Paths.parent(of: manifest)]
            + shared.flatMap { directory in (provider.map { [Paths.join(directory, $0)] } ?? []) + [directory] }
        for place in places {
            let candidate = Paths.join(place, name)
            guard let base = inspector.canonical(place), let facts = inspector.facts(candidate) else { continue }
            // A plain name that is not a link is already canonical.
            let isPlain = facts.kind == .regular && !name.utf8.contains(UInt8(ascii: "/"))
            return examine(candidate, isPlain ? Paths.join(base, name) : Paths.canonical(candidate), base: base)
        }
        let looked = places.map { DisplayText.quoted($0) }.joined(separator: ", ")
        return Result(problems: [
            .error(
                Self.key, found: DisplayText.quoted(name), expected: "a library in \(looked)",
                remedy: "Put the library there, or name its directory in DOCENT_LIBRARY_PATH.",
                message: "The library \(DisplayText.quoted(name)) was not found in any of its possible places.")
        ])
    }

    /// Why a name cannot be the name of a library, or nil.
    private func problem(ofName name: String) -> ManifestProblem? {
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let leaves = parts.contains { $0.elementsEqual("..".utf8) } || name.utf8.first == UInt8(ascii: "/")
        let isOdd =
            parts.contains { $0.isEmpty || $0.elementsEqual(".".utf8) || $0.count > 255 }
            || DisplayText.isDeceptive(name) || name.utf8.count > 1024
        guard leaves || isOdd else { return nil }
        return .error(
            Self.key, found: DisplayText.quoted(name), expected: "a relative path that stays inside its directory",
            remedy: "Write the library's file name, for example libExample.so.",
            message: leaves
                ? "The library's path \(DisplayText.quoted(name)) leaves the directory it is looked for in."
                : "The library's path \(DisplayText.quoted(name)) has an empty, hidden or overlong part.")
    }

    private func examine(_ candidate: String, _ path: String?, base: String) -> Result {
        var shown: String { DisplayText.quoted(candidate) }
        guard let path else {
            return failure(shown, "a library", "\(shown) is a link to a missing file.")
        }
        guard path != base, Paths.contains(base, path) else {
            return failure(
                "\(shown), a link to \(DisplayText.quoted(path))", "a file inside \(DisplayText.quoted(base))",
                "The library \(shown) is a link that leaves its directory.")
        }
        guard let magic = Self.firstBytes(of: path) else {
            return failure(shown, "a regular file that can be read", "\(shown) is not a readable regular file.")
        }
        guard magic == [0x7F, 0x45, 0x4C, 0x46] else {
            return failure(shown, "an ELF library", "\(shown) is not a library: it does not begin as ELF files do.")
        }
        let verdict = inspector.verdict(on: path, key: Self.key)
        return Result(path: path, problems: verdict.problems, ownedByRoot: verdict.ownedByRoot)
    }

    private func failure(_ found: String, _ expected: String, _ message: String) -> Result {
        Result(problems: [
            .error(
                Self.key, found: found, expected: expected,
                remedy: "Put the provider's library there, built for this machine.", message: message)
        ])
    }

    private static func firstBytes(of path: String) -> [UInt8]? {
        let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4)
        let count = pread(descriptor, &bytes, 4, 0)
        return count >= 0 ? Array(bytes.prefix(count)) : nil
    }
}
