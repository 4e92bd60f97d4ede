package import DocentInterfaces
import ExtensionManifest

/// The files of an extension's code, as they were when its process started: its library, and those beside it that it
/// may load.
package struct LibraryFiles: Sendable {
    /// Another user may change the code.
    package struct Distrusted: Error, CustomStringConvertible {
        /// The reason, in the form that callers receive.
        package var failure: Failure

        package var description: String { failure.message }
    }

    private let paths: [String]
    private let stamps: [FileFingerprint]

    /// Records the present state of files.
    package init(library: String, companions: [String]) {
        paths = [library] + companions
        stamps = Self.stamps(of: paths)
    }

    /// Whether they are the same files, with the same content, owner and permissions as recorded.
    package var isUnchanged: Bool { Self.stamps(of: paths) == stamps }

    /// Why the code cannot be trusted now (S3): another user may change it.
    package func distrust(provider: String) -> Distrusted? {
        let inspector = FileInspector.system()
        guard let problem = paths.lazy.compactMap({ inspector.distrust(of: $0) }).first else { return nil }
        return Distrusted(
            failure: Failure(
                .unavailable, "\(provider) cannot be used: \(problem.message)", suggestion: problem.remedy,
                provider: provider))
    }

    private static func stamps(of paths: [String]) -> [FileFingerprint] {
        var folders: Set<String> = []
        let files = paths.map { path in
            var parts = path.split(separator: "/").dropLast()
            while folders.insert("/" + parts.joined(separator: "/")).inserted, !parts.isEmpty { parts.removeLast() }
            return FileFingerprint(path)
        }
        return files + folders.sorted().map(FileFingerprint.init)
    }
}
