package import Rights

/// The client that a download is for, recorded in the audit. It travels with the task that needs the content.
package struct DownloadCause: Sendable {
    /// The cause of what the present task needs; nil when Docent itself needs it.
    @TaskLocal package static var current: DownloadCause?

    /// The client; nil for Docent itself.
    package let principal: Principal?
    /// The client's process, if known.
    package let process: Int?
    /// The client's program, if known.
    package let executable: String?
    /// The purpose, in a few words.
    package let purpose: String

    /// A cause for what Docent does by itself.
    package init(purpose: String) {
        (principal, process, executable) = (nil, nil, nil)
        self.purpose = purpose
    }

    /// A cause for a client that is not asking in a session.
    package init(principal: Principal?, process: Int?, executable: String?, purpose: String) {
        self.principal = principal
        self.process = process
        self.executable = executable
        self.purpose = purpose
    }

    /// A cause for a client's request.
    package init(_ session: Session, purpose: String) {
        principal = session.principal
        process = session.process
        executable = session.executable
        self.purpose = purpose
    }
}

extension Session {
    /// Runs work whose downloads are recorded as caused by this client.
    package func causing<Value>(_ purpose: String, _ body: () async throws -> Value) async rethrows -> Value {
        try await DownloadCause.$current.withValue(DownloadCause(self, purpose: purpose), operation: body)
    }
}
