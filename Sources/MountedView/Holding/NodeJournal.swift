import CLinux
import Glibc

/// The nodes that the kernel knows, written to a file in memory that outlives this process: the next server of the
/// mount reads it. Used under the lock of the tree.
package final class NodeJournal: Sendable {
    /// A file in memory, which the keeper has too.
    package let descriptor: CInt

    /// A journal without entries.
    package convenience init?() {
        let descriptor = clinux_memory_file("docent-view-nodes", 0)
        guard descriptor >= 0 else { return nil }
        self.init(owning: descriptor)
    }

    /// One that another process began.
    package init(owning descriptor: CInt) { self.descriptor = descriptor }

    deinit { _ = clinux_close(descriptor) }

    /// Appends a record. A failure (no memory) only means that the next server does not know the node.
    func append(_ record: NodeRecord) {
        var status = clinux_stat()
        guard clinux_stat_fd(descriptor, &status) == 0 else { return }
        let bytes = record.bytes
        _ = bytes.withUnsafeBytes { buffer in
            buffer.baseAddress.map { clinux_pwrite(descriptor, $0, buffer.count, Int64(status.size)) } ?? 0
        }
    }

    /// The last record of each node, in the order in which the nodes were made.
    func records() -> [NodeRecord] {
        var status = clinux_stat()
        guard clinux_stat_fd(descriptor, &status) == 0, status.size < 1 << 31 else { return [] }
        var bytes = [UInt8](repeating: 0, count: Int(status.size))
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.map {
                    clinux_pread(descriptor, $0 + filled, buffer.count - filled, Int64(filled))
                } ?? 0
            }
            guard count > 0 else { break }
            filled += count
        }
        var last: [UInt64: NodeRecord] = [:]
        for record in NodeRecord.all(in: Array(bytes[0..<filled])) {
            last[record.number] = record.subject == nil ? nil : record
        }
        return last.values.sorted { $0.number < $1.number }
    }

    /// Begins anew with these records.
    func replace(with records: [NodeRecord]) {
        _ = clinux_ftruncate(descriptor, 0)
        for record in records { append(record) }
    }
}
