package import DocentInterfaces
package import ExtensionManifest

/// Starts what runs an extension's code: a process in its sandbox, or in tests a server in the same process.
package protocol ExtensionStarting: Sendable {
    /// Starts an extension. Its document storage exists; it is not initialised yet.
    func start(_ provider: KnownProvider, _ manifest: ExtensionManifest) async throws -> StartedExtension

    /// Closes a sandbox as for an extension, without loading one, and reports the result.
    func rehearse() async -> Wire.Check
}

/// An extension that was started and not yet initialised.
package struct StartedExtension: Sendable {
    /// What runs its code.
    let program: any ExtensionProgram
    /// The files of its code, as they were when it started.
    let files: LibraryFiles
    /// The folders that its sandbox should show.
    let folders: ShownFolders

    /// An extension that was started.
    package init(program: any ExtensionProgram, files: LibraryFiles, folders: ShownFolders = ShownFolders()) {
        self.program = program
        self.files = files
        self.folders = folders
    }
}
