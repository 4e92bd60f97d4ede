import CLinux
import FileSystemMessages
import Glibc
import Synchronization

/// The files and folders that programs have open in the view. Thread-safe.
final class OpenHandles: Sendable {
    /// An open file. Its descriptor is closed with the last reference to it.
    final class OpenFile: Sendable {
        let node: UInt64
        let descriptor: CInt
        /// The version of the content; nil when unknown, and for what is being written.
        let version: String?
        /// How to get the parts that are not in the file; nil when all are.
        let reading: (any SourceReading)?

        init(node: UInt64, owning descriptor: CInt, version: String? = nil) {
            self.node = node
            self.descriptor = descriptor
            self.version = version
            reading = nil
        }

        /// A document of which parts are read.
        init(node: UInt64, reading: any SourceReading) {
            self.node = node
            self.reading = reading
            descriptor = reading.fileDescriptor
            version = reading.version
        }

        deinit {
            if let reading { reading.close() } else { _ = clinux_close(descriptor) }
        }

        /// Whether parts may be missing.
        var isPartial: Bool { reading?.isComplete == false }

        /// Whether this is the very file that an item describes now.
        func isFile(of item: ViewItem) -> Bool {
            guard let stamp = OpenDocuments.Stamp(of: descriptor) else { return false }
            return stamp.size == item.size && stamp.modified.seconds == item.modified.seconds
        }
    }

    /// An open folder with its entries as they were when it was opened.
    final class OpenFolder: Sendable {
        let node: UInt64
        let parent: UInt64
        /// Nil if an earlier server opened it.
        let entries: [ViewTree.ListedEntry]?
        /// The request that opened it.
        let request: UInt64

        init(node: UInt64, parent: UInt64, entries: [ViewTree.ListedEntry]?, request: UInt64) {
            self.request = request
            self.node = node
            self.parent = parent
            self.entries = entries
        }
    }

    /// What a program has open.
    struct Handle: Sendable {
        let node: UInt64
        /// What it opened; nil if it only writes.
        let file: OpenFile?
        let isWriter: Bool
        /// The request that opened it.
        let request: UInt64
    }

    private struct State {
        var last: UInt64
        /// The last number that an earlier server may have given.
        let lastFormer: UInt64
        var files: [UInt64: Handle] = [:]
        var folders: [UInt64: OpenFolder] = [:]
        /// The handles that the keeper does not know yet: they were just opened, and only for reading.
        var fresh: Set<UInt64> = []
        var isKeeping = false
    }

    private let state: Mutex<State>
    private let kept: KeptState
    /// How long something is open for reading before the keeper gets it. Most of what programs open, they close sooner.
    private static let keepingPause = Duration.milliseconds(50)

    /// - Parameter first: the number before those of this server: greater than all that earlier servers of the mount
    ///   have given, although the keeper does not know each of them. By default the nanoseconds since the start of the
    ///   system: nobody opens that many files.
    init(kept: KeptState, first: UInt64 = OpenHandles.nanosecondsSinceStart) {
        self.kept = kept
        state = Mutex(State(last: first, lastFormer: first))
    }

    static var nanosecondsSinceStart: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// - Parameters:
    ///   - isReopened: whether the next server opens it again if the keeper does not have it.
    ///   - unique: names the request that opens it.
    func add(
        node: UInt64, file: OpenFile?, isWriter: Bool, isReopened: Bool = true, for unique: UInt64
    ) -> UInt64 {
        state.withLock { state in
            state.last += 1
            let handle = Handle(
                node: node, file: file, isWriter: isWriter, request: FormerAnswers.name(of: unique))
            state.files[state.last] = handle
            if isWriter || !isReopened { keep(state.last, handle) } else { keepSoon(state.last, &state) }
            return state.last
        }
    }

    /// Goes on with a file that an earlier server opened and the keeper never got.
    func adopt(_ number: UInt64, node: UInt64, file: OpenFile) {
        state.withLock { state in
            let handle = Handle(node: node, file: file, isWriter: false, request: 0)
            state.files[number] = handle
            keep(number, handle)
        }
    }

    /// Whether an earlier server may have given a handle that is not known here.
    func mayBeFormer(_ number: UInt64) -> Bool {
        state.withLock { number <= $0.lastFormer && $0.files[number] == nil && $0.folders[number] == nil }
    }

