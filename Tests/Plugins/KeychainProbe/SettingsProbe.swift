import FileProvider

/// A provider without a sign-in that shows the values of its settings as names of folders, for tests.
final class SettingsProbe: ReplicatedFileProvider {
    private let domain: FileProviderDomain

    init(domain: FileProviderDomain, host: FileProviderHost) throws { self.domain = domain }

    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        if identifier == .rootContainer {
            return FileProviderItem(folder: .rootContainer, parent: .rootContainer, filename: "SettingsProbe")
        }
        guard let value = domain.settings[identifier.rawValue] else {
            throw FileProviderError(.noSuchItem, "There is no such setting.")
        }
        return FileProviderItem(folder: identifier, parent: .rootContainer, filename: value)
    }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage {
        guard parent == .rootContainer else { return ItemPage(items: []) }
        return ItemPage(
            items: domain.settings.map { FileProviderItem(folder: ItemIdentifier($0), parent: parent, filename: $1) })
    }
}
