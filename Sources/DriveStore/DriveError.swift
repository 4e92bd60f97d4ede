/// Why something in a drive fails.
package enum DriveError: Error, Hashable, Sendable {
    /// An object is not what the format says.
    case malformed(String)
    /// An object was changed, or sealed by somebody without the key.
    case tampered(String)
    /// An object that must be there is not.
    case missing(String)
    /// The store shows an older state than this device has already seen.
    case rolledBack(String)
    /// Two histories exist where there can be one.
    case forked(String)
    /// The store cannot be reached, or failed; the request may have had its effect.
    case unreachable(String)
    /// The store refuses the credential.
    case denied(String)
    /// The store may be read but not be changed by this user, or not at all.
    case notPermitted(String)
    /// The store has no room.
    case full(String)
    /// Local files of this device cannot be written or read.
    case local(String)
    /// What was asked for does not exist or is not possible.
    case invalid(String)
    /// This device is no longer in the drive, or lacks its present keys.
    case removed(String)
    /// The content has not arrived at the store yet.
    case notArrived(String)

    /// A sentence for the user.
    package var explanation: String {
        switch self {
        case .malformed(let text), .tampered(let text), .missing(let text), .rolledBack(let text), .forked(let text),
            .unreachable(let text), .denied(let text), .notPermitted(let text), .full(let text), .local(let text),
            .invalid(let text), .removed(let text), .notArrived(let text):
            text
        }
    }

    /// Whether it says something about the way to the store or about this machine, and nothing about an object.
    var isOfPassage: Bool {
        switch self {
        case .unreachable, .denied, .notPermitted, .full, .local, .removed: true
        case .malformed, .tampered, .missing, .rolledBack, .forked, .invalid, .notArrived: false
        }
    }
}
