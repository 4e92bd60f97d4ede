import FileProvider
import HTTPTransport
import Synchronization

/// Reads an answer about resources that are not documents of the domain.
final class ResponseSink: HTTPSink {
    private static let mostEntries = 1_000_000

    private let subject: String
    private let state = Mutex<(parser: MultistatusParser?, responses: [MultistatusParser.Response])>((nil, []))

    /// - Parameter subject: What is listed, for error messages.
    init(_ subject: String) { self.subject = subject }

    func begin(_ reply: HTTPReply) {}

    func take(_ bytes: UnsafeRawBufferPointer) throws {
        try state.withLock { state in
            let parser = state.parser ?? MultistatusParser()
            state.parser = parser
            try parser.feed(bytes)
            state.responses += parser.drain()
            guard state.responses.count <= Self.mostEntries else {
                throw FileProviderError(.failed, "The server lists more than a million entries for \(subject).")
            }
        }
    }

    /// The resources in the order of the answer.
    ///
    /// - Throws: `FileProviderError` if the answer is not complete.
    func finish() throws -> [MultistatusParser.Response] {
        try state.withLock { state in
            guard let parser = state.parser else {
                throw FileProviderError(.failed, "The server's answer about \(subject) is empty.")
            }
            try parser.finish()
            return state.responses
        }
    }
}
