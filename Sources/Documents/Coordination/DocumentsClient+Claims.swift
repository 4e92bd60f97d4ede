import DocentInterfaces
import Varlink

extension DocumentsClient {
    /// The largest number of times that a waiting claim is sent, while daemons die over it.
    private static let holdAttempts = 6

    /// Waits for a claim and holds it. Blocks the calling thread. Asks a new daemon when the current one dies.
    ///
    /// - Throws: ``DocumentsError``.
    func holdBlocking(_ query: ClaimQuery, _ cancellation: ClaimCancellation) throws(DocumentsError) -> HeldClaim {
        do {
            return try hold(query, cancellation)
        } catch {
            if cancellation.isCancelled { throw ClaimCancellation.error }
            throw Self.explain(error)
        }
    }

    /// The asynchronous form, which waits on a separate thread. Cancelling the task ends the wait.
    func hold(_ query: ClaimQuery, _ cancellation: ClaimCancellation) async throws(DocumentsError) -> HeldClaim {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<Result<HeldClaim, DocumentsError>, Never>) in
                BlockingWork.run {
                    do throws(DocumentsError) {
                        continuation.resume(returning: .success(try self.holdBlocking(query, cancellation)))
                    } catch { continuation.resume(returning: .failure(error)) }
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try result.get()
    }

    private func hold(_ query: ClaimQuery, _ cancellation: ClaimCancellation) throws -> HeldClaim {
        for attempt in 1... {
            guard !cancellation.isCancelled else { throw ClaimCancellation.error }
            let (connection, epoch) = try take()
            do {
                try cancellation.wait(on: connection)
                return try hold(query, cancellation, connection, epoch)
            } catch let error as VarlinkError where error.code == .closed {
                cancellation.pause()
                lose(connection, epoch)
                guard attempt < Self.holdAttempts else { throw error }
            } catch {
                if cancellation.pause() { giveBack(connection, epoch) } else { connection.close() }
                throw error
            }
        }
        throw DocumentsError(.unavailable, "The daemon has gone.")
    }

    private func hold(
        _ query: ClaimQuery, _ cancellation: ClaimCancellation, _ connection: VarlinkConnection, _ epoch: Int
    ) throws -> HeldClaim {
        let call = CoordinateCodec.call(query.parameters(epoch))
        let (reply, descriptors) = try connection.holdBlocking(call) { bytes in
            let (reply, continues) = try CoordinateCodec.readReply(bytes)
            guard reply.state != "granted" else {
                return HoldStep.holds(reply, descriptorCount: reply.descriptorCount)
            }
            guard continues else {
                throw DocumentsError(
                    .failed, "The daemon ended the claim without granting it.", suggestion: "Try again.")
            }
            return .waits
        }
        do {
            try cancellation.grant()
            var file: ClaimedFile?
            if let index = reply.file { file = ClaimedFile(try descriptors.take(index).release()) }
            let items = (reply.items ?? []).map { $0.item.map { DocumentItem($0) } }
            return HeldClaim(
                client: self, query: query, connection: connection, epoch: epoch, items: items, file: file)
        } catch {
            // Closing the connection releases the claim.
            connection.close()
            throw error
        }
    }

    /// Converts any error of a call into the error for callers.
    static func explain(_ error: any Error) -> DocumentsError {
        (error as? DocumentsError) ?? DocumentsError(Failure.from(error))
    }
}
