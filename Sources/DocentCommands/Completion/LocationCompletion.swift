import CommandConsole
import DocentInterfaces
import Documents
import Glibc
import SignInConversation
import Varlink

/// Shell completion for PROVIDER[@DOMAIN]:/PATH.
enum LocationCompletion {
    /// The most items of a folder that are read. Names after these are not offered.
    static let mostItems = 10_000

    /// Completes providers and accounts, or the contents of the folder being typed, each as a whole location.
    ///
    /// Starts the daemon if it is not running, as `docent ls` does. Offers nothing if the listing fails or takes too
    /// long.
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
                // Names that begin with a dot are offered only if the dot was typed.
                if name.hasPrefix(wanted), !wanted.isEmpty || !name.hasPrefix(".") { found.append(folder + name) }
                if count == mostItems { break }
            }
        } catch { return [] }
        return found.sorted()
    }

    /// The folder whose names continue the typed text, with its trailing slash; nil while the provider is being typed.
    static func folder(of typed: String) -> String? {
        guard let colon = typed.firstIndex(of: ":") else { return nil }
        guard let slash = typed[colon...].lastIndex(of: "/") else { return typed[...colon] + "/" }
        return String(typed[...slash])
    }

    /// The root locations of accounts and local providers.
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

/// How long a shell waits for completions.
enum CompletionTime {
    /// The process then ends; it does nothing else. A prompt must not hang on an unreachable server.
    static let seconds: CUnsignedInt = 5
}
