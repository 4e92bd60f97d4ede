import DocentTestSupport

/// What becomes of a change or a reader that a fault befell.
enum FaultEnding: Hashable, Sendable {
    /// It was tried again and is done.
    case done
    /// The change is shown as failed; `docent transfers retry` sends it.
    case failedAndKept
    /// The server's document stays current, and what was saved is a version of it.
    case keptAsVersion
    /// The reader is told at once, with this exit code; the next reader gets the document.
    case told(Int32)

    /// What is to be expected of a fault at a stage.
    static func expected(_ fault: Fault, at stage: FaultStage) -> FaultEnding {
        if fault.isPassing { return .done }
        // Reading and looking need no room there: it is the server's trouble, and is tried again.
        if fault == .full, ["GET", "PROPFIND"].contains(stage.method) { return .done }
        if FaultStage.fetching.contains(stage) { return ofReader(fault, stage) }
        switch (fault, stage) {
        // The lock ends by itself; some servers say 403 of what they have no locks for, and it is done without.
        case (_, .unlock), (.forbidden, .lock): return .done
        // A server that takes the one request for another's sake: its folder is looked at, and it is tried again.
        case (.notFound, .put), (.notFound, .move), (.notFound, .newPut), (.notFound, .newMove): return .done
        case (.conflicting, .put), (.conflicting, .move), (.conflicting, .newPut), (.conflicting, .newMove):
            return .done
        // Nothing there is what is looked for, or found out to be wrong by the next look.
        case (.notFound, .lookBefore), (.notFound, .newLookBefore), (.notFound, .newLookAbove): return .done
        // What was stored just now is looked for again.
        case (.notFound, .lookAtUpload), (.notFound, .lookAfter), (.notFound, .newLookAtUpload),
            (.notFound, .newLookAfter):
            return .done
        // The folder answers, so the document is gone for certain.
        case (.notFound, .lookAgain), (.notFound, .lookUnderLock): return .keptAsVersion
        // The version is the one that the change is based on: the server is asked again (a lock may have ended).
        case (.preconditionFailed, .move): return .done
        default: return .failedAndKept
        }
    }

    private static func ofReader(_ fault: Fault, _ stage: FaultStage) -> FaultEnding {
        switch fault {
        case .forbidden: .told(3)
        // A server that lists a document and does not give it is asked again.
        case .notFound: stage == .get ? .done : .told(2)
        default: .told(1)
        }
    }
}
