import DocentInterfaces
import HostCore
import Records
import Rights

/// Asks a provider how the items of a deletion are now, and to delete them.
struct DeletionLook: Sendable {
    let store: DeletionStore
    let access: ProviderAccess
    /// Also asks an account that counts as offline.
    let isForced: Bool

    /// The finding.
    struct Result {
        var finding: DeletionFinding
        /// The deleted item.
        var root: DeletedItem?
        /// Whether there is anything in a folder.
        var hasContent = false
    }

    /// Compares the items with what they were.
    ///
    /// - Throws: ``Failure``, if its provider does not say.
    func look(_ deletion: PendingDeletion) async throws -> Result {
        let key = deletion.key
        guard let root = try await store.items(of: deletion.id).first else { return Result(finding: .missing) }
        var result = Result(finding: .same, root: root)
        let now: ItemDescription
        do {
            let said = try await access.call(
                FileProviderInterface.Item.self, .init(domain: key.domain, identifier: key.identifier),
                provider: key.provider, domain: key.domain, isForced: isForced
            ).item
            now = ItemDescription(said)
        } catch let failure as Failure where Existence(failure) == .missing {
            result.finding = .missing
            return result
        }
        guard !root.differs(from: now), now.identifier.isSame(as: key.identifier) else {
            result.finding = .changed
            return result
        }
        if root.description.isFolder { try await lookInside(deletion, &result) }
        return result
    }

    private func lookInside(_ deletion: PendingDeletion, _ result: inout Result) async throws {
        var folders = [(identifier: deletion.key.identifier, isKnown: result.root?.listed != nil)]
        var entered: Set<BytewiseText> = [BytewiseText(deletion.key.identifier)]
        while let folder = folders.popLast() {
            try Task.checkCancellation()
            for item in try await list(folder.identifier, of: deletion.key) {
                result.hasContent = true
                let known = try await store.known([item.identifier], in: deletion.key)[BytewiseText(item.identifier)]
                guard let known else {
                    // What was never known to be in it was deleted with it; anything else is new.
                    guard folder.isKnown else { continue }
                    result.finding = .changed
                    return
                }
                guard !known.item.differs(from: item) else {
                    result.finding = .changed
                    return
                }
                // Something in it that was deleted before by itself is looked at by itself.
                guard item.isFolder, known.deletion == deletion.id,
                    entered.insert(BytewiseText(item.identifier)).inserted
                else { continue }
                folders.append((item.identifier, known.item.listed != nil))
            }
        }
    }

    private func list(_ folder: String, of key: ItemKey) async throws -> [ItemDescription] {
        var result: [ItemDescription] = []
        var pages = PageSequence(provider: key.provider, folder: folder)
        var page: String?
        repeat {
            let reply: FileProviderInterface.Children.Reply
            do {
                reply = try await access.call(
                    FileProviderInterface.Children.self, .init(domain: key.domain, parent: folder, page: page),
                    provider: key.provider, domain: key.domain, isForced: isForced)
            } catch let failure as Failure where Existence(failure) == .missing {
                // It was removed while this looked.
                return result
            }
            result += reply.items.filter { !$0.identifier.isSame(as: folder) }.map { ItemDescription($0, in: folder) }
            page = try pages.next(reply.nextPage, items: reply.items.count)
        } while page != nil
        return result
    }

    /// Asks the provider to delete the item.
    ///
    /// - Throws: ``Failure``, as the provider answers.
    func delete(_ deletion: PendingDeletion, _ found: Result) async throws {
        let key = deletion.key
        _ = try await access.call(
            FileProviderInterface.Delete.self,
            .init(
                domain: key.domain, identifier: key.identifier,
                baseVersion: deletion.isFolder ? nil : found.root?.description.version, recursive: found.hasContent),
            provider: key.provider, domain: key.domain, isForced: isForced)
    }
}
