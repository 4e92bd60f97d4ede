import CLinux
import FileSystemMessages
import Glibc
import Synchronization
import Varlink

/// Answers the kernel's requests about a view. What is known is answered at once; anything else has a deadline and can
/// be interrupted.
///
/// Thread-safe.
package final class ViewServer: Sendable {
    /// What an answer to a request is.
    enum Answer {
        case reply(KernelReply)
        /// There is nothing to reply.
        case none
        /// A part of an open file.
        case content(OpenHandles.OpenFile, offset: UInt64, count: Int)
        /// The answer follows, within a time.
        case later(Duration, @Sendable () async -> KernelReply)
    }

    let tree: ViewTree
    let source: any DocumentSource
    let handles: OpenHandles
    let drafts: NodeDrafts
    let kept: KeptState
    /// Whether the kernel sends requests again to the next server.
    let repeatsRequests = Atomic(false)
    let departures: Departures
    let former = FormerAnswers()
    /// A thread that waits for requests; 0 before there is one.
    let reader = Atomic<UInt64>(0)
    let turns = FolderTurns()
    let store: ViewLocalFiles
    /// The extended attributes that programs have set.
    let attached: AttachedAttributes
    let spaces: ViewSpaces
    /// The names of files that stay on this machine.
    let localNames: LocalNames
    let news: ViewNews
    let documents: OpenDocuments
    let newDocuments = NewDocuments()
    let loads: FolderLoads
    let observation: ViewObservation
    let watchers: WatcherWaking?
    /// For which programs documents are downloaded.
    let downloads: DownloadGate
    let channel: KernelChannel
    private let waiting: WaitingRequests
    let callers: CallerInspection
    /// The daemon's socket, as an attribute of the top says.
    let socket: String
    /// How long the kernel may remember that there is nothing under a name.
    let missingValidity: Duration = .seconds(1)
    /// How long a folder or the description of a document may take.
    let patience: Duration = .seconds(90)
    /// How long the content of a document may take.
    let contentPatience: Duration = .seconds(3600)

    /// - Parameters:
    ///   - channel: a mount that no other process reads.
    ///   - socket: the path of the daemon's socket.
    ///   - store: where the files are that stay on this machine.
    ///   - localNames: which these are.
    ///   - kept: what the next server of the mount gets.
    ///   - path: where the view is mounted: programs that watch folders there are told of changes. Nil for nobody.
    ///   - freshness: how long what was learned of a folder is shown without asking again.
    ///   - departure: how long the name of a document stays empty before a rename to a name of a local file is one.
    ///   - downloads: for which programs documents are downloaded.
    package init(
        channel: KernelChannel, kept: KeptState, tree: ViewTree, source: any DocumentSource, callers: CallerInspection,
        socket: String, store: ViewLocalFiles, localNames: LocalNames = LocalNames(), path: String? = nil,
        freshness: Duration = .seconds(10), departure: Duration = .seconds(5),
        downloads: DownloadGate = DownloadGate(environment: [:])
    ) {
        self.downloads = downloads
        self.kept = kept
        handles = OpenHandles(kept: kept)
        documents = OpenDocuments { [handles] in handles.isOpen($0) }
        drafts = NodeDrafts(kept: kept)
        departures = Departures(kept: kept, patience: departure)
        self.channel = channel
        self.tree = tree
        self.source = source
        self.callers = callers
        self.socket = socket
        self.store = store
        attached = AttachedAttributes(tree: tree, files: store.attributes)
        spaces = ViewSpaces { try? await source.usage(of: $0) }
        self.localNames = localNames
        waiting = WaitingRequests(channel: channel)
        let watchers = path.map { WatcherWaking(tree: tree, path: $0, kept: kept) }
        self.watchers = watchers
        news = ViewNews(channel: channel, watchers: watchers)
        loads = FolderLoads(
            source: source, tree: tree, store: store, news: news, freshness: freshness
        ) { [handles, drafts] node, item in
            guard let draft = drafts.draft(of: node) else { return handles.isOpen(node, as: item) }
            return draft.isDirty || draft.file?.isFile(of: item) ?? false
        }
        observation = ViewObservation(source: source, tree: tree, loads: loads, watchers: watchers)
    }

    /// Answers requests until the file system is no longer mounted.
    ///
    /// - Parameter threads: how many requests are read at the same time.
    package func run(threads: Int = 4) async {
        let following = Task.detached { [source, tree, loads, news] in
            await source.followAccounts { changes in
                news.send(changes)
                try? await loads.reload(KernelRequest.root)
                // No account waits for the provider of another.
                for folder in tree.accountFolders() where tree.entries(of: folder) != nil {
                    Task.detached { try? await loads.reload(folder) }
                }
            }
        }
        defer { following.cancel() }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let counter = Counter(left: threads) { continuation.resume() }
            for number in 0..<threads {
                do {
                    try DetachedThread.start(name: "view-\(number)") {
                        self.readRequests()
                        counter.oneLess()
                    }
                } catch {
                    counter.oneLess()
                }
            }
        }
        waiting.end()
        observation.end()
    }

    private final class Counter: Sendable {
        private let left: Mutex<Int>
        private let atEnd: @Sendable () -> Void

        init(left: Int, atEnd: @escaping @Sendable () -> Void) {
            self.left = Mutex(left)
            self.atEnd = atEnd
        }

        func oneLess() {
            let isLast = left.withLock { left in
                left -= 1
                return left == 0
            }
            if isLast { atEnd() }
        }
    }

    private func readRequests() {
        let own = UInt64(clinux_gettid())
        if reader.compareExchange(expected: 0, desired: own, ordering: .acquiringAndReleasing).exchanged {
            kept.keep(.init(kind: .reader, key: own))
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Negotiation.bufferSize, alignment: 4096)
        defer { buffer.deallocate() }
        while let count = channel.receive(into: buffer) {
            let message = UnsafeRawBufferPointer(rebasing: buffer[0..<count])
            let request: KernelRequest
            do throws(RequestParser.Malformed) {
                request = try RequestParser.request(message)
            } catch {
                if let unique = error.unique { channel.send(KernelReply.error(EIO).message(to: unique)) }
                continue
            }
            respond(to: request, buffer)
        }
    }

    private func respond(to request: KernelRequest, _ buffer: UnsafeMutableRawBufferPointer) {
        switch answer(request, UnsafeRawBufferPointer(buffer)) {
        case .reply(let reply): channel.send(reply.message(to: request.unique))
        case .none: break
        case .content(let file, let offset, let count):
            channel.send(
                to: request.unique, contentOf: file.descriptor, offset: offset, count: count, buffer: buffer)
        case .later(let deadline, let body):
            waiting.start(request, within: deadline, undo: { self.undo($0) }, body)
        }
    }

    /// Takes back what an answer that nobody gets has opened and counted.
    private func undo(_ reply: KernelReply) {
        switch reply {
        case .opened(let file): close(file.handle)
        case .found(let node): tree.forgetLookUp(node.node)
        case .created(let node, let file):
            close(file.handle)
            tree.forgetLookUp(node.node)
        default: break
        }
    }

    private func close(_ handle: UInt64) {
        if let open = handles.remove(handle), open.isWriter { leaveDraft(of: open.node) }
    }

    private func answer(_ request: KernelRequest, _ message: UnsafeRawBufferPointer) -> Answer {
        if let answer = watchers?.answer(request) { return .reply(answer) }
        switch request.operation {
        case .initialize(let offer):
            guard let agreement = Negotiation.agreement(to: offer) else { return .reply(.error(EPROTO)) }
            if agreement.features.contains(.repeatsRequests) {
                repeatsRequests.store(true, ordering: .releasing)
                kept.keep(.init(kind: .repeatsRequests, key: 0))
            }
            return .reply(.initialized(agreement))
        case .forget(let nodes):
            tree.forget(nodes)
            return .none
        case .interrupt(let unique):
            // It may not have been noted yet: then the kernel tells again.
            return waiting.interrupt(unique) ? .none : .reply(.error(EAGAIN))
        case .destroy, .access, .synchronizeFolder: return .reply(.done)
        case .flush(let handle): return publish(handle, isClosing: true)
        case .synchronize(let handle): return publish(handle)
        case .write(let handle, let offset, let data):
            return write(handle, offset, UnsafeRawBufferPointer(rebasing: message[data]))
        case .release(let handle), .releaseFolder(let handle):
            close(handle)
            return .reply(.done)
        case .attributes: return attributes(of: request.node)
        case .read(let handle, let offset, let count): return read(handle, of: request.node, offset, count)
        case .readFolder(let handle, let offset, let count, let withAttributes):
            return readFolder(
                handle, of: request.node, from: offset, room: count, withAttributes: withAttributes)
        case .statistics: return .reply(statistics(of: request.node, for: request.caller))
        case .lookUp, .open, .openFolder, .readLink, .extendedAttribute, .extendedAttributes, .setAttributes,
            .removeExtendedAttribute, .makeFolder, .remove, .removeFolder, .rename, .create:
            // The kernel shows this mount to sandboxes that can see the folder it is in.
            guard callers.mayUse(request.caller) else { return .reply(.error(EACCES)) }
            // Programs may still have open what they have no right to any more.
            guard !tree.isRevoked(request.node) else { return .reply(.error(ESTALE)) }
            // What an earlier server had opened for it is opened anew.
            if request.isRepeated, let handle = former.takeHandle(request.unique) { close(handle) }
            return answerByName(request)
        case .setExtendedAttribute(let name, let value, let flags):
            guard callers.mayUse(request.caller) else { return .reply(.error(EACCES)) }
            return setExtendedAttribute(
                name, Array(message[value]), flags: flags, of: request.node, isRepeated: request.isRepeated)
        case .allocate: return .reply(.error(EOPNOTSUPP))
        case .seek, .other: return .reply(.error(ENOSYS))
        case .makeNode, .makeLink, .makeSymbolicLink: return .reply(.error(EPERM))
        }
    }

    private func answerByName(_ request: KernelRequest) -> Answer {
        switch request.operation {
        case .lookUp(let name): lookUp(name, in: request.node)
        case .open(let flags): open(request.node, flags, by: request.caller, for: request.unique)
        case .openFolder: openFolder(request.node, for: request.unique)
        case .readLink: .reply(readLink(request.node))
        case .extendedAttribute(let name, let room): .reply(extendedAttribute(name, of: request.node, room))
        case .extendedAttributes(let room): .reply(extendedAttributes(of: request.node, room))
        case .removeExtendedAttribute(let name):
            removeExtendedAttribute(name, of: request.node, isRepeated: request.isRepeated)
        case .setAttributes(let new): setAttributes(of: request.node, new)
        case .makeFolder(let name, _): makeFolder(name, in: request.node, isRepeated: request.isRepeated)
        case .remove(let name):
            remove(name, from: request.node, isFolder: false, isRepeated: request.isRepeated)
        case .removeFolder(let name):
            remove(name, from: request.node, isFolder: true, isRepeated: request.isRepeated)
        case .rename(let name, let newFolder, let newName, let flags):
            rename(name, request.node, newName, newFolder, flags: flags, for: request)
        case .create(let name, _, _): create(name, in: request.node, for: request)
        default: .reply(.error(ENOSYS))
        }
    }
}
