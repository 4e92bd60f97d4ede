import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Varlink

/// Steps that use the trash.
extension FaultyTour {
    /// Deletes a changed document and a folder, restores them, and deletes one of two in the trash.
    ///
    /// Everything is in the folder of letters: a fault may take the neighbours of what is deleted.
    func trash() async -> [Answer] {
        [
            await step("list the trash") { _ = try await trashed() },
            await step("delete what is changed elsewhere meanwhile") {
                try storage.others("change Letter 8.txt", before: "trash")
                try await delete("/Many/Letter 8.txt")
            },
            await step("make a folder", settling: true) {
                _ = try await client.call(
                    PickerInterface.MakeFolder.self,
                    .init(folder: wire("/Many"), name: "Box", operation: UUID().uuidString))
                try await make("/Many/Box", "inside.txt", Self.made)
            },
            await step("delete the folder") { try await delete("/Many/Box") },
            await step("restore the folder") { try await restore("Box") },
            await step("list the restored folder") { _ = try await names(in: "/Many/Box") },
            await step("make a document where one was deleted", settling: true) {
                try await make("/Many", "Letter 7.txt", Self.made)
            },
            await step("restore a letter where there is another one") { try await restore("Letter 7.txt") },
            await step("delete two letters") {
                for number in [5, 6] { try await delete("/Many/Letter \(number).txt") }
            },
            await step("delete one in the trash") {
                guard let entry = try await trashed().first(where: { $0.name == "Letter 5.txt" }) else { return }
                _ = try await client.call(
                    AdministrationInterface.DeleteTrashed.self,
                    .init(provider: provider, domain: FaultyProviders.domain, identifier: entry.identifier))
            },
            await step("restore the other one") { try await restore("Letter 6.txt") },
        ]
    }

    /// What is in the trash.
    private func trashed() async throws -> [Wire.TrashEntry] {
        var entries: [Wire.TrashEntry] = []
        var page: String?
        repeat {
            let reply = try await client.call(
                AdministrationInterface.ListTrash.self,
                .init(provider: provider, domain: FaultyProviders.domain, page: page)
            ).value
            entries += reply.items
            page = reply.nextPage
            guard entries.count < 100_000 else { throw Problem("the trash never ends") }
        } while page != nil
        return entries
    }

    private func delete(_ path: String) async throws {
        _ = try await client.call(
            PickerInterface.DeleteItem.self,
            .init(location: wire(path), recursive: true, operation: UUID().uuidString))
    }

    /// Moves something that was deleted back; with some faults it is not in the trash.
    private func restore(_ name: String) async throws {
        guard let entry = try await trashed().first(where: { $0.name == name }) else { return }
        _ = try await client.call(
            AdministrationInterface.RestoreTrashed.self,
            .init(
                provider: provider, domain: FaultyProviders.domain, identifier: entry.identifier,
                operation: UUID().uuidString))
    }
}
