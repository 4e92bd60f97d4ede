import DocentInterfaces
import Varlink

extension DocumentsClient {
    /// What has changed in an account.
    package enum News: Sendable, Hashable {
        /// From now on changes are reported. Earlier ones may have been missed.
        case began
        /// These items may have changed, have gone or are new; folders, if they have other entries. Identifiers of the
        /// provider.
        case changed([String])
        /// Anything may have changed.
        case all
    }

    /// Reports what changes in an account, for as long as the task is not cancelled and the daemon lives. Does not
    /// start a daemon.
    ///
    /// - Parameters:
    ///   - top: the top folder of the account, to which this client has a right.
    ///   - received: called on the task of the caller.
    /// - Throws: ``DocumentsError`` when it has ended.
    package func observe(
        _ top: DocumentReference, _ received: (News) async -> Void
    ) async throws(DocumentsError) {
        var opened: (connection: VarlinkConnection, epoch: Int)?
        do {
            let (connection, epoch) = try await takeWithoutBlocking(fresh: true, starts: false)
            opened = (connection, epoch)
            defer { connection.close() }
            let replies = connection.stream(
                DocumentsInterface.Observe.name, DocumentsInterface.Observe.Parameters(reference: top.wire),
                DocumentsInterface.Observe.Reply.self)
            var isFirst = true
            for try await reply in replies {
                if isFirst {
                    await received(.began)
                } else if reply.value.resync == true {
                    await received(.all)
                } else {
                    await received(.changed(reply.value.changed))
                }
                isFirst = false
            }
        } catch {
            if let opened, error is VarlinkError { lose(opened.connection, opened.epoch) }
            throw Self.explain(error)
        }
        throw DocumentsError(.unavailable, "The daemon has ended the call.")
    }
}
