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

extension KnownProvider {
    /// Absolute paths of the folders that it asks for and that the user has not agreed to.
    func withheldFolders(_ user: UserFolders) -> [String] {
        withheld.compactMap { request in
            switch request.kind {
            case .homeReadWrite, .homeReadOnly: user.path(of: request.value)
            case .absoluteReadWrite, .absoluteReadOnly: request.value
            default: nil
            }
        }
    }
}
