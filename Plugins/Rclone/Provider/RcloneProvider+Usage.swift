package import FileProvider

extension RcloneProvider {
    /// The space that the back end reports; nothing if it reports none.
    package func usage() async throws -> StorageUsage {
        guard try await session.connected().traits.knowsSpace else { return StorageUsage() }
        do {
            return try await session.call(
                "operations/about", { ["fs": .text($0.root)] }, cannot: "find out how much space there is",
                as: RemoteSpace.self
            ).usage
        } catch let error as FileProviderError where error.code == .notSupported {
            // A back end may be able to in general, but not for this service.
            return StorageUsage()
        }
    }
}
