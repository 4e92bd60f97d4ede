import Glibc

/// Looks for manifests in the directories of a search path and joins them to providers. Never loads code.
package struct ManifestDiscovery: Sendable {
    /// The most manifests that are read from one directory.
    package static let maximumPerDirectory = 1024

    private static let manifestSuffixes = [".plist", ".json"]
    private static let manifestWishes = manifestSuffixes.map { ReadAhead.Wish(suffix: $0, count: 1 << 16) }
    private static let libraryWish = ReadAhead.Wish(suffix: ".so", count: 4096)

    /// Reads individual manifests.
    package let reader: ManifestReader

    /// Creates a discovery with a reader.
    package init(reader: ManifestReader) {
        self.reader = reader
    }

    /// Reads `*.plist` and `*.json` in every directory, without subdirectories. A broken manifest does not affect the
    /// others.
    ///
    /// Blocks on the file system.
    package func scan(searchPath: ManifestSearchPath) -> DiscoveryResult {
        let reader = reader.remembering()
        var result = ProviderAssembly(findings: searchPath.directories.flatMap { findings(in: $0, reader) }).result()
        result.examined = Set(reader.inspector.examined()).sorted()
        return result
    }

    /// All problems of the given manifests. This includes problems that concern several manifests (modes without a file
    /// provider, duplicates), for which the other manifests in the same directories are read too.
    ///
    /// - Returns: one report for each file, in the order given.
    package func check(files: [String]) -> [ManifestReport] {
        let reader = reader.remembering()
        let reports = files.map { reader.read($0) }
        var all: [ManifestFinding] = []
        var seen: Set<String> = []
        var directories: Set<String> = []
        for report in reports {
            let parent = Paths.parent(of: report.path)
            let others =
                directories.insert(parent).inserted
                ? findings(in: ManifestSearchPath.Directory(path: parent, origin: .explicit), reader) : []
            for finding in others + [ManifestFinding(report: report, origin: .explicit)]
            where seen.insert(finding.report.path).inserted {
                all.append(finding)
            }
        }
        let result = ProviderAssembly(findings: all).result()
        return reports.map { report in
            if let broken = (result.broken + result.ignored).first(where: { $0.path == report.path }) {
                return ManifestReport(
                    path: report.path, bundleIdentifier: report.bundleIdentifier, manifest: nil,
                    problems: broken.problems)
            }
            let manifest = result.providers.lazy.flatMap(\.extensions).first { $0.path == report.path }
            return ManifestReport(
                path: report.path, bundleIdentifier: report.bundleIdentifier, manifest: manifest ?? report.manifest,
                problems: manifest?.problems ?? report.problems)
        }
    }

    private func findings(
        in directory: ManifestSearchPath.Directory, _ reader: ManifestReader
    ) -> [ManifestFinding] {
        guard let path = reader.inspector.canonical(directory.path), let names = Self.candidates(in: path) else {
            return []
        }
        // The beginnings of libraries are read from disk while manifests are still being parsed.
        ReadAhead.begin(in: path, Self.manifestWishes + [Self.libraryWish])
        if let libraries = directory.libraryDirectory {
            ReadAhead.begin(in: libraries, [Self.libraryWish])
            ReadAhead.begin(below: libraries, [Self.libraryWish])
        }
        // A user may add directories to XDG_DATA_DIRS; only those owned by root are the administrator's.
        let isAdministrators = reader.inspector.verdict(on: path, key: "").ownedByRoot
        let origin = directory.origin == .system && !isAdministrators ? .user : directory.origin
        let effective = ManifestSearchPath.Directory(
            path: directory.path, origin: origin, libraryDirectory: directory.libraryDirectory)
        var result = names.prefix(Self.maximumPerDirectory).map { name in
            ManifestFinding(report: report(name, in: path, effective, reader), origin: origin)
        }
        if names.count > Self.maximumPerDirectory {
            let problem = ManifestProblem.error(
                "", found: "\(names.count) manifests", expected: "at most \(Self.maximumPerDirectory)",
                remedy: "Remove those that are not needed.",
                message: "The directory \(DisplayText.quoted(path)) has too many manifests; the last ones are not read."
            )
            result.append(
                .init(
                    report: .init(path: path, bundleIdentifier: nil, manifest: nil, problems: [problem]),
                    origin: origin))
        }
        return result
    }

    private func report(
        _ name: [UInt8], in path: String, _ directory: ManifestSearchPath.Directory, _ reader: ManifestReader
    ) -> ManifestReport {
        let file = DisplayText.fileName(name)
        let shown = Paths.join(path, file)
        func refusal(_ found: String, _ expected: String, _ message: String) -> ManifestReport {
            ManifestReport(
                path: shown, bundleIdentifier: nil, manifest: nil,
                problems: [
                    .error(
                        "", found: found, expected: expected, remedy: "Rename, replace or remove the file.",
                        message: message)
                ])
        }
        guard String(validating: name, as: UTF8.self) != nil else {
            // The bytes are escaped already.
            return refusal("\"\(file)\"", "a name in UTF-8", "The manifest's file name is not UTF-8.")
        }
        guard let facts = FileInspector.systemFacts(shown), facts.kind != .regular else {
            return reader.read(shown, in: directory)
        }
        return refusal(
            facts.kind.rawValue, FileFacts.Kind.regular.rawValue,
            "The manifest is \(facts.kind.rawValue); only regular files are read.")
    }

    /// The names in a directory that could be manifests, in byte order, or nil when it cannot be read.
    private static func candidates(in path: String) -> [[UInt8]]? {
        guard let stream = opendir(path) else { return nil }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        while let entry = readdir(stream) {
            // The entry is shorter than the structure: only the bytes up to the NUL may be read.
            let start = UnsafeRawPointer(entry) + offset
            let length = strlen(start.assumingMemoryBound(to: CChar.self))
            let name = Array(UnsafeRawBufferPointer(start: start, count: length))
            let isHidden = name.first == UInt8(ascii: ".")
            if !isHidden, manifestSuffixes.contains(where: { name.suffix($0.utf8.count).elementsEqual($0.utf8) }) {
                names.append(name)
            }
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }
}

/// One manifest file found on the search path.
struct ManifestFinding {
    let report: ManifestReport
    /// The origin of the directory, but never `.system` for one that root does not own.
    let origin: ManifestSearchPath.Origin
}
