import DocentTestSupport

/// One thing that goes wrong with one request, once.
enum Fault: String, CaseIterable, Sendable {
    case forbidden, notFound, conflicting, preconditionFailed, locked, tooMany, failed, busy, full
    case cutRequest, cutReply, resetReply, lastByte, lostReply, delay, corrupt

    /// The faults that every server is tried with; the first server is tried with all.
    static let telling: [Fault] = [.failed, .busy, .cutReply, .lostReply]

    /// The status that is answered instead of forwarding the request.
    var status: Int? {
        switch self {
        case .forbidden: 403
        case .notFound: 404
        case .conflicting: 409
        case .preconditionFailed: 412
        case .locked: 423
        case .tooMany: 429
        case .failed: 500
        case .busy: 503
        case .full: 507
        default: nil
        }
    }

    var rule: FaultRule {
        if let status { return .status(status) }
        return switch self {
        case .cutRequest: .cutRequest(after: 0)
        case .cutReply: .cutResponse(after: 0)
        case .resetReply: .cutResponse(after: 0, reset: true)
        case .lastByte: .truncate()
        case .delay: .delay(0.3)
        case .corrupt: .corrupt(at: 5)
        default: .dropReply
        }
    }

    /// Whether the server executed the request, but the reply was lost.
    var isDoneByServer: Bool { [.cutReply, .resetReply, .lastByte, .lostReply].contains(self) }

    /// Whether a retry makes sense.
    var isPassing: Bool {
        switch self {
        case .locked, .tooMany, .failed, .busy, .cutRequest, .cutReply, .resetReply, .lastByte, .lostReply, .delay,
            .corrupt:
            true
        case .forbidden, .notFound, .conflicting, .preconditionFailed, .full: false
        }
    }
}
