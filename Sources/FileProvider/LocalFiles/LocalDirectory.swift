import CLinux
import Glibc

/// An open directory. Its contents are reached by name, and links are never followed. Safe to use from any thread.
public final class LocalDirectory: Sendable {
    /// The descriptor, valid while this object exists.
    public let descriptor: CInt

    /// Opens a directory by its path; links in the path are followed.
    ///
    /// - Throws: ``FileProviderError``.
    public convenience init(path: String) throws {
        let flags = CLINUX_O_RDONLY | CLINUX_O_DIRECTORY
        self.init(owning: try Self.opened(clinux_open(path, flags, 0), "open the folder \(path)"))
    }

    init(owning descriptor: CInt) { self.descriptor = descriptor }

    deinit { _ = clinux_close(descriptor) }

    /// Opens a directory below this one. An empty path reopens this one.
    ///
    /// - Throws: ``FileProviderError``; `noSuchItem` if there is none, `notPermitted` if a link is on the way.
    public func directory(at path: [LocalName]) throws -> LocalDirectory {
        let flags = CLINUX_O_RDONLY | CLINUX_O_DIRECTORY
        return LocalDirectory(owning: try open(path, flags))
    }

    /// Opens a regular file of this directory for reading.
    ///
    /// - Throws: ``FileProviderError``; `noSuchItem` if there is none, `notPermitted` for links, FIFOs and devices.
    public func openFile(_ name: LocalName) throws -> OpenFile {
        // A FIFO put in its place must not block the open.
        let file = OpenFile(owning: try open([name], CLINUX_O_RDONLY | CLINUX_O_NONBLOCK | CLINUX_O_NOFOLLOW))
        guard try LocalFileFacts(descriptor: file.descriptor).kind == .file else {
            throw FileProviderError(.notPermitted, "\"\(name.displayed)\" is not a document.")
        }
        _ = clinux_set_status_flags(file.descriptor, 0)
        return file
    }

    /// The facts of this directory.
    public func facts() throws -> LocalFileFacts { try LocalFileFacts(descriptor: descriptor) }

    /// The facts of a name; a link is not followed.
    public func facts(of name: LocalName) throws -> LocalFileFacts {
        try LocalFileFacts(directory: descriptor, name: name)
    }

    /// The target of a symbolic link in this directory, as written. It is not followed.
    ///
    /// - Throws: ``FileProviderError``; `noSuchItem` if there is no such link.
    public func linkText(of name: LocalName) throws -> [UInt8] {
        // Linux limits links to this length.
        var buffer = [CChar](repeating: 0, count: 4_096)
        let result = name.withCString { clinux_readlinkat(descriptor, $0, &buffer, CInt(buffer.count)) }
        if result == -EINVAL { throw FileProviderError(.noSuchItem, "\"\(name.displayed)\" is no longer a link.") }
        try check(result, "read the link \"\(name.displayed)\"")
        return buffer.prefix(Int(result)).map { UInt8(bitPattern: $0) }
    }

    /// Whether names in it that differ only in case are the same name, as far as the system reports it.
    public var ignoresCase: Bool { clinux_ignores_case(descriptor) != 0 }

    /// Creates a directory with the usual permissions and makes it durable.
    ///
    /// - Throws: ``FileProviderError``; `filenameCollision` if the name is taken.
    public func makeDirectory(_ name: LocalName) throws {
        try check(name.withCString { clinux_mkdirat(descriptor, $0, 0o777) }, "make the folder \"\(name.displayed)\"")
        try synchronize()
    }

    /// Renames a file without replacing another one.
    ///
    /// - Throws: ``FileProviderError``; `filenameCollision` if the name is taken.
    public func rename(_ name: LocalName, to other: LocalName) throws {
        do {
            try renameExclusively(name, to: other)
        } catch {
            throw error.providerError
        }
    }

