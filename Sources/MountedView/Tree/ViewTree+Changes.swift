package import FileSystemMessages
import Synchronization

extension ViewTree {
    /// Records the accounts, which are the entries of the top.
    ///
    /// - Returns: what is different from before.
    package func replace(accounts: [ViewAccount], at moment: ContinuousClock.Instant) -> [ViewChange] {
        let names = Self.names(of: accounts)
        return state.withLock { state in
            var known: [String: UInt64] = [:]
            for number in (state.nodes[KernelRequest.root]?.entries ?? [:]).values {
                if case .account(let account) = state.nodes[number]?.subject { known[account.identifier] = number }
            }
            var numbers: [EntryName: UInt64] = [:]
            for (account, name) in zip(accounts, names) {
                let number = known[account.identifier] ?? Self.next(&state)
                if state.nodes[number] == nil {
                    state.nodes[number] = ViewNode(
                        parent: KernelRequest.root, name: name, subject: .account(account),
                        inode: StableNumber.of([account.provider, account.domain]))
                }
                state.nodes[number]?.name = name
                state.nodes[number]?.subject = .account(account)
                state.nodes[number]?.isRemoved = false
                numbers[name] = number
            }
            let changes = Self.replaceEntries(of: KernelRequest.root, numbers, at: moment, &state)
            recordAll(Array(numbers.values), &state)
            return changes
        }
    }

    private static func names(of accounts: [ViewAccount]) -> [EntryName] {
        ShownNames.names(of: accounts.map { ($0.displayName, $0.identifier) }).map(EntryName.init)
    }

    /// Records all items of a folder.
    ///
    /// A file whose content has changed gets another number, so that those who have it open go on reading what they
    /// opened, unless that has changed itself.
    ///
    /// - Parameters:
    ///   - changes: the number of changes made here when the listing began; nil if that is irrelevant.
    ///   - isSameFile: whether the programs that have a node open read the very file that the item describes.
    /// - Returns: what is different from before; nil if a change was made meanwhile: the listing is out of date.
    package func replace(
        items: [ViewItem], of folder: UInt64, at moment: ContinuousClock.Instant, since changes: Int? = nil,
        isSameFile: (UInt64, ViewItem) -> Bool = { _, _ in false }
    ) -> [ViewChange]? {
        let names = ShownNames.names(of: items.map { ($0.name, $0.identifier) })
        let same = sameFiles(items, folder, isSameFile)
        return state.withLock { state in
            guard let account = Self.account(of: folder, state), let node = state.nodes[folder] else { return [] }
            if let changes, changes != node.localChanges || node.changesUnderWay > 0 { return nil }
            var changes: [ViewChange] = []
            var numbers: [EntryName: UInt64] = [:]
            numbers.reserveCapacity(items.count)
            for (item, name) in zip(items, names) {
                let name = EntryName(name)
                guard !state.isHidden(item, account) else { continue }
                numbers[name] = Self.note(item, name, in: folder, account, same, at: moment, &changes, &state)
            }
            changes += Self.replaceEntries(of: folder, numbers, at: moment, &state)
            recordChanged(changes, &state)
            return changes
        }
    }

