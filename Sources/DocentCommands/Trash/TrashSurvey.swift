import CommandConsole
import DocentInterfaces
import Documents
import SignInConversation
import Varlink

/// Reads the trash of accounts and folders.
struct TrashSurvey {
    /// More than anybody keeps.
    private static let mostEntries = 1_000_000

    let client: DocumentsClient

    /// The items in the trash, newest first.
    ///
    /// - Parameter account: only of this one; nil for all that have a trash. One of all that does not answer is
    ///   reported on standard error.
    func entries(_ account: AccountName?) async throws -> (entries: [Wire.TrashEntry], failure: DocumentsError?) {
        if let account {
            return (Self.sorted(try await entries(provider: account.provider, domain: account.domain)), nil)
        }
        var found: [Wire.TrashEntry] = []
        var failure: DocumentsError?
        for domain in try await client.domains(provider: nil) {
            do throws(DocumentsError) {
                found += try await entries(provider: domain.provider, domain: domain.identifier)
            } catch {
                // An account that does not answer does not hold up the others.
                if error.code == .cancelled { throw error }
                guard RefreshCommand.matters(error, of: domain) else { continue }
                StandardError.write(RefreshCommand.note(domain, error))
                if error.code != .notAuthenticated { failure = failure ?? error }
            }
        }
        return (Self.sorted(found), failure)
    }

    private func entries(provider: String, domain: String) async throws(DocumentsError) -> [Wire.TrashEntry] {
        var found: [Wire.TrashEntry] = []
        var page: String?
        repeat {
            let reply = try await client.call(
                AdministrationInterface.ListTrash.self, .init(provider: provider, domain: domain, page: page)
            ).value
            found += reply.items
            page = reply.nextPage
            guard found.count <= Self.mostEntries else {
                throw DocumentsError(.providerFailed, "The trash of \(provider) has no end.")
            }
        } while page != nil
        return found
    }

    /// The newest first, then by name. Pure.
    static func sorted(_ entries: [Wire.TrashEntry]) -> [Wire.TrashEntry] {
        entries.sorted {
            ($1.deletionDate ?? -.infinity, $0.name, $0.identifier) < (
                $0.deletionDate ?? -.infinity, $1.name, $1.identifier
            )
        }
    }

    /// The entry that a person means: by its identifier, or by where it was; of several that were in the same place,
    /// the one that was deleted last. Pure.
    ///
    /// - Parameter entries: the newest first.
    /// - Throws: ``DocumentsError``: `notFound`, or `invalidArgument` if several accounts have that identifier.
    static func find(_ text: String, in entries: [Wire.TrashEntry]) throws(DocumentsError) -> Wire.TrashEntry {
        if let location = try? DocumentLocation(text) {
            guard let entry = entries.first(where: { isSame($0.originalPath, location.path) }) else {
                throw DocumentsError(
                    .notFound, "Nothing in the trash was at \(location).",
                    suggestion: "`docent trash list` shows what is there, and the identifier of each.")
            }
            return entry
        }
        let found = entries.filter { $0.identifier == text }
        guard found.count < 2 else {
            throw DocumentsError(
                .invalidArgument, "Several accounts have \"\(text)\" in their trash.",
                suggestion: "Name the account with --account, or say where it was: PROVIDER[@DOMAIN]:/PATH.")
        }
        guard let entry = found.first else {
            throw DocumentsError(
                .notFound, "There is no \"\(text)\" in the trash.",
                suggestion: "`docent trash list` shows what is there, and the identifier of each.")
        }
        return entry
    }

    private static func isSame(_ path: String?, _ other: String) -> Bool {
        path?.split(separator: "/") == other.split(separator: "/")
    }

    /// Where an entry was; nil if that is not known.
    static func originalLocation(_ entry: Wire.TrashEntry) -> DocumentLocation? {
        entry.originalPath.map { DocumentLocation(provider: entry.provider, domain: entry.domain, path: $0) }
    }
}