    /// Moves a file or folder to another directory without replacing anything.
    ///
    /// - Throws: ``FileProviderError``; `filenameCollision` if the name is taken, `invalidArgument` for a folder that
    ///   would end up inside itself, `notPermitted` between file systems.
    public func move(_ name: LocalName, to other: LocalName, in target: LocalDirectory) throws {
        let result = name.withCString { from in
            other.withCString {
                clinux_renameat2(descriptor, from, target.descriptor, $0, CLINUX_RENAME_NOREPLACE)
            }
        }
        // Some file systems can only rename by replacing.
        guard result == -EINVAL, try facts(of: name).kind != .folder else {
            return try check(result, "move \"\(name.displayed)\"")
        }
        let linked = name.withCString { from in
            other.withCString { clinux_linkat(descriptor, from, target.descriptor, $0) }
        }
        try check(linked, "move \"\(name.displayed)\"")
        try check(unlink(name), "move \"\(name.displayed)\"")
    }

    /// Removes a file, or an empty directory.
    ///
    /// - Throws: ``FileProviderError``; `directoryNotEmpty`.
    public func remove(_ name: LocalName, isFolder: Bool = false) throws {
        try check(unlink(name, isFolder: isFolder), "delete \"\(name.displayed)\"")
    }

    /// Removes a file if it is still the same file with the same content.
    ///
    /// - Throws: ``FileProviderError``; `versionOutOfDate` if it is not; the file is kept then.
    public func remove(_ name: LocalName, ifStill facts: LocalFileFacts) throws {
        let aside = TemporaryName.save("remove \(UInt64.random(in: .min ... .max))")
        try rename(name, to: aside)
        guard try self.facts(of: aside).hasSameContent(as: facts) else {
            try rename(aside, to: name)
            throw FileProviderError(.versionOutOfDate, "\"\(name.displayed)\" was changed meanwhile.")
        }
        try remove(aside)
    }

    /// Whether this process may write the file with that name.
    public func isWritable(_ name: LocalName) -> Bool {
        name.withCString { faccessat(descriptor, $0, W_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW) } == 0
    }

    /// Makes created, renamed and removed names durable.
    ///
    /// - Throws: ``FileProviderError``.
    public func synchronize() throws { try check(clinux_fsync(descriptor), "make the folder durable") }

    func unlink(_ name: LocalName, isFolder: Bool = false) -> CInt {
        name.withCString { clinux_unlinkat(descriptor, $0, isFolder ? CLINUX_AT_REMOVEDIR : 0) }
    }

    func renameExclusively(_ name: LocalName, to other: LocalName) throws(SystemFailure) {
        let attempt = "give a file the name \"\(other.displayed)\""
        let result = exchangeNames(name, other, CLINUX_RENAME_NOREPLACE)
        guard result == -EINVAL else {
            try SystemFailure.check(result, attempt)
            return
        }
        let linked = name.withCString { from in
            other.withCString { clinux_linkat(descriptor, from, descriptor, $0) }
        }
        try SystemFailure.check(linked, attempt)
        try SystemFailure.check(unlink(name), attempt)
    }

    func exchangeNames(_ name: LocalName, _ other: LocalName, _ flags: UInt32) -> CInt {
        name.withCString { from in
            other.withCString { clinux_renameat2(descriptor, from, descriptor, $0, flags) }
        }
    }

    func open(_ path: [LocalName], _ flags: CInt) throws -> CInt {
        var bytes: [CChar] = path.isEmpty ? [CChar(bitPattern: UInt8(ascii: "."))] : []
        for (index, name) in path.enumerated() {
            if index > 0 { bytes.append(CChar(bitPattern: UInt8(ascii: "/"))) }
            for byte in name.bytes { bytes.append(CChar(bitPattern: byte)) }
        }
        bytes.append(0)
        let shown = path.last?.displayed ?? "."
        return try Self.opened(clinux_openat_beneath(descriptor, bytes, flags, 0), "open \"\(shown)\"")
    }

    private static func opened(_ result: CInt, _ attempt: @autoclosure () -> String) throws -> CInt {
        do {
            return try SystemFailure.check(result, attempt())
        } catch {
            throw error.providerError
        }
    }

    private func check(_ result: CInt, _ attempt: @autoclosure () -> String) throws {
        do {
            try SystemFailure.check(result, attempt())
        } catch {
            throw error.providerError
        }
    }
}
