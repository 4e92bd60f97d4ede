import DocentTestSupport
import Documents
import Foundation
import Glibc

/// Steps that use the history of documents.
extension FaultyTour {
    private static let letter = "/Many/Letter 8.txt"

    /// Lists the versions of a letter that others have changed, reads them, and restores one.
    func versions() async -> [Answer] {
        [
            await step("look at a letter") { _ = try await item(Self.letter) },
            await step("list its versions, of which others made some") {
                try storage.others("change Letter 8.txt", "touch Letter 8.txt", "change Letter 8.txt")
                _ = try await history()
            },
            await step("read its versions") {
                for version in try await history() where !version.isCurrent {
                    close(try await version.openForReading())
                }
            },
            await step("restore one", settling: true) {
                guard let version = try await history().last(where: { !$0.isCurrent }) else { return }
                try await version.replaceItem()
            },
            await step("list its versions again") { _ = try await history() },
        ]
    }

    private func history() async throws -> [FileVersion] {
        let document = try await picker.openDocument(at: providers.location(provider, Self.letter))
        let versions = try await FileVersion.versions(of: document)
        guard versions.count < 100_000 else { throw Problem("the history never ends") }
        return versions
    }
}
