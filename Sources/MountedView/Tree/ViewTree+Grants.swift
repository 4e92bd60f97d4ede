import Documents
import FileSystemMessages
import Synchronization

/// What a view of grants needs besides.
extension ViewTree {
    /// Whether the entries of a folder, or the content of a document, may be changed.
    func mayWrite(_ number: UInt64, _ state: State) -> Bool {
        guard let node = state.nodes[number], node.parent != number else { return false }
        guard contents == .grants else { return true }
        // Programs keep files of their own beside a document that they may write.
        if case .account(let account) = node.subject {
            return account.writing != .nothing
        }
        var current = number
        while let node = state.nodes[current], node.parent != current {
            switch node.subject {
            case .account(let account): return account.writing == .all
            case .item(let item): if !item.isReadOnly { return true }
            case .top: return false
            }
            current = node.parent
        }
        return false
    }

    /// Removes what there is no right to any more, and records which rights allow writing. New rights, and what has
    /// a right of its own in a folder that has none any more, appear when the folder of their account is asked for.
    ///
    /// - Returns: what is different from before.
    func apply(_ rights: GrantedRights) -> [ViewChange] {
        let (ended, changed) = state.withLock { state -> ([(folder: UInt64, name: String)], [ViewChange]) in
            var changed: [ViewChange] = []
            var ended: [(folder: UInt64, name: String)] = []
            for folder in (state.nodes[KernelRequest.root]?.entries ?? [:]).values {
                guard case .account(var account) = state.nodes[folder]?.subject else { continue }
                func reference(_ identifier: String) -> DocumentReference {
                    DocumentReference(provider: account.provider, domain: account.domain, identifier: identifier)
                }
                let top = reference(Self.topIdentifier)
                let writing = rights.writing(in: account.provider, domain: account.domain)
                if account.writing != writing {
                    account.writing = writing
                    state.nodes[folder]?.subject = .account(account)
                    changed.append(.attributes(node: folder))
                }
                for (name, number) in state.nodes[folder]?.entries ?? [:] {
                    guard var item = state.nodes[number]?.item, !item.isLocal, !item.isBegun else { continue }
                    let itself = reference(item.identifier)
                    let isReadOnly = rights.isReadOnly(itself)
                    if item.isReadOnly != isReadOnly {
                        item.isReadOnly = isReadOnly
                        state.nodes[number]?.subject = .item(item)
                        changed.append(.attributes(node: number))
                    }
                    if rights.grant(to: itself) == nil, rights.grant(to: top) == nil {
                        ended.append((folder, name.text))
                    }
                }
            }
            return (ended, changed)
        }
        return changed + ended.flatMap { remove($0.name, from: $0.folder) }
    }

    /// Whether the right to a node, or to the folder that it is in, has ended. Programs may still have it open.
    func isRevoked(_ number: UInt64) -> Bool {
        guard contents == .grants else { return false }
        return state.withLock { state in
            var current = number
            while let node = state.nodes[current], node.parent != current {
                // What is removed further down was removed by somebody, and whoever has it open keeps it.
                let isGrant = state.nodes[node.parent]?.item == nil && node.item?.isLocal != true
                if node.isRemoved, isGrant { return true }
                current = node.parent
            }
            return current != KernelRequest.root
        }
    }

    /// The node at a location of this view; nil if it is not known.
    func node(at location: DocumentLocation) -> UInt64? {
        state.withLock { state in
            guard
                var current = state.nodes[KernelRequest.root]?.entries.values.first(where: { number in
                    guard case .account(let account) = state.nodes[number]?.subject else { return false }
                    return account.provider == location.provider && account.domain == location.domain
                })
            else { return nil }
            for name in location.path.split(separator: "/") {
                guard let next = state.nodes[current]?.entries[EntryName(String(name))] else { return nil }
                current = next
            }
            return current
        }
    }

    /// The folders of the accounts.
    func accountFolders() -> [UInt64] {
        state.withLock { Array(($0.nodes[KernelRequest.root]?.entries ?? [:]).values) }
    }
}
