import ExtensionManifest

extension Entitlements {
    /// Absolute paths of the writable folders.
    func writableFolders(_ user: UserFolders) -> [String] { homeReadWrite.map(user.path) + absoluteReadWrite }

    /// Absolute paths of the read-only folders.
    func readableFolders(_ user: UserFolders) -> [String] { homeReadOnly.map(user.path) + absoluteReadOnly }

    /// Whether these folders include the user's documents folder or a part of it.
    var namesDocuments: Bool {
        (homeReadWrite + homeReadOnly).contains { path in
            path == UserFolders.documentsName || path.hasPrefix(UserFolders.documentsName + "/")
        }
    }
}

extension KnownProvider {
    /// Absolute paths of the folders that the provider requests but the user has not agreed to.
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
