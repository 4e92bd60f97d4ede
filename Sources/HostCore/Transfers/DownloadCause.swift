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
    ///
    /// - Parameter other: the program for which the client asks, as the client says; ignored for confined clients.
    package init(_ session: Session, purpose: String, for other: OtherProgram? = nil) {
        principal = session.principal
        executable = session.executable
        if let other, !session.principal.isConfined {
            process = other.process
            self.purpose = purpose + " by " + other.path
        } else {
            process = session.process
            self.purpose = purpose
        }
    }

    /// A program for which a client asks.
    package struct OtherProgram: Sendable, Hashable {
        /// The longest path that is recorded, in bytes.
        package static let longestPath = 512

        package let path: String
        package let process: Int?

        /// Returns nil without a usable path.
        package init?(path: String?, process: Int?) {
            guard let path, (1...Self.longestPath).contains(path.utf8.count) else { return nil }
            self.path = path
            self.process = process
        }
    }
}

extension Session {
    /// Runs work whose downloads are recorded as caused by this client.
    ///
    /// - Parameter other: the program for which the client asks.
    package func causing<Value>(
        _ purpose: String, for other: DownloadCause.OtherProgram? = nil, _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await DownloadCause.$current.withValue(
            DownloadCause(self, purpose: purpose, for: other), operation: body)
    }
}
