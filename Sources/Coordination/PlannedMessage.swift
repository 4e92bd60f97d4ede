/// What is to be said to a presenter at its time.
struct PlannedMessage: Hashable, Sendable {
    let kind: PresenterMessage.Kind
    let subject: ItemKey

    init(_ kind: PresenterMessage.Kind, _ subject: ItemKey) {
        self.kind = kind
        self.subject = subject
    }

    /// Where news stands in the order of 2.4: changes, moves, what happened inside, versions, deletion.
    var rank: Int {
        switch kind {
        case .didChange: 0
        case .didMove: 1
        case .subitemDidAppear, .subitemDidChange, .subitemDidMove: 2
        case .didDelete: 4
        default: 3
        }
    }
}
