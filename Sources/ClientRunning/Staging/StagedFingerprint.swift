import CLinux
import Glibc

/// Distinguishes two states of a staged file without reading it.
struct StagedFingerprint: Codable, Hashable, Sendable {
    var inode: UInt64
    var size: UInt64
    var modifiedSeconds: Int64
    var modifiedNanoseconds: UInt32
    var changedSeconds: Int64
    var changedNanoseconds: UInt32

    /// nil if it is not a regular file.
    init?(of descriptor: CInt) {
        var facts = clinux_stat()
        guard clinux_stat_fd(descriptor, &facts) == 0, clinux_is_regular(facts.mode) != 0 else { return nil }
        inode = facts.inode
        size = facts.size
        modifiedSeconds = facts.modified_seconds
        modifiedNanoseconds = facts.modified_nanoseconds
        changedSeconds = facts.changed_seconds
        changedNanoseconds = facts.changed_nanoseconds
    }
}
