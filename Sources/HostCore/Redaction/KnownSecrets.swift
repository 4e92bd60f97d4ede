package import DocentInterfaces
import Glibc
package import Logging
import Synchronization

/// The secrets known to the processes of extensions, so that their texts can be passed on without them. Thread-safe.
///
/// Texts for clients are cleaned only of the provider's own secrets. If they were cleaned of others' secrets too, a
/// provider and a client by the same author could discover those by guessing. The log, which only the user reads, is
/// cleaned of everyone's likely secrets. The exception are secrets that a provider merely claims by storing them: they
/// stay in lines about another provider, because otherwise a provider could remove any word from those.
package final class KnownSecrets: Sendable {
    private struct Holder {
        weak var secrets: ProcessSecrets?
    }

    private let holders = Mutex<[String: [Holder]]>([:])
    private let names: Set<String>

    /// - Parameter names: texts that never count as secrets, whatever a provider says: names of the user and the
    ///   machine.
    package init(names: Set<String> = []) { self.names = names }

    /// The names of the daemon's user and of the machine.
    package static func ownNames(_ environment: [String: String]) -> Set<String> {
        let paths = ["HOME", "USER", "LOGNAME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME"].compactMap { environment[$0] }
        var host = [CChar](repeating: 0, count: 256)
        let name = gethostname(&host, 255) == 0 ? host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) } : []
        return Set(paths).union([String(decoding: name, as: UTF8.self)])
    }

    /// A store for the secrets of a new process.
    package func process(of provider: String) -> ProcessSecrets {
        let secrets = ProcessSecrets(names: names.union([provider]))
        holders.withLock { holders in
            let living = (holders[provider] ?? []).filter { $0.secrets != nil }
            holders[provider] = living + [Holder(secrets: secrets)]
        }
        return secrets
    }

    /// A provider's text without its secrets.
    package func redact(_ text: String, of provider: String) -> String {
        let living = holders.withLock { ($0[provider] ?? []).compactMap(\.secrets) }
        return Redactor(living.flatMap(\.patterns)).redact(text)
    }

    /// A provider's failure without its secrets, causes included.
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

    /// A text of the log without anyone's secrets.
    ///
    /// - Parameter provider: the provider that the line is about, if any.
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

    /// The same logger, but its lines contain no secrets and no raw control characters, and the number of similar lines
    /// about one provider or client is limited.
    ///
    /// - Parameter span: the time over which similar lines are counted together.
    package func redacting(_ logger: Logger, span: Duration = .seconds(10)) -> Logger {
        Logger(label: logger.label) { _ in RedactingLogHandler(logger.handler, self, span: span) }
    }
}
