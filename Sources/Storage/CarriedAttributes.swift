import CLinux
import Glibc

/// Copies the mode, extended attributes and access control list from a base to the file that replaces it.
enum CarriedAttributes {
    private static let accessControlList = "system.posix_acl_access"
    private static let userPrefix = "user."

    /// Gives `target` the base's mode and access control list, and the `user.` attributes that it does not have itself.
    static func carry(from base: Int32, to target: Int32) throws {
        let mode = try FileStatus(of: base).mode
        // User attributes can be set on a writable file only, so the mode comes last.
        try checked(clinux_fchmod(target, 0o600), "set the mode of the file")
        let existing = Set(try names(of: target))
        for name in try names(of: base) {
            let isList = name == accessControlList
            guard isList || (name.hasPrefix(userPrefix) && !existing.contains(name)) else { continue }
            guard let value = try value(of: name, on: base) else { continue }
            let outcome = value.withUnsafeBytes { bytes -> Int32 in
                guard let start = bytes.baseAddress else { return clinux_set_attribute(target, name, "", 0) }
                return clinux_set_attribute(target, name, start, bytes.count)
            }
            // The staged file is on the base's file system, so an attribute that the base had must be stored.
            try checked(outcome, "copy the attribute \(name)")
        }
        // Set-user-id and similar bits are dropped: they are not for documents that come from a client.
        try checked(clinux_fchmod(target, mode & 0o777), "set the mode of the file")
    }

    static func names(of descriptor: Int32) throws -> [String] {
        for _ in 0..<8 {
            let size = clinux_list_attributes(descriptor, nil, 0)
            if size == -Int(EOPNOTSUPP) || size == 0 { return [] }
            try checked(size, "list the attributes")
            var list = [CChar](repeating: 0, count: size)
            let filled = clinux_list_attributes(descriptor, &list, size)
            if filled == -Int(ERANGE) { continue }
            try checked(filled, "list the attributes")
            return list.prefix(filled).split(separator: 0).map { name in
                String(decoding: name.map(UInt8.init(bitPattern:)), as: UTF8.self)
            }
        }
        return []
    }

    static func value(of name: String, on descriptor: Int32) throws -> [UInt8]? {
        for _ in 0..<8 {
            let size = clinux_get_attribute(descriptor, name, nil, 0)
            if size == -Int(ENODATA) || size == -Int(EOPNOTSUPP) { return nil }
            try checked(size, "read the attribute \(name)")
            var value = [UInt8](repeating: 0, count: size)
            let filled = clinux_get_attribute(descriptor, name, &value, size)
            if filled == -Int(ERANGE) { continue }
            if filled == -Int(ENODATA) { return nil }
            try checked(filled, "read the attribute \(name)")
            return Array(value.prefix(filled))
        }
        return nil
    }
}
