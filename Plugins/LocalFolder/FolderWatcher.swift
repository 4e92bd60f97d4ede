import Dispatch
import FileProvider
import Glibc
import Synchronization

/// Watches folders with inotify: listed ones as long as there is room, and those that contain a presented item. The
/// folder itself is watched and not its path, so that reports continue when it is moved. Safe to use from any thread.
final class FolderWatcher: Sendable {
    /// An event in a watched folder.
    struct Event: Sendable {
        /// The folder.
        let folder: LocalFileIdentity
        /// The name in it; nil for the folder itself.
        let name: LocalName?
        /// The IN_* bits.
        let mask: UInt32
    }

    /// What the watcher reports.
    enum News: Sendable {
        case events([Event])
        /// Events were lost.
        case overflow
    }

    private struct State {
        var folders: [CInt: LocalFileIdentity] = [:]
        var watches: [LocalFileIdentity: CInt] = [:]
        /// The folders that are not pinned, the oldest first.
        var order: [CInt] = []
        var pins: [LocalFileIdentity: Int] = [:]
        var isFull = false
    }

    private static let mask = UInt32(
        IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF
            | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK)

    private let limits: WatchLimits
    private let descriptor: CInt
    // Dispatch sources may be used from any thread; the protocol just does not declare it.
    nonisolated(unsafe) private let source: any DispatchSourceRead
    private let queue: DispatchQueue
    private let tell: @Sendable (FolderWatcher, News) -> Void
    private let state = Mutex(State())

    /// Creates a watcher without watches; nil if the kernel provides no inotify. `tell` is called on one queue.
    init?(limits: WatchLimits, _ tell: @escaping @Sendable (FolderWatcher, News) -> Void) {
        self.limits = limits
        let descriptor = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        let queue = DispatchQueue(label: "org.docent.LocalFolder.watcher")
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setCancelHandler { close(descriptor) }
        self.queue = queue
        self.tell = tell
        source.setEventHandler { [weak self] in self?.tellNews() }
        source.resume()
    }

    deinit { source.cancel() }

    /// Watches a listed folder, and drops the oldest watch if there are too many.
    ///
    /// - Returns: false when the kernel provides no more watches; returned only once.
    func watch(_ directory: LocalDirectory, _ folder: LocalFileIdentity) -> Bool {
        state.withLock { state in
            if add(directory, folder, &state) { return true }
            defer { state.isFull = true }
            return state.isFull
        }
    }

    /// Watches a folder until ``unpin(_:)`` was called as often as this method.
    ///
    /// - Returns: false when there are too many, or the kernel provides no more; then it must not be unpinned.
    func pin(_ directory: LocalDirectory, _ folder: LocalFileIdentity) -> Bool {
        state.withLock { state in
            guard state.pins[folder] != nil || state.pins.count < limits.pinnedFolders,
                add(directory, folder, &state)
            else { return false }
            state.pins[folder, default: 0] += 1
            if let watch = state.watches[folder] { state.order.removeAll { $0 == watch } }
            return true
        }
    }

    /// Returns when everything that happened in a watched folder until now was reported. Must not be called by whoever
    /// is being informed.
    func settle(_ folder: LocalFileIdentity) {
        guard state.withLock({ $0.watches[folder] != nil }) else { return }
        queue.sync { tellNews() }
    }

    /// Undoes one ``pin(_:_:)``. A folder without pins is watched like a listed one.
    func unpin(_ folder: LocalFileIdentity) {
        state.withLock { state in
            guard let pins = state.pins[folder] else { return }
            state.pins[folder] = pins > 1 ? pins - 1 : nil
            if pins == 1, let watch = state.watches[folder] { state.order.append(watch) }
        }
    }

    private func add(_ directory: LocalDirectory, _ folder: LocalFileIdentity, _ state: inout State) -> Bool {
        guard state.watches[folder] == nil else { return true }
        if state.watches.count >= limits.folders, !state.order.isEmpty {
            let oldest = state.order.removeFirst()
            if let identity = state.folders.removeValue(forKey: oldest) { state.watches[identity] = nil }
            inotify_rm_watch(descriptor, oldest)
        }
        let watch = inotify_add_watch(descriptor, "/proc/self/fd/\(directory.descriptor)", Self.mask)
        guard watch >= 0 else { return false }
        state.folders[watch] = folder
        state.watches[folder] = watch
        state.order.append(watch)
        return true
    }

    private func tellNews() {
        for news in read() { tell(self, news) }
    }

    private func read() -> [News] {
        var news: [News] = []
        var events: [Event] = []
        let size = 1 << 16
        withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
            guard let start = buffer.baseAddress else { return }
            let count = Glibc.read(descriptor, start, size)
            var offset = 0
            while offset + MemoryLayout<inotify_event>.size <= count {
                let event = start.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                let name = start + offset + MemoryLayout<inotify_event>.size
                offset += MemoryLayout<inotify_event>.size + Int(event.len)
                if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { news.append(.overflow) }
                guard let folder = state.withLock({ $0.folders[event.wd] }) else { continue }
                let bytes = UnsafeRawBufferPointer(start: name, count: Int(event.len)).prefix { $0 != 0 }
                events.append(Event(folder: folder, name: LocalName(bytes: bytes), mask: event.mask))
                if event.mask & UInt32(IN_IGNORED) != 0 { forget(event.wd) }
            }
        }
        if !events.isEmpty { news.append(.events(events)) }
        return news
    }

    private func forget(_ watch: CInt) {
        state.withLock { state in
            if let folder = state.folders.removeValue(forKey: watch) { state.watches[folder] = nil }
            state.order.removeAll { $0 == watch }
        }
    }
}
