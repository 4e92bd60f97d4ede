package import DocentInterfaces
package import FoundationEssentials
import HostCore
package import Records

/// The next step of a deletion that can still be taken back. Pure.
package enum DeletionDecision: Hashable, Sendable {
    /// Nothing yet.
    case wait
    /// Its period begins again, because the clock was set back: it ends at this moment.
    case extend(Date)
    /// Its provider is asked how the items are now.
    case look
    /// The same, and the items are as they were: its provider is asked to delete them.
    case delete

    /// Decides by the time.
    package init(_ deletion: PendingDeletion, at now: Date) {
        if deletion.isWanted || deletion.due <= now {
            self = .delete
        } else if deletion.created.timeIntervalSince(now) > 1 {
            // Otherwise nobody would know when it ends. Records have whole milliseconds, so a little more is no sign.
            self = .extend(now.addingTimeInterval(deletion.due.timeIntervalSince(deletion.created)))
        } else {
            self = deletion.isSuspect ? .look : .wait
        }
    }
}

/// How the items of a deletion are now, at their provider.
package enum DeletionFinding: Hashable, Sendable {
    /// As they were when they were deleted.
    case same
    /// Somebody has changed or moved one, or has put something into a folder.
    case changed
    /// The deleted item is gone.
    case missing
}

/// The meaning of a provider's answer for a deletion. Pure.
package enum DeletionVerdict: Hashable, Sendable {
    /// The items are gone: there is nothing left to do.
    case done
    /// It is not carried out, and the items appear again.
    case giveUp(Reason)
    /// It is tried again later.
    case retry

    /// Why a deletion is not carried out.
    package enum Reason: Hashable, Sendable {
        /// Somebody has changed the items since.
        case changed
        /// The provider refuses it, with this message.
        case refused(String)
    }

    /// What is found before the provider is asked to delete; nil if it may be asked.
    package init?(_ finding: DeletionFinding) {
        switch finding {
        case .same: return nil
        case .changed: self = .giveUp(.changed)
        case .missing: self = .done
        }
    }

    /// A failed call of the provider.
    package init(_ failure: Failure) {
        switch failure.kind {
        case .missing: self = .done
        case .outdated, .conflicting, .taken: self = .giveUp(.changed)
        case .unsupported, .forbidden, .invalid, .full, .failed: self = .giveUp(.refused(failure.message))
        // What the host does not know, such as a provider that was removed, proves nothing.
        case .unreachable, .unavailable, .silent, .busy, .notAuthenticated, .cancelled, .deadlock, .expired,
            .unknownItem:
            self = .retry
        }
    }
}

extension DeletionVerdict.Reason {
    /// The reason as a sentence without its end.
    var text: String {
        switch self {
        case .changed: "somebody has changed it since"
        case .refused(let message): message.hasSuffix(".") ? String(message.dropLast()) : message
        }
    }
}
