import CLinux
import Dispatch
import FileSystemMessages
import Glibc
import Synchronization
import Varlink

/// Tells programs that watch folders of the view with inotify what others have changed. The kernel does that only for
/// calls made on this machine: so a thread of this process makes them, and the view answers its requests without doing
/// anything (``WakingCall``).
///
/// Thread-safe.
package final class WatcherWaking: Sendable {
    private struct State {
        var jobs: [ViewChange] = []
        var isRunning = false
        var call: WakingCall?
        var phantoms: UInt64 = 1 << 62
        /// The threads of earlier servers that were killed in a call.
        var formerThreads: Set<UInt32> = []
    }

    private struct Seen {
        var device: UInt64?
        var watched: Set<UInt64> = []
        var moment: ContinuousClock.Instant?
    }

    private let tree: ViewTree
    /// The absolute path of the mount.
    private let path: String
    private let kept: KeptState
    private let state = Mutex(State())
    private let seen = Mutex(Seen())
    private let looking = DispatchQueue(label: "org.docent.view.watches")
    /// The number of the thread that makes the calls; 0 while there is none.
    private let thread = Atomic<UInt32>(0)
    /// More changes at once than this are left out: programs that watch would rather read the folder again.
    private let most = 10_000
    // UTIME_OMIT, a macro that Swift does not see.
    private static let omitted = (1 << 30) - 2

    package init(tree: ViewTree, path: String, kept: KeptState) {
        self.tree = tree
        self.path = path
        self.kept = kept
    }

    /// Returns at once.
    func wake(_ changes: [ViewChange]) {
        let starts = state.withLock { state in
            state.jobs += changes.prefix(max(0, most - state.jobs.count))
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard starts else { return }
        do {
            try DetachedThread.start(name: "view-wake") { self.run() }
        } catch {
            state.withLock { ($0.isRunning, $0.jobs) = (false, []) }
        }
    }

    private func run() {
        let own = UInt64(clinux_gettid())
        // If this process is killed in a call, the next one must not carry it out.
        kept.keep(.init(kind: .wakingThread, key: own))
        defer { kept.forget(.wakingThread, own) }
        thread.store(UInt32(own), ordering: .releasing)
        while true {
            let jobs = state.withLock { state -> [ViewChange] in
                defer { state.jobs = [] }
                if state.jobs.isEmpty {
                    state.isRunning = false
                    thread.store(0, ordering: .releasing)
                }
                return state.jobs
            }
            guard !jobs.isEmpty else { return }
            let start = ContinuousClock.now
            perform(jobs)
            // Many changes one after another are told together: looking takes a while.
            let pause = min((ContinuousClock.now - start) * 4, .milliseconds(500))
            usleep(useconds_t(pause.components.attoseconds / 1_000_000_000_000))
        }
    }

    // MARK: Requests of the thread

    /// Notes a thread of an earlier server of the mount.
    func noteFormer(_ thread: UInt64) {
        state.withLock { _ = $0.formerThreads.insert(UInt32(truncatingIfNeeded: thread)) }
    }

    /// Has the thread known to another keeper too.
    func keep() {
        let own = thread.load(ordering: .acquiring)
        if own != 0 { kept.keep(.init(kind: .wakingThread, key: UInt64(own))) }
    }

    /// The answer to a request of the thread's own; nil if it is to be answered like any other.
    func answer(_ request: KernelRequest) -> KernelReply? {
        if request.isRepeated, state.withLock({ $0.formerThreads.contains(request.caller.process) }) {
            return .error(ESTALE)
        }
        guard request.caller.process != 0, request.caller.process == thread.load(ordering: .acquiring) else {
            return nil
        }
        return state.withLock { $0.call }?.answer(to: request, tree)
    }

    // MARK: What is watched

    /// What programs watch, by the numbers that they see.
    ///
    /// - Parameter age: how long ago that may have been looked at.
    func watched(within age: Duration) async -> Set<UInt64> {
        await withCheckedContinuation { continuation in
            looking.async { continuation.resume(returning: self.look(within: age)) }
        }
    }

    // Blocks for some milliseconds.
    private func look(within age: Duration) -> Set<UInt64> {
        let known = seen.withLock { seen in seen.moment.map { .now - $0 < age } ?? false ? seen.watched : nil }
        if let known { return known }
        guard let device = device() else { return [] }
        let watched = InotifyWatches.current(on: device)
        seen.withLock { seen in
            seen.watched = watched
            seen.moment = .now
        }
        return watched
    }

    private func device() -> UInt64? {
        if let known = seen.withLock({ $0.device }) { return known }
        guard let top = openTop() else { return nil }
        defer { _ = clinux_close(top) }
        var status = clinux_stat()
        guard clinux_stat_fd(top, &status) == 0 else { return nil }
        seen.withLock { $0.device = status.device }
        return status.device
    }

    /// Opens the top of this very mount. Another one may be at the path, or none.
    private func openTop() -> CInt? {
        let top = clinux_open(path, CLINUX_O_PATH | CLINUX_O_DIRECTORY, 0)
        guard top >= 0 else { return nil }
        var value = [UInt8](repeating: 0, count: 32)
        let count = value.withUnsafeMutableBytes {
            clinux_get_attribute_of("/proc/self/fd/\(top)/.", "user.docent.process", $0.baseAddress, $0.count)
        }
        guard count > 0, String(decoding: value[..<count], as: UTF8.self) == String(getpid()) else {
            _ = clinux_close(top)
            return nil
        }
        return top
    }

    // MARK: Calls

    private func perform(_ changes: [ViewChange]) {
        // A program may have begun to watch a moment ago.
        let watched = look(within: .zero)
        guard !watched.isEmpty else { return }
        var top: CInt?
        defer { if let top { _ = clinux_close(top) } }
        for change in changes {
            guard let (folder, name, node) = tree.event(change), isWatched(folder, node, watched) else { continue }
            if top == nil { top = openTop() }
            guard let top, let names = tree.path(to: folder) else { continue }
            let parent =
                names.isEmpty
                ? clinux_dup(top)
                : clinux_openat_inside(
                    top, names.joined(separator: "/"), CLINUX_O_PATH | CLINUX_O_DIRECTORY, 0)
            guard parent >= 0 else { continue }
            defer { _ = clinux_close(parent) }
            tell(change, folder, name, node, parent)
        }
    }

    private func isWatched(_ folder: UInt64, _ node: UInt64, _ watched: Set<UInt64>) -> Bool {
        if let inode = tree.attributes(of: folder)?.inode, watched.contains(inode) { return true }
        return tree.attributes(of: node).map { watched.contains($0.inode) } ?? false
    }

    private func tell(_ change: ViewChange, _ folder: UInt64, _ name: String, _ node: UInt64, _ parent: CInt) {
        let entry = EntryName(name)
        switch change {
        case .appeared(_, _, nil):
            guard let kind = tree.attributes(of: node)?.kind else { return }
            with(.create(folder: folder, name: entry, node: node)) {
                switch kind {
                case .file: if mknodat(parent, name, S_IFREG | 0o600, 0) == 0 { open(name, in: parent) { _ in } }
                case .folder: _ = mkdirat(parent, name, 0o700)
                case .symbolicLink: _ = symlinkat("-", parent, name)
                }
            }
        case .appeared(_, _, let old):
            with(.change(folder: folder, name: entry, node: node, old: old)) { rewrite(name, in: parent) }
        case .content:
            with(.change(folder: folder, name: entry, node: node, old: nil)) { rewrite(name, in: parent) }
        case .attributes:
            with(.change(folder: folder, name: entry, node: node, old: nil)) {
                let times = [timespec(), timespec()]
                _ = utimensat(parent, name, times, AT_SYMLINK_NOFOLLOW)
            }
        case .removed(_, _, _, let kind), .left(_, _, _, let kind):
            let phantom = state.withLock { state in
                state.phantoms += 1
                return state.phantoms
            }
            let attributes = NodeAttributes(
                inode: phantom, kind: kind, permissions: 0o700, size: 0, allocated: 0, modified: FileTime(seconds: 0),
                user: getuid(), group: getgid())
            with(.remove(folder: folder, name: entry, phantom: phantom, attributes: attributes)) {
                _ = unlinkat(parent, name, kind == .folder ? AT_REMOVEDIR : 0)
            }
        }
    }

    // As a program that writes: only the date of the last change is set, which tells of a changed content.
    private func rewrite(_ name: String, in parent: CInt) {
        open(name, in: parent) { file in
            let times = [timespec(tv_sec: 0, tv_nsec: Self.omitted), timespec()]
            _ = futimens(file, times)
        }
    }

    private func open(_ name: String, in parent: CInt, _ body: (CInt) -> Void) {
        let file = clinux_openat(parent, name, CLINUX_O_WRONLY | CLINUX_O_NOFOLLOW, 0)
        guard file >= 0 else { return }
        body(file)
        _ = clinux_close(file)
    }

    private func with(_ call: WakingCall, _ body: () -> Void) {
        state.withLock { $0.call = call }
        body()
        state.withLock { $0.call = nil }
    }
}
