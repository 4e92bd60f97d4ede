import Coordination

/// Clients that take random legal steps, and then finish everything.
struct RandomClients {
    private(set) var referee = Referee()
    private var random: SeededGenerator
    private let moves: Bool
    private var next: UInt64 = 1
    private var parents: [String: String] = World.paths.compactMapValues(\.first)

    init(seed: UInt64, moves: Bool) {
        random = SeededGenerator(seed: seed)
        self.moves = moves
    }

    mutating func step() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<30: request()
        case 30..<38: addPresenter()
        case 38..<58: if let id = pick(referee.open) { answer(id) }
        case 58..<60: if let id = pick(referee.open) { referee.handle(.deadlinePassed(id)) }
        case 60..<62: if let id = pick(referee.late) { answer(id) }
        case 62..<78: if let id = pick(referee.held) { release(id) }
        case 78..<80: if let id = pick(Set(referee.waiting).union(referee.held)) { referee.handle(.cancelled(id)) }
        case 80..<90: if let id = pick(referee.providing) { provide(id) }
        case 90..<92: if let id = pick(Set(referee.presenters.keys)) { referee.handle(.presenterRemoved(id)) }
        case 92: referee.handle(.ownerGone(owner()))
        case 93..<95: if moves { move() }
        default:
            let kinds: [ChangeKind] = [.content, .deleted, .appeared, .gainedVersion("v")]
            referee.handle(.changed(location(name()), by: .outside, kinds.randomElement(using: &random) ?? .content))
        }
    }

    /// All clients finish, but none before what it declared to wait for; so an undetected deadlock shows.
    mutating func finish() {
        while true {
            let ledger = referee.state.ledger
            let open = ledger.claims.map(\.claim)
            let isWaiting = Set(referee.waiting)
            if let id = referee.providing.sorted().first(where: { id in !open.contains { $0.during == id } }) {
                referee.handle(.provided(id))
            } else if let id = referee.open.sorted().first(where: { canAnswer($0, open) }) {
                referee.handle(.answered(id, error: nil))
            } else if let id = referee.late.min() {
                referee.handle(.answered(id, error: nil))
            } else if let id = referee.held.sorted().first(where: { id in
                !open.contains { isWaiting.contains($0.id) && $0.within.contains(id) }
            }) {
                release(id)
            } else {
                break
            }
        }
        referee.expectRest()
    }

    private func canAnswer(_ id: PresenterMessage.Identifier, _ open: [Claim]) -> Bool {
        guard let presenter = referee.messages[id].flatMap({ referee.presenters[$0.presenter] }) else { return false }
        return !open.contains { claim in
            claim.answering.contains(id)
                || (presenter.thread != nil && claim.owner == presenter.owner
                    && claim.blockedThread == presenter.thread)
        }
    }

    // MARK: What they do

    private mutating func request() {
        let owner = owner()
        let ours = referee.presenters.values.filter { $0.owner == owner }.map(\.id)
        let messages = referee.open.filter { id in
            referee.messages[id].map { ours.contains($0.presenter) } ?? false
        }
        let holding = referee.held.filter { referee.requested[$0]?.owner == owner }
        var accesses = [access()]
        if random.once(in: 4) { accesses.append(access()) }
        let during = random.once(in: 8) ? pick(referee.providing) : nil
        let isShared = random.once(in: 5)
        next += 1
        referee.request(
            Claim(
                id: .init(rawValue: next), owner: owner, purpose: isShared ? "shared" : "own \(next)",
                presenter: random.once(in: 5) ? pick(Set(ours)) : nil, accesses: accesses,
                prepares: random.once(in: 15),
                within: random.once(in: 3) ? pick(holding).map { [$0] } ?? [] : [],
                answering: random.once(in: 3) ? pick(messages).map { [$0] } ?? [] : [],
                blockedThread: random.once(in: 6) ? "main" : nil, during: during,
                hasProviderPurpose: during != nil && random.once(in: 2)))
    }

    private mutating func addPresenter() {
        guard referee.presenters.count < 6 else { return }
        next += 1
        let presenter = Presenter(
            id: .init(rawValue: next), owner: owner(), location: location(name()),
            thread: random.once(in: 3) ? "main" : nil)
        referee.handle(.presenterAdded(presenter))
    }

    private mutating func answer(_ id: PresenterMessage.Identifier) {
        referee.handle(.answered(id, error: random.once(in: 6) ? "no" : nil))
    }

    private mutating func provide(_ id: Claim.Identifier) {
        referee.handle(random.once(in: 6) ? .provideFailed(id, "no") : .provided(id))
    }

    private mutating func release(_ id: Claim.Identifier) {
        let items = referee.state.claim(id)?.accesses.filter(\.isWriting).map(\.location.item) ?? []
        referee.handle(.released(id, AccessOutcome(changed: Set(items))))
    }

    private mutating func move() {
        let name = ["a.txt", "c.txt", "inner", "book"].randomElement(using: &random) ?? "a.txt"
        let target = ["root", "folder", "target", "inner"].randomElement(using: &random) ?? "root"
        guard name != target, parents[name] != target else { return }
        parents[name] = target
        let mover = referee.held.first { id in
            referee.state.claim(id)?.accesses.contains { $0.location.item == World.key(name) && $0.isWriting } ?? false
        }
        referee.handle(.moved(random.once(in: 2) ? mover : nil, from: World.key(name), to: location(name)))
    }

    // MARK: Chances

    private mutating func pick<Element: Comparable>(_ all: Set<Element>) -> Element? {
        all.sorted().randomElement(using: &random)
    }

    private mutating func owner() -> Claim.Owner { .init(rawValue: .random(in: 1...4, using: &random)) }

    private mutating func name() -> String { World.paths.keys.sorted().randomElement(using: &random) ?? "root" }

    private mutating func access() -> ItemAccess {
        let intents: [ItemAccess.Intent] = [
            .reading([]), .reading([]), .reading(.withoutChanges), .reading(.immediatelyAvailableMetadataOnly),
            .writing([]), .writing([]), .writing(.forMerging), .writing(.forMoving), .writing(.forDeleting),
            .writing(.forReplacing), .writing(.contentIndependentMetadataOnly),
        ]
        return ItemAccess(location(name()), intents.randomElement(using: &random) ?? .reading([]))
    }

    private func location(_ name: String) -> ItemLocation {
        var folders: [String] = []
        var parent = parents[name]
        while let folder = parent {
            folders.append(folder)
            parent = parents[folder]
        }
        return ItemLocation(
            item: World.key(name), folders: folders.map(World.key),
            packages: folders.filter(World.packageNames.contains).map(World.key),
            isFolder: World.folderNames.contains(name), isPackage: World.packageNames.contains(name))
    }
}
