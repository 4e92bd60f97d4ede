import CLinux
import Glibc
import Synchronization

/// A package, staged as a hidden directory beside its target and then put in its place as a whole, without ever
/// destroying what another program has saved meanwhile.
///
/// ```swift
/// let staged = try LocalPackageReplacement(of: name, in: folder, elements: elements, operation: operation.identifier)
/// for path in staged.neededPaths { try staged.stage(path, contents: contents(of: path)) }
/// try staged.seal()
/// let outcome = try staged.replace(base: version)
/// ```
/// Unchanged elements are copied (by reflink where possible), never hard-linked. One that changes meanwhile is taken as
/// it is; the displaced package is then no longer the base, and is kept. A staged tree that is not published is removed
/// with the last reference. Safe to use from any thread.
public final class LocalPackageReplacement: Sendable {
    /// The result of a replacement.
    public struct Outcome: Hashable, Sendable {
        /// The facts of the directory that now has the name.
        public let facts: LocalFileFacts
        /// The name under which the displaced directory is kept, if it was not the base.
        public let conflict: LocalName?
    }

    /// The facts of the staged directory. Publishing keeps the inode and the birth time.
    public let facts: LocalFileFacts
    /// The staged directory.
    public let tree: LocalDirectory
    /// The contents of the target when this object was created; nil for a new package.
    public let former: LocalPackageContents?
    /// The paths whose content must be staged.
    public let neededPaths: [String]
    /// The former paths of elements whose path has changed.
    public let sources: [ExactText: ExactText]

    private let directory: LocalDirectory
    private let name: LocalName
    private let operation: String
    private let target: LocalDirectory?
    private let paths: [ExactText: [LocalName]]
    private let staged: Mutex<LocalName?>
    private let given = Mutex<Set<ExactText>>([])

    /// Stages a replacement of an existing package: folders, and copies of the elements that are kept.
    ///
    /// - Parameters:
    ///   - name: The name of the target.
    ///   - directory: The directory of the target.
    ///   - elements: All elements of the package after the replacement.
    ///   - operation: Identifies the change, so that ``LocalFileReplacement/leftover(of:in:)`` finds what a crash left.
    /// - Throws: ``FileProviderError``: `invalidArgument` for paths that lead out or do not form a tree,
    ///   `versionOutOfDate` when an element that is to be kept is gone, `notPermitted` with the reason when something
    ///   in the target has several hard links or may not be replaced; `CancellationError`.
    public convenience init(
        of name: LocalName, in directory: LocalDirectory, elements: [PackageElement], operation: String
    ) throws {
        let facts = try directory.facts(of: name)
        try Self.refuseUnlessReplaceable(facts, name, directory)
        let target = try directory.directory(at: [name])
        let former = try LocalPackageContents(target)
        for (path, element) in former.elements where element.facts.kind == .file && element.facts.links != 1 {
            throw FileProviderError(
                .notPermitted,
                "\"\(path)\" in the package has \(element.facts.links) names (hard links); replacing splits them.")
        }
        try self.init(name, directory, elements, operation, target, former)
    }

    /// Stages a new package.
    ///
    /// - Throws: ``FileProviderError``; `CancellationError`.
    public convenience init(
        new name: LocalName, in directory: LocalDirectory, elements: [PackageElement], operation: String
    ) throws {
        try self.init(name, directory, elements, operation, nil, nil)
    }

    private init(
        _ name: LocalName, _ directory: LocalDirectory, _ elements: [PackageElement], _ operation: String,
        _ target: LocalDirectory?, _ former: LocalPackageContents?
    ) throws {
        let plan = try LocalPackagePlan(elements, former: former)
        self.directory = directory
        self.name = name
        self.operation = operation
        self.target = target
        self.former = former
        neededPaths = plan.neededPaths
        let stage = TemporaryName.stage(operation)
        // Left by an interrupted attempt.
        try LocalTree.remove(stage, in: directory)
        // The file system decides who may read a new package; a replaced one keeps the permissions of its predecessor.
        let mode: UInt32 = target == nil ? 0o777 : 0o700
        let made = stage.withCString { clinux_mkdirat(directory.descriptor, $0, mode) }
        guard made >= 0 else { throw SystemFailure(-made, "stage \"\(name.displayed)\"").providerError }
        do {
            tree = try directory.directory(at: [stage])
            facts = try tree.facts()
            for folder in plan.folders { try LocalTree.makeDirectories(folder, in: tree, mode: mode) }
            if let target {
                for (element, place) in plan.unchanged {
                    try Self.copy(element, from: target, to: tree, at: place)
                }
            }
        } catch {
            try? LocalTree.remove(stage, in: directory)
            throw (error as? SystemFailure)?.providerError ?? error
        }
        paths = plan.places
        sources = Dictionary(
            elements.compactMap { element in element.source.map { (ExactText(element.path), ExactText($0)) } },
            uniquingKeysWith: { first, _ in first })
        staged = Mutex(stage)
    }