    // What is closed within the pause costs the keeper nothing. If this process is killed before, the next one opens it
    // again.
    private func keepSoon(_ number: UInt64, _ state: inout State) {
        state.fresh.insert(number)
        guard !state.isKeeping else { return }
        state.isKeeping = true
        Task.detached { [weak self] in
            try? await Task.sleep(for: Self.keepingPause)
            self?.keepFresh()
        }
    }

    private func keepFresh() {
        state.withLock { state in
            for number in state.fresh {
                if let handle = state.files[number] { keep(number, handle) }
                if let folder = state.folders[number] { keep(number, folder) }
            }
            state.fresh = []
            state.isKeeping = false
        }
    }

    private func keep(_ number: UInt64, _ handle: Handle) {
        kept.keep(
            .init(
                kind: .file, key: number, node: handle.node, isWriter: handle.isWriter,
                isPartial: handle.file?.isPartial ?? false, request: handle.request),
            handle.file?.descriptor ?? -1)
    }

    private func keep(_ number: UInt64, _ folder: OpenFolder) {
        kept.keep(.init(kind: .folder, key: number, node: folder.node, request: folder.request))
    }

    /// Has everything kept by another keeper too.
    func keepAll() {
        let (files, folders) = state.withLock { state in
            state.fresh = []
            return (state.files, state.folders)
        }
        for (number, handle) in files { keep(number, handle) }
        for (number, folder) in folders { keep(number, folder) }
    }

    /// Goes on with what an earlier server of the mount had open. Takes over the descriptors.
    ///
    /// - Parameter reading: opens a document again of which only parts are in a file. Takes over the descriptor.
    /// - Returns: the nodes of those who may write.
    func restore(
        _ entries: [(KeptState.Entry, CInt)], reading: (UInt64, CInt) -> any SourceReading
    ) -> [UInt64] {
        state.withLock { state in
            var writers: [UInt64] = []
            for (entry, descriptor) in entries {
                switch entry.kind {
                case .file:
                    let file: OpenFile? =
                        if descriptor < 0 {
                            nil
                        } else if entry.isPartial {
                            OpenFile(node: entry.node, reading: reading(entry.node, descriptor))
                        } else {
                            OpenFile(node: entry.node, owning: descriptor)
                        }
                    state.files[entry.key] = Handle(
                        node: entry.node, file: file, isWriter: entry.isWriter, request: entry.request)
                    if entry.isWriter { writers.append(entry.node) }
                case .folder:
                    state.folders[entry.key] = OpenFolder(
                        node: entry.node, parent: 0, entries: nil, request: entry.request)
                default: break
                }
            }
            return writers
        }
    }

    func add(_ folder: OpenFolder) -> UInt64 {
        state.withLock { state in
            state.last += 1
            state.folders[state.last] = folder
            keepSoon(state.last, &state)
            return state.last
        }
    }

    func file(_ handle: UInt64) -> Handle? { state.withLock { $0.files[handle] } }

    /// What programs have open of a node; nil if they have nothing open.
    func file(of node: UInt64) -> OpenFile? {
        state.withLock { state in state.files.values.lazy.filter { $0.node == node }.compactMap(\.file).first }
    }

    /// Whether any program has a file open.
    func isOpen(_ node: UInt64) -> Bool { state.withLock { $0.files.values.contains { $0.node == node } } }

    /// Whether a file is open, and what is read from it is now what an item describes: its provider changed the file
    /// itself.
    func isOpen(_ node: UInt64, as item: ViewItem) -> Bool {
        file(of: node)?.isFile(of: item) ?? false
    }

    /// Gives an open folder of an earlier server its entries.
    func replace(_ handle: UInt64, _ folder: OpenFolder) { state.withLock { $0.folders[handle] = folder } }

    func folder(_ handle: UInt64) -> OpenFolder? { state.withLock { $0.folders[handle] } }

    /// Forgets a handle.
    ///
    /// - Returns: what it was, if it was one of a file.
    @discardableResult
    func remove(_ handle: UInt64) -> Handle? {
        // The last reference may close a descriptor: not under the lock.
        let removed = state.withLock { state -> (Handle?, OpenFolder?) in
            let removed = (state.files.removeValue(forKey: handle), state.folders.removeValue(forKey: handle))
            guard state.fresh.remove(handle) == nil else { return removed }
            if removed.0 != nil { kept.forget(.file, handle) }
            if removed.1 != nil { kept.forget(.folder, handle) }
            return removed
        }
        return removed.0
    }
}
