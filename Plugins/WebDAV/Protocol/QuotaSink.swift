import FileProvider
import HTTPTransport
import Synchronization

/// Reads the space of a folder from an answer to PROPFIND (RFC 4331).
final class QuotaSink: HTTPSink {
    private let state = Mutex<(parser: MultistatusParser?, usage: StorageUsage?)>((nil, nil))

    func begin(_ reply: HTTPReply) {}

    func take(_ bytes: UnsafeRawBufferPointer) throws {
        try state.withLock { state in
            let parser = state.parser ?? MultistatusParser()
            state.parser = parser
            try parser.feed(bytes)
            for response in parser.drain() where (200...299).contains(response.status ?? 200) {
                // The first one is the folder itself: nothing else was asked for.
                state.usage = state.usage ?? StorageUsage(quota: response.properties)
            }
        }
    }

    /// What the server says; nothing if it has no quota.
    ///
    /// - Throws: `FileProviderError` if the answer is not complete.
    func finish() throws -> StorageUsage {
        try state.withLock { state in
            guard let parser = state.parser else {
                throw FileProviderError(.failed, "The server's answer is empty. Check the url of the domain.")
            }
            try parser.finish()
            return state.usage ?? StorageUsage()
        }
    }
}

extension StorageUsage {
    /// The space in the properties of a folder. Nextcloud writes -1 to -3 for what it has not computed, does not know
    /// or does not limit.
    init(quota properties: [MultistatusParser.Property: String]) {
        func bytes(_ property: MultistatusParser.Property) -> Int? {
            properties[property].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
        }
        self.init(usedBytes: bytes(.quotaUsed), availableBytes: bytes(.quotaAvailable))
    }
}
