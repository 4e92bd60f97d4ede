package import DocentInterfaces
package import ExtensionHosting
package import Records

/// Combines what clients see of remote items: the index, unsent changes, and kept versions.
package struct RemoteDescriber: Sendable {
    private let states: UploadStates
    private let versions: KeptVersionStore
    private let types: TypeCatalogue

    package init(states: UploadStates, versions: KeptVersionStore, types: TypeCatalogue) {
        self.states = states
        self.versions = versions
        self.types = types
    }

    /// One item.
    ///
    /// - Parameter path: the path that led to it, if known.
    package func item(_ item: RemoteItem, path: String?) async throws -> Wire.Item {
        let conflicts = try await versions.counts(of: [item.key])[item.key] ?? 0
        return translate(item, path, conflicts)
    }

    /// The items of a folder.
    ///
    /// - Parameter folderPath: the path that led to the folder, if known. It is omitted where repeating it for each
    ///   item could make a page larger than a message may be (T4).
    package func items(_ items: [RemoteItem], folderPath: String?) async throws -> [Wire.Item] {
        let counts = try await versions.counts(of: items.map(\.key))
        let prefix = folderPath.map { $0 == "/" ? "/" : $0 + "/" }.flatMap { prefix in
            items.reduce(0) { $0 + prefix.utf8.count + $1.description.name.utf8.count } <= 100_000 ? prefix : nil
        }
        return items.map { translate($0, prefix, counts[$0.key] ?? 0, isPrefix: true) }
    }

    private func translate(
        _ item: RemoteItem, _ path: String?, _ conflicts: Int, isPrefix: Bool = false
    ) -> Wire.Item {
        let upload = states.state(of: item.key)
        let shown = RemoteTranslation.version(item, upload: upload)
        return RemoteTranslation.item(
            item, path: path.map { isPrefix ? $0 + item.description.name : $0 }, upload: upload,
            conflicts: conflicts, former: states.former(of: item.key, version: shown), types: types.registry)
    }
}
