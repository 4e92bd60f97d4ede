import DocentInterfaces
package import Logging
import Synchronization

/// The secrets that the processes of extensions know, so that what they say can be told on without them. Thread-safe.
///
/// What goes to clients is cleaned of the provider's own secrets alone: with those of others a provider and a client of its author could
/// find them out, by guessing. The log, which only the user reads, is cleaned of all.
package final class KnownSecrets: Sendable {
    private struct Holder {
        weak var secrets: ProcessSecrets?
    }

    private let holders = Mutex<[String: [Holder]]>([:])

    package init() {}

    /// A place for the secrets of a new process.
    package func process(of provider: String) -> ProcessSecrets {
        let secrets = ProcessSecrets()
        holders.withLock { holders in
            let living = (holders[provider] ?? []).filter { $0.secrets != nil }
            holders[provider] = living + [Holder(secrets: secrets)]
        }
        return secrets
    }

    /// A text of a provider without its secrets.
    func redact(_ text: String, of provider: String) -> String {
        let living = holders.withLock { ($0[provider] ?? []).compactMap(\.secrets) }
        return Redactor(living.flatMap(\.patterns)).redact(text)
    }

    /// A failure of a provider without its secrets, causes included.
    func redact(_ failure: Failure, of provider: String) -> Failure {
        let living = holders.withLock { ($0[provider] ?? []).compactMap(\.secrets) }
        let redactor = Redactor(living.flatMap(\.patterns))
        var clean = failure
        clean.message = redactor.redact(failure.message)
        clean.suggestion = failure.suggestion.map(redactor.redact)
        clean.causes = failure.causes.map { cause in
            Wire.ErrorDetail(
                domain: redactor.redact(cause.domain), code: cause.code, message: redactor.redact(cause.message))
        }
        return clean
    }

    /// A text without the secrets of anybody.
    func redactAll(_ text: String) -> String {
        let living = holders.withLock { $0.values.flatMap { $0.compactMap(\.secrets) } }
        return Redactor(living.flatMap(\.patterns)).redact(text)
    }

    /// The same logger, whose lines have no secrets in them.
    package func redacting(_ logger: Logger) -> Logger {
        Logger(label: logger.label) { _ in RedactingLogHandler(logger.handler, self) }
    }
}
