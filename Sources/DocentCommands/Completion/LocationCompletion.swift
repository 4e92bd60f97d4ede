import CommandConsole
import DocentInterfaces
import Documents
import Glibc
import SignInConversation
import Varlink

/// What a shell offers in place of PROVIDER[@DOMAIN]:/PATH.
enum LocationCompletion {
    /// So many names of a folder are looked at; whoever has more types another letter.
    static let mostItems = 10_000

    /// The providers and accounts, or what lies in the folder that is typed, each as a whole location.
    ///
    /// Starts the daemon where none runs, as `docent ls` does. What cannot be listed in time offers nothing.
    @Sendable
    static func locations(words: [String], index: Int, _: String) async -> [String] {
        alarm(CompletionTime.seconds)
        let typed = ShellWord.plain(words.indices.contains(index) ? words[index] : "")
        let client = DocumentsClient.administrator()
        guard let folder = folder(of: typed) else {
            let domains = try? await client.call(AdministrationInterface.ListDomains.self, .init()).value.domains
            return tops(domains ?? []).filter { $0.hasPrefix(typed) }
        }
        guard let location = try? DocumentLocation(folder) else { return [] }
        let wanted = typed.dropFirst(folder.count)
        var found: [String] = []
        var count = 0
        do {
            for try await item in DocumentPicker(client: client).items(in: location) {
                count += 1
                let name = SafeText.escaped(item.name) + (item.isFolder ? "/" : "")
                // A name that begins with a dot is offered to those who typed the dot.
                if name.hasPrefix(wanted), !wanted.isEmpty || !name.hasPrefix(".") { found.append(folder + name) }
                if count == mostItems { break }
            }
        } catch { return [] }
        return found.sorted()
    }

    /// The folder whose names continue what is typed, with its slash; nil while the provider is typed.
    static func folder(of typed: String) -> String? {
        guard let colon = typed.firstIndex(of: ":") else { return nil }
        guard let slash = typed[colon...].lastIndex(of: "/") else { return typed[...colon] + "/" }
        return String(typed[...slash])
    }

    /// The tops of accounts and local providers.
    static func tops(_ domains: [Wire.Domain]) -> [String] {
        let providers = Set(domains.map(\.provider))
        return domains.map { domain in
            let short = AccountCompletion.shortName(domain.provider)
            let isAlone = providers.count { AccountCompletion.shortName($0) == short } == 1
            return AccountName(provider: isAlone ? short : domain.provider, domain: domain.identifier).description
                + ":/"
        }.sorted()
    }
}

/// How long a shell waits for what it offers.
enum CompletionTime {
    /// Then the process ends, which does nothing else: nobody waits at a prompt for a server that is away.
    static let seconds: CUnsignedInt = 5
}
