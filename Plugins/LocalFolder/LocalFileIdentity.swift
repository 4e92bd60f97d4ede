import FileProvider

/// Which file it is, whatever it is called: device, inode and birth time. An inode that is used again has another
/// birth time.
struct LocalFileIdentity: Hashable, Sendable {
    /// 0 for the device of the root folder, whose number may be another one after a restart of the machine.
    let device: UInt64
    let inode: UInt64
    /// Nanoseconds since 1970; 0 where the file system does not record it.
    let birth: Int64

    init(_ facts: LocalFileFacts, rootDevice: UInt64) {
        device = facts.device == rootDevice ? 0 : facts.device
        inode = facts.inode
        birth = facts.birth
    }

    /// Reads what ``text`` gave; nil for anything else.
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

    /// The identifier that an item has unless its log says otherwise.
    var text: String {
        let text = String(inode, radix: 36) + "." + String(birth, radix: 36)
        return device == 0 ? text : text + "." + String(device, radix: 36)
    }
}
