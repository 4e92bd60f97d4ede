import FileProvider
import Glibc

/// The trash of a shared folder: `.Trash-UID` in it, as the freedesktop.org trash specification describes it. What lies
/// there is what anybody may have put there: links are not followed, and nothing is believed but names and facts.
struct TrashFolder: Sendable {
    /// The longest name in the trash: its record has the name with a suffix.
    static let longestName = LocalName.maximumLength - TrashInfo.suffix.utf8.count
    private static let attempts = 10_000
    /// After how many seconds the record of an item that is not there is deleted.
    private static let tidyAge: Int64 = 86_400

    let files: LocalDirectory
    let info: LocalDirectory

    /// Opens the trash.
    ///
    /// - Parameter makes: whether it is created if there is none.
    /// - Returns: nil if there is none.
    /// - Throws: `FileProviderError` with `notSupported` if it cannot be created; with `notPermitted` if it is
    ///   something that must not be used, such as a link. Nothing is deleted for good because somebody planted that.
    init?(in root: LocalDirectory, makes: Bool) throws {
        guard let name = UnlistedName.trash, let filesName = LocalName("files"), let infoName = LocalName("info") else {
            return nil
        }
        do {
            guard let top = try Self.folder(name, in: root, makes),
                let files = try Self.folder(filesName, in: top, makes),
                let info = try Self.folder(infoName, in: top, makes)
            else { return nil }
            (self.files, self.info) = (files, info)
        } catch let error as FileProviderError {
            let isMissing = error.code == .noSuchItem
            throw FileProviderError(
                isMissing ? .notSupported : .notPermitted,
                "The trash of the folder, \(name.displayed), cannot be \(isMissing ? "made" : "used").",
                causedBy: error)
        }
    }

    private static func folder(_ name: LocalName, in parent: LocalDirectory, _ makes: Bool) throws -> LocalDirectory? {
        if makes {
            let result = terminated(name).withUnsafeBufferPointer { bytes -> CInt in
                bytes.baseAddress.map { mkdirat(parent.descriptor, $0, 0o700) } ?? -1
            }
            if result == 0 { try parent.synchronize() }
        }
        let folder: LocalDirectory
        do {
            folder = try parent.directory(at: [name])
        } catch let error as FileProviderError where error.code == .noSuchItem {
            // A file in its place is reported like a missing folder.
            if (try? parent.facts(of: name)) != nil {
                throw FileProviderError(.notPermitted, "\"\(name.displayed)\" is not a folder.", causedBy: error)
            }
            guard makes else { return nil }
            throw error
        }
        let facts = try folder.facts()
        guard facts.owner == getuid(), try facts.device == parent.facts().device else {
            throw FileProviderError(.notPermitted, "\"\(name.displayed)\" does not belong to this user and folder.")
        }
        return folder
    }

    private static func terminated(_ name: LocalName) -> [CChar] { name.bytes.map { CChar(bitPattern: $0) } + [0] }

    // MARK: Records

    private static func record(of name: LocalName) throws -> LocalName {
        guard let record = LocalName(bytes: name.bytes + Array(TrashInfo.suffix.utf8)) else {
            throw FileProviderError(.noSuchItem, "Nothing in the trash can have the name \"\(name.displayed)\".")
        }
        return record
    }

    /// The record of something in the trash; an empty one if it cannot be read.
    func record(of name: LocalName) -> TrashInfo {
        let nothing = TrashInfo(path: nil, deleted: nil)
        guard let record = try? Self.record(of: name), let file = try? info.openFile(record) else { return nothing }
        var text = [UInt8](repeating: 0, count: TrashInfo.maximumSize)
        var count = 0
        while count < text.count {
            let more = text[count...].withUnsafeMutableBytes { read(file.descriptor, $0.baseAddress, $0.count) }
            guard more > 0 else { break }
            count += more
        }
        return TrashInfo(text.prefix(count))
    }

    /// Makes the record of an item that will be moved here, under a name that is free.
    ///
    /// - Returns: the item's name in the trash.
    func reserve(_ name: LocalName, _ record: TrashInfo) throws -> LocalName {
        for attempt in 1...Self.attempts {
            let wanted = Self.candidate(name, attempt)
            guard (try? files.facts(of: wanted)) == nil else { continue }
            let made = try Self.terminated(Self.record(of: wanted)).withUnsafeBufferPointer { bytes -> CInt in
                guard let start = bytes.baseAddress else { return -1 }
                return openat(info.descriptor, start, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            }
            if made < 0, errno == EEXIST { continue }
            guard made >= 0 else { throw Self.failure("write to the trash", errno) }
            let file = OpenFile(owning: made)
            let text = record.text
            guard write(file.descriptor, text, text.count) == text.count, fsync(file.descriptor) == 0 else {
                let code = errno
                release(wanted)
                throw Self.failure("write to the trash", code)
            }
            try info.synchronize()
            return wanted
        }
        throw FileProviderError(.filenameCollision, "There is no free name for \"\(name.displayed)\" in the trash.")
    }

    /// Deletes the record of an item that is no longer here.
    func release(_ name: LocalName) {
        guard let record = try? Self.record(of: name) else { return }
        try? info.remove(record)
        try? info.synchronize()
    }

    /// Deletes records that an interrupted deletion left long ago.
    func tidy() throws {
        for entry in try LocalListing(info)
        where entry.name.bytes.suffix(TrashInfo.suffix.utf8.count)
            .elementsEqual(TrashInfo.suffix.utf8)
        {
            guard let name = LocalName(bytes: entry.name.bytes.dropLast(TrashInfo.suffix.utf8.count)),
                let facts = try? info.facts(of: entry.name),
                facts.changed / 1_000_000_000 < Int64(time(nil)) - Self.tidyAge
            else { continue }
            do {
                _ = try files.facts(of: name)
            } catch let error as FileProviderError where error.code == .noSuchItem {
                try? info.remove(entry.name)
            }
        }
    }

    private static func failure(_ attempt: String, _ code: CInt) -> FileProviderError {
        let isFull = [ENOSPC, EDQUOT].contains(code)
        return FileProviderError(
            isFull ? .insufficientQuota : .failed, "Cannot \(attempt): \(String(cString: strerror(code))).")
    }

    /// The name itself, then with a number before its extension, short enough for its record.
    static func candidate(_ name: LocalName, _ attempt: Int) -> LocalName {
        let mark = attempt == 1 ? [] : Array(".\(attempt)".utf8)
        var stem = name.bytes[...]
        var ending: ArraySlice<UInt8> = []
        if let dot = stem.lastIndex(of: UInt8(ascii: ".")), dot > stem.startIndex, stem.endIndex - dot <= 32 {
            ending = stem[dot...]
            stem = stem[..<dot]
        }
        let room = longestName - mark.count - ending.count
        if stem.count > room {
            // Not within a character: the other bytes of a UTF-8 character begin with the bits 10.
            let cut = (max(1, room - 3)...room).last { name.bytes[$0] & 0xC0 != 0x80 } ?? room
            stem = stem.prefix(cut)
        }
        return LocalName(bytes: Array(stem) + mark + Array(ending)) ?? name
    }
}
