import Documents
import Glibc

/// The work of a process of ``ContentionBenchmark``: this program, started again with `worker` as its first argument.
enum ContentionWorker {
    /// What the process takes turns with.
    enum Work: Sendable {
        /// A writing claim on a document.
        case claim(DocumentReference)
        /// An exclusive lock on a file.
        case lock(String)
        /// A writing claim that is held until the process ends.
        case hold(DocumentReference)

        /// The arguments after the program's name.
        var arguments: [String] {
            switch self {
            case .claim(let reference): ["worker", "claim", reference.provider, reference.domain, reference.identifier]
            case .lock(let path): ["worker", "lock", path]
            case .hold(let reference): ["worker", "hold", reference.provider, reference.domain, reference.identifier]
            }
        }

        init?(_ arguments: [String]) {
            switch (arguments.dropFirst().first, arguments.count) {
            case ("claim", 5): self = .claim(Self.reference(arguments))
            case ("hold", 5): self = .hold(Self.reference(arguments))
            case ("lock", 3): self = .lock(arguments[2])
            default: return nil
            }
        }

        private static func reference(_ arguments: [String]) -> DocumentReference {
            DocumentReference(provider: arguments[2], domain: arguments[3], identifier: arguments[4])
        }
    }

    /// Reports that it is ready, waits for a line, takes turns for a second, and reports how many it had.
    static func main(_ arguments: [String]) throws {
        guard let work = Work(arguments) else { throw Problem("no such work") }
        let client = DocumentsClient(.init(clientIdentifier: Installation.clientIdentifier))
        defer { client.close() }
        let turn = try turn(work, client)
        tell("ready")
        guard readLine() != nil else { return }
        let end = Stopwatch.now + 1
        var turns = 0
        while Stopwatch.now < end {
            try turn()
            turns += 1
        }
        tell("\(turns)")
    }

    // Bypasses the buffers of the C library.
    private static func tell(_ line: String) {
        var bytes = Array((line + "\n").utf8)
        _ = write(1, &bytes, bytes.count)
    }

    private static func turn(_ work: Work, _ client: DocumentsClient) throws -> () throws -> Void {
        switch work {
        case .claim(let reference):
            let turn = { try FileCoordinator(client: client).coordinateBlocking(writingItemAt: reference) { _ in } }
            // Opens the session before the count starts.
            try turn()
            return turn
        case .hold(let reference):
            return {
                try FileCoordinator(client: client).coordinateBlocking(writingItemAt: reference) { _ in
                    tell("held")
                    while true { pause() }
                }
            }
        case .lock(let path):
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw Problem("\(path) cannot be opened") }
            return {
                guard flock(descriptor, LOCK_EX) == 0, flock(descriptor, LOCK_UN) == 0 else {
                    throw Problem("\(path) cannot be locked")
                }
            }
        }
    }
}
