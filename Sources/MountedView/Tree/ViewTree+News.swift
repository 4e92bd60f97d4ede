import FileSystemMessages
import Synchronization

extension ViewTree {
    /// A node that news is about.
    struct Concerned: Hashable, Sendable {
        var node: UInt64
        /// The folder that it is in.
        var folder: UInt64
        /// Whether it is a folder whose entries are known.
        var isListed: Bool
        /// Whether all entries of the folder that it is in are known.
        var isInListed: Bool
    }

    /// The nodes of items of an account. Those that have gone, and those that nobody knows here, are left out.
    func concerned(by identifiers: [String], of account: ViewAccount) -> [Concerned] {
        state.withLock { state in
            var result = identifiers.compactMap { identifier -> Concerned? in
                guard let number = state.numbers[Subject(account: account.identifier, identifier: identifier)],
                    let node = state.nodes[number], !node.isRemoved
                else { return nil }
                return Concerned(
                    node: number, folder: node.parent, isListed: node.isListed,
                    isInListed: state.nodes[node.parent]?.isListed ?? false)
            }
            if identifiers.contains(Self.topIdentifier), let top = Self.top(of: account, state),
                let node = state.nodes[top]
            {
                result.append(
                    Concerned(node: top, folder: node.parent, isListed: node.isListed, isInListed: false))
            }
            return result
        }
    }

    /// The folders of an account whose entries are known.
    func listedFolders(of account: ViewAccount) -> [UInt64] {
        state.withLock { state in
            let listed = state.nodes.filter { $0.value.isListed && !$0.value.isRemoved }.map(\.key)
            return listed.filter { Self.account(of: $0, state)?.identifier == account.identifier }
        }
    }

    /// The folders among the nodes with these numbers, as programs see them, and those that the others are in.
    func folders(of inodes: Set<UInt64>) -> Set<UInt64> {
        guard !inodes.isEmpty else { return [] }
        return state.withLock { state in
            var result: Set<UInt64> = []
            for (number, node) in state.nodes where inodes.contains(node.inode) && !node.isRemoved {
                result.insert(node.kind == .folder ? number : node.parent)
            }
            return result
        }
    }

    /// Makes what is known of folders count as old: it is asked for again when it is used.
    func makeOld(_ folders: [UInt64]) {
        let moment = ContinuousClock.now - .seconds(86_400)
        state.withLock { state in
            for folder in folders where state.nodes[folder]?.checked != nil { state.nodes[folder]?.checked = moment }
        }
    }

    /// What a change is about: the folder, the name in it, and the node that it leads to or did.
    func event(_ change: ViewChange) -> (folder: UInt64, name: String, node: UInt64)? {
        state.withLock { state in
            switch change {
            case .appeared(let folder, let name, _):
                return state.nodes[folder]?.entries[EntryName(name)].map { (folder, name, $0) }
            case .content(let number), .attributes(let number):
                guard let node = state.nodes[number], !node.isRemoved, node.parent != number else { return nil }
                return (node.parent, node.name.text, number)
            case .left(let folder, let number, let name, _), .removed(let folder, let number, let name, _):
                return (folder, name, number)
            }
        }
    }

    private static func top(of account: ViewAccount, _ state: State) -> UInt64? {
        state.nodes[KernelRequest.root]?.entries.values.first { number in
            guard case .account(let other) = state.nodes[number]?.subject else { return false }
            return other.identifier == account.identifier
        }
    }
}
