import FileProvider
import HTTPTransport
import Synchronization

/// Reads an answer to PROPFIND or SEARCH as it arrives.
final class MultistatusSink: HTTPSink {
    private struct State {
        var parser: MultistatusParser?
        var entries: [RemoteEntry] = []
    }

    /// The maximum number of resources in one answer.
    private static let maximumEntries = 1_000_000

    private let address: ServerAddress
    private let folder: RemotePath
    private let state = Mutex(State())

    /// - Parameters:
    ///   - address: The address against which references are resolved.
    ///   - folder: The folder that was asked about.
    init(_ address: ServerAddress, in folder: RemotePath) {
        self.address = address
        self.folder = folder
    }

    func begin(_ reply: HTTPReply) {}

    func take(_ bytes: UnsafeRawBufferPointer) throws {
        try state.withLock { state in
            let parser = state.parser ?? MultistatusParser()
            state.parser = parser
            try parser.feed(bytes)
            for response in parser.drain() {
                if let entry = RemoteEntry(response, address, in: folder) { state.entries.append(entry) }
            }
            guard state.entries.count <= Self.maximumEntries else {
                throw FileProviderError(.failed, "The folder has more than a million entries.")
            }
        }
    }

    /// The existing resources below the root, in the order of the answer.
    ///
    /// - Throws: `FileProviderError` if the answer is not complete.
    func finish() throws -> [RemoteEntry] {
        try state.withLock { state in
            guard let parser = state.parser else {
                throw FileProviderError(.failed, "The server's answer is empty. Check the url of the domain.")
            }
            try parser.finish()
        }
        return state.withLock { $0.entries }
    }
}

extension RemoteEntry {
    /// A resource in an answer; nil if it is outside the root or has a name that no file can have.
    init?(_ response: MultistatusParser.Response, _ address: ServerAddress, in folder: RemotePath) {
        guard (200...299).contains(response.status ?? 200),
            let path = address.path(ofReference: response.href, in: folder)
        else { return nil }
        let properties = response.properties
        self.init(path: path)
        isFolder = properties[.isFolder] != nil
        size = isFolder ? nil : properties[.size].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
        modified = properties[.modified].flatMap(HTTPDate.secondsISO)
        created = properties[.created].flatMap(HTTPDate.secondsISO)
        entityTag = properties[.entityTag]
        fileIdentifier = properties[.fileIdentifier].flatMap { text in
            text.utf8.count <= 40 && !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? text : nil
        }
        permissions = properties[.permissions]
    }
}