    deinit {
        // Another attempt may have started under the same name.
        guard let name = staged.withLock({ $0 }), let now = try? directory.facts(of: name), now.inode == facts.inode
        else { return }
        try? LocalTree.remove(name, in: directory)
    }

    /// Stages the content of an element. A repeated call replaces what was staged before.
    ///
    /// - Throws: ``FileProviderError``; `invalidArgument` for a path that needs no content; `CancellationError`.
    public func stage(_ path: String, contents: ContentReader) throws {
        let key = ExactText(path)
        guard neededPaths.contains(where: { $0.isSame(as: path) }), let place = paths[key], let name = place.last else {
            throw FileProviderError(.invalidArgument, "No content is needed at \"\(path)\".")
        }
        let folder = try tree.directory(at: place.dropLast())
        _ = folder.unlink(name)
        let old = former?.elements[key].flatMap { $0.facts.kind == .file ? $0 : nil }
        do {
            let file = try Self.create(name, in: folder, mode: (old?.facts.permissions ?? 0o666) & 0o777)
            try FileCopy.copy(from: contents.descriptor, to: file.descriptor, count: contents.size)
            if let old, let target, let oldName = old.path.last {
                try FileAttributes.carryOver(
                    from: oldName, old.facts, in: target.directory(at: old.path.dropLast()), to: file.descriptor)
            }
            try SystemFailure.check(clinux_fsync(file.descriptor), "make \"\(path)\" durable")
        } catch {
            throw (error as? SystemFailure)?.providerError ?? error
        }
        given.withLock { _ = $0.insert(key) }
    }

    /// Completes the staging: sets the attributes of folders and makes everything durable.
    ///
    /// - Parameter metadata: What is to be kept beside the content of the package, as far as that is possible.
    /// - Throws: ``FileProviderError``; `invalidArgument` when content is missing.
    public func seal(metadata: ItemMetadata? = nil) throws {
        let given = given.withLock { $0 }
        if let missing = neededPaths.first(where: { !given.contains(ExactText($0)) }) {
            throw FileProviderError(.invalidArgument, "The content of \"\(missing)\" was not given.")
        }
        do {
            let folders = try LocalPackageContents(tree).elements.filter { $0.value.facts.kind == .folder }
            // Deepest first: a folder can still be made durable before it becomes read-only.
            for (path, element) in folders.sorted(by: { $0.value.path.count > $1.value.path.count }) {
                let old = former?.elements[path].flatMap { $0.facts.kind == .folder ? $0 : nil }
                try finish(
                    tree.directory(at: element.path), like: old.map { try target?.directory(at: $0.path) } ?? target)
            }
            try finish(tree, like: target, metadata)
        } catch {
            throw (error as? SystemFailure)?.providerError ?? error
        }
    }

    private func finish(
        _ folder: LocalDirectory, like old: LocalDirectory?, _ metadata: ItemMetadata? = nil
    ) throws {
        if let old { try FileAttributes.carryOver(from: old, to: folder, shown: name.displayed) }
        if let metadata { FileAttributes.apply(metadata, to: folder.descriptor) }
        try folder.synchronize()
    }

    /// Gives the new package its name.
    ///
    /// - Returns: The directory's facts.
    /// - Throws: ``FileProviderError``; `filenameCollision` if the name is taken.
    public func create() throws -> LocalFileFacts {
        try directory.rename(try takeStaged(), to: name)
        staged.withLock { $0 = nil }
        try directory.synchronize()
        return try directory.facts(of: name)
    }

