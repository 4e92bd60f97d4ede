import DocentInterfaces
import FoundationEssentials
import HostCore
import Records
import Rights
import Transfers

/// Converts transfers for the wire.
enum TransferTranslation {
    private static let prefix = "change-"

    /// Converts a transfer of the queue.
    static func transfer(_ snapshot: TransferSnapshot) -> Wire.Transfer {
        Wire.Transfer(
            identifier: snapshot.identifier, kind: snapshot.key.kind.rawValue, state: snapshot.state.rawValue,
            priority: snapshot.priority.name, reference: snapshot.key.item.reference, name: snapshot.name,
            completedBytes: Int(snapshot.completed), totalBytes: snapshot.total.map(Int.init),
            bytesPerSecond: snapshot.bytesPerSecond, attempts: snapshot.attempts, waiters: snapshot.waiters,
            message: snapshot.message, nextAttempt: snapshot.nextAttempt?.timeIntervalSince1970)
    }

    /// Converts a change that failed under an earlier daemon.
    static func transfer(_ row: JournaledOperation) -> Wire.Transfer? {
        guard let key = row.itemKey else { return nil }
        return Wire.Transfer(
            identifier: prefix + row.id, kind: TransferKind.upload.rawValue,
            state: TransferSnapshot.State.failed.rawValue, priority: TransferPriority.background.name,
            reference: key.reference, name: row.name ?? key.identifier, completedBytes: 0,
            totalBytes: row.size.map(Int.init), attempts: 0, waiters: 0, message: row.reason)
    }

    /// The journal identifier in such a transfer identifier, if it has one.
    static func row(_ identifier: String) -> String? {
        identifier.hasPrefix(prefix) ? String(identifier.dropFirst(prefix.count)) : nil
    }
}
