import Coordination

/// A small tree of items, and a state with the effects of all events so far.
///
///     root
///     ├── a.txt, b.txt
///     ├── folder            a plain directory
///     │   ├── c.txt
///     │   └── inner
///     │       └── d.txt
///     ├── target            a plain directory
///     └── book              a package
///         ├── page
///         └── chapters      a package in the package
///             └── one
struct World {
    var state = CoordinationState()
    /// Everything that was sent, in order.
    private(set) var sent: [PresenterMessage] = []
    private(set) var granted: [UInt64] = []
    private(set) var failed: [UInt64: CoordinationFailure] = [:]
    private(set) var withdrawn: [UInt64] = []
    /// Whether the provider provides everything at once.
    var providesAtOnce = true
    /// Whether presenters agree to everything at once.
    var answersAtOnce = false

    /// Applies an event and the events that follow from it.
    mutating func handle(_ event: CoordinationEvent) {
        for effect in state.handle(event) {
            switch effect {
            case .send(let message):
                sent.append(message)
                if answersAtOnce, message.needsAnswer { handle(.answered(message.id, error: nil)) }
            case .provide(let claim): if providesAtOnce { handle(.provided(claim)) }
            case .granted(let claim): granted.append(claim.rawValue)
            case .failed(let claim, let failure): failed[claim.rawValue] = failure
            case .withdrawProvide(let claim): withdrawn.append(claim.rawValue)
            }
        }
    }

    /// Requests a claim on some items.
    mutating func request(
        _ id: UInt64, _ accesses: ItemAccess..., purpose: String? = nil, owner: UInt64? = nil, presenter: UInt64? = nil,
        prepares: Bool = false, within: [UInt64] = [], answering: [PresenterMessage] = [], thread: String? = nil,
        during: UInt64? = nil, isProviders: Bool = false
    ) {
        handle(
            .requested(
                Claim(
                    id: .init(rawValue: id), owner: .init(rawValue: owner ?? id), purpose: purpose ?? "own \(id)",
                    presenter: presenter.map { .init(rawValue: $0) }, accesses: accesses, prepares: prepares,
                    within: within.map { .init(rawValue: $0) }, answering: answering.map(\.id), blockedThread: thread,
                    during: during.map { .init(rawValue: $0) }, hasProviderPurpose: isProviders)))
    }

    mutating func release(_ id: UInt64, changed: [String] = [], deleted: [String] = []) {
        handle(
            .released(
                .init(rawValue: id),
                AccessOutcome(changed: Set(changed.map(World.key)), deleted: Set(deleted.map(World.key)))))
    }

    mutating func cancel(_ id: UInt64) { handle(.cancelled(.init(rawValue: id))) }

    mutating func present(_ id: UInt64, _ item: String, owner: UInt64? = nil, thread: String? = nil) {
        handle(
            .presenterAdded(
                Presenter(
                    id: .init(rawValue: id), owner: .init(rawValue: owner ?? 1000 + id),
                    location: World.location(item), thread: thread)))
    }

    /// Answers the oldest question to a presenter that is open.
    mutating func answer(_ presenter: UInt64, error: String? = nil) {
        guard let message = question(to: presenter) else { return }
        handle(.answered(message.id, error: error))
    }

    /// The question that a presenter is handling.
    func question(to presenter: UInt64) -> PresenterMessage? {
        let entry = state.ledger.presenters.first { $0.presenter.id.rawValue == presenter }
        return entry?.unanswered.first { sent.contains($0) }
    }

    func stage(_ id: UInt64) -> CoordinationLedger.Stage? {
        state.ledger.claims.first { $0.claim.id.rawValue == id }?.stage
    }

    func isHeld(_ id: UInt64) -> Bool { state.isHeld(.init(rawValue: id)) }

    /// The messages to a presenter, in order; `since`: from which message on.
    func told(_ presenter: UInt64, since: Int = 0) -> [String] {
        sent.dropFirst(since).filter { $0.presenter.rawValue == presenter }.map { World.name($0.kind) }
    }

    /// Short names of messages; reacquire without its number.
    static func name(_ kind: PresenterMessage.Kind) -> String {
        switch kind {
        case .reacquire: "reacquire"
        case .didMove: "didMove"
        case .subitemDidMove: "subitemDidMove"
        default: "\(kind)"
        }
    }

    // MARK: Items

    static func key(_ name: String) -> CoordinatedItem { CoordinatedItem(provider: "p", identifier: name) }

    static let paths: [String: [String]] = [
        "root": [], "a.txt": ["root"], "b.txt": ["root"], "folder": ["root"], "c.txt": ["folder", "root"],
        "inner": ["folder", "root"], "d.txt": ["inner", "folder", "root"], "target": ["root"], "book": ["root"],
        "page": ["book", "root"], "chapters": ["book", "root"], "one": ["chapters", "book", "root"],
    ]
    static let packageNames: Set<String> = ["book", "chapters"]
    static let folderNames: Set<String> = ["root", "folder", "inner", "target"]

    static func location(_ name: String) -> ItemLocation {
        let folders = paths[name] ?? ["root"]
        return ItemLocation(
            item: key(name), folders: folders.map(key), packages: folders.filter(packageNames.contains).map(key),
            isFolder: folderNames.contains(name), isPackage: packageNames.contains(name))
    }
}

/// Reading an item.
func read(_ name: String, _ options: ReadingOptions = []) -> ItemAccess {
    ItemAccess(World.location(name), .reading(options))
}

/// Writing an item.
func write(_ name: String, _ options: WritingOptions = []) -> ItemAccess {
    ItemAccess(World.location(name), .writing(options))
}
