package import FileProvider

extension LocalFolderProvider {
    /// Tells soon what other programs do with the item, or with what is in the folder.
    package func startObserving(_ identifier: ItemIdentifier) async throws { try observer.start(identifier, watcher) }

    /// Stops that.
    package func stopObserving(_ identifier: ItemIdentifier) async { observer.stop(identifier, watcher) }
}
