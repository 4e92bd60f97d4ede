import CLinux
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

    /// Adds a document that is not at its provider yet, or a local file.
    ///
    /// - Parameter item: what it is; nil for a new document.
    /// - Returns: its node; nil if the name is taken.
    func begin(_ name: String, in folder: UInt64, as item: ViewItem? = nil) -> UInt64? {
        state.withLock { state in
            guard let account = Self.account(of: folder, state),
                state.nodes[folder]?.entries[EntryName(name)] == nil
            else { return nil }
            let number = Self.next(&state)
            let item =
                item
                ?? ViewItem(
                    identifier: "", name: name, kind: .file, modified: FileTime(Self.now()), isDownloaded: true,
                    isBegun: true)
            state.nodes[number] = ViewNode(
                parent: folder, name: EntryName(name), subject: .item(item),
                inode: StableNumber.of([account.provider, account.domain, "begun", String(number), name]))
            state.nodes[folder]?.entries[EntryName(name)] = number
            state.nodes[folder]?.localChanges += 1
            if !item.identifier.isEmpty {
                state.numbers[Subject(account: account.identifier, identifier: item.identifier)] = number
            }
            return number
        }
    }

    /// Makes a document that somebody else has removed a new one, because a program is writing it. It has its name
    /// again, if nothing else has taken that.
    func beginAgain(_ number: UInt64) {
        state.withLock { state in
            guard let node = state.nodes[number], case .item(var item) = node.subject else { return }
            Self.forgetSubject(of: number, &state)
            (item.identifier, item.version, item.formerVersion, item.isBegun) = ("", nil, nil, true)
            state.nodes[number]?.subject = .item(item)
            if let folder = state.nodes[node.parent], !folder.isRemoved || folder.parent == node.parent,
                folder.entries[node.name] == nil
            {
                state.nodes[node.parent]?.entries[node.name] = number
                state.nodes[number]?.isRemoved = false
            }
            state.nodes[node.parent]?.localChanges += 1
            record(number, &state)
        }
    }

    /// Whether programs have written to a node what is not published.
    func isWritten(_ number: UInt64) -> Bool { state.withLock { $0.nodes[number]?.isWritten ?? false } }

    /// Whether a node's document is not at its provider yet.
    func isBegun(_ number: UInt64) -> Bool { state.withLock { $0.nodes[number]?.item?.isBegun ?? false } }

    /// Whether a node is a file that stays on this machine.
    func isLocal(_ number: UInt64) -> Bool { state.withLock { $0.nodes[number]?.item?.isLocal ?? false } }

    /// What identifies a folder among those of all accounts; nil for the top.
    func identity(of folder: UInt64) -> [String]? {
        state.withLock { state in
            guard let account = Self.account(of: folder, state), let node = state.nodes[folder] else { return nil }
            return [account.provider, account.domain, node.item?.identifier ?? ""]
        }
    }

    /// Adds the local files of a folder that was listed.
    func add(local items: [ViewItem], to folder: UInt64) {
        for item in items { _ = begin(item.name, in: folder, as: item) }
    }

    /// Hides a document under its name, or shows it again.
    func setHidden(_ isHidden: Bool, _ identifier: String, in folder: UInt64) {
        state.withLock { state in
            guard let account = Self.account(of: folder, state) else { return }
            let subject = Subject(account: account.identifier, identifier: identifier)
            if isHidden { state.hidden.insert(subject) } else { state.hidden.remove(subject) }
            state.nodes[folder]?.localChanges += 1
        }
    }

    /// Records that the entries of a folder were changed here.
    func noteChange(in folder: UInt64) { state.withLock { $0.nodes[folder]?.localChanges += 1 } }

    /// Marks that entries of folders are being changed here: listings are not used until ``endChange(in:)``, because
    /// they may show what is not recorded here yet.
    func beginChange(in folders: Set<UInt64>) {
        state.withLock { state in for folder in folders { state.nodes[folder]?.changesUnderWay += 1 } }
    }

    /// Ends what ``beginChange(in:)`` began.
    func endChange(in folders: Set<UInt64>) {
        state.withLock { state in
            for folder in folders {
                state.nodes[folder]?.changesUnderWay -= 1
                state.nodes[folder]?.localChanges += 1
            }
        }
    }

    /// Whether entries of a folder are being changed here.
    func isChanging(_ folder: UInt64) -> Bool { state.withLock { ($0.nodes[folder]?.changesUnderWay ?? 0) > 0 } }

    /// How often the entries of a folder were changed here. A listing that began before the last change is out of date.
    func localChanges(of folder: UInt64) -> Int { state.withLock { $0.nodes[folder]?.localChanges ?? 0 } }

    /// Records a version of a document that was saved here: the node stays, because it is its content.
    ///
    /// - Returns: what is different from before.
    func published(_ number: UInt64, _ item: ViewItem) -> [ViewChange] {
        state.withLock { state in
            guard let node = state.nodes[number], let account = Self.account(of: node.parent, state) else { return [] }
            state.nodes[node.parent]?.localChanges += 1
            state.nodes[number]?.isWritten = false
            defer { record(number, &state) }
            guard !item.isLocal else {
                state.nodes[number]?.subject = .item(item)
                return []
            }
            let subject = Subject(account: account.identifier, identifier: item.identifier)
            var changes: [ViewChange] = []
            // A listing may have come first, with this content or with one of somebody else.
            if let other = state.numbers[subject], other != number, let twin = state.nodes[other] {
                if state.nodes[twin.parent]?.entries[twin.name] == other {
                    state.nodes[twin.parent]?.entries[twin.name] = number
                    changes.append(.appeared(parent: twin.parent, name: twin.name.text, replaced: other))
                    state.nodes[number]?.parent = twin.parent
                    state.nodes[number]?.name = twin.name
                    state.nodes[number]?.isRemoved = false
                }
                state.nodes[other]?.isRemoved = true
            }
            state.numbers[subject] = number
            var saved = item
            saved.isDownloaded = true
            state.nodes[number]?.subject = .item(saved)
            return changes
        }
    }

    /// Gives a node another place and meaning: it was renamed, and those who have it open go on with it there. What was
    /// in that place is removed.
    func adopt(_ number: UInt64, _ item: ViewItem, in folder: UInt64, as name: String) {
        state.withLock { state in
            guard let node = state.nodes[number], let account = Self.account(of: folder, state) else { return }
            Self.forgetSubject(of: number, &state)
            if state.nodes[node.parent]?.entries[node.name] == number {
                state.nodes[node.parent]?.entries[node.name] = nil
            }
            state.nodes[node.parent]?.localChanges += 1
            let name = EntryName(name)
            if let other = state.nodes[folder]?.entries[name], other != number {
                Self.forgetSubject(of: other, &state)
                Self.leave(other, folder, name, &state)
                record(other, &state)
            }
            if !item.identifier.isEmpty {
                let subject = Subject(account: account.identifier, identifier: item.identifier)
                if let other = state.numbers[subject], other != number {
                    state.nodes[other]?.isRemoved = true
                    record(other, &state)
                }
                state.numbers[subject] = number
            }
            state.nodes[folder]?.entries[name] = number
            state.nodes[folder]?.localChanges += 1
            state.nodes[number]?.parent = folder
            state.nodes[number]?.name = name
            state.nodes[number]?.subject = .item(item)
            state.nodes[number]?.isRemoved = false
            record(number, &state)
            recordGone(&state)
        }
    }

    /// Records the length of a document that is being written.
    func wrote(_ number: UInt64, size: UInt64) { change(number) { $0.size = size } }

    /// Records that something was written, up to an offset.
    func grew(_ number: UInt64, to end: UInt64) { change(number) { $0.size = max($0.size, end) } }

    /// Records a date that a program gave to a document.
    func setModified(_ number: UInt64, _ moment: FileTime) {
        state.withLock { state in
            guard case .item(var item) = state.nodes[number]?.subject else { return }
            item.modified = moment
            state.nodes[number]?.subject = .item(item)
        }
    }

    /// Records whether an item is kept on this machine.
    func setPinned(_ number: UInt64, _ isPinned: Bool) {
        state.withLock { state in
            guard case .item(var item) = state.nodes[number]?.subject else { return }
            item.isPinned = isPinned
            state.nodes[number]?.subject = .item(item)
        }
    }

    private func change(_ number: UInt64, _ body: (inout ViewItem) -> Void) {
        let moment = FileTime(Self.now())
        state.withLock { state in
            guard case .item(var item) = state.nodes[number]?.subject else { return }
            body(&item)
            state.nodes[number]?.isWritten = true
            item.modified = moment
            item.isDownloaded = true
            state.nodes[number]?.subject = .item(item)
        }
    }

    /// Takes back a look-up of this process's own, which the kernel knows nothing of.
    func forgetLookUp(_ number: UInt64) { forget([.init(node: number, count: 1)]) }
}