    /// Records one item of a folder, whose other items stay as they are.
    ///
    /// - Parameter changes: the number of changes made here when it was asked for; nil if that is irrelevant.
    /// - Returns: the node, which counts as looked up, and what is different from before; nil if the folder has gone,
    ///   or a change was made meanwhile: the answer is out of date, and its name may be something else by now.
    package func note(
        _ item: ViewItem, in folder: UInt64, at moment: ContinuousClock.Instant, since changes: Int? = nil,
        isSameFile: (UInt64, ViewItem) -> Bool = { _, _ in false }
    ) -> (node: FoundNode, changes: [ViewChange])? {
        let same = sameFiles([item], folder, isSameFile)
        let result = state.withLock { state -> (UInt64, [ViewChange])? in
            guard let account = Self.account(of: folder, state), let known = state.nodes[folder],
                changes.map({ $0 == known.localChanges }) ?? true, !state.isHidden(item, account)
            else { return nil }
            var changes: [ViewChange] = []
            let name = EntryName(ShownNames.name(of: item.name, identifier: item.identifier))
            let number = Self.note(item, name, in: folder, account, same, at: moment, &changes, &state)
            let other = state.nodes[folder]?.entries.updateValue(number, forKey: name)
            if let other, other != number {
                Self.leave(other, folder, name, &state)
                changes.append(.appeared(parent: folder, name: name.text, replaced: other))
            } else if other == nil, state.nodes[folder]?.isListed == true {
                // The kernel may remember that there was nothing.
                changes.append(.appeared(parent: folder, name: name.text, replaced: nil))
            }
            recordChanged(changes, &state)
            return (number, changes)
        }
        guard let (number, changes) = result, let node = lookUp(number) else { return nil }
        return (node, changes)
    }

    /// Records that there is nothing under a name.
    ///
    /// - Returns: what is different from before.
    package func remove(_ name: String, from folder: UInt64) -> [ViewChange] {
        state.withLock { state in
            guard let number = state.nodes[folder]?.entries.removeValue(forKey: EntryName(name)) else { return [] }
            let kind = state.nodes[number]?.kind ?? .file
            // A later document may have the same identifier: it is another one.
            Self.forgetSubject(of: number, &state)
            Self.leave(number, folder, EntryName(name), &state)
            state.nodes[folder]?.localChanges += 1
            record(number, &state)
            recordGone(&state)
            return [.removed(parent: folder, node: number, name: name, kind: kind)]
        }
    }

    // MARK: Parts

    private func recordAll(_ numbers: [UInt64], _ state: inout State) {
        guard journal != nil else { return }
        for number in numbers where state.nodes[number]?.isRecorded == true { record(number, &state) }
    }

    // What has not changed is in the journal already.
    private func recordChanged(_ changes: [ViewChange], _ state: inout State) {
        guard journal != nil else { return }
        for change in changes {
            switch change {
            case .content(let node), .attributes(let node): recordAll([node], &state)
            case .left: break
            case .appeared(let parent, let name, _):
                if let number = state.nodes[parent]?.entries[EntryName(name)] { recordAll([number], &state) }
            case .removed(_, let node, _, _): recordAll([node], &state)
            }
        }
        recordGone(&state)
    }

    static func next(_ state: inout State) -> UInt64 {
        state.last += 1
        return state.last
    }

    // Asked before the lock is taken: the answer may need a system call.
    private func sameFiles(
        _ items: [ViewItem], _ folder: UInt64, _ isSameFile: (UInt64, ViewItem) -> Bool
    ) -> Set<UInt64> {
        let changed = state.withLock { state -> [(UInt64, ViewItem)] in
            guard let account = Self.account(of: folder, state) else { return [] }
            return items.compactMap { item in
                let subject = Subject(account: account.identifier, identifier: item.identifier)
                guard item.kind == .file, let number = state.numbers[subject],
                    let earlier = state.nodes[number]?.item, !item.hasContent(of: earlier)
                else { return nil }
                return (number, item)
            }
        }
        return Set(changed.filter { isSameFile($0.0, $0.1) }.map(\.0))
    }