    /// Puts the package in the place of its target, in one step for every reader.
    ///
    /// - Parameter base: The version of the package that may be replaced; nil for the version at the time this object
    ///   was created. The current package is kept as a conflict if it is not the base, or if a file in it is open for
    ///   writing.
    /// - Throws: ``FileProviderError``; `notSupported` on a file system that cannot exchange two names. The target is
    ///   untouched then, unless making it durable failed.
    public func replace(base: ItemVersion?) throws -> Outcome {
        let saved = TemporaryName.save(operation)
        try directory.rename(try takeStaged(), to: saved)
        staged.withLock { $0 = saved }
        try Self.refuseUnlessReplaceable(try directory.facts(of: name), name, directory)
        let result = directory.exchangeNames(saved, name, CLINUX_RENAME_EXCHANGE)
        if result == -EINVAL || result == -EOPNOTSUPP || result == -ENOSYS {
            throw FileProviderError(
                .notSupported, "The file system cannot replace \"\(name.displayed)\", a package, in one step.")
        }
        guard result >= 0 else { throw SystemFailure(-result, "replace \"\(name.displayed)\"").providerError }
        // From here on that name belongs to what others saved.
        staged.withLock { $0 = nil }
        try directory.synchronize()
        let conflict = try Self.settle(saved, displacedFrom: name, in: directory, base: base ?? former?.version)
        return Outcome(facts: try directory.facts(of: name), conflict: conflict)
    }

    /// Cleans up the package that an operation displaced: removes it if it is the base, else keeps it beside its target
    /// under a visible name.
    ///
    /// - Returns: The name under which it is kept.
    /// - Throws: ``FileProviderError``.
    public static func finishLeftover(
        of operation: String, displacedFrom name: LocalName, in directory: LocalDirectory, base: ItemVersion?
    ) throws -> LocalName? {
        try settle(TemporaryName.save(operation), displacedFrom: name, in: directory, base: base)
    }

    /// Removes the staged tree that an operation left unpublished.
    ///
    /// - Throws: ``FileProviderError``.
    public static func removeLeftover(of operation: String, in directory: LocalDirectory) throws {
        try LocalTree.remove(TemporaryName.save(operation), in: directory)
    }

    private static func settle(
        _ saved: LocalName, displacedFrom name: LocalName, in directory: LocalDirectory, base: ItemVersion?
    ) throws -> LocalName? {
        let displaced = try directory.directory(at: [saved])
        let isBase: Bool
        if let contents = try? LocalPackageContents(displaced) {
            isBase = contents.version == (base ?? contents.version) && !LocalTree.hasWriter(contents, in: displaced)
        } else {
            isBase = false
        }
        guard isBase else {
            return try LocalFileReplacement.dispose(of: saved, displacedFrom: name, in: directory, keep: true)
        }
        // Under a meaningless name: if removal is interrupted, the rest must not look like another operation's work.
        let rest = TemporaryName.stage()
        try directory.rename(saved, to: rest)
        try LocalTree.remove(rest, in: directory)
        try directory.synchronize()
        return nil
    }

    private func takeStaged() throws -> LocalName {
        guard let name = staged.withLock({ $0 }) else {
            throw FileProviderError(.failed, "The staged package was published before.")
        }
        return name
    }

    private static func copy(
        _ element: LocalPackageContents.Element, from target: LocalDirectory, to tree: LocalDirectory,
        at place: [LocalName]
    ) throws {
        guard let name = element.path.last, let newName = place.last else { return }
        let source = try target.directory(at: element.path.dropLast())
        let content = try source.openFile(name)
        let before = try LocalFileFacts(descriptor: content.descriptor)
        let file = try create(
            newName, in: tree.directory(at: place.dropLast()), mode: before.permissions & 0o777)
        try FileCopy.copy(from: content.descriptor, to: file.descriptor, count: before.size)
        try FileAttributes.carryOver(from: name, before, in: source, to: file.descriptor)
        // The content is the same, whenever it is put in its place.
        let (seconds, rest) = before.modified.quotientAndRemainder(dividingBy: 1_000_000_000)
        if rest >= 0 { _ = clinux_set_times(file.descriptor, seconds, UInt32(rest)) }
        try SystemFailure.check(clinux_fsync(file.descriptor), "make \"\(name.displayed)\" durable")
    }

    private static func create(_ name: LocalName, in folder: LocalDirectory, mode: UInt32) throws -> OpenFile {
        let flags = CLINUX_O_RDWR | CLINUX_O_CREAT | CLINUX_O_EXCL | CLINUX_O_NOFOLLOW
        let raw = name.withCString { clinux_openat(folder.descriptor, $0, flags, mode) }
        return OpenFile(owning: try SystemFailure.check(raw, "stage \"\(name.displayed)\""))
    }

    private static func refuseUnlessReplaceable(
        _ facts: LocalFileFacts, _ name: LocalName, _ directory: LocalDirectory
    ) throws {
        guard facts.kind == .folder else {
            throw FileProviderError(.notPermitted, "\"\(name.displayed)\" is not a folder.")
        }
        guard facts.permissions & 0o222 != 0, directory.isWritable(name) else {
            throw FileProviderError(.notPermitted, "\"\(name.displayed)\" is read-only.")
        }
    }
}
