package import Documents
package import FileSystemMessages
import Synchronization

/// What is known of the folders and documents of a view. It answers from memory and never waits; it asks nobody.
///
/// Thread-safe.
package final class ViewTree: Sendable {
    /// What is known of a name in a folder.
    package enum LookUp: Sendable, Hashable {
        case found(FoundNode)
        /// There is no such entry.
        case missing
        /// Its provider must be asked.
        case unknown
    }

    /// What a view shows.
    package enum Contents: Sendable {
        /// All accounts of the user, who may do everything in them.
        case accounts
        /// What a confined program was granted. Each account has its granted items as entries; what is in a granted
        /// folder may be written if that may.
        case grants
    }

    /// Names an item among those of all accounts.
    struct Subject: Hashable, Sendable {
        var account: String
        var identifier: String
    }

    struct State {
        var nodes: [UInt64: ViewNode] = [:]
        var numbers: [Subject: UInt64] = [:]
        var last: UInt64 = 100
        /// The nodes that were forgotten, and not yet in the journal.
        var gone: [UInt64] = []
        /// What is not shown for a moment (``Departures``).
        var hidden: Set<Subject> = []
    }

    /// How long the kernel may answer by itself.
    package let validity: Duration
    private let user: UInt32
    private let group: UInt32
    let state: Mutex<State>
    /// What the view shows.
    let contents: Contents
    /// Where the nodes that the kernel knows are recorded for the next server; nil for nowhere.
    package let journal: NodeJournal?

    /// - Parameters:
    ///   - user: the owner of all that is shown.
    ///   - validity: how long the kernel may answer by itself.
    ///   - contents: what the view shows.
    ///   - journal: what an earlier server of the mount recorded is known at once.
    package init(
        user: UInt32, group: UInt32, validity: Duration, contents: Contents = .accounts, journal: NodeJournal? = nil
    ) {
        self.contents = contents
        self.journal = journal
        self.user = user
        self.group = group
        self.validity = validity
        var state = State()
        state.nodes[KernelRequest.root] = ViewNode(
            parent: KernelRequest.root, name: EntryName("/"), subject: .top, inode: KernelRequest.root)
        if let journal {
            let records = journal.records()
            Self.restore(records, &state)
            journal.replace(with: records)
            // Numbers that the earlier server gave to nodes that are not recorded yet are not used again.
            if !records.isEmpty { state.last += 1_000_000 }
        }
        self.state = Mutex(state)
    }

    // MARK: Answers

    /// What `stat` shows of a node; nil if there is no such node.
    package func attributes(of number: UInt64) -> NodeAttributes? {
        state.withLock { state in state.nodes[number].map { attributes(number, $0, state) } }
    }

    /// What a name leads to. A found node counts as looked up.
    package func lookUp(_ name: String, in folder: UInt64) -> LookUp {
        state.withLock { state in
            guard let node = state.nodes[folder], node.kind == .folder, !node.isRemoved else { return .missing }
            guard let number = node.entries[EntryName(name)] else { return node.isListed ? .missing : .unknown }
            return looked(number, &state).map(LookUp.found) ?? .unknown
        }
    }

    /// The same for a node that was listed; nil if it has gone.
    package func lookUp(_ number: UInt64) -> FoundNode? { state.withLock { looked(number, &$0) } }

    /// The entries of a folder; nil if they are not all known.
    package func entries(of folder: UInt64) -> [ListedEntry]? {
        state.withLock { state in
            guard let node = state.nodes[folder], node.isListed else { return nil }
            // In an order that the next server has too: listings go on there.
            return node.entries.sorted { $0.value < $1.value }.compactMap { name, number in
                state.nodes[number].map { entry in
                    ListedEntry(name: name.text, node: number, inode: entry.inode, kind: entry.kind)
                }
            }
        }
    }

    /// An entry of a listing.
    package struct ListedEntry: Sendable, Hashable {
        package var name: String
        package var node: UInt64
        package var inode: UInt64
        package var kind: NodeAttributes.Kind
    }

    /// The folder that a node is in; nil if there is no such node.
    package func parent(of number: UInt64) -> UInt64? { state.withLock { $0.nodes[number]?.parent } }

    /// The folder and the name of a node; nil if there is no such node, or it was removed.
    package func place(of number: UInt64) -> (parent: UInt64, name: String)? {
        state.withLock { state in
            guard let node = state.nodes[number], !node.isRemoved, node.parent != number else { return nil }
            return (node.parent, node.name.text)
        }
    }

    /// The folder and the name that a node has, or had when it was removed.
    func lastPlace(of number: UInt64) -> (parent: UInt64, name: String)? {
        state.withLock { state in
            guard let node = state.nodes[number], node.parent != number, !node.name.text.isEmpty else { return nil }
            return (node.parent, node.name.text)
        }
    }

    /// What the view knows of the document or folder of a node; nil for the top and for accounts.
    package func item(of number: UInt64) -> ViewItem? { state.withLock { $0.nodes[number]?.item } }

    /// When the provider was asked about a node last; nil before.
    package func checked(_ number: UInt64) -> ContinuousClock.Instant? { state.withLock { $0.nodes[number]?.checked } }

    // MARK: The kernel's memory

    /// Takes look-ups back. What the kernel has forgotten, and what is not listed, is forgotten here too.
    package func forget(_ all: [KernelRequest.Forgotten]) {
        state.withLock { state in
            for forgotten in all where forgotten.node != KernelRequest.root {
                guard let node = state.nodes[forgotten.node] else { continue }
                let left = node.lookUps - min(node.lookUps, forgotten.count)
                state.nodes[forgotten.node]?.lookUps = left
                guard left == 0 else { continue }
                if node.isRecorded {
                    state.nodes[forgotten.node]?.isRecorded = false
                    state.gone.append(forgotten.node)
                }
                Self.tidy(forgotten.node, &state)
            }
            recordGone(&state)
        }
    }

    // A folder that the kernel does not remember is listed anew when it is opened again.
    private static func tidy(_ number: UInt64, _ state: inout State) {
        guard let node = state.nodes[number], node.lookUps == 0 else { return }
        if node.entries.values.allSatisfy({ state.nodes[$0].map { $0.lookUps == 0 && $0.entries.isEmpty } ?? true }) {
            for entry in node.entries.values { drop(entry, &state) }
            state.nodes[number]?.entries = [:]
            state.nodes[number]?.isListed = false
        }
        if node.isRemoved, state.nodes[number]?.entries.isEmpty == true { drop(number, &state) }
        // Its folder may have waited for it.
        if let parent = state.nodes[node.parent], node.parent != number, parent.lookUps == 0,
            node.parent != KernelRequest.root
        {
            tidy(node.parent, &state)
        }
    }

    static func drop(_ number: UInt64, _ state: inout State) {
        guard let node = state.nodes.removeValue(forKey: number) else { return }
        if node.isRecorded { state.gone.append(number) }
        guard let item = node.item else { return }
        guard let account = account(of: node.parent, state) else {
            state.numbers = state.numbers.filter { $0.value != number }
            return
        }
        let subject = Subject(account: account.identifier, identifier: item.identifier)
        // A later content of the document may have the place.
        if state.numbers[subject] == number { state.numbers[subject] = nil }
    }

    private func looked(_ number: UInt64, _ state: inout State) -> FoundNode? {
        guard let node = state.nodes[number] else { return nil }
        state.nodes[number]?.lookUps += 1
        if !node.isRecorded { record(number, &state) }
        return FoundNode(node: number, attributes: attributes(number, node, state), validity: validity)
    }

    // MARK: Attributes

    /// Records the size of a document as its content has it.
    ///
    /// - Returns: whether the kernel may remember another one.
    package func correct(_ number: UInt64, size: UInt64) -> Bool {
        state.withLock { state in
            guard case .item(var item) = state.nodes[number]?.subject else { return false }
            let isDifferent = item.size != size
            item.size = size
            item.isDownloaded = true
            state.nodes[number]?.subject = .item(item)
            return isDifferent
        }
    }

    private func attributes(_ number: UInt64, _ node: ViewNode, _ state: State) -> NodeAttributes {
        let item = node.item
        let writing: UInt32 = mayWrite(number, state) ? 0o200 : 0
        let permissions: UInt32 =
            switch node.kind {
            case .file: 0o400 | writing
            case .folder: 0o500 | writing
            case .symbolicLink: 0o777
            }
        let size = node.kind == .file ? item?.size ?? 0 : 0
        var attributes = NodeAttributes(
            inode: node.inode, kind: node.kind, permissions: permissions, size: size,
            allocated: item?.isDownloaded == true ? size : 0, modified: item?.modified ?? FileTime(seconds: 0),
            user: user, group: group)
        attributes.isRemoved = node.isRemoved
        return attributes
    }

    // MARK: Places

    /// The account that a node belongs to.
    static func account(of number: UInt64, _ state: State) -> ViewAccount? {
        var current = number
        while let node = state.nodes[current], node.parent != current {
            if case .account(let account) = node.subject { return account }
            current = node.parent
        }
        return nil
    }

    /// The identifier of the top folder of every account.
    static let topIdentifier = DocumentReference.topIdentifier

    /// The account that a node belongs to; nil for the top, and if there is no such node.
    func account(of number: UInt64) -> ViewAccount? { state.withLock { Self.account(of: number, $0) } }

    /// What the daemon calls a node; nil for the top, and if there is no such node.
    package func reference(of number: UInt64) -> DocumentReference? {
        state.withLock { state in
            guard let node = state.nodes[number], let account = Self.account(of: number, state) else { return nil }
            return DocumentReference(
                provider: account.provider, domain: account.domain,
                identifier: node.item?.identifier ?? Self.topIdentifier)
        }
    }

    /// What the daemon calls an item of the account that a folder belongs to.
    func reference(to identifier: String, in folder: UInt64) -> DocumentReference? {
        state.withLock { state in
            Self.account(of: folder, state).map {
                DocumentReference(provider: $0.provider, domain: $0.domain, identifier: identifier)
            }
        }
    }

    /// The location of a node; nil for the top, and if there is no such node. It has the names that the daemon knows
    /// or, in a view of grants, those that are shown.
    package func location(of number: UInt64) -> DocumentLocation? {
        state.withLock { location(of: number, $0) }
    }

    func location(of number: UInt64, _ state: State) -> DocumentLocation? {
        var names: [String] = []
        var current = number
        while let node = state.nodes[current], node.parent != current {
            switch node.subject {
            case .account(let account):
                return DocumentLocation(
                    provider: account.provider, domain: account.domain,
                    path: "/" + names.reversed().joined(separator: "/"))
            // What was granted is found again by this, and only shown names are unique.
            case .item(let item): names.append(contents == .grants ? node.name.text : item.name)
            case .top: return nil
            }
            current = node.parent
        }
        return nil
    }

    /// The text of a link: the way to its target, if that is known here, otherwise its reference.
    package func linkText(from link: UInt64, to target: String) -> String {
        let (account, number) = state.withLock { state -> (ViewAccount?, UInt64?) in
            guard let account = Self.account(of: link, state) else { return (nil, nil) }
            return (account, state.numbers[Subject(account: account.identifier, identifier: target)])
        }
        guard let account else { return target }
        guard let number, let there = path(to: number), let here = path(to: link) else {
            return DocumentReference(provider: account.provider, domain: account.domain, identifier: target).url
        }
        let shared = zip(there, here).prefix { EntryName($0) == EntryName($1) }.count
        let ups = [String](repeating: "..", count: max(0, here.count - 1 - shared))
        return (ups + there.dropFirst(shared)).joined(separator: "/")
    }

    /// The names that lead from the top to a node; nil if there is no such node.
    package func path(to number: UInt64) -> [String]? {
        state.withLock { state in
            var names: [String] = []
            var current = number
            while current != KernelRequest.root {
                guard let node = state.nodes[current], !node.isRemoved else { return nil }
                names.append(node.name.text)
                current = node.parent
            }
            return names.reversed()
        }
    }
}
