import CLinux
import Glibc
import Synchronization

// Earlier releases kept local copies in the document storage, where the provider can write.
extension StorageLayout {
    private static let formerName = FileName(unchecked: Array(".docent-items".utf8))
    private static let unfinishedName = FileName(unchecked: Array(".adopting".utf8))
    // One at a time: all calls share the name of the unfinished folder.
    private static let turn = Mutex<Void>(())

    /// Creates and opens the place of one remote domain's local copies, including those that an earlier release kept in
    /// the domain's document storage.
    ///
    /// The provider can write there, and may have a file open. Therefore contents are copied; links, devices and
    /// everything else that is not a regular file is left behind. This is done once, when the new place does not exist
    /// yet, and may be interrupted at any point.
    package func prepareCopies(provider: String, domain: String?, formerGroup: String) throws -> Directory {
        let place = copies(provider: provider, domain: domain)
        if let present = try? Directory(path: place) { return present }
        guard let storage = openDocumentStorage(group: formerGroup, domain: domain),
            let former = try? storage.directory(Self.formerName)
        else { return try prepareCopies(provider: provider, domain: domain) }
        try Self.turn.withLock { _ in
            let parent = try Directory.make(path: copiesDirectory).makeDirectory(NameEscaping.escape(provider))
            let unfinished = try parent.makeDirectory(Self.unfinishedName)
            try unfinished.removeContents()
            try Self.adopt(former, into: unfinished)
            try unfinished.sync()
            let outcome = parent.rename(
                Self.unfinishedName, to: parent, as: Self.folder(ofDomain: domain), flags: CLINUX_RENAME_NOREPLACE)
            if outcome != -EEXIST { try checked(outcome, "adopt the local copies", path: place.text) }
            try parent.sync()
        }
        // A failure is harmless: the remains are never used.
        try? former.removeContents()
        _ = try? storage.removeEmptyDirectory(Self.formerName)
        return try prepareCopies(provider: provider, domain: domain)
    }

    private static func adopt(_ former: Directory, into place: Directory) throws {
        for item in try former.names() {
            guard let source = try? former.directory(item) else { continue }
            let target = try place.makeDirectory(item)
            for name in try source.names() {
                guard let file = try? source.open(name),
                    (try? ForeignDescriptor.check(file.number, access: .readOnly)) != nil
                else { continue }
                let mode = try FileStatus(of: file.number).mode & 0o600 | 0o400
                let copy = try target.create(name, mode: 0o600)
                _ = try FileCopier.copy(from: file.number, to: copy.number, bound: .max)
                try checked(clinux_fchmod(copy.number, mode), "set the mode", path: target.shown(name))
                try checked(clinux_fsync(copy.number), "sync the copy", path: target.shown(name))
            }
            try target.sync()
        }
    }
}
