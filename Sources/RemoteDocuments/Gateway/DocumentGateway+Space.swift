import DocentInterfaces
import ExtensionHosting
import HostCore
package import Rights
import Varlink

extension DocumentGateway {
    /// How much space the account of an item has, at most a minute ago, or earlier if its provider does not answer.
    ///
    /// - Throws: ``Failure``: `NotSupported` if the provider does not know.
    package func space(of key: ItemKey) async throws -> AccountSpace {
        try closed.require(key)
        let access = reading.catalog.access
        let isRemote = try await isRemote(key.provider)
        return try await access.spaces.space(of: DomainKey(key)) {
            let parameters = FileProviderInterface.Usage.Parameters(domain: key.domain)
            guard try await access.features(key.provider).contains("usage") else {
                throw Failure(
                    .notSupported, "\(key.provider) does not know how much space its accounts have.",
                    provider: key.provider)
            }
            let reply: FileProviderInterface.Usage.Reply
            if isRemote {
                reply = try await access.call(
                    FileProviderInterface.Usage.self, parameters, provider: key.provider, domain: key.domain)
            } else {
                // Folders of this machine are never offline.
                let (_, connection) = try await self.fileProvider(key.provider)
                reply = try await connection.call(FileProviderInterface.Usage.self, parameters).value
            }
            return AccountSpace(total: reply.totalBytes, used: reply.usedBytes, available: reply.availableBytes)
        }
    }
}
