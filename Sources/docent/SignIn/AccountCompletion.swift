import DocentInterfaces
import Documents
import Glibc
import Varlink

/// What a shell offers in place of PROVIDER[@DOMAIN].
enum AccountCompletion {
    /// The accounts that a daemon knows; none where none runs: completing starts nothing.
    @Sendable
    static func accounts(_: [String], _: Int, _: String) -> [String] {
        // This process does nothing else, and a shell waits for it: a daemon that does not answer ends it.
        alarm(5)
        let administrator = DocumentsClient.administrator(startsDaemon: false)
        let reply: Reply<AdministrationInterface.ListDomains.Reply>? = try? administrator.attemptBlocking {
            connection in
            try connection.callBlocking(
                AdministrationInterface.ListDomains.name, AdministrationInterface.ListDomains.Parameters(),
                deadline: .seconds(2))
        }
        return names(reply?.value.domains ?? [])
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

    private static func shortName(_ provider: String) -> String {
        provider.split(separator: ".").last.map(String.init) ?? provider
    }
}
