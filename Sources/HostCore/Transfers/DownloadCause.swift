package import Rights

/// For whom a download is, for the audit. It goes along with the task that needs the content.
package struct DownloadCause: Sendable {
    /// The cause of what the present task needs; nil when Docent needs it by itself.
    @TaskLocal package static var current: DownloadCause?

    /// The client; nil for Docent itself.
    package let principal: Principal?
    /// The client's process, where it is known.
    package let process: Int?
    /// The client's program, where it is known.
    package let executable: String?
    /// What it is for, in a few words.
    package let purpose: String

    /// What Docent does by itself.
    package init(purpose: String) {
        (principal, process, executable) = (nil, nil, nil)
        self.purpose = purpose
    }

    /// What somebody needs who is not asking in a session.
    package init(principal: Principal?, process: Int?, executable: String?, purpose: String) {
        self.principal = principal
        self.process = process
        self.executable = executable
        self.purpose = purpose
    }

    /// What a client wants.
    package init(_ session: Session, purpose: String) {
        principal = session.principal
        process = session.process
        executable = session.executable
        self.purpose = purpose
    }
}

extension Session {
    /// Does something whose downloads are told as caused by this client.
    package func causing<Value>(_ purpose: String, _ body: () async throws -> Value) async rethrows -> Value {
        try await DownloadCause.$current.withValue(DownloadCause(self, purpose: purpose), operation: body)
    }
}
