import Foundation

/// The unnamed session keyrings of this user in the kernel.
package enum SessionKeyrings {
    /// Their serial numbers, as `/proc/keys` lists them.
    package static func current() throws -> Set<String> {
        let text = try String(contentsOfFile: "/proc/keys", encoding: .utf8)
        let lines = text.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true) }
        return Set(lines.compactMap { $0.count > 8 && $0[7] == "keyring" && $0[8] == "_ses:" ? String($0[0]) : nil })
    }
}
