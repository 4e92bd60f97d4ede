import DocentInterfaces

extension FileProviderError {
    /// The error as it is sent: a code of the interface, and the whole chain with its own domains and codes.
    var failure: Failure {
        let name: FailureCode =
            switch code {
            case .notAuthenticated: .notAuthenticated
            case .filenameCollision: .collision
            case .syncAnchorExpired: .anchorExpired
            case .insufficientQuota: .insufficientQuota
            case .serverUnreachable: .serverUnreachable
            case .busy, .keychainUnavailable: .busy
            case .noSuchItem: .noSuchItem
            case .deletionRejected, .directoryNotEmpty, .notPermitted: .notPermitted
            case .versionOutOfDate, .versionNoLongerAvailable: .versionOutOfDate
            case .notSupported: .notSupported
            case .invalidArgument: .invalidArgument
            default: .failed
            }
        return Failure(
            name, message.bounded,
            causes: chain.prefix(16).map {
                Wire.ErrorDetail(domain: $0.domain.bounded, code: $0.code, message: $0.text.bounded)
            }, retryAfter: retryAfter.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil })
    }
}

extension String {
    /// The text, cut so that an error reply stays far below the size limit of a message.
    fileprivate var bounded: String { utf8.count <= 4_000 ? self : String(prefix(1_000)) + "…" }
}
