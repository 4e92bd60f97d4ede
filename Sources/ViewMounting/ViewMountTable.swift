import Glibc

/// The mounts of this process's namespace, as /proc/self/mountinfo lists them. Pure but for reading it.
package enum ViewMountTable {
    /// A mount.
    package struct Entry: Sendable, Hashable {
        package var path: String
        /// The number of its device, as in `0:57`. The kernel gives that of a mount that has ended to a new one.
        package var device: String
        /// As in `fuse.docent`.
        package var type: String
        /// The user that made it, where the file system says so.
        package var user: UInt32?
    }

    /// All mounts, in the order in which they were made.
    package static func current() -> [Entry] {
        KernelTextFile.text("/proc/self/mountinfo", most: 16 << 20).map(entries) ?? []
    }

    /// Reads the lines of mountinfo. Lines of another form are left out.
    package static func entries(_ text: String) -> [Entry] {
        text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard let dash = words.firstIndex(of: "-"), dash + 3 < words.count, words.count > 4 else { return nil }
            let user = words[dash + 3].split(separator: ",").first { $0.hasPrefix("user_id=") }
                .flatMap { UInt32($0.dropFirst("user_id=".count)) }
            return Entry(
                path: unescaped(words[4]), device: String(words[2]), type: String(words[dash + 1]), user: user)
        }
    }

    // A space is \040, and so on.
    private static func unescaped(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), rest.count >= 3,
                let value = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8)
            {
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
