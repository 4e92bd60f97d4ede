import Documents
import Synchronization

/// The documents that programs have open for writing. Thread-safe.
final class NodeDrafts: Sendable {
    private struct Entry {
        var draft: NodeDraft
        var handles: Int
    }

    private let entries = Mutex<[UInt64: Entry]>([:])
    private let kept: KeptState

    init(kept: KeptState) { self.kept = kept }

    /// The draft of a node that somebody has open for writing; nil if nobody has.
    func draft(of node: UInt64) -> NodeDraft? { entries.withLock { $0[node]?.draft } }

    /// Counts one more program that has a node open for writing.
    ///
    /// - Parameter make: makes the draft, if there is none.
    func enter(_ node: UInt64, _ make: () -> NodeDraft) -> NodeDraft {
        entries.withLock { entries in
            if let known = entries[node] {
                entries[node]?.handles += 1
                return known.draft
            }
            let draft = make()
            entries[node] = Entry(draft: draft, handles: 1)
            return draft
        }
    }

    /// Counts one program less. What it left unpublished, for example through a mapping, is published in the
    /// background; others who have the document open still read the draft until then.
    ///
    /// - Parameter failed: called if that fails, with what is left.
    func leave(_ node: UInt64, failed: @escaping @Sendable (NodeDraft, DocumentsError) -> Void) {
        let last = entries.withLock { entries -> NodeDraft? in
            guard let entry = entries[node] else { return nil }
            entries[node]?.handles -= 1
            return entry.handles == 1 ? entry.draft : nil
        }
        guard let last else { return }
        Task.detached { [self] in
            var pause = Duration.seconds(5)
            while true {
                do throws(DocumentsError) {
                    // The kernel reports the last close late: the next program may have emptied the document already.
                    try await last.publish { self.isOpen(node) }
                    break
                } catch {
                    // It is kept here, and tried again: there may be room later.
                    failed(last, error)
                    try? await Task.sleep(for: pause)
                    pause = min(pause * 2, .seconds(300))
                }
                // Somebody has it open again, and publishes it at the end.
                guard entries.withLock({ $0[node]?.handles == 0 }) else { return }
            }
            await last.rest()
            entries.withLock { entries in
                guard entries[node]?.handles == 0, !last.isDirty else { return }
                entries[node] = nil
                kept.forget(.draft, node)
            }
        }
    }

    private func isOpen(_ node: UInt64) -> Bool { entries.withLock { $0[node].map { $0.handles > 0 } ?? false } }

    /// Has all drafts kept by another keeper too.
    func keepAll() { for draft in entries.withLock({ $0.values.map(\.draft) }) { draft.keep() } }

    /// Publishes what was written to all documents, before the view ends.
    ///
    /// - Parameter failed: called for each that fails, with what is left.
    func publishAll(failed: (NodeDraft, DocumentsError) -> Void) async {
        for draft in entries.withLock({ $0.values.map(\.draft) }) {
            do throws(DocumentsError) {
                try await draft.publish()
            } catch { failed(draft, error) }
        }
    }
}
