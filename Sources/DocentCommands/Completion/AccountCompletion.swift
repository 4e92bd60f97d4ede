import DocentInterfaces
import Documents
import SignInConversation
import Varlink

/// Shell completion for PROVIDER[@DOMAIN].
enum AccountCompletion {
    /// Completes accounts. Starts the daemon if it is not running.
    @Sendable
    static func accounts(words: [String], index: Int, _: String) async -> [String] {
        await NameCompletion.matching(words, index) { client in
            names(try await client.call(AdministrationInterface.ListDomains.self, .init()).value.domains)
        }
    }

    /// The account names, shortened where that is unambiguous. Folders are left out: they need no sign-in. Pure.
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
