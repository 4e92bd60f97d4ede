import DocentInterfaces
import Documents
import SignInConversation
import Varlink

/// What a shell offers in place of PROVIDER[@DOMAIN].
enum AccountCompletion {
    /// The accounts. Starts the daemon where none runs.
    @Sendable
    static func accounts(words: [String], index: Int, _: String) async -> [String] {
        await NameCompletion.matching(words, index) { client in
            names(try await client.call(AdministrationInterface.ListDomains.self, .init()).value.domains)
        }
    }

    /// Their names, short where that is enough. Folders sign in nowhere. Pure.
    static func names(_ domains: [Wire.Domain]) -> [String] {
        let remote = domains.filter { $0.folder == nil }
        let providers = Set(remote.map(\.provider))
        return remote.map { domain in
            let short = shortName(domain.provider)
            let isAlone = providers.count { shortName($0) == short } == 1
            return AccountName(provider: isAlone ? short : domain.provider, domain: domain.identifier)
                .description
        }.sorted()
    }

    /// The last component of a bundle identifier.
    static func shortName(_ provider: String) -> String {
        provider.split(separator: ".").last.map(String.init) ?? provider
    }
}
