import DocentTestSupport

/// The outcome of a change or a reader after a fault.
enum FaultEnding: Hashable, Sendable {
    /// It was repeated successfully.
    case done
    /// The change is shown as failed; `docent transfers retry` sends it.
    case failedAndKept
    /// The reader fails at once, with this exit code; the next reader gets the document.
    case told(Int32)

    /// The expected outcome of a fault at a stage.
    static func expected(_ fault: Fault, at stage: FaultStage) -> FaultEnding {
        if fault.isPassing { return .done }
        // Reading and checking need no space there: it is the server's problem, and is repeated.
        if fault == .full, ["GET", "PROPFIND"].contains(stage.method) { return .done }
        if FaultStage.fetching.contains(stage) { return ofReader(fault, stage) }
        switch (fault, stage) {
        // The lock ends by itself; some servers answer 403 if they have no locks, and the save continues without one.
        case (_, .unlock), (.forbidden, .lock): return .done
        // A server that takes one request for another: its folder is checked, and the request is repeated.
        case (.notFound, .put), (.notFound, .move), (.notFound, .newPut), (.notFound, .newMove): return .done
        case (.conflicting, .put), (.conflicting, .move), (.conflicting, .newPut), (.conflicting, .newMove):
            return .done
        // Nothing there is searched for, or is found to be wrong at the next check.
        case (.notFound, .lookBefore), (.notFound, .newLookBefore), (.notFound, .newLookAbove): return .done
        // Content that was just stored is checked again.
        case (.notFound, .lookAtUpload), (.notFound, .lookAfter), (.notFound, .newLookAtUpload),
            (.notFound, .newLookAfter):
            return .done
        // A known document is looked for once more: servers that replace one in two steps have none between them.
        case (.notFound, .lookAgain), (.notFound, .lookUnderLock): return .done
        // The version is the one that the change is based on: the server is asked again (a lock may have ended).
        case (.preconditionFailed, .move): return .done
        default: return .failedAndKept
        }
    }

    private static func ofReader(_ fault: Fault, _ stage: FaultStage) -> FaultEnding {
        switch fault {
        case .forbidden: .told(3)
        // A known document is looked for once more, and one that is listed and not delivered is asked for again.
        case .notFound: .done
        default: .told(1)
        }
    }
}
