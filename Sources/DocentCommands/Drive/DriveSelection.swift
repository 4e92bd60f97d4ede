import ArgumentParser
import DocentInterfaces
import Documents
import Varlink

/// The drive that a command is about: by its name, or the only one of this machine.
struct DriveSelection: ParsableArguments {
    @Argument(
        help: "The drive: its account's name, NAME or Drive@NAME; without it, the only one.",
        completion: .custom(DriveSelection.names))
    var drive: String?

    /// A drive of this machine with what can be asked of it.
    struct Opened: Sendable {
        let domain: Wire.Domain
        fileprivate let administrator: DocumentsClient

        /// Has the provider carry out an action.
        func perform(_ action: String, _ arguments: [String: String] = [:]) async throws -> [[String: String]] {
            try await administrator.call(
                AdministrationInterface.PerformAction.self,
                .init(
                    provider: DriveSetUp.provider, domain: domain.identifier, action: action, arguments: arguments),
                attempts: 1
            ).value.rows.map(\.values)
        }
    }

    /// Finds the drive.
    ///
    /// - Throws: ``DocumentsError`` `notFound` if this machine has no such drive, `invalidArgument` if it has several.
    func open() async throws -> Opened {
        let administrator = DocumentsClient.administrator()
        let domains = try await Self.drives(administrator)
        return Opened(domain: try Self.choose(drive, from: domains), administrator: administrator)
    }

    /// The one that is meant. Pure.
    static func choose(_ name: String?, from domains: [Wire.Domain]) throws(DocumentsError) -> Wire.Domain {
        guard let name else {
            guard let only = domains.first else {
                throw DocumentsError(
                    .notFound, "This machine is in no drive.",
                    suggestion: "`docent drive create STORE` creates one, `docent drive join STORE` joins one.")
            }
            guard domains.count == 1 else {
                throw DocumentsError(
                    .invalidArgument,
                    "This machine is in several drives: \(domains.map(\.identifier).joined(separator: ", ")).",
                    suggestion: "Name the one that you mean.")
            }
            return only
        }
        let bare = name.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).last.map(String.init)
        guard let found = domains.first(where: { $0.identifier == bare }) else {
            throw DocumentsError(
                .notFound, "This machine has no drive \"\(name)\".", suggestion: "`docent domains` lists them.")
        }
        return found
    }

    private static func drives(_ client: DocumentsClient) async throws -> [Wire.Domain] {
        try await client.call(AdministrationInterface.ListDomains.self, .init()).value.domains.filter {
            $0.provider == DriveSetUp.provider && !$0.identifier.isEmpty
        }
    }

    @Sendable
    private static func names(words: [String], index: Int, _: String) async -> [String] {
        await NameCompletion.matching(words, index) { try await drives($0).map(\.identifier).sorted() }
    }
}
