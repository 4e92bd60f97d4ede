import FileSystemMessages
import Glibc
import Synchronization

extension ViewTree {
    /// The present time, in seconds since 1970.
    static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Adds a document that is not at its provider yet.
    ///
    /// - Returns: its node; nil if the name is taken.
    func begin(_ name: String, in folder: UInt64) -> UInt64? {
        state.withLock { state in
            guard let account = Self.account(of: folder, state),
                state.nodes[folder]?.entries[EntryName(name)] == nil
            else { return nil }
            let number = Self.next(&state)
            let item = ViewItem(
                identifier: "", name: name, kind: .file, modified: FileTime(Self.now()), isDownloaded: true,
                isBegun: true)
            state.nodes[number] = ViewNode(
                parent: folder, name: EntryName(name), subject: .item(item),
                inode: StableNumber.of([account.provider, account.domain, "begun", String(number), name]))
            state.nodes[folder]?.entries[EntryName(name)] = number
            return number
        }
    }

    /// Whether a node's document is not at its provider yet.
    func isBegun(_ number: UInt64) -> Bool { state.withLock { $0.nodes[number]?.item?.isBegun ?? false } }

    /// Records a version of a document that was saved here: the node stays, because it is its content.
    func published(_ number: UInt64, _ item: ViewItem) {
        state.withLock { state in
            guard let node = state.nodes[number], let account = Self.account(of: node.parent, state) else { return }
            let subject = Subject(account: account.identifier, identifier: item.identifier)
            // A listing may have come first.
            if let other = state.numbers[subject], other != number, let twin = state.nodes[other] {
                if state.nodes[twin.parent]?.entries[twin.name] == other {
                    state.nodes[twin.parent]?.entries[twin.name] = number
                }
                state.nodes[other]?.isRemoved = true
            }
            state.numbers[subject] = number
            var saved = item
            saved.isDownloaded = true
            state.nodes[number]?.subject = .item(saved)
        }
    }

    /// Records the length of a document that is being written.
    func wrote(_ number: UInt64, size: UInt64) { change(number) { $0.size = size } }

    /// Records that something was written, up to an offset.
    func grew(_ number: UInt64, to end: UInt64) { change(number) { $0.size = max($0.size, end) } }

    /// Records a date that a program gave to a document.
    func setModified(_ number: UInt64, _ moment: FileTime) { change(number, dated: moment) { _ in } }

    private func change(_ number: UInt64, dated moment: FileTime? = nil, _ body: (inout ViewItem) -> Void) {
        let moment = moment ?? FileTime(Self.now())
        state.withLock { state in
            guard case .item(var item) = state.nodes[number]?.subject else { return }
            body(&item)
            item.modified = moment
            item.isDownloaded = true
            state.nodes[number]?.subject = .item(item)
        }
    }

    /// Takes back a look-up of this process's own, which the kernel knows nothing of.
    func forgetLookUp(_ number: UInt64) { forget([.init(node: number, count: 1)]) }
}
