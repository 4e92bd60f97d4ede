import FileProvider
import Foundation

/// A provider without documents that uses its keychain, its logs and its sockets as selected by the name of a document,
/// for tests. The answer is in the error that there is no such document.
///
/// See ``ProbeWork`` for the names, which begin with `fp~` here. Secrets in names and answers are reversed, so that
/// they are not mistaken for leaked ones.
final class KeychainProbe: ReplicatedFileProvider {
    static var features: ProviderFeatures { [.signIn] }

    private let work: ProbeWork

    init(domain: FileProviderDomain, host: FileProviderHost) throws {
        work = ProbeWork(keychain: host.keychain, host: host, storage: domain.documentStorage)
    }

    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        guard identifier == .rootContainer else { throw FileProviderError(.noSuchItem, "There is no such document.") }
        return FileProviderItem(folder: .rootContainer, parent: .rootContainer, filename: "KeychainProbe")
    }

    func child(named name: String, in parent: ItemIdentifier) async throws -> FileProviderItem {
        guard name.hasPrefix("fp~") else { throw FileProviderError(.noSuchItem, "There is no such document.") }
        throw FileProviderError(.failed, await work.perform(String(name.dropFirst(3))))
    }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage {
        if let refusal = work.refusal { throw FileProviderError(.notAuthenticated, refusal) }
        return ItemPage(items: [])
    }

    func signIn(_ credential: Credential) async throws -> String? {
        work.signedIn(credential)
        return credential.username
    }
}
