import Logging
import Synchronization

/// Writes lines to another handler without the secrets known at that moment and without raw control characters, and
/// limits the number of similar lines about one provider or client.
struct RedactingLogHandler: LogHandler {
    private final class Budget: Sendable {
        let lines: Mutex<LineBudget<ContinuousClock.Instant>>
        let span: Duration

        init(_ span: Duration) {
            self.span = span
            lines = Mutex(LineBudget(span: span))
        }
    }

    private var inner: any LogHandler
    private let secrets: KnownSecrets
    private let budget: Budget

    /// - Parameter span: the time over which similar lines are counted together.
    init(_ inner: any LogHandler, _ secrets: KnownSecrets, span: Duration) {
        budget = Budget(span)
        self.inner = inner
        self.secrets = secrets
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { inner.metadataProvider }
        set { inner.metadataProvider = newValue }
    }

    var metadata: Logger.Metadata {
        get { inner.metadata }
        set { inner.metadata = newValue }
    }

    var logLevel: Logger.Level {
        get { inner.logLevel }
        set { inner.logLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { inner[metadataKey: key] }
        set { inner[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        guard let (key, source) = Self.source(of: event) else { return write(event) }
        let kind = "\(source)\0\(event.message)"
        switch budget.lines.withLock({ $0.take(kind, at: .now) }) {
        case .written: write(event)
        case .leftOut: break
        case .firstLeftOut:
            Task { [budget] in
                try? await Task.sleep(for: budget.span)
                let count = budget.lines.withLock { $0.end(kind) }
                var note = event
                note.message = "\(event.message): more lines were left out"
                note.metadata = [key: "\(source)", "lines": "\(count)"]
                write(note)
            }
        }
    }

    // The provider or client that causes the line.
    private static func source(of event: LogEvent) -> (key: String, name: String)? {
        for key in ["provider", "client", "presenter"] {
            if let value = event.metadata?[key] { return (key, "\(value)") }
        }
        return nil
    }

    private func write(_ event: LogEvent) {
        // Secrets that one provider stored are not removed from a line about another.
        let provider = event.metadata?["provider"].map { "\($0)" }
        var clean = event
        clean.message = "\(LogLine.message(secrets.redactLine(event.message.description, about: provider)))"
        clean.metadata = event.metadata?.mapValues { cleaned($0, provider) }
        if let error = event.error {
            clean.error = nil
            clean.metadata = (clean.metadata ?? [:]).merging(["error": cleaned("\(error)", provider)]) { kept, _ in kept
            }
        }
        inner.log(event: clean)
    }

    private func cleaned(_ value: Logger.Metadata.Value, _ provider: String?) -> Logger.Metadata.Value {
        func text(_ text: String) -> Logger.Metadata.Value {
            .string(LogLine.value(secrets.redactLine(text, about: provider)))
        }
        return switch value {
        case .string(let value): text(value)
        case .stringConvertible(let value): text(value.description)
        case .dictionary(let members): .dictionary(members.mapValues { cleaned($0, provider) })
        case .array(let members): .array(members.map { cleaned($0, provider) })
        }
    }
}
