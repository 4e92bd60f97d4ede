import CLinux

/// Packages that saves have replaced: one folder for each save, named after it, beside the files of
/// ``SupersededStore``.
///
/// A folder has its name only when it is complete. Where a file can be linked or its blocks shared, keeping it costs no
/// copy, so that a version takes up what has changed. Blocking; call it on a `BlockingWorker`.
package struct PackageVersionStore: Sendable {
    /// A package that is kept.
    package struct Kept: Hashable, Sendable {
        /// Where it is.
        package let place: VersionStore.Place
        /// Why it is kept.
        package let reason: VersionStore.Reason
    }

    private static let prefix = "package-"
    private static let listName = FileName(unchecked: Array("list".utf8))
    private static let reasons: [VersionStore.Reason] = [.superseded, .replaced]
    private let path: OwnPath

    /// Creates the store of a layout.
    package init(layout: StorageLayout) { path = layout.versionsDirectory }

    /// Whether a place is that of a package.
    package static func isOne(_ file: String) -> Bool { file.hasPrefix(prefix) }

    // MARK: Keeping

    /// Begins to keep the package that a save will replace. What an earlier attempt has kept for it is removed.
    package func begin(_ operation: String) throws {
        try discard(operation)
        _ = try makeFolder(of: operation).makeDirectory(Self.aside(operation))
    }

    /// Removes what was kept for a save.
    package func discard(_ operation: String) throws {
        let root = try Directory(path: path)
        let name = SupersededStore.folder(of: operation)
        guard try root.status(of: name)?.kind == .directory else { return }
        let folder = try root.directory(name)
        if let kept = try kept(operation) { try Self.remove(kept.place.file, in: folder) }
        try folder.removeTree(Self.aside(operation))
    }

    /// Keeps a copy of an element. It shares the blocks if the file system can, else it becomes a second name of an
    /// equal file that is kept already.
    ///
    /// - Parameters:
    ///   - number: unique among the elements.
    ///   - former: a file that is kept and may be equal.
    /// - Returns: the name of the file, and its size in bytes.
    /// - Throws: `.noSpace`; like `FileCopier.copy`.
    package func add(
        copyOf source: OpenDescriptor, number: Int, of operation: String,
        like former: (place: VersionStore.Place, file: String)? = nil, cancellation: Cancellation = Cancellation()
    ) throws -> (file: String, size: Int64) {
        let folder = try open(operation)
        let name = try FileName("e\(number)")
        if let former, let size = try link(former, equalTo: source, in: folder, as: name, cancellation) {
            return (name.text, size)
        }
        let copy = try folder.create(name)
        let size = try withExtendedLifetime((source, copy)) {
            let outcome = try FileCopier.copy(
                from: source.number, to: copy.number, bound: .max, cancellation: cancellation)
            try checked(clinux_fchmod(copy.number, 0o400), "set the mode of the version")
            return outcome.size
        }
        return (name.text, Int64(clamping: size))
    }

    // Where blocks can be shared, a copy costs less than a comparison.
    private func link(
        _ former: (place: VersionStore.Place, file: String), equalTo source: OpenDescriptor, in folder: Directory,
        as name: FileName, _ cancellation: Cancellation
    ) throws -> Int64? {
        guard try !canShare(source, in: folder) else { return nil }
        let root = try Directory(path: path)
        guard try root.status(of: former.place.folder)?.kind == .directory else { return nil }
        let saves = try root.directory(former.place.folder)
        guard try saves.status(of: former.place.file)?.kind == .directory else { return nil }
        let package = try saves.directory(former.place.file)
        let file = try FileName(former.file)
        let size = try FileStatus(of: source.number).size
        guard let known = try package.status(of: file), known.kind == .regular, known.size == size else { return nil }
        let kept = try package.open(file)
        let isSame = try withExtendedLifetime((source, kept)) {
            try FileComparison.isSame(source.number, kept.number, cancellation: cancellation)
        }
        guard isSame, try package.link(file, to: folder, as: name) else { return nil }
        return Int64(clamping: size)
    }

    private func canShare(_ source: OpenDescriptor, in folder: Directory) throws -> Bool {
        let trial = try TemporaryFile.unnamed(in: folder)
        return withExtendedLifetime((source, trial)) { clinux_clone(source.number, trial.number) == 0 }
    }

    /// Keeps an element that nobody writes to any more by a second name for it.
    ///
    /// - Parameter directory: on the file system of this store.
    /// - Returns: the name of the file, and its size in bytes; nil if there is no such file.
    package func add(
        linkTo name: FileName, in directory: Directory, number: Int, of operation: String
    ) throws -> (file: String, size: Int64)? {
        guard let status = try directory.status(of: name), status.kind == .regular else { return nil }
        let kept = try FileName("e\(number)")
        guard try directory.link(name, to: open(operation), as: kept) else { return nil }
        return (kept.text, Int64(clamping: status.size))
    }

    /// Completes what was added. The list of the elements and all names are durable when it returns; the content of
    /// copies follows soon, as in ``SupersededStore``.
    @discardableResult
    package func finish(_ operation: String, _ package: KeptPackage, _ reason: VersionStore.Reason) throws -> Kept {
        let folder = try open(operation)
        let file = try folder.create(Self.listName, mode: 0o400)
        try withExtendedLifetime(file) {
            try PackageStaging.write(try package.encoded(), to: file)
            try checked(clinux_fsync(file.number), "sync the list of elements")
        }
        try folder.sync()
        let saves = try makeFolder(of: operation)
        let name = try Self.name(operation, reason)
        try checked(
            saves.rename(Self.aside(operation), to: saves, as: name, flags: CLINUX_RENAME_NOREPLACE),
            "keep the version")
        try saves.sync()
        return Kept(place: .init(folder: SupersededStore.folder(of: operation), file: name), reason: reason)
    }

    /// Makes the content of all elements durable. A package that was removed meanwhile is fine.
    package func flush(_ place: VersionStore.Place) throws {
        let saves = try Directory(path: path).directory(place.folder)
        guard try saves.status(of: place.file)?.kind == .directory else { return }
        let folder = try saves.directory(place.file)
        for name in try folder.names() {
            guard try folder.status(of: name) != nil else { return }
            let file = try folder.open(name)
            try withExtendedLifetime(file) {
                _ = try checked(clinux_fsync(file.number), "sync the version", path: folder.shown(name))
            }
        }
    }

    // MARK: Reading

    /// What is kept for a save; nil when there is nothing.
    package func kept(_ operation: String) throws -> Kept? {
        let root = try Directory(path: path)
        let name = SupersededStore.folder(of: operation)
        guard try root.status(of: name)?.kind == .directory else { return nil }
        let folder = try root.directory(name)
        for reason in Self.reasons {
            let file = try Self.name(operation, reason)
            guard try folder.status(of: file)?.kind == .directory else { continue }
            return Kept(place: .init(folder: name, file: file), reason: reason)
        }
        return nil
    }

    /// The elements of a kept package.
    ///
    /// - Throws: `.notFound` when it is gone, `.corrupt`.
    package func list(_ place: VersionStore.Place) throws -> KeptPackage {
        let folder = try Directory(path: path).directory(place.folder).directory(place.file)
        return try KeptPackage(decoding: PackageStaging.read(Self.listName, in: folder))
    }

    /// Opens the content of an element for reading.
    ///
    /// - Throws: `.notFound` when it is gone, or not complete, for instance after a loss of power.
    package func open(_ element: KeptPackage.Element, of place: VersionStore.Place) throws -> OpenDescriptor {
        guard let name = element.file else {
            throw FileSystemError(.notFound, "The content of \"\(element.path)\" is not kept.")
        }
        let folder = try Directory(path: path).directory(place.folder).directory(place.file)
        let file = try folder.open(try FileName(name))
        let status = try ForeignDescriptor.check(file.number, access: .readOnly)
        guard status.size == UInt64(clamping: element.size ?? 0) else {
            throw FileSystemError(.notFound, "The content of \"\(element.path)\" is not complete.")
        }
        return file
    }

    // MARK: Removing

    /// Removes a file, or a folder with everything in it: under another name first, so that nobody finds a part of it.
    /// A missing one is no error.
    static func remove(_ name: FileName, in saves: Directory) throws {
        guard try saves.status(of: name)?.kind == .directory else { return try saves.remove(name) }
        guard let operation = operation(of: name.text) else { return try saves.removeTree(name) }
        let aside = aside(operation)
        try saves.removeTree(aside)
        try checked(
            saves.rename(name, to: saves, as: aside, flags: CLINUX_RENAME_NOREPLACE), "remove the version",
            path: saves.shown(name))
        try saves.removeTree(aside)
    }

    // MARK: Names

    /// The save to which a kept package belongs; nil for the name of anything else.
    static func operation(of name: String) -> String? {
        for reason in reasons where name.hasPrefix(prefix + reason.rawValue + "-") {
            return String(name.dropFirst(prefix.count + reason.rawValue.count + 1))
        }
        return nil
    }

    private static func name(_ operation: String, _ reason: VersionStore.Reason) throws -> FileName {
        try FileName("\(prefix)\(reason.rawValue)-\(operation)")
    }

    private static func aside(_ operation: String) -> FileName {
        FileName(unchecked: Array((SupersededStore.copyPrefix + operation).utf8.prefix(FileName.maximumLength)))
    }

    private func makeFolder(of operation: String) throws -> Directory {
        try Directory(path: path).makeDirectory(SupersededStore.folder(of: operation))
    }

    private func open(_ operation: String) throws -> Directory {
        try makeFolder(of: operation).directory(Self.aside(operation))
    }
}
