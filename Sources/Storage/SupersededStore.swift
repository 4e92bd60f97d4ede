import CLinux
import Glibc

/// Content that saves have replaced: one file for each save, named after it, in a few folders of `Versions`.
///
/// A file is put here before the save replaces its content, and belongs to nobody until the save is recorded. Where a
/// file can be linked or its blocks shared, keeping it costs no copy. Blocking; call it on a `BlockingWorker`.
package struct SupersededStore: Sendable {
    /// A file that is kept.
    package struct Kept: Hashable, Sendable {
        /// Where it is.
        package let place: VersionStore.Place
        /// Why it is kept.
        package let reason: VersionStore.Reason
        /// What it is.
        package let status: FileStatus
    }

    private static let folderPrefix = "\(NameEscaping.reservedPrefix)saves-"
    static let copyPrefix = ".copy-"
    /// The reasons for which content is kept here.
    private static let reasons: [VersionStore.Reason] = [.superseded, .replaced]
    private let path: OwnPath

    /// Creates the store of a layout.
    package init(layout: StorageLayout) { path = layout.versionsDirectory }

    /// Whether a folder of `Versions` belongs to this store.
    package static func owns(_ folder: FileName) -> Bool { folder.bytes.starts(with: folderPrefix.utf8) }

    // MARK: Keeping

    /// The free space, in bytes.
    package func available() throws -> UInt64 {
        let directory = try Directory(path: path)
        return try withExtendedLifetime(directory) { try Space.available(on: directory.descriptor) }
    }

    /// What is kept for a save as a whole file; nil when there is nothing. Only recorded versions are packed.
    package func kept(_ operation: String) throws -> Kept? { try kept(operation) { $0 } }

    // What is packed for a save; the status is that of its recipe.
    private func packed(_ operation: String) throws -> Kept? {
        try kept(operation) { try? VersionRecipe.name(for: $0) }
    }

    private func kept(_ operation: String, _ name: (FileName) -> FileName?) throws -> Kept? {
        let root = try Directory(path: path)
        let folderName = Self.folder(of: operation)
        guard try root.status(of: folderName)?.kind == .directory else { return nil }
        let folder = try root.directory(folderName)
        for reason in Self.reasons {
            let file = try Self.file(operation, reason)
            guard let stored = name(file), let status = try folder.status(of: stored), status.kind == .regular else {
                continue
            }
            return Kept(place: .init(folder: folderName, file: file), reason: reason, status: status)
        }
        return nil
    }

    /// Keeps a copy of an open file; it shares the blocks if the file system can. Idempotent for each save.
    ///
    /// Only the name of a complete copy appears. ``settle(_:)`` makes it durable.
    /// - Throws: `.noSpace`; like `FileCopier.copy`.
    package func keep(
        copyOf source: OpenDescriptor, for operation: String, _ reason: VersionStore.Reason,
        cancellation: Cancellation = Cancellation()
    ) throws -> Kept {
        if let known = try kept(operation) ?? packed(operation) { return known }
        let (folder, file) = (try makeFolder(of: operation), try Self.file(operation, reason))
        let aside = FileName(unchecked: Array((Self.copyPrefix + operation).utf8.prefix(FileName.maximumLength)))
        try folder.remove(aside)
        do {
            let copy = try folder.create(aside)
            let modified = try withExtendedLifetime(source) {
                try FileCopier.copy(from: source.number, to: copy.number, bound: .max, cancellation: cancellation)
            }.source.modified
            Self.setModified(copy.number, modified)
            try checked(clinux_fchmod(copy.number, 0o400), "set the mode of the version")
            try checked(folder.rename(aside, to: folder, as: file, flags: 0), "keep the version")
            return Kept(
                place: .init(folder: Self.folder(of: operation), file: file), reason: reason,
                status: try FileStatus(of: copy.number))
        } catch {
            try? folder.remove(aside)
            throw error
        }
    }

    /// Keeps a file that nobody writes to any more by a second name for it. Idempotent for each save; if another file
    /// was kept for the same save before, this one takes its place, unless that one is packed already.
    ///
    /// - Parameter directory: on the file system of this store.
    /// - Returns: nil if there is no such file.
    package func keep(
        linkTo name: FileName, in directory: Directory, for operation: String, _ reason: VersionStore.Reason
    ) throws -> Kept? {
        guard let status = try directory.status(of: name), status.kind == .regular else { return nil }
        if let packed = try packed(operation) { return packed }
        if let known = try kept(operation) {
            if known.status.identity == status.identity { return known }
            try remove([known.place])
        }
        let (folder, file) = (try makeFolder(of: operation), try Self.file(operation, reason))
        _ = try directory.link(name, to: folder, as: file)
        return Kept(place: .init(folder: Self.folder(of: operation), file: file), reason: reason, status: status)
    }

    /// Makes the name of what is kept durable. Its content follows soon: a copy is not waited for, because that would
    /// double the time of a save.
    package func settle(_ kept: Kept) throws { try Directory(path: path).directory(kept.place.folder).sync() }

    /// Makes the content of a copy durable. What is packed is durable.
    package func flush(_ place: VersionStore.Place) throws {
        let folder = try Directory(path: path).directory(place.folder)
        guard try folder.status(of: place.file) != nil else { return }
        let file = try folder.open(place.file)
        _ = try withExtendedLifetime(file) {
            try checked(clinux_fsync(file.number), "sync the version", path: folder.shown(place.file))
        }
    }

    // MARK: Removing

    /// Removes whole files that were not recorded. Missing ones are no error. Their names may return after a loss of
    /// power; ``files(in:)`` finds them then. `KeptContentStore` removes recorded ones.
    package func remove(_ places: [VersionStore.Place]) throws {
        let root = try Directory(path: path)
        for (name, places) in Dictionary(grouping: places, by: \.folder) {
            guard Self.owns(name), try root.status(of: name)?.kind == .directory else { continue }
            let folder = try root.directory(name)
            for place in places { try PackageVersionStore.remove(place.file, in: folder) }
        }
    }

    /// The folders of this store, in order.
    package func folders() throws -> [FileName] {
        try Directory(path: path).names().filter(Self.owns).sorted { $0.text < $1.text }
    }

    /// The files in one of the folders with the saves that they belong to, also copies that were interrupted. A packed
    /// one has the place that it had before.
    package func files(in folder: FileName) throws -> [(place: VersionStore.Place, operation: String)] {
        let root = try Directory(path: path)
        guard try root.status(of: folder)?.kind == .directory else { return [] }
        return try root.directory(folder).names().compactMap { name in
            let file = VersionRecipe.file(of: name) ?? name
            let text = file.text
            if let operation = PackageVersionStore.operation(of: text) {
                return (.init(folder: folder, file: file), operation)
            }
            let prefix = ([Self.copyPrefix] + Self.reasons.map { $0.rawValue + "-" }).first(where: text.hasPrefix)
            return prefix.map { (.init(folder: folder, file: file), String(text.dropFirst($0.count))) }
        }
    }

    // The date of the content, which people recognise a version by. A file system without dates is fine too.
    static func setModified(_ descriptor: Int32, _ nanoseconds: Int64) {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let unchanged = timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)
        guard rest >= 0 else { return }
        _ = futimens(descriptor, [unchanged, timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))])
    }

    // MARK: Names

    // Few enough folders to go through, and many enough that none gets slow.
    static func folder(of operation: String) -> FileName {
        let mark = operation.utf8.suffix(2).map { byte in
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte : UInt8(ascii: "0")
        }
        return FileName(unchecked: Array(folderPrefix.utf8) + mark)
    }

    private static func file(_ operation: String, _ reason: VersionStore.Reason) throws -> FileName {
        try FileName("\(reason.rawValue)-\(operation)")
    }

    private func makeFolder(of operation: String) throws -> Directory {
        try Directory(path: path).makeDirectory(Self.folder(of: operation))
    }
}
