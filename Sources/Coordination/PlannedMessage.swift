/// A message that a presenter will receive.
struct PlannedMessage: Hashable, Sendable {
    let kind: PresenterMessage.Kind
    let subject: CoordinatedItem

    init(_ kind: PresenterMessage.Kind, _ subject: CoordinatedItem) {
        self.kind = kind
        self.subject = subject
    }

    /// The position of a notification in the order: changes, moves, changes inside, versions, deletion.
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
