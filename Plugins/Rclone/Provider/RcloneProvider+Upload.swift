import FileProvider
import Glibc

extension RcloneProvider {
    // Without a number the request is already done.
    private struct StartedJob: Decodable, Sendable { var jobid: Int? }
    private struct JobState: Decodable, Sendable {
        var finished: Bool
        var success: Bool
        var error: String
    }
    private struct Counters: Decodable, Sendable { var bytes: Int }
    private struct Nothing: Decodable, Sendable {}

    private static let longestPoll = 128
    // Sent within one call, which is cancelled together with its caller.
    private static let largestWithoutProgress = 256 << 10
    private static let oldestStagedFile = 86_400

    /// Sends content to a place. An existing document is overwritten. If `replacing` is false it is kept, and no error
    /// is thrown.
    func upload(
        _ contents: ContentReader, to place: RemotePlace, replacing: Bool, inPlace: Bool, _ operation: ChangeOperation,
        _ progress: TransferProgress
    ) async throws {
        do {
            try await send(contents, to: place, replacing: replacing, inPlace: inPlace, operation, progress)
        } catch let error as FileProviderError {
            throw Self.uploadFailure(error)
        }
    }

    /// What an upload failed with. Rclone looks for an object after it has sent it; a busy service may not show it yet,
    /// which does not mean that the document, or its folder, is gone: a missing folder has another text.
    static func uploadFailure(_ error: FileProviderError) -> FileProviderError {
        guard error.code == .noSuchItem, error.message.hasSuffix("object not found") else { return error }
        return FileProviderError(.busy, "The service does not show what was sent to it.")
    }

    private func send(
        _ contents: ContentReader, to place: RemotePlace, replacing: Bool, inPlace: Bool, _ operation: ChangeOperation,
        _ progress: TransferProgress
    ) async throws {
        try await transfers.pass {
            // Rclone reads only files with a path, and the open descriptor has no path that rclone could use.
            let folder = storage + "/staged"
            guard let name = HiddenName.upload(operation)?.displayed else {
                throw FileProviderError(.invalidArgument, "The operation has no name.")
            }
            try stage(contents, as: name, in: folder)
            defer { unlink(folder + "/" + name) }
            let connection = try await session.connected()
            var configuration: [String: RemoteValue] = replacing ? ["IgnoreTimes": true] : ["IgnoreExisting": true]
            if inPlace { configuration["Inplace"] = true }
            let settings = configuration
            let group = "upload-\(name)"
            let isSmall = contents.size <= Self.largestWithoutProgress
            let job = try await session.call(
                "operations/copyfile",
                {
                    [
                        "srcFs": .text(folder), "srcRemote": .text(name), "dstFs": .text($0.root),
                        "dstRemote": .text(place.remote), "_async": .flag(!isSmall), "_group": .text(group),
                        "_config": .object(settings),
                    ]
                }, cannot: "send \"\(place.filename)\"", isQuestion: false, patience: 600, names: [place.remote],
                in: connection, as: StartedJob.self)
            guard let number = job.jobid else { return }
            do {
                try await follow(number, group, of: connection, place, size: contents.size, progress)
            } catch {
                if error is CancellationError { await stop(number, of: connection) }
                throw error
            }
        }
    }

    private func follow(
        _ job: Int, _ group: String, of connection: RemoteSession.Connection, _ place: RemotePlace, size: Int,
        _ progress: TransferProgress
    ) async throws {
        var round = 0
        while true {
            // Another run numbers its jobs from the start.
            guard !connection.endpoint.process.hasEnded else { throw connection.endpoint.process.end }
            let state = try await session.call(
                "job/status", { _ in ["jobid": .number(job)] }, cannot: "send \"\(place.filename)\"",
                in: connection, as: JobState.self)
            if state.finished {
                guard !state.success else { return }
                throw await session.error(
                    RemoteFailure(status: 500, text: state.error), cannot: "send \"\(place.filename)\"",
                    names: [place.remote])
            }
            if round > 4, round % 2 == 0 {
                let counters = try? await session.call(
                    "core/stats", { _ in ["group": .text(group)] }, cannot: "count", in: connection,
                    as: Counters.self)
                if let counters { try await progress.report(completed: min(size, counters.bytes), total: size) }
            }
            round += 1
            // Small documents are sent quickly; large ones need only an occasional look.
            try await Task.sleep(for: .milliseconds(min(Self.longestPoll, 4 << min(round, 8))))
        }
    }

    // In a task of its own, because the sending task was cancelled.
    private func stop(_ job: Int, of connection: RemoteSession.Connection) async {
        let session = session
        await Task {
            _ = try? await session.call(
                "job/stop", { _ in ["jobid": .number(job)] }, cannot: "stop", patience: 10, in: connection,
                as: Nothing.self)
        }.value
    }

    private func stage(_ contents: ContentReader, as name: String, in folder: String) throws {
        try PrivateFolder.make(folder)
        for old in PrivateFolder.names(in: folder)
        where PrivateFolder.age(of: folder + "/" + old) > Self.oldestStagedFile {
            unlink(folder + "/" + old)
        }
        let path = folder + "/" + name
        let file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw PrivateFolder.failure() }
        let writer = ContentWriter(owning: file)
        do {
            try writer.copy(from: contents.descriptor, count: contents.size)
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Moves a document with an operation of the back end.
    ///
    /// - Parameter replacing: Whether an existing document is replaced. If not, both stay where they are, and no error
    ///   is thrown.
    func move(_ source: RemotePlace, to target: RemotePlace, replacing: Bool) async throws {
        // Otherwise rclone would take two documents with the same size and date for equal, and just delete the new one.
        let configuration: [String: RemoteValue] = replacing ? ["IgnoreTimes": true] : ["IgnoreExisting": true]
        _ = try await session.call(
            "operations/movefile",
            {
                [
                    "srcFs": .text($0.root), "srcRemote": .text(source.remote), "dstFs": .text($0.root),
                    "dstRemote": .text(target.remote), "_config": .object(configuration),
                ]
            }, cannot: "rename \"\(source.filename)\"", isQuestion: false, patience: 600,
            names: [source.remote, target.remote], as: Nothing.self)
    }

    /// Runs an operation of rclone on one place.
    func perform(_ method: String, on place: RemotePlace, cannot what: String) async throws {
        _ = try await session.call(
            method, { ["fs": .text($0.root), "remote": .text(place.remote)] }, cannot: what, isQuestion: false,
            patience: 600, names: [place.remote], as: Nothing.self)
    }

    /// Moves a folder. For rclone each folder is a remote of its own.
    func moveFolder(_ source: RemotePlace, to target: RemotePlace) async throws {
        _ = try await session.call(
            "sync/move",
            {
                [
                    "srcFs": .text($0.root + source.remote), "dstFs": .text($0.root + target.remote),
                    "createEmptySrcDirs": true, "deleteEmptySrcDirs": true,
                ]
            }, cannot: "rename \"\(source.filename)\"", isQuestion: false, patience: 600,
            names: [source.remote, target.remote], as: Nothing.self)
    }
}
