package import DocentInterfaces
import Synchronization
package import Varlink

/// The validator's side of one running provider. Concurrent calls have a connection each.
///
/// No behaviour of the provider makes it wait longer than the deadline of a call, or hold more than one message in
/// memory.
package final class ProviderSession: Sendable {
    /// The provider.
    package let instance: any ProviderInstance
    /// How long the provider may take to answer or to report progress.
    package let deadline: Duration

    private let control: VarlinkConnection
    private let idle = Mutex<[VarlinkConnection]>([])
    private let told = Mutex<(sdk: String, features: [String])>((sdk: "", features: []))

    /// Connects to a running provider, without sending anything.
    package init(_ instance: any ProviderInstance, deadline: Duration) throws {
        self.instance = instance
        self.deadline = deadline
        control = VarlinkConnection(descriptor: try instance.takeSocket())
    }

    /// The declared features as spelled by the provider.
    package var declared: [String] { told.withLock { $0.features } }

    /// The declared features that this build knows.
    package var features: Set<ProviderFeature> { Set(declared.compactMap(ProviderFeature.init)) }

    /// The name of the provider's SDK.
    package var sdk: String { told.withLock { $0.sdk } }

    /// Calls `Initialize` and keeps the answer.
    ///
    /// - Throws: ``CallProblem``.
    @discardableResult
    package func initialize(
        _ parameters: FileProviderInterface.Initialize.Parameters
    ) async throws -> FileProviderInterface.Initialize.Reply {
        let did =
            "Initialize with \(parameters.domains.count == 1 ? "one domain" : "\(parameters.domains.count) domains")"
        do {
            let reply: Reply<FileProviderInterface.Initialize.Reply> = try await control.call(
                FileProviderInterface.Initialize.name, parameters, deadline: deadline)
            told.withLock { $0 = (reply.value.sdk, reply.value.features) }
            return reply.value
        } catch {
            throw await CallProblem(error, did: did, deadline: deadline, instance: instance, isOver: { isOver })
        }
    }

    /// Calls a method and waits for its answer.
    ///
    /// - Parameter did: the call, for people.
    /// - Throws: ``CallProblem``.
    package func call<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, descriptors: DescriptorList = DescriptorList(),
        did: String
    ) async throws -> Reply<Method.Reply> {
        let connection = try await taken(did: did)
        // An error answer leaves the connection usable.
        defer { keep(connection) }
        do {
            return try await connection.call(
                method.name, parameters, descriptors: descriptors, deadline: deadline)
        } catch {
            throw await CallProblem(error, did: did, deadline: deadline, instance: instance, isOver: { isOver })
        }
    }

    /// Calls a method with `more`: every reply but the last is progress and extends the deadline.
    ///
    /// - Parameters:
    ///   - did: the call, for people.
    ///   - limit: the most replies; one more is a problem.
    ///   - progress: receives each reply but the last. An error that it throws ends the call.
    /// - Returns: the last reply.
    /// - Throws: ``CallProblem``, or what `progress` throws.
    package func callWithProgress<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, descriptors: DescriptorList = DescriptorList(),
        did: String, limit: Int = 200_000, _ progress: (Method.Reply) throws -> Void = { _ in }
    ) async throws -> Reply<Method.Reply> {
        let connection = try await taken(did: did)
        let watch = SilenceWatch(connection, deadline: deadline)
        defer { watch.end() }
        var count = 0
        do {
            var last: Reply<Method.Reply>?
            for try await reply in connection.stream(
                method.name, parameters, Method.Reply.self, descriptors: descriptors)
            {
                watch.note()
                if let last { try progress(last.value) }
                last = reply
                count += 1
                guard count <= limit else {
                    connection.close()
                    throw VarlinkError(.malformed, "more than \(limit) replies to one call")
                }
            }
            guard let last else { throw VarlinkError(.closed, "There was no reply.") }
            keep(connection)
            return last
        } catch {
            let did = count > 0 ? "\(did), after \(count) reports of progress" : did
            if watch.wasSilent { throw CallProblem(did: did, kind: .silence(deadline / .seconds(1))) }
            guard error is VarlinkError || error is VarlinkCallError || error is CancellationError else { throw error }
            throw await CallProblem(error, did: did, deadline: deadline, instance: instance, isOver: { isOver })
        }
    }

    /// Reads a lasting stream such as `Events` on a separate connection, until `body` returns false or no message
    /// arrives for the given time.
    ///
    /// - Returns: whether `body` ended it; false: no message arrived for that time.
    /// - Throws: ``CallProblem`` when the provider ends it, or what `body` throws.
    package func listen<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, did: String, patience: Duration,
        _ body: (Method.Reply) async throws -> Bool
    ) async throws -> Bool {
        let connection = try await taken(did: did)
        let watch = SilenceWatch(connection, deadline: patience)
        defer {
            watch.end()
            connection.close()
        }
        do {
            for try await reply in connection.stream(method.name, parameters, Method.Reply.self) {
                watch.note()
                if try await !body(reply.value) { return true }
            }
            throw CallProblem(did: did, kind: .ended("the provider ended the stream"))
        } catch {
            if watch.wasSilent { return false }
            guard error is VarlinkError || error is VarlinkCallError || error is CancellationError else { throw error }
            throw await CallProblem(error, did: did, deadline: patience, instance: instance, isOver: { isOver })
        }
    }

    /// Sends a raw message, JSON or not, on a separate connection, and returns the raw reply.
    ///
    /// - Throws: ``CallProblem``.
    package func callRaw(
        _ message: String, descriptors: DescriptorList = DescriptorList(), did: String
    ) async throws -> String {
        let connection = try await taken(did: did)
        let bytes = Array(message.utf8)
        let deadline = deadline
        do {
            let reply = try await Blocking.run {
                try connection.callRawBlocking(bytes, descriptors: descriptors, deadline: deadline).reply
            }
            keep(connection)
            return String(decoding: reply, as: UTF8.self)
        } catch {
            throw await CallProblem(error, did: did, deadline: deadline, instance: instance, isOver: { isOver })
        }
    }

    /// Opens another connection, which the caller closes. Does not require `Initialize`.
    ///
    /// - Throws: ``CallProblem``.
    package func taken(did: String) async throws -> VarlinkConnection {
        do {
            return try await connection()
        } catch {
            throw await CallProblem(error, did: did, deadline: deadline, instance: instance, isOver: { isOver })
        }
    }

    /// Closes all connections that no call uses, including the first: that asks the provider to end.
    package func close() {
        let connections = idle.withLock { idle in
            defer { idle = [] }
            return idle
        }
        for connection in connections { connection.close() }
        control.close()
    }

    /// Whether the provider has closed the first connection: its process has ended, or is about to.
    package var isOver: Bool { control.isAbandoned }

    private func connection() async throws -> VarlinkConnection {
        while let connection = idle.withLock({ $0.popLast() }) {
            if !connection.isAbandoned { return connection }
        }
        var pair = try UnixSocket.pair()
        let descriptors = DescriptorList(try pair.takeSecond())
        let connection = VarlinkConnection(descriptor: try pair.takeFirst())
        let control = control
        let deadline = deadline
        // Cancelling this would close the connection over which all others are opened.
        _ = try await Task {
            let reply: Reply<FileProviderInterface.Connect.Reply> = try await control.call(
                FileProviderInterface.Connect.name, FileProviderInterface.Connect.Parameters(socket: 0),
                descriptors: descriptors, deadline: deadline)
            return reply.value
        }.value
        return connection
    }

    private func keep(_ connection: VarlinkConnection) {
        guard !connection.isClosed else { return }
        idle.withLock { if $0.count < 8 { $0.append(connection) } }
    }
}
