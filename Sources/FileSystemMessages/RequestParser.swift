import CFUSE

/// Reads the requests of the kernel. Pure.
package enum RequestParser {
    /// A message that no kernel sends.
    package struct Malformed: Error, Equatable {
        /// The name of the request, if it could be read.
        package var unique: UInt64?
    }

    /// Reads one request.
    ///
    /// - Parameter bytes: what one read from /dev/fuse returned.
    package static func request(_ bytes: UnsafeRawBufferPointer) throws(Malformed) -> KernelRequest {
        var reader = KernelMessageReader(bytes)
        guard let header = try? reader.take(fuse_in_header.self) else { throw Malformed() }
        let unique = header.unique
        // What follows the request proper are extensions, which were not asked for.
        let extensions = Int(header.total_extlen) * 8
        guard Int(header.len) == bytes.count, extensions <= bytes.count - reader.offset else {
            throw Malformed(unique: unique)
        }
        reader.end = bytes.count - extensions
        do {
            return KernelRequest(
                unique: unique, node: header.nodeid,
                caller: .init(user: header.uid, group: header.gid, process: header.pid),
                operation: try operation(header, &reader))
        } catch {
            throw Malformed(unique: unique)
        }
    }

    private static func operation(
        _ header: fuse_in_header, _ reader: inout KernelMessageReader
    ) throws(KernelMessageReader.TooShort) -> KernelRequest.Operation {
        switch fuse_opcode(rawValue: header.opcode) {
        case FUSE_INIT, FUSE_DESTROY, FUSE_FORGET, FUSE_BATCH_FORGET, FUSE_INTERRUPT:
            try ofConnection(header, &reader)
        case FUSE_OPEN, FUSE_OPENDIR, FUSE_CREATE, FUSE_READ, FUSE_READDIR, FUSE_READDIRPLUS, FUSE_WRITE, FUSE_FLUSH,
            FUSE_RELEASE, FUSE_RELEASEDIR, FUSE_FSYNC, FUSE_FSYNCDIR, FUSE_FALLOCATE, FUSE_LSEEK:
            try ofOpenFile(header, &reader)
        case FUSE_MKDIR, FUSE_MKNOD, FUSE_LINK, FUSE_SYMLINK, FUSE_UNLINK, FUSE_RMDIR, FUSE_RENAME, FUSE_RENAME2:
            try ofFolder(header, &reader)
        default: try ofNode(header, &reader)
        }
    }

    private static func ofConnection(
        _ header: fuse_in_header, _ reader: inout KernelMessageReader
    ) throws(KernelMessageReader.TooShort) -> KernelRequest.Operation {
        switch fuse_opcode(rawValue: header.opcode) {
        case FUSE_INIT:
            // Earlier kernels send less.
            let (major, minor) = (try reader.take(UInt32.self), try reader.take(UInt32.self))
            let (readAhead, flags) = (try reader.take(UInt32.self), try reader.take(UInt32.self))
            var features = Features(rawValue: UInt64(flags))
            if features.contains(.manyFeatures) {
                features.formUnion(Features(rawValue: UInt64(try reader.take(UInt32.self)) << 32))
            }
            return .initialize(.init(major: major, minor: minor, readAhead: readAhead, features: features))
        case FUSE_FORGET:
            return .forget([.init(node: header.nodeid, count: try reader.take(fuse_forget_in.self).nlookup)])
        case FUSE_BATCH_FORGET:
            let count = Int(try reader.take(fuse_batch_forget_in.self).count)
            guard count <= reader.left / MemoryLayout<fuse_forget_one>.size else {
                throw KernelMessageReader.TooShort()
            }
            var all: [KernelRequest.Forgotten] = []
            for _ in 0..<count {
                let one = try reader.take(fuse_forget_one.self)
                all.append(.init(node: one.nodeid, count: one.nlookup))
            }
            return .forget(all)
        case FUSE_INTERRUPT:
            return .interrupt(unique: try reader.take(fuse_interrupt_in.self).unique)
        default: return .destroy
        }
    }

    private static func ofOpenFile(
        _ header: fuse_in_header, _ reader: inout KernelMessageReader
    ) throws(KernelMessageReader.TooShort) -> KernelRequest.Operation {
        switch fuse_opcode(rawValue: header.opcode) {
        case FUSE_OPEN: return .open(flags: try reader.take(fuse_open_in.self).flags)
        case FUSE_OPENDIR: return .openFolder(flags: try reader.take(fuse_open_in.self).flags)
        case FUSE_CREATE:
            let parameters = try reader.take(fuse_create_in.self)
            return .create(try reader.name(), flags: parameters.flags, permissions: parameters.mode & 0o7777)
        case FUSE_READ:
            let parameters = try reader.take(fuse_read_in.self)
            return .read(handle: parameters.fh, offset: parameters.offset, count: Int(parameters.size))
        case FUSE_READDIR, FUSE_READDIRPLUS:
            let parameters = try reader.take(fuse_read_in.self)
            return .readFolder(
                handle: parameters.fh, offset: parameters.offset, count: Int(parameters.size),
                withAttributes: header.opcode == FUSE_READDIRPLUS.rawValue)
        case FUSE_WRITE:
            let parameters = try reader.take(fuse_write_in.self)
            return .write(
                handle: parameters.fh, offset: parameters.offset, data: try reader.range(Int(parameters.size)))
        case FUSE_FLUSH: return .flush(handle: try reader.take(fuse_flush_in.self).fh)
        case FUSE_RELEASE: return .release(handle: try reader.take(fuse_release_in.self).fh)
        case FUSE_RELEASEDIR: return .releaseFolder(handle: try reader.take(fuse_release_in.self).fh)
        case FUSE_FSYNC: return .synchronize(handle: try reader.take(fuse_fsync_in.self).fh)
        case FUSE_FSYNCDIR: return .synchronizeFolder(handle: try reader.take(fuse_fsync_in.self).fh)
        case FUSE_FALLOCATE:
            let parameters = try reader.take(fuse_fallocate_in.self)
            return .allocate(
                handle: parameters.fh, offset: parameters.offset, count: parameters.length, mode: parameters.mode)
        default:
            let parameters = try reader.take(fuse_lseek_in.self)
            return .seek(handle: parameters.fh, offset: parameters.offset, whence: parameters.whence)
        }
    }

    private static func ofFolder(
        _ header: fuse_in_header, _ reader: inout KernelMessageReader
    ) throws(KernelMessageReader.TooShort) -> KernelRequest.Operation {
        switch fuse_opcode(rawValue: header.opcode) {
        case FUSE_MKDIR:
            let parameters = try reader.take(fuse_mkdir_in.self)
            return .makeFolder(try reader.name(), permissions: parameters.mode & 0o7777)
        case FUSE_MKNOD:
            let parameters = try reader.take(fuse_mknod_in.self)
            return .makeNode(try reader.name(), mode: parameters.mode)
        case FUSE_LINK:
            _ = try reader.take(fuse_link_in.self)
            return .makeLink(try reader.name())
        case FUSE_SYMLINK: return .makeSymbolicLink(try reader.name())
        case FUSE_UNLINK: return .remove(try reader.name())
        case FUSE_RMDIR: return .removeFolder(try reader.name())
        case FUSE_RENAME:
            let parent = try reader.take(fuse_rename_in.self).newdir
            return .rename(try reader.name(), newParent: parent, newName: try reader.name(), flags: 0)
        default:
            let parameters = try reader.take(fuse_rename2_in.self)
            return .rename(
                try reader.name(), newParent: parameters.newdir, newName: try reader.name(), flags: parameters.flags)
        }
    }

    private static func ofNode(
        _ header: fuse_in_header, _ reader: inout KernelMessageReader
    ) throws(KernelMessageReader.TooShort) -> KernelRequest.Operation {
        switch fuse_opcode(rawValue: header.opcode) {
        case FUSE_LOOKUP: return .lookUp(try reader.name())
        case FUSE_GETATTR:
            let parameters = try reader.take(fuse_getattr_in.self)
            return .attributes(
                handle: parameters.getattr_flags & UInt32(FUSE_GETATTR_FH) != 0 ? parameters.fh : nil)
        case FUSE_SETATTR: return .setAttributes(.init(try reader.take(fuse_setattr_in.self)))
        case FUSE_READLINK: return .readLink
        case FUSE_STATFS: return .statistics
        case FUSE_ACCESS: return .access
        case FUSE_GETXATTR:
            let room = Int(try reader.take(fuse_getxattr_in.self).size)
            return .extendedAttribute(try reader.name(), room: room)
        case FUSE_LISTXATTR: return .extendedAttributes(room: Int(try reader.take(fuse_getxattr_in.self).size))
        case FUSE_SETXATTR:
            // The long form would have to be agreed.
            let (size, flags) = (try reader.take(UInt32.self), try reader.take(UInt32.self))
            let name = try reader.name()
            return .setExtendedAttribute(name, value: try reader.range(Int(size)), flags: flags)
        case FUSE_REMOVEXATTR: return .removeExtendedAttribute(try reader.name())
        default: return .other(header.opcode)
        }
    }
}

extension KernelRequest.NewAttributes {
    init(_ wire: fuse_setattr_in) {
        func isGiven(_ flag: Int32) -> Bool { wire.valid & UInt32(flag) != 0 }
        var modified: Moment?
        if isGiven(FATTR_MTIME_NOW) {
            modified = .now
        } else if isGiven(FATTR_MTIME) {
            modified = .at(FileTime(seconds: Int64(bitPattern: wire.mtime), nanoseconds: wire.mtimensec))
        }
        self.init(
            handle: isGiven(FATTR_FH) ? wire.fh : nil, size: isGiven(FATTR_SIZE) ? wire.size : nil,
            permissions: isGiven(FATTR_MODE) ? wire.mode & 0o7777 : nil, user: isGiven(FATTR_UID) ? wire.uid : nil,
            group: isGiven(FATTR_GID) ? wire.gid : nil, modified: modified)
    }
}
