package import DocentInterfaces
import Varlink

/// The calls of the trash, with a text for people. All throw ``CallProblem``.
extension CaseContext {
    /// The most pages that are read.
    private static let mostPages = 1_000

    /// `TrashItem`.
    package func trash(_ identifier: String, base: String? = nil) async throws {
        _ = try await call(
            FileProviderInterface.TrashItem.self,
            .init(domain: domain, identifier: real(identifier), baseVersion: base, operation: newOperation()),
            "TrashItem of \(PlainText.quoted(identifier))"
                + (base.map { " at version " + PlainText.quoted($0) } ?? ""))
    }

    /// Everything in the trash.
    ///
    /// - Throws: the case's end as skipped if this domain has no trash.
    package func listTrash() async throws -> [Wire.TrashedItem] {
        var items: [Wire.TrashedItem] = []
        var page: String?
        for _ in 0..<Self.mostPages {
            let reply: FileProviderInterface.ListTrash.Reply
            do {
                reply = try await call(
                    FileProviderInterface.ListTrash.self, .init(domain: domain, page: page), "ListTrash")
            } catch let problem as CallProblem where problem.code == .notSupported && page == nil {
                try skip("this domain has no trash")
            }
            items += reply.items
            page = reply.nextPage
            if page == nil { return items }
        }
        throw CallProblem(
            did: "ListTrash", kind: .brokenProtocol("there are more than \(Self.mostPages) pages of the trash"))
    }

    /// `RestoreItem`; without a folder and a name, to where it was.
    package func restore(
        _ trashed: String, to parent: String? = nil, named name: String? = nil
    ) async throws -> Wire.ProviderItem {
        told(
            try await call(
                FileProviderInterface.RestoreItem.self,
                .init(
                    domain: domain, trashed: trashed, parent: parent.map(real), name: name,
                    operation: newOperation()),
                "RestoreItem of \(PlainText.quoted(trashed))"
                    + (name.map { " as \(PlainText.quoted($0))" } ?? "")
            ).item)
    }

    /// `DeleteTrashed`.
    package func deleteTrashed(_ trashed: String) async throws {
        _ = try await call(
            FileProviderInterface.DeleteTrashed.self, .init(domain: domain, trashed: trashed),
            "DeleteTrashed of \(PlainText.quoted(trashed))")
    }
}
