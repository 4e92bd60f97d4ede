import Documents
import Glibc

/// The marks that `git merge-file` leaves where two sides differ.
enum MergeMark {
    private static let mark = Array("\n<<<<<<< mine\n".utf8)

    /// Whether a line of a file is such a mark.
    static func isIn(_ file: CInt, step: Int = 1 << 16) throws -> Bool {
        // As if the file began with the end of a line.
        var (bytes, offset) = ([mark[0]], 0)
        var buffer = [UInt8](repeating: 0, count: step)
        while true {
            let count = pread(file, &buffer, step, offset)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw DocumentsError(.failed, "The merged content cannot be read: \(String(cString: strerror(errno))).")
            }
            guard count > 0 else { return false }
            offset += count
            bytes += buffer[..<count]
            if bytes.firstRange(of: mark) != nil { return true }
            // A mark may lie across the border.
            bytes.removeFirst(max(bytes.count - mark.count + 1, 0))
        }
    }
}
