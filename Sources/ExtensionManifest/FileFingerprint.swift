import Glibc

/// The facts that show whether a file or folder was replaced, or whether others can change it now.
package enum FileFingerprint {
    /// Excludes a folder's times: they change with every file in it.
    package static func text(_ path: String) -> String {
        var status = stat()
        guard lstat(path, &status) == 0 else { return "\(path) is missing" }
        let place = "\(path) \(status.st_dev) \(status.st_ino) \(status.st_mode) \(status.st_uid) \(status.st_gid)"
        guard status.st_mode & S_IFMT != S_IFDIR else { return place }
        return place
            + " \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
            + " \(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)"
    }
}
