import FileProvider

// The Swift of the article "Calling libraries that block".

// snippet: blocking calls
final class ArchiveConnection: Sendable {
    /// One for the process: its limits count for all domains together.
    static let calls = BlockingCallPool(.init(threads: 16, threadsPerKey: 2))

    let server: String

    init(server: String) { self.server = server }

    func read(_ path: String) async throws -> [UInt8] {
        let socket = try ArchiveSocket(server)
        return try await Self.calls.run(
            for: server, within: .seconds(30), interrupt: { socket.shutDown() },
            { call in
                defer { socket.close() }
                var content: [UInt8] = []
                while let part = try socket.receive() {
                    try call.checkCancellation()
                    content += part
                }
                return content
            })
    }
}
// end

/// The library of the snippet.
final class ArchiveSocket: Sendable {
    init(_ server: String) throws {}

    func receive() throws -> [UInt8]? { nil }
    func shutDown() {}
    func close() {}
}
