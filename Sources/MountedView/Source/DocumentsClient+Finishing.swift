import DocentInterfaces
import Documents
import Varlink

extension DocumentsClient {
    /// Finishes a change that another process has begun to commit, which has ended since.
    ///
    /// - Returns: the document as it was saved; nil if the change was not saved, and never will be.
    func finish(_ operation: String) async throws(DocumentsError) -> ViewItem? {
        var isAbandoned = false
        for attempt in 0..<1000 {
            switch try await outcome(of: operation).state {
            case .unknown, .failed: return nil
            case .committed, .finished:
                do throws(DocumentsError) {
                    // The reply of the first call, as soon as it is there.
                    let reply = try await call(
                        DocumentsInterface.CommitWrite.self, .init(operation: operation), attempts: 4)
                    return ViewItem(DocumentItem(reply.value.item))
                } catch {
                    // Somebody has removed it since.
                    guard error.code == .notFound else { throw error }
                    return nil
                }
            case .open:
                // The daemon ends what a process has left as soon as it notices its end. Another daemon waits for it.
                if attempt >= 100, !isAbandoned {
                    isAbandoned = true
                    _ = try? await call(DocumentsInterface.AbandonWrite.self, .init(operation: operation))
                }
            }
            do { try await Task.sleep(for: .milliseconds(20)) } catch {
                throw DocumentsError(.cancelled, "It is not known yet whether the document was saved.")
            }
        }
        throw DocumentsError(.deadlineExceeded, "It is not known yet whether the document was saved.")
    }
}
