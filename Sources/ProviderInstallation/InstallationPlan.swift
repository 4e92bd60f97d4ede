import CommandConsole
import DocentInterfaces
import Documents
package import ExtensionManifest
import FoundationEssentials
import Glibc

/// An installation that was checked and whose files are ready. It has no effect yet.
package struct InstallationPlan {
    /// The change to perform.
    package var change: InstallationChange
    /// The provider, as the manifests describe it.
    package var provider: ProviderDescription
    /// Whether it replaces an earlier installation.
    package var isUpdate: Bool
    /// Warnings and notes about the manifests, and other notes for the user.
    package var notes: [String]

    /// Copies the parts of a provider to a staging directory, and checks them there as the daemon will.
    ///
    /// - Parameters:
    ///   - source: where the parts are.
    ///   - installed: the installed providers, whose lock is held.
    ///   - environment: where manifests are searched for.
    /// - Throws: ``DocumentsError`` with all problems.
    package init(_ source: ProviderSource, in installed: InstalledProviders, _ environment: ManifestEnvironment) throws
    {
        let staging = try installed.makeStaging()
        do {
            try self.init(source, in: installed, environment, staging: staging)
        } catch {
            FileWork.removeTree(staging)
            throw error
        }
    }

    private init(
        _ source: ProviderSource, in installed: InstalledProviders, _ environment: ManifestEnvironment, staging: String
    ) throws {
        let parts = try Self.parts(source, environment)
        var libraries: Set<String> = []
        for (index, part) in parts.enumerated() {
            let name = Self.manifestName(part)
            try FileWork.copy(part.path, to: "\(staging)/docent/manifests/\(name)", mode: 0o644)
            if let entitlements = part.entitlementsPath {
                let name = "\(part.bundleIdentifier).entitlements"
                try FileWork.copy(entitlements, to: "\(staging)/docent/manifests/\(name)", mode: 0o644)
            }
            // A picker and a file provider are often one library.
            if !parts[..<index].contains(where: { $0.executable == part.executable }) {
                let place = "\(staging)/docent/providers/\(part.containingIdentifier)"
                try FileWork.makeDirectories(place, mode: 0o755)
                try FileWork.copy(part.libraryPath, to: "\(place)/\(part.executable)", mode: 0o644)
                try LibrarySymbols.check("\(place)/\(part.executable)")
                libraries.insert(part.executable)
                for (name, path) in PrivateLibraries.needed(by: part.libraryPath)
                where libraries.insert(name).inserted {
                    try FileWork.copy(path, to: "\(place)/\(name)", mode: 0o644)
                }
            }
        }
        provider = try Self.checked(staging, environment)
        let identifier = provider.identifier
        let before = installed.allRecords().first { $0.provider == identifier }
        let paths =
            provider.extensions.map { "manifests/" + FileNames.last(of: $0.path) }
            + provider.extensions.compactMap(\.entitlementsPath).map { "manifests/" + FileNames.last(of: $0) }
            + libraries.sorted().map { "providers/\(identifier)/\($0)" }
        notes = try Self.requireRoom(for: paths, of: identifier, before, installed, environment)
        notes += provider.problems.map { path, problem in
            "\(FileNames.last(of: path)):\n" + ProblemText.text(Wire.Problem(problem))
        }
        let files = paths.compactMap { InstallationRecord.File(path: $0, below: staging + "/docent") }
        let record = InstallationRecord(provider: identifier, source: source.library ?? parts[0].path, files: files)
        // Libraries and entitlements come before the manifests that they belong to.
        change = InstallationChange(
            provider: identifier, staging: FileNames.last(of: staging), moves: paths.reversed(),
            removals: (before?.files.map(\.path) ?? []).filter { !paths.contains($0) }, record: record)
        isUpdate = before != nil
    }

    /// The manifests, read in place. It does not matter who may write there, because a copy is installed.
    private static func parts(
        _ source: ProviderSource, _ environment: ManifestEnvironment
    ) throws(DocumentsError) -> [ExtensionManifest] {
        var variables = ["HOME": environment.home, "XDG_DATA_HOME": environment.dataHome]
        variables["DOCENT_LIBRARY_PATH"] = (source.libraryDirectories + environment.libraryPath).joined(separator: ":")
        let own = geteuid()
        let inspector = FileInspector(user: own) { path in
            FileInspector.systemFacts(path).map {
                FileFacts(kind: $0.kind, owner: own, group: $0.group, permissions: $0.permissions & ~0o022)
            }
        }
        let reader = ManifestReader(environment: ManifestEnvironment(variables: variables), inspector: inspector)
        let reports = source.manifests.map { reader.read($0) }
        guard let library = source.library else {
            let broken = reports.filter { $0.manifest == nil && $0.problems.containsError }
            guard broken.isEmpty else { throw refusal(broken.map { ($0.path, $0.problems) }) }
            return try requireOne(reports.compactMap(\.manifest), source)
        }
        let named = reports.compactMap(\.manifest).filter { FileWork.canonical($0.libraryPath) == library }
        let broken = reports.filter { $0.problems.containsError }
        guard !named.isEmpty || broken.isEmpty else { throw refusal(broken.map { ($0.path, $0.problems) }) }
        return try requireOne(named, source)
    }

    private static func requireOne(
        _ manifests: [ExtensionManifest], _ source: ProviderSource
    ) throws(DocumentsError) -> [ExtensionManifest] {
        guard !manifests.isEmpty else {
            throw DocumentsError(
                .notFound,
                "No manifest in \(source.manifests.first.map(FileWork.parent) ?? "there") names "
                    + (source.library.map { FileNames.last(of: $0) } ?? "a library") + ".",
                suggestion: "CFBundleExecutable of the manifest must be the library's file name.")
        }
        let providers = Set(manifests.map(\.containingIdentifier)).sorted()
        guard providers.count == 1 else {
            throw DocumentsError(
                .invalidArgument, "There are manifests of several providers: \(providers.joined(separator: ", ")).",
                suggestion: "Give the library of the provider to install.")
        }
        for manifest in manifests where manifest.executable.contains("/") {
            throw DocumentsError(
                .invalidArgument, "CFBundleExecutable of \(manifest.path) names a directory.",
                suggestion: "Write only the library's file name; it gets a directory of its own.")
        }
        return manifests
    }

    private static func refusal(_ broken: [(path: String, problems: [ManifestProblem])]) -> DocumentsError {
        let texts = broken.map { path, problems in
            "\(path):\n" + problems.map { ProblemText.text(Wire.Problem($0)) }.joined()
        }
        let errors = broken.flatMap(\.problems).filter { $0.severity == .error }
        let isUnbuilt = errors.allSatisfy { $0.key == "CFBundleExecutable" && $0.expected.hasPrefix("a library in") }
        return DocumentsError(
            .invalidArgument, "The provider cannot be installed.\n" + texts.joined(),
            suggestion: isUnbuilt
                ? "Build it first; if its build directory is none of these, give that."
                : "docs/providers/manifest.md describes every key; `docent provider validate` checks a manifest.")
    }

    private static func manifestName(_ manifest: ExtensionManifest) -> String {
        manifest.bundleIdentifier + (manifest.path.hasSuffix(".json") ? ".json" : ".plist")
    }

    /// The provider as the daemon will find it, under the rules for several manifests and for ownership.
    private static func checked(
        _ staging: String, _ environment: ManifestEnvironment
    ) throws(DocumentsError) -> ProviderDescription {
        let discovery = ManifestDiscovery(reader: ManifestReader(environment: environment))
        let found = discovery.scan(
            searchPath: ManifestSearchPath(directories: [.init(path: staging + "/docent/manifests", origin: .user)]))
        guard found.broken.isEmpty, let provider = found.providers.first, found.providers.count == 1 else {
            throw refusal((found.broken + found.ignored).map { (FileNames.last(of: $0.path), $0.problems) })
        }
        return provider
    }
}
