import Logging

/// Writes lines to another handler without the secrets that are known at that moment.
struct RedactingLogHandler: LogHandler {
    private var inner: any LogHandler
    private let secrets: KnownSecrets

    init(_ inner: any LogHandler, _ secrets: KnownSecrets) {
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
        var clean = event
        clean.message = "\(secrets.redactAll(event.message.description))"
        clean.metadata = event.metadata?.mapValues(redact)
        inner.log(event: clean)
    }

    private func redact(_ value: Logger.Metadata.Value) -> Logger.Metadata.Value {
        switch value {
        case .string(let text): .string(secrets.redactAll(text))
        case .stringConvertible(let value): .string(secrets.redactAll(value.description))
        case .dictionary(let members): .dictionary(members.mapValues(redact))
        case .array(let members): .array(members.map(redact))
        }
    }
}
