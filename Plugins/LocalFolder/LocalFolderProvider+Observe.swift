package import FileProvider

extension LocalFolderProvider {
    /// Reports promptly what other programs do with the item, or with the contents of the folder.
    package func startObserving(_ identifier: ItemIdentifier) async throws { try observer.start(identifier, watcher) }

    /// Stops these reports.
    package func stopObserving(_ identifier: ItemIdentifier) async { observer.stop(identifier, watcher) }
}
