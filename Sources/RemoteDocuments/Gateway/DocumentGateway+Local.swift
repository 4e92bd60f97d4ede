import DocentInterfaces
import HostCore
import Records
package import Rights
package import Storage

extension DocumentGateway {
    /// The content of a document, if nothing has to be fetched for it.
    ///
    /// - Parameter version: the version as clients see it.
    /// - Returns: nil if that version is not on this machine.
    /// - Throws: ``Failure``.
    package func contentHere(_ key: ItemKey, version: String?) async throws -> OpenDescriptor? {
        try closed.require(key)
        if let waiting = pending.content(key) { return waiting.item.version == version ? waiting.descriptor : nil }
        guard try await isRemote(key.provider) else {
            guard try await bare(key).isDownloaded else { return nil }
            let content = try await content(key)
            return content.item.version == version ? content.descriptor : nil
        }
        guard let item = try await reading.catalog.known(key), let local = item.local, local.version == version else {
            return nil
        }
        return try await reading.local.open(item)
    }
}
