import CLinux
import Glibc
import Synchronization

/// The content of kept versions, whole or packed. Everybody who opens or removes the content of a version does it here.
///
/// A version is kept as a whole file. Later it may be packed: cut into chunks, each of which is stored once for all
/// versions that contain it. Nothing is lost whenever the process or the machine stops:
///
/// 1. Each chunk is written under another name, synced and renamed; then the folders of the chunks are synced.
/// 2. The recipe is written elsewhere, synced, renamed to its place beside the whole file, and its folder is synced.
/// 3. The whole file is removed.
///
/// While the whole file is there it counts, so a recipe counts only when all that it names is on the disk. What an
/// interrupted packing leaves are chunks that no recipe names, or a recipe beside its file; packing again completes it.
///
/// How many recipes use a chunk is counted in memory only, from the recipes, when it is needed first. No count is
/// stored that a crash could make wrong. A recipe that is removed is durably gone before its chunks are removed. All
/// these steps are taken under one lock, so a chunk cannot be removed while a packing relies on it. When the recipes
/// are read and all of them can be read, chunks that none of them names are removed. If a recipe cannot be read, they
/// stay.
///
/// Blocking; call it on a `BlockingWorker`. Only one for each data directory, in one process, may pack or remove.
package final class KeptContentStore: Sendable {
    /// The outcome of packing a version.
    package enum Outcome: Hashable, Sendable {
        /// It is packed. The bytes that it takes by itself, without its chunks.
        case packed(UInt64)
        /// It stays whole: it shares too little with others.
        case noGain
        /// It stays whole for now: another file shares it, or it is gone.
        case notNow
    }

    /// A moment of packing after which it may be interrupted; for tests.
    package enum Step: String, Sendable, CaseIterable {
        case chunkStored, chunksDurable, recipeWritten, recipeNamed, wholeRemoved
    }

    /// The sizes of the files that may be packed, in bytes.
    package static let sizes: ClosedRange<UInt64> = 65_536...1 << 30
    /// Packing must save at least this part of a version, as a divisor.
    private static let leastGain: UInt64 = 8
    private static let recipeName = FileName(unchecked: Array(".recipe".utf8))

    struct State {
        var books: ChunkBooks?
    }

    private let leastFree: UInt64
    private let versions: OwnPath
    private let staging: OwnPath
    private let whole: VersionStore
    private let superseded: SupersededStore
    private let chunks: ChunkStore
    /// The versions of packages, which are not packed.
    package let packages: PackageVersionStore
    private let state = Mutex(State())
    private let turn = Mutex(())

    /// Creates the store of a layout. It reads nothing yet.
    ///
    /// - Parameter leastFree: the bytes that packing leaves free for everybody else.
    package init(layout: StorageLayout, leastFree: UInt64 = 64 << 20) {
        self.leastFree = leastFree
        versions = layout.versionsDirectory
        staging = layout.stagingDirectory
        whole = VersionStore(layout: layout)
        superseded = SupersededStore(layout: layout)
        chunks = ChunkStore(layout: layout)
        packages = PackageVersionStore(layout: layout)
    }

    // MARK: Reading

    /// Opens the content of a version for reading. A packed one is put together in a file without a name.
    ///
    /// - Throws: `.notFound`; `.corrupt` if a part of it is missing or damaged; `.noSpace`; `.cancelled`.
    package func open(_ place: VersionStore.Place, cancellation: Cancellation = Cancellation()) throws
        -> OpenDescriptor
    {
        do {
            return try whole.open(place)
        } catch let error as FileSystemError where error.code == .notFound {
            guard let folder = try folder(place), let recipe = try VersionRecipe.read(of: place.file, in: folder) else {
                throw error
            }
            return try assemble(recipe, cancellation)
        }
    }

    private func assemble(_ recipe: VersionRecipe, _ cancellation: Cancellation) throws -> OpenDescriptor {
        let file = try TemporaryFile.unnamed(in: try Directory(path: staging))
        try Space.reserve(file.number, size: recipe.size)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: FileCutter.maximum, alignment: 16)
        defer { buffer.deallocate() }
        var offset: UInt64 = 0
        for piece in recipe.pieces {
            try cancellation.check()
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<piece.length])
            try chunks.read(piece.digest, into: part)
            try ChunkStore.write(UnsafeRawBufferPointer(part), to: file, at: offset)
            offset += UInt64(piece.length)
        }
        SupersededStore.setModified(file.number, recipe.modified)
        return try OpenDescriptor.reopenReadOnly(file.number)
    }

    /// The space that all chunks take, in bytes.
    package func used() throws -> UInt64 { try withBooks { $0.bytes } }

    // MARK: Removing

    /// Removes the content of versions, and the chunks that no other version needs. Missing ones are no error.
    ///
    /// - Parameter isDurable: whether the names are certain not to return after a loss of power. Otherwise
    ///   `SupersededStore.files(in:)` finds them.
    package func remove(_ places: [VersionStore.Place], isDurable: Bool = false) throws {
        var kept: [VersionStore.Place] = []
        for place in places {
            if SupersededStore.owns(place.folder) { kept.append(place) } else { try whole.remove(place) }
        }
        for (_, places) in Dictionary(grouping: kept, by: \.folder) {
            try state.withLock { state in
                guard let first = places.first, let folder = try folder(first) else { return }
                var released: [ChunkDigest] = []
                var wasPacked = false
                for place in places {
                    try PackageVersionStore.remove(place.file, in: folder)
                    guard let name = try? VersionRecipe.name(for: place.file), try folder.status(of: name) != nil else {
                        continue
                    }
                    // Counted before it is gone. What cannot be read is not released; its chunks stay.
                    try loadIfNeeded(&state)
                    if let recipe = try? VersionRecipe.read(of: place.file, in: folder) { released += recipe.chunks }
                    try folder.remove(name)
                    wasPacked = true
                }
                if isDurable || wasPacked { try folder.sync() }
                try release(released, &state)
            }
        }
    }

    // MARK: Packing

    /// Packs a version that is kept as a whole file. It may be interrupted at any moment, and repeated.
    ///
    /// - Parameters:
    ///   - place: of a version that is recorded, and of which nothing else is about to use the file.
    ///   - neighbour: another version of the same document, which may be whole: if both have much in common, this one
    ///     is packed although nothing of it is stored yet.
    ///   - isGentle: whether it rests as long as it works.
    ///   - step: called after each step; what it throws interrupts the packing.
    /// - Throws: `.noSpace`, `.cancelled`, or another failure; the whole file is still there then.
    package func pack(
        _ place: VersionStore.Place, comparedWith neighbour: VersionStore.Place? = nil, isGentle: Bool = true,
        cancellation: Cancellation = Cancellation(), step: (Step) throws -> Void = { _ in }
    ) throws -> Outcome {
        try turn.withLock { _ in
            guard let folder = try folder(place), let name = try? VersionRecipe.name(for: place.file) else {
                return .notNow
            }
            guard let status = try folder.status(of: place.file) else {
                return try folder.status(of: name).map { .packed($0.size) } ?? .notNow
            }
            guard status.kind == .regular, status.links == 1 else { return .notNow }
            guard Self.sizes.contains(status.size) else { return .noGain }
            var pace = Pace(isGentle: isGentle)
            let file = try folder.open(place.file)
            let pieces = try FileCutter.pieces(of: file.number, cancellation: cancellation, pace: &pace)
            let recipe = VersionRecipe(modified: status.modified, pieces: pieces)
            guard recipe.size == status.size, try FileStatus(of: file.number).sameContent(as: status) else {
                return .notNow
            }
            guard try gains(recipe, neighbour, cancellation, &pace) else { return .noGain }
            let packing = Packing(place: place, folder: folder, name: name, file: file, status: status, recipe: recipe)
            return try pack(packing, cancellation, &pace, step)
        }
    }

    private struct Packing {
        var place: VersionStore.Place
        var folder: Directory
        var name: FileName
        var file: OpenDescriptor
        var status: FileStatus
        var recipe: VersionRecipe
    }

    private func gains(
        _ recipe: VersionRecipe, _ neighbour: VersionStore.Place?, _ cancellation: Cancellation, _ pace: inout Pace
    ) throws -> Bool {
        let isEnough = { (bytes: Int) in UInt64(bytes) * Self.leastGain >= recipe.size }
        let shared = try withBooks { books in
            var seen: Set<ChunkDigest> = []
            return recipe.pieces.reduce(0) { sum, piece in
                let isNew = seen.insert(piece.digest).inserted
                return isNew && !books.isUsed(piece.digest) ? sum : sum + piece.length
            }
        }
        if isEnough(shared) { return true }
        guard let neighbour, let folder = try folder(neighbour),
            let status = try folder.status(of: neighbour.file), status.kind == .regular,
            Self.sizes.contains(status.size)
        else { return false }
        let file = try folder.open(neighbour.file)
        let others = Set(
            try FileCutter.pieces(of: file.number, cancellation: cancellation, pace: &pace).map(\.digest))
        return isEnough(recipe.pieces.reduce(0) { others.contains($1.digest) ? $0 + $1.length : $0 })
    }

    private func pack(
        _ packing: Packing, _ cancellation: Cancellation, _ pace: inout Pace, _ step: (Step) throws -> Void
    ) throws -> Outcome {
        var held: Set<ChunkDigest> = []
        var isNamed = false
        do {
            let root = try chunks.root()
            try requireRoom(packing.recipe, in: root)
            var folders: Set<FileName> = []
            try storeChunks(packing, in: root, &held, &folders, cancellation, &pace, step)
            try chunks.sync(folders, in: root)
            try step(.chunksDurable)
            return try state.withLock { state in
                try replace(packing, in: root, held, &isNamed, &state, step)
            }
        } catch {
            // From its name on, the recipe uses the chunks.
            if !isNamed { try? state.withLock { try release(Array(held), &$0) } }
            throw error
        }
    }

    // For a moment, the chunks and the whole file are both there.
    private func requireRoom(_ recipe: VersionRecipe, in root: Directory) throws {
        let new = try withBooks { books in
            recipe.pieces.reduce(UInt64(0)) { books.isUsed($1.digest) ? $0 : $0 + UInt64($1.length) }
        }
        try withExtendedLifetime(root) {
            try Space.requireAvailable(new, on: root.descriptor, keeping: leastFree)
        }
    }

    private func storeChunks(
        _ packing: Packing, in root: Directory, _ held: inout Set<ChunkDigest>, _ folders: inout Set<FileName>,
        _ cancellation: Cancellation, _ pace: inout Pace, _ step: (Step) throws -> Void
    ) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: FileCutter.maximum, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        for piece in packing.recipe.pieces {
            try cancellation.check()
            defer { offset += Int64(piece.length) }
            guard !held.contains(piece.digest) else { continue }
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<piece.length])
            guard try ChunkStore.fill(part, from: packing.file, at: offset),
                ChunkDigest(of: UnsafeRawBufferPointer(part)) == piece.digest
            else { throw FileSystemError(.changed, "The file of a kept version has changed.") }
            // Counted first: from here on nobody removes its file.
            let isFirst = try withBooks { $0.retain(piece.digest) }
            held.insert(piece.digest)
            let isWritten = try chunks.put(UnsafeRawBufferPointer(part), piece.digest, in: root)
            // An unused chunk that was there may have a name that is not durable yet.
            if isFirst || isWritten { folders.insert(piece.digest.folder) }
            try withBooks { $0.note(piece.digest, size: UInt64(piece.length)) }
            try step(.chunkStored)
            pace.rest()
        }
    }

    // The recipe takes the place of the whole file.
    private func replace(
        _ packing: Packing, in root: Directory, _ held: Set<ChunkDigest>, _ isNamed: inout Bool, _ state: inout State,
        _ step: (Step) throws -> Void
    ) throws -> Outcome {
        let (folder, file) = (packing.folder, packing.place.file)
        // It may have been removed in the meantime, or linked by somebody.
        guard let now = try folder.status(of: file), now.sameContent(as: packing.status), now.links == 1 else {
            try release(Array(held), &state)
            return .notNow
        }
        // Left by a packing that was interrupted.
        let earlier = try? VersionRecipe.read(of: file, in: folder)
        let bytes = packing.recipe.encoded
        guard UInt64(bytes.count) <= VersionRecipe.largest else {
            try release(Array(held), &state)
            return .noGain
        }
        try root.remove(Self.recipeName)
        let written = try root.create(Self.recipeName, mode: 0o400)
        try bytes.withUnsafeBytes { try ChunkStore.write($0, to: written) }
        try checked(clinux_fsync(written.number), "sync the list of a version's parts")
        try step(.recipeWritten)
        try checked(root.rename(Self.recipeName, to: folder, as: packing.name, flags: 0), "pack the version")
        isNamed = true
        try folder.sync()
        try step(.recipeNamed)
        try folder.remove(file)
        try step(.wholeRemoved)
        if let earlier { try release(Array(earlier.chunks), &state) }
        return .packed(UInt64(bytes.count))
    }

    // MARK: The books

    private func folder(_ place: VersionStore.Place) throws -> Directory? {
        guard SupersededStore.owns(place.folder) else { return nil }
        let root = try Directory(path: versions)
        guard try root.status(of: place.folder)?.kind == .directory else { return nil }
        return try root.directory(place.folder)
    }

    private func withBooks<Value: Sendable>(_ body: (inout ChunkBooks) throws -> Value) throws -> Value {
        try state.withLock { state in
            try loadIfNeeded(&state)
            return try Self.change(&state, body)
        }
    }

    // Without a second reference to the books, which would copy them.
    private static func change<Value>(
        _ state: inout State, _ body: (inout ChunkBooks) throws -> Value
    ) throws -> Value {
        var books = state.books.take() ?? ChunkBooks()
        defer { state.books = books }
        return try body(&books)
    }

    private func release(_ digests: [ChunkDigest], _ state: inout State) throws {
        guard !digests.isEmpty else { return }
        try loadIfNeeded(&state)
        try Self.change(&state) { books in
            for digest in digests where books.release(digest) {
                try chunks.remove(digest)
                books.forget(digest)
            }
        }
    }

    private func loadIfNeeded(_ state: inout State) throws {
        guard state.books == nil else { return }
        let files = try chunks.all()
        var books = ChunkBooks()
        // Without chunks there are no recipes that could be read.
        guard !files.isEmpty else {
            state.books = books
            return
        }
        let isComplete = try count(&books)
        for file in files {
            if let digest = file.digest, books.isUsed(digest) || !isComplete {
                books.note(digest, size: file.size)
            } else {
                try chunks.remove(file)
            }
        }
        state.books = books
    }

    // Returns whether every recipe could be read.
    private func count(_ books: inout ChunkBooks) throws -> Bool {
        var isComplete = true
        let root = try Directory(path: versions)
        for name in try superseded.folders() {
            let folder = try root.directory(name)
            for file in try folder.names().compactMap(VersionRecipe.file(of:)) {
                do {
                    for digest in try VersionRecipe.read(of: file, in: folder)?.chunks ?? [] {
                        _ = books.retain(digest)
                    }
                } catch {
                    isComplete = false
                }
            }
        }
        return isComplete
    }
}
