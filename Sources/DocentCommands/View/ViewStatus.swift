import Varlink

/// What a mounted folder answers about itself.
struct ViewStatus: Sendable {
    enum State: String, Sendable {
        /// It is served.
        case mounted
        /// The processes that served it were killed.
        case dead
        /// It gave no answer in time.
        case unresponsive
    }

    let path: String
    var state: State
    /// The process that serves it, if it says.
    var process: Int?
    /// The socket of the daemon whose documents it shows, if it says.
    var socket: String?

    /// How long a folder may take to answer.
    static let patience = Duration.seconds(5)

    /// Asks folders, all at the same time.
    static func all(of paths: [String]) async -> [ViewStatus] {
        await withTaskGroup(of: (Int, ViewStatus).self) { group in
            for (index, path) in paths.enumerated() { group.addTask { (index, await of(path)) } }
            var found: [Int: ViewStatus] = [:]
            for await (index, status) in group { found[index] = status }
            return paths.indices.compactMap { found[$0] }
        }
    }

    /// Asks a folder. The question itself cannot be given up: a thread waits for the answer until the process ends.
    static func of(_ path: String) async -> ViewStatus {
        let (answers, answer) = AsyncStream.makeStream(of: ViewStatus.self, bufferingPolicy: .bufferingOldest(1))
        let silent = ViewStatus(path: path, state: .unresponsive)
        do {
            try DetachedThread.start(name: "mounted folder") { answer.yield(asked(path)) }
        } catch {
            return silent
        }
        let deadline = Task {
            try await Task.sleep(for: patience)
            answer.yield(silent)
        }
        defer { deadline.cancel() }
        for await status in answers { return status }
        return silent
    }

    private static func asked(_ path: String) -> ViewStatus {
        guard ViewFolder.isAlive(path) else { return ViewStatus(path: path, state: .dead) }
        return ViewStatus(
            path: path, state: .mounted, process: ViewFolder.attribute("process", of: path).flatMap { Int($0) },
            socket: ViewFolder.attribute("socket", of: path))
    }
}
