import CLinux
import FoundationEssentials
import Glibc

/// Carries over what belongs to a file but not to its content.
enum FileAttributes {
    /// Gives an open file the owner, the mode, and the extended attributes (with the ACL) of another.
    ///
    /// - Throws: ``FileProviderError`` with `notPermitted` if that would change who owns the file or who may read it.
    static func carryOver(
        from name: LocalName, _ target: LocalFileFacts, in directory: LocalDirectory, to file: CInt
    ) throws {
        let own = try LocalFileFacts(descriptor: file)
        if own.owner != target.owner || own.group != target.group {
            guard clinux_fchown(file, target.owner, target.group) == 0 else {
                throw FileProviderError(
                    .notPermitted,
                    "\"\(name.displayed)\" belongs to another user or group; replacing it would change that.")
            }
        }
        let source = try directory.openFile(name)
        try copyAttributes(from: source.descriptor, to: file, shown: name.displayed)
        try setMode(target.permissions, of: file, shown: name.displayed)
    }

    /// Does the same between two open folders.
    ///
    /// - Throws: ``FileProviderError`` with `notPermitted`, as for files.
    static func carryOver(from source: LocalDirectory, to target: LocalDirectory, shown: String) throws {
        let (old, own) = (try source.facts(), try target.facts())
        if own.owner != old.owner || own.group != old.group {
            guard clinux_fchown(target.descriptor, old.owner, old.group) == 0 else {
                throw FileProviderError(
                    .notPermitted, "\"\(shown)\" belongs to another user or group; replacing it would change that.")
            }
        }
        try copyAttributes(from: source.descriptor, to: target.descriptor, shown: shown)
        try setMode(old.permissions, of: target.descriptor, shown: shown)
    }

    /// Stores a client's metadata beside the content, as far as the file system can: its own attributes and the
    /// modification date. The creation date is set by the file system.
    static func apply(_ metadata: ItemMetadata, to file: CInt) {
        for (name, value) in metadata.extendedAttributes where name.hasPrefix("user.") {
            _ = Array(value).withUnsafeBytes { bytes in
                bytes.baseAddress.map { clinux_set_attribute(file, name, $0, bytes.count) }
                    ?? clinux_set_attribute(file, name, "", 0)
            }
        }
        guard let date = metadata.modificationDate?.timeIntervalSince1970, date.magnitude < 1e11 else { return }
        let seconds = date.rounded(.down)
        _ = clinux_set_times(file, Int64(seconds), UInt32((date - seconds) * 1e9))
    }

    private static func copyAttributes(from source: CInt, to target: CInt, shown: String) throws {
        for attribute in list(source) {
            guard let value = value(attribute, of: source) else { continue }
            let result = value.withUnsafeBytes { bytes in
                bytes.baseAddress.map { clinux_set_attribute(target, attribute, $0, bytes.count) }
                    ?? clinux_set_attribute(target, attribute, "", 0)
            }
            // Only the kernel sets labels of the security system.
            guard result == 0 || attribute.hasPrefix("security.") || attribute.hasPrefix("trusted.") else {
                throw FileProviderError(
                    .notPermitted, "The attribute \(attribute) of \"\(shown)\" cannot be carried over.",
                    underlying: SystemFailure(-result, "set it").providerError.underlying)
            }
        }
    }

    private static func list(_ file: CInt) -> [String] {
        let size = clinux_list_attributes(file, nil, 0)
        guard size > 0 else { return [] }
        var names = [CChar](repeating: 0, count: size)
        let count = clinux_list_attributes(file, &names, size)
        guard count > 0 else { return [] }
        return names.prefix(count).split(separator: 0).map {
            String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }

    private static func value(_ name: String, of file: CInt) -> [UInt8]? {
        let size = clinux_get_attribute(file, name, nil, 0)
        guard size >= 0 else { return nil }
        var value = [UInt8](repeating: 0, count: size)
        let count = clinux_get_attribute(file, name, &value, size)
        return count >= 0 ? Array(value.prefix(count)) : nil
    }

    private static func setMode(_ mode: UInt32, of file: CInt, shown: String) throws {
        if try LocalFileFacts(descriptor: file).permissions == mode { return }
        if clinux_fchmod(file, mode) == 0 { return }
        // The sandbox denies chmod; a minimal ACL has the same effect.
        let list = minimalAccessList(mode)
        _ = clinux_set_attribute(file, "system.posix_acl_access", list, list.count)
        let reached = try LocalFileFacts(descriptor: file).permissions
        guard reached & ~mode == 0 else {
            throw FileProviderError(.notPermitted, "The permissions of \"\(shown)\" cannot be carried over.")
        }
    }

    /// The version, 2; then tag, permissions and identifier of the owner, the group and others, little-endian.
    private static func minimalAccessList(_ mode: UInt32) -> [UInt8] {
        func entry(_ tag: UInt8, _ bits: UInt32) -> [UInt8] { [tag, 0, UInt8(bits & 7), 0, 255, 255, 255, 255] }
        return [2, 0, 0, 0] + entry(0x01, mode >> 6) + entry(0x04, mode >> 3) + entry(0x20, mode)
    }
}
