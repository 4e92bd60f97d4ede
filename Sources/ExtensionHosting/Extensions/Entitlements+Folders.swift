import ExtensionManifest

extension Entitlements {
    /// Absolute paths of the folders that may be read and changed.
    func writableFolders(_ user: UserFolders) -> [String] { homeReadWrite.map(user.path) + absoluteReadWrite }

    /// Absolute paths of the folders that may be read.
    func readableFolders(_ user: UserFolders) -> [String] { homeReadOnly.map(user.path) + absoluteReadOnly }

    /// Whether the user's folder for documents, or a part of it, is among them.
    var namesDocuments: Bool {
        (homeReadWrite + homeReadOnly).contains { path in
            path == UserFolders.documentsName || path.hasPrefix(UserFolders.documentsName + "/")
        }
    }
}
