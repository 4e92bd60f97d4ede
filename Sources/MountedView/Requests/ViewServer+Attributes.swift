import CLinux
import Documents
import FileSystemMessages
import Glibc

/// Extended attributes: what is known of a document, whether it is pinned, and what programs have noted.
extension ViewServer {
    /// What Docent itself says; no program can set them, with one exception.
    private static let prefix = "user.docent."
    private static let pinned = prefix + "pinned"
    private static let names = [
        "identifier", "provider", "domain", "location", "state", "version", "conflicts", "pinned",
    ].map { prefix + $0 }
    /// The limits of Linux for a name and a value, in bytes.
    private static let (longestName, longestValue) = (255, 64 << 10)

    /// XATTR_CREATE and XATTR_REPLACE.
    private static let (createFlag, replaceFlag): (UInt32, UInt32) = (1, 2)

    // MARK: Reading

    func extendedAttribute(_ name: String?, of node: UInt64, _ room: Int) -> KernelReply {
        guard let name, name.hasPrefix("user.") else { return .error(EOPNOTSUPP) }
        let value =
            name.hasPrefix(Self.prefix)
            ? value(of: name, node).map { Array($0.utf8) } : attached.attributes(of: node)[name]
        guard let value else { return .error(ENODATA) }
        return Self.reply(value, room)
    }

    func extendedAttributes(of node: UInt64, _ room: Int) -> KernelReply {
        let names = Self.names.filter { value(of: $0, node) != nil } + attached.attributes(of: node).keys.sorted()
        return Self.reply(names.flatMap { Array($0.utf8) + [0] }, room)
    }

    static func reply(_ bytes: [UInt8], _ room: Int) -> KernelReply {
        if room == 0 { return .size(bytes.count) }
        return bytes.count <= room ? .bytes(bytes) : .error(ERANGE)
    }

    private func value(of name: String, _ node: UInt64) -> String? {
        // A confined program does not see what is outside its sandbox.
        if node == KernelRequest.root {
            guard tree.contents == .accounts else { return nil }
            return switch name {
            case "user.docent.process": String(getpid())
            case "user.docent.socket": socket
            case "user.docent.refused": downloads.refused
            default: nil
            }
        }
        guard name.hasPrefix(Self.prefix), let location = tree.location(of: node) else { return nil }
        let item = tree.item(of: node)
        return switch name.dropFirst(Self.prefix.count) {
        case "identifier": item?.identifier
        case "provider": location.provider
        case "domain": location.domain.isEmpty ? nil : location.domain
        case "location": tree.contents == .accounts ? location.description : nil
        case "state": item.map { $0.kind == .file ? $0.isDownloaded ? "local" : "remote" : nil } ?? nil
        case "version": item?.version
        case "conflicts": item.map { $0.conflicts > 0 ? String($0.conflicts) : nil } ?? nil
        case "pinned": item.map { $0.isLocal || $0.kind == .symbolicLink ? nil : $0.isPinned ? "1" : "0" } ?? nil
        default: nil
        }
    }

    // MARK: Writing

    func setExtendedAttribute(
        _ name: String?, _ value: [UInt8], flags: UInt32, of node: UInt64, isRepeated: Bool
    ) -> Answer {
        guard let name, name.hasPrefix("user.") else { return .reply(.error(EOPNOTSUPP)) }
        guard name.utf8.count <= Self.longestName, name.utf8.count > "user.".utf8.count else {
            return .reply(.error(ERANGE))
        }
        guard value.count <= Self.longestValue else { return .reply(.error(E2BIG)) }
        let (creates, replaces) = (flags & Self.createFlag != 0, flags & Self.replaceFlag != 0)
        guard flags & ~(Self.createFlag | Self.replaceFlag) == 0, !(creates && replaces) else {
            return .reply(.error(EINVAL))
        }
        guard name.hasPrefix(Self.prefix) else {
            return .reply(
                change(node) { attributes in
                    let known = attributes[name]
                    // An earlier server of the mount may have done it.
                    if isRepeated, known == value { return .done }
                    if creates, known != nil { return .error(EEXIST) }
                    if replaces, known == nil { return .error(ENODATA) }
                    attributes[name] = value
                    return .done
                })
        }
        guard name == Self.pinned, self.value(of: name, node) != nil else { return .reply(.error(EPERM)) }
        guard !creates || isRepeated else { return .reply(.error(EEXIST)) }
        switch value {
        case [UInt8(ascii: "1")]: return pin(node, true)
        case [UInt8(ascii: "0")]: return pin(node, false)
        default: return .reply(.error(EINVAL))
        }
    }

    func removeExtendedAttribute(_ name: String?, of node: UInt64, isRepeated: Bool) -> Answer {
        guard let name, name.hasPrefix("user.") else { return .reply(.error(EOPNOTSUPP)) }
        guard name.hasPrefix(Self.prefix) else {
            return .reply(
                change(node) { attributes in
                    attributes.removeValue(forKey: name) != nil || isRepeated ? .done : .error(ENODATA)
                })
        }
        guard value(of: name, node) != nil else { return .reply(.error(ENODATA)) }
        return name == Self.pinned ? pin(node, false) : .reply(.error(EPERM))
    }

    private func change(
        _ node: UInt64, _ body: (inout AttachedAttributes.Attributes) -> KernelReply
    ) -> KernelReply {
        // Folders have none at any provider.
        guard tree.item(of: node)?.kind == .file else { return .error(EOPNOTSUPP) }
        do throws(DocumentsError) {
            return try attached.change(node) { attributes throws(DocumentsError) in body(&attributes) }
        } catch {
            return .error(ErrorNumber.of(error))
        }
    }

    /// Keeps a document on this machine, or everything that is in a folder now; or no longer.
    private func pin(_ node: UInt64, _ isPinned: Bool) -> Answer {
        guard let item = tree.item(of: node), !item.isBegun, let location = tree.location(of: node) else {
            return .reply(.error(EBUSY))
        }
        // Programs that copy attributes set what is already so. The contents of a folder may differ from it.
        if item.isPinned == isPinned, item.kind == .file { return .reply(.done) }
        return .later(patience) { [self] in
            await Self.reply {
                try await self.source.pin(location, isPinned)
                self.tree.setPinned(node, isPinned)
                self.loads.refreshIfNeeded(node: node)
                return .done
            }
        }
    }

    // MARK: Space

    func statistics(of node: UInt64, for caller: KernelRequest.Caller) -> KernelReply {
        if let account = tree.account(of: node), callers.mayUse(caller), let known = spaces.statistics(of: account) {
            return .statistics(known)
        }
        let descriptor = clinux_open("/", CLINUX_O_RDONLY | CLINUX_O_DIRECTORY, 0)
        guard descriptor >= 0 else { return .error(-descriptor) }
        defer { _ = clinux_close(descriptor) }
        var system = clinux_file_system()
        let result = clinux_statfs_fd(descriptor, &system)
        guard result == 0 else { return .error(-result) }
        return .statistics(
            .init(
                total: system.total_blocks &* system.block_size, free: system.available_blocks &* system.block_size))
    }
}
