import FileProvider

/// Identifies a file regardless of its name: device, inode and birth time. A reused inode has another birth time.
struct LocalFileIdentity: Hashable, Sendable {
    /// 0 for the device of the root folder, whose number may change when the machine restarts.
    let device: UInt64
    let inode: UInt64
    /// Nanoseconds since 1970; 0 where the file system does not record it.
    let birth: Int64

    init(_ facts: LocalFileFacts, rootDevice: UInt64) {
        device = facts.device == rootDevice ? 0 : facts.device
        inode = facts.inode
        birth = facts.birth
    }

    /// Reads what ``text`` produced; nil for anything else.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, let inode = UInt64(parts[0], radix: 36),
            let birth = Int64(parts[1], radix: 36)
        else { return nil }
        if parts.count == 3 {
            guard let device = UInt64(parts[2], radix: 36) else { return nil }
            self.device = device
        } else {
            device = 0
        }
        self.inode = inode
        self.birth = birth
    }

    /// The default identifier of an item, unless the log has another one.
    var text: String {
        Base36.text(.init(inode), .init(birth), device == 0 ? nil : .init(device))
    }
}
