package import DocentInterfaces

/// Turns a provider's error into one of the client interfaces, and keeps the provider's message (D13, complaint 32).
package enum ProviderFailures {
    private static let codes: [FailureCode: (FailureCode, String?)] = [
        .noSuchItem: (.notFound, nil),
        .notAuthenticated: (.notAuthenticated, nil),
        .serverUnreachable: (.unavailable, "Check the network and try again."),
        .busy: (.unavailable, "Try again later."),
        .collision: (.conflict, "Choose another name."),
        .versionOutOfDate: (.conflict, "Read it again, then save."),
        .insufficientQuota: (.noSpace, "Free some space there, then try again."),
        .anchorExpired: (.conflict, "List the folder again."),
        .notSupported: (.notSupported, nil),
        .notPermitted: (.notPermitted, nil),
        .invalidArgument: (.invalidArgument, nil),
    ]

    /// Whether a provider's coordinator was refused because its claim would have waited for itself: waiting does not
    /// help.
    private static func isDeadlock(_ failure: Failure) -> Bool {
        failure.causes.contains {
            $0.domain == ProviderErrorNumber.domain && $0.code == ProviderErrorNumber.deadlock
        }
    }

    private static func pauseText(_ seconds: Double) -> String {
        let seconds = Int(min(seconds, 86_400).rounded(.up))
        if seconds == 1 { return "a second" }
        return seconds < 120 ? "\(seconds) seconds" : "\((seconds + 59) / 60) minutes"
    }

    /// The failure as a client sees it. An unknown code becomes `ProviderFailed`.
    package static func translate(_ failure: Failure, provider: String) -> Failure {
        var (code, suggestion) = codes[failure.code] ?? (.providerFailed, nil)
        if code == .unavailable, let pause = failure.retryAfter, pause >= 1 {
            suggestion = "Try again in \(pauseText(pause)), as the service asks."
        }
        var translated = Failure(
            code, failure.message, suggestion: failure.suggestion ?? suggestion, provider: provider,
            causes: failure.causes, retryAfter: failure.retryAfter)
        translated.providerCode = isDeadlock(failure) ? .deadlock : failure.code
        return translated
    }
}
