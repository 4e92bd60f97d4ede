import Glibc

/// The file `*.entitlements` beside a manifest, in which Xcode keeps an extension's entitlements.
///
/// It is read as if its keys were at the top level of the manifest; keys that are there take precedence.
struct EntitlementsFile {
    static let suffix = ".entitlements"

    /// The file.
    let path: String
    /// The entitlements that Docent knows; empty when the file cannot be read.
    let contents: [String: PropertyListValue]
    /// Whether only root can change it.
    let ownedByRoot: Bool
    private let bytes: [UInt8]
    private let found: [ManifestProblem]
    private let ignored: [String]

    /// Reads the file that belongs to a manifest; nil when there is none.
    ///
    /// - Parameter manifest: the path of the manifest, without links.
    init?(beside manifest: String, inspector: FileInspector) {
        guard let path = Self.path(beside: manifest, inspector) else { return nil }
        self.init(path, inspector: inspector)
    }

    /// Reads a file at any path.
    init(_ path: String, inspector: FileInspector) {
        self.path = path
        let verdict = inspector.verdict(on: path, key: "")
        ownedByRoot = verdict.ownedByRoot
        var problems = verdict.problems
        var read: [UInt8] = []
        var values: [String: PropertyListValue] = [:]
        let shown = "The file of entitlements \(DisplayText.quoted(path))"
        switch ManifestFile.read(path) {
        case .failure(let failure):
            var problem = ManifestProblem.error(
                "", found: failure.problem.found, expected: failure.problem.expected, remedy: failure.problem.remedy,
                message: "\(shown) cannot be read: it is \(failure.problem.found).")
            problem.file = path
            problems.append(problem)
        case .success(let bytes):
            read = bytes
            do throws(PropertyListReader.Failure) {
                values = try ManifestReader.dictionary(bytes)
            } catch {
                var problem = error.problem(of: shown)
                problem.file = path
                problems.append(problem)
            }
        }
        bytes = read
        found = problems
        let known = Set(ManifestKey.allCases.filter { $0.entry.place == .entitlements }.map(\.rawValue))
        contents = values.filter { known.contains($0.key) }
        ignored = values.keys.filter { !known.contains($0) }.sorted()
    }

    /// The problems of the file, given its content and that of the manifest.
    func problems(beside manifest: [String: PropertyListValue]) -> [ManifestProblem] {
        let shown = DisplayText.quoted(path)
        var result = found
        result.append(
            .note(
                "", found: shown, expected: "entitlements in the manifest, or beside it",
                remedy: "No action is needed.", message: "The extension's entitlements are also read from \(shown)."))
        for key in contents.keys.sorted() where manifest[key] != contents[key] {
            result.append(
                .warning(
                    key, found: "different values in the manifest and in \(shown)", expected: "one of the two",
                    remedy: "Remove it from one of the two files.",
                    message: "\(key) stands in the manifest and in \(shown); the manifest counts."))
        }
        if !ignored.isEmpty {
            let names = ignored.prefix(10).map { DisplayText.escaped($0) }.joined(separator: ", ")
            result.append(
                .note(
                    "", found: names, expected: "entitlements that Docent knows", remedy: "No action is needed.",
                    message: "Docent has nothing for these entitlements in \(shown): \(names)"
                        + (ignored.count > 10 ? " and \(ignored.count - 10) more." : ".")))
        }
        return result
    }

    /// The digest that consent is bound to: of the manifest's bytes and those of the file beside it.
    static func digest(of manifest: [UInt8], with companion: EntitlementsFile?) -> String {
        let own = PortableDigest.hexDigest(of: manifest)
        guard let companion else { return own }
        return PortableDigest.hexDigest(of: Array((own + PortableDigest.hexDigest(of: companion.bytes)).utf8))
    }

    /// `Drive.entitlements` beside `Drive.plist` and `Drive-Info.plist`; beside `Info.plist` the only one there is.
    private static func path(beside manifest: String, _ inspector: FileInspector) -> String? {
        let directory = Paths.parent(of: manifest)
        let file = Paths.lastComponent(of: manifest)
        let stem = String(file[..<(file.lastIndex(of: ".") ?? file.endIndex)])
        var names = [stem]
        for ending in ["-Info", "_Info", "Info"] where stem.hasSuffix(ending) && stem.utf8.count > ending.utf8.count {
            names.append(String(stem.dropLast(ending.count)))
        }
        for name in names {
            let path = Paths.join(directory, name + suffix)
            if inspector.facts(path) != nil { return path }
        }
        guard file == "Info.plist", let only = theOnlyOne(in: directory) else { return nil }
        return inspector.facts(only) == nil ? nil : only
    }

    private static func theOnlyOne(in directory: String) -> String? {
        guard let stream = opendir(directory) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        while let entry = readdir(stream) {
            // The entry is shorter than the structure: only the bytes up to the NUL may be read.
            let start = UnsafeRawPointer(entry) + offset
            let name = String(cString: start.assumingMemoryBound(to: CChar.self))
            if name.hasSuffix(suffix), !name.hasPrefix(".") { names.append(name) }
        }
        return names.count == 1 ? Paths.join(directory, names[0]) : nil
    }
}
