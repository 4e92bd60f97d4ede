package import DocentInterfaces
import Glibc
package import Logging
import Synchronization

/// The secrets that the processes of extensions know, so that what they say can be told on without them. Thread-safe.
///
/// What goes to clients is cleaned of the provider's own secrets alone: with those of others a provider and a client of
/// its author could find them out, by guessing. The log, which only the user reads, is cleaned of all that are likely
/// to be secrets; but a secret that a provider only claims, by storing it, is left in lines about another provider,
/// from which it could take out any word otherwise.
package final class KnownSecrets: Sendable {
    private struct Holder {
        weak var secrets: ProcessSecrets?
    }

    private let holders = Mutex<[String: [Holder]]>([:])
    private let names: Set<String>

    /// - Parameter names: texts that are no secrets whatever a provider says: of the user and the machine.
    package init(names: Set<String> = []) { self.names = names }

    /// The names of the user who runs this and of the machine.
    package static func ownNames(_ environment: [String: String]) -> Set<String> {
        let paths = ["HOME", "USER", "LOGNAME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME"].compactMap { environment[$0] }
        var host = [CChar](repeating: 0, count: 256)
        let name = gethostname(&host, 255) == 0 ? host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) } : []
        return Set(paths).union([String(decoding: name, as: UTF8.self)])
    }

    /// A place for the secrets of a new process.
    package func process(of provider: String) -> ProcessSecrets {
        let secrets = ProcessSecrets(names: names.union([provider]))
        holders.withLock { holders in
            let living = (holders[provider] ?? []).filter { $0.secrets != nil }
            holders[provider] = living + [Holder(secrets: secrets)]
        }
        return secrets
    }

    /// A text of a provider without its secrets.
    package func redact(_ text: String, of provider: String) -> String {
        let living = holders.withLock { ($0[provider] ?? []).compactMap(\.secrets) }
        return Redactor(living.flatMap(\.patterns)).redact(text)
    }

    /// A failure of a provider without its secrets, causes included.
    package func redact(_ failure: Failure, of provider: String) -> Failure {
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

    /// A text of the log without the secrets of anybody.
    ///
    /// - Parameter provider: whom the line is about, if it is about one.
    func redactLine(_ text: String, about provider: String?) -> String {
        let living = holders.withLock { holders in
            holders.mapValues { $0.compactMap(\.secrets) }
        }
        let patterns = living.flatMap { owner, processes in
            processes.flatMap { process -> [SecretPattern] in
                if owner == provider { return process.patterns }
                return process.likelyPatterns(includingClaimed: provider == nil)
            }
        }
        return Redactor(patterns).redact(text)
    }

    /// The same logger, whose lines have no secrets in them, nothing raw, and only so many of a kind about one provider
    /// or client.
    ///
    /// - Parameter span: for how long lines of one kind are counted together.
    package func redacting(_ logger: Logger, span: Duration = .seconds(10)) -> Logger {
        Logger(label: logger.label) { _ in RedactingLogHandler(logger.handler, self, span: span) }
    }
}
