import Coordination
package import DocentInterfaces
import HostCore
package import Rights

extension CoordinationService: ItemCoordination {}

extension CoordinationService: ContentFollower {
    package func created(_ item: Wire.Item, name: String, in folder: ItemKey) {
        Task { await appeared(item, name: name, in: folder) }
    }

    package func versionKept(_ version: String, of key: ItemKey, isGone: Bool) {
        versions(of: key, isGone ? .lostVersion(version) : .gainedVersion(version))
    }

    package func conflictResolved(_ version: String, of key: ItemKey) {
        versions(of: key, .resolvedVersion(version))
    }
}
