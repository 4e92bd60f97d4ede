import Glibc

/// The facts that show whether a file or folder was replaced, or whether others can change it now. That there is none
/// is a fact, too. A symbolic link has its own.
package struct FileFingerprint: Hashable, Sendable {
    private var device: UInt = 0
    private var inode: UInt = 0
    private var mode: UInt32 = 0
    private var owner: UInt32 = 0
    private var group: UInt32 = 0
    private var size = 0
    private var modifiedSeconds = 0
    private var modifiedNanoseconds = 0
    private var changedSeconds = 0
    private var changedNanoseconds = 0

    /// Takes the facts of whatever is at a path now. Excludes a folder's times: they change with every file in it.
    package init(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
        mode = status.st_mode
        owner = status.st_uid
        group = status.st_gid
        guard status.st_mode & S_IFMT != S_IFDIR else { return }
        size = Int(status.st_size)
        modifiedSeconds = status.st_mtim.tv_sec
        modifiedNanoseconds = status.st_mtim.tv_nsec
        changedSeconds = status.st_ctim.tv_sec
        changedNanoseconds = status.st_ctim.tv_nsec
    }
}
