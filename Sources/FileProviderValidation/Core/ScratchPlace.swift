import FoundationEssentials

/// Directories that exist during one case.
struct ScratchPlace: Sendable {
    private let top: String

    /// - Throws: the file system's error when there is no space.
    init() throws {
        top =
            FileManager.default.temporaryDirectory
            .appending(path: "docent-validation-\(UUID().uuidString)", directoryHint: .isDirectory).path
        for path in [top, scratch, provider] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        }
    }

    /// The validator's directory.
    var scratch: String { top + "/scratch" }

    /// The provider's directory.
    var provider: String { top + "/provider" }

    /// Removes everything and nothing outside, whatever the provider has put there. What cannot be removed is left to
    /// the system's cleanup of temporary files. Blocks: some cases leave thousands of files.
    func remove() { OwnTree(path: top)?.remove() }
}
