import Coordination

extension PresenterMessage.Kind {
    /// Its name on the wire (`Present`).
    var name: String {
        switch self {
        case .relinquishToReader: "relinquishToReader"
        case .relinquishToWriter: "relinquishToWriter"
        case .saveChanges: "saveChanges"
        case .accommodateDeletion: "accommodateDeletion"
        case .accommodateSubitemDeletion: "accommodateSubitemDeletion"
        case .accommodateEviction: "accommodateEviction"
        case .reacquire: "reacquire"
        case .didChange: "didChange"
        case .didMove: "didMove"
        case .subitemDidAppear: "subitemDidAppear"
        case .subitemDidChange: "subitemDidChange"
        case .subitemDidMove: "subitemDidMove"
        case .didDelete: "didDelete"
        case .didGainVersion: "didGainVersion"
        case .didLoseVersion: "didLoseVersion"
        case .didResolveConflict: "didResolveConflict"
        case .subitemDidGainVersion: "subitemDidGainVersion"
        case .subitemDidLoseVersion: "subitemDidLoseVersion"
        case .subitemDidResolveConflict: "subitemDidResolveConflict"
        }
    }

    /// Whether the message reports a move.
    var isMove: Bool { destination != nil }

    /// The new location of a moved item.
    var destination: CoordinatedItem? {
        switch self {
        case .didMove(let to), .subitemDidMove(let to): to
        default: nil
        }
    }

    /// The kept version that the message is about.
    var version: String? {
        switch self {
        case .didGainVersion(let version), .didLoseVersion(let version), .didResolveConflict(let version),
            .subitemDidGainVersion(let version), .subitemDidLoseVersion(let version),
            .subitemDidResolveConflict(let version):
            version
        default: nil
        }
    }
}