    private static func note(
        _ item: ViewItem, _ name: EntryName, in folder: UInt64, _ account: ViewAccount, _ same: Set<UInt64>,
        at moment: ContinuousClock.Instant, _ changes: inout [ViewChange], _ state: inout State
    ) -> UInt64 {
        let subject = Subject(account: account.identifier, identifier: item.identifier)
        // Something that has become a folder, or a file, is another node, and so is another content.
        if let number = state.numbers[subject], let node = state.nodes[number], let earlier = node.item,
            node.kind == item.kind, !isAbove(number, folder, state),
            item.kind != .file || item.hasContent(of: earlier) || same.contains(number) || node.isWritten
        {
            var item = item
            if node.isWritten {
                (item.size, item.modified, item.version) = (earlier.size, earlier.modified, earlier.version)
                item.isDownloaded = true
            }
            if item.kind == .file, !item.hasContent(of: earlier) {
                changes.append(.content(node: number))
            } else if !item.looksLike(earlier) {
                changes.append(.attributes(node: number))
            }
            if node.parent != folder || node.name != name, state.nodes[node.parent]?.entries[node.name] == number {
                state.nodes[node.parent]?.entries[node.name] = nil
                changes.append(
                    .left(parent: node.parent, node: number, name: node.name.text, kind: item.kind))
            }
            state.nodes[number]?.parent = folder
            state.nodes[number]?.name = name
            state.nodes[number]?.subject = .item(item)
            state.nodes[number]?.isRemoved = false
            if item.kind != .folder { state.nodes[number]?.checked = moment }
            return number
        }
        let number = next(&state)
        var node = ViewNode(
            parent: folder, name: name, subject: .item(item),
            inode: StableNumber.of([account.provider, account.domain, item.identifier]))
        if item.kind != .folder { node.checked = moment }
        state.nodes[number] = node
        state.numbers[subject] = number
        return number
    }

    // A folder cannot be inside itself, whatever its provider says.
    private static func isAbove(_ number: UInt64, _ folder: UInt64, _ state: State) -> Bool {
        var current = folder
        while let node = state.nodes[current] {
            if current == number { return true }
            guard node.parent != current else { return false }
            current = node.parent
        }
        return false
    }

    private static func replaceEntries(
        of folder: UInt64, _ numbers: [EntryName: UInt64], at moment: ContinuousClock.Instant, _ state: inout State
    ) -> [ViewChange] {
        var changes: [ViewChange] = []
        let before = state.nodes[folder]?.entries ?? [:]
        // What is being written is not at the provider yet, or will be there again, and local files never are.
        let begun = before.filter { state.nodes[$0.value]?.item.map { $0.isBegun || $0.isLocal } ?? false }
        let written = before.filter { state.nodes[$0.value]?.isWritten ?? false }
        var numbers = begun.isEmpty ? numbers : numbers.merging(begun) { $1 }
        if !written.isEmpty { numbers.merge(written) { present, _ in present } }
        let wasListed = state.nodes[folder]?.isListed ?? false
        state.nodes[folder]?.entries = numbers
        state.nodes[folder]?.isListed = true
        state.nodes[folder]?.checked = moment
        for (name, number) in before where numbers[name] != number {
            if numbers[name] == nil {
                let kind = state.nodes[number]?.kind ?? .file
                changes.append(.removed(parent: folder, node: number, name: name.text, kind: kind))
            }
            leave(number, folder, name, &state)
        }
        // The kernel may remember that there was nothing.
        for (name, number) in numbers where before[name] != number && (wasListed || before[name] != nil) {
            changes.append(.appeared(parent: folder, name: name.text, replaced: before[name]))
        }
        return changes
    }

    static func forgetSubject(of number: UInt64, _ state: inout State) {
        guard let node = state.nodes[number], let item = node.item,
            let account = account(of: node.parent, state)
        else { return }
        let subject = Subject(account: account.identifier, identifier: item.identifier)
        if state.numbers[subject] == number { state.numbers[subject] = nil }
    }

    // A node without a name is kept as long as the kernel knows it.
    static func leave(_ number: UInt64, _ folder: UInt64, _ name: EntryName, _ state: inout State) {
        guard let node = state.nodes[number], node.parent == folder, node.name == name else { return }
        state.nodes[number]?.isRemoved = true
        if node.lookUps == 0, node.entries.isEmpty { drop(number, &state) }
    }
}

extension ViewTree.State {
    func isHidden(_ item: ViewItem, _ account: ViewAccount) -> Bool {
        !hidden.isEmpty
            && hidden.contains(.init(account: account.identifier, identifier: item.identifier))
    }
}
