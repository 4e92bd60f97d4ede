package import DocentInterfaces
package import FoundationEssentials
import Records
package import Rights

extension RemoteCatalog {
    /// Why an item's description, which was just requested, is an earlier one, and when its provider gave it.
    ///
    /// - Parameter asked: when the description was requested.
    /// - Returns: nil when the provider was asked, at most a moment ago, and for what only this machine knows.
    package func remembered(_ given: ItemKey, asked: Date) async throws -> Wire.Remembered? {
        guard let item = try await known(given), !item.isProvisional, try await replacing(item.key) == nil else {
            return nil
        }
        // The index keeps whole milliseconds.
        if let checked = item.checked, checked > asked.addingTimeInterval(-0.002) { return nil }
        if let obstacle = access.monitor.obstacle(item.key.provider, item.key.domain) {
            return Self.remembered(item, obstacle)
        }
        if settings.isFresh(item.checked) { return nil }
        if settings.isFresh(try await index.item(item.key.sibling(item.description.parent))?.listed) { return nil }
        // The answer to a request that another caller had made a little earlier.
        let earliest = asked.addingTimeInterval(-settings.patienceSeconds)
        if let checked = item.checked, checked > earliest { return nil }
        return Self.remembered(item, "\(item.key.provider) has not confirmed it.")
    }

    private static func remembered(_ item: RemoteItem, _ reason: String) -> Wire.Remembered {
        Wire.Remembered(reason: reason, since: item.checked?.timeIntervalSince1970)
    }
}
