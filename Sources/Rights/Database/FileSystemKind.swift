import FoundationEssentials

/// Whether a file system supports the shared memory and the locks that a write-ahead log needs (D4).
package enum FileSystemKind: Hashable, Sendable {
    /// On this machine.
    case local
    /// Behind a network or a program (FUSE), where neither shared memory nor locks are reliable.
    case network

    /// The kind of the file system that holds a directory, according to the kernel's mount table.
    ///
    /// A table that cannot be read counts as network, which is the safe choice.
    package init(directory: String) {
        let path = URL(filePath: directory).resolvingSymlinksInPath().path
        guard let table = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8) else {
            self = .network
            return
        }
        self.init(path: path, mountTable: table)
    }

    /// The kind of the last mount that covers a resolved path, in a table in the format of `/proc/self/mountinfo`.
    init(path: String, mountTable: String) {
        var best: (length: Int, type: Substring)?
        for line in mountTable.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 6, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else { continue }
            let mountPoint = Self.unescaped(fields[4])
            let prefix = mountPoint.hasSuffix("/") ? mountPoint : mountPoint + "/"
            guard (path + "/").hasPrefix(prefix), prefix.utf8.count >= best?.length ?? 0 else { continue }
            best = (prefix.utf8.count, fields[dash + 1])
        }
        self = best.map { Self.isNetwork($0.type) } ?? true ? .network : .local
    }

    private static func isNetwork(_ type: Substring) -> Bool {
        let names: Set<Substring> = [
            "nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "9p", "virtiofs", "ceph", "afs", "coda", "gfs2", "ocfs2",
            "lustre", "glusterfs", "vboxsf", "vmhgfs", "fuse", "fuseblk",
        ]
        return names.contains(type) || type.hasPrefix("fuse.")
    }

    /// The table writes space, tab, newline and backslash as three octal digits.
    private static func unescaped(_ field: Substring) -> String {
        guard field.contains("\\") else { return String(field) }
        var bytes: [UInt8] = []
        var rest = Array(field.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3, let text = String(bytes: digits, encoding: .utf8),
                let code = UInt8(text, radix: 8)
            {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
