import CommandConsole
import DocentInterfaces
import Documents
import Glibc
import Varlink

/// Shell completion for providers, domains and clients.
enum NameCompletion {
    /// All providers, enabled or not: their identifiers, and the short names that are unambiguous.
    @Sendable
    static func providers(words: [String], index: Int, _: String) async -> [String] {
        await matching(words, index) { client in
            names(
                try await client.call(PickerInterface.ListProviders.self, .init(all: true)).value.providers
                    .map(\.identifier))
        }
    }

    /// Short names first. Pure.
    static func names(_ identifiers: [String]) -> [String] {
        let short = Dictionary(grouping: identifiers, by: AccountCompletion.shortName)
        return short.filter { $0.value.count == 1 && $0.value != [$0.key] }.keys.sorted() + identifiers.sorted()
    }

    /// The domains of the provider in the previous word.
    @Sendable
    static func domains(words: [String], index: Int, _: String) async -> [String] {
        let provider = index > 0 && words.indices.contains(index - 1) ? ShellWord.plain(words[index - 1]) : ""
        return await matching(words, index) { client in
            names(
                try await client.call(AdministrationInterface.ListDomains.self, .init()).value.domains, of: provider)
        }
    }

    /// The domains of the provider that the option `--provider` names; without it, those of all providers.
    @Sendable
    static func domainsOfOption(words: [String], index: Int, _: String) async -> [String] {
        await matching(words, index) { client in
            names(
                try await client.call(AdministrationInterface.ListDomains.self, .init()).value.domains,
                of: provider(in: words))
        }
    }

    /// The value of the option `--provider`; nil without it. Pure.
    static func provider(in words: [String]) -> String? {
        let option = "--provider"
        for (index, word) in words.enumerated() {
            if word == option { return words.indices.contains(index + 1) ? ShellWord.plain(words[index + 1]) : "" }
            if word.hasPrefix(option + "=") { return ShellWord.plain(String(word.dropFirst(option.count + 1))) }
        }
        return nil
    }

    /// The names of a provider's domains, or of all providers'. The default domain has none. Pure.
    static func names(_ domains: [Wire.Domain], of provider: String?) -> [String] {
        let own = domains.filter { domain in
            guard let provider else { return true }
            return domain.provider == provider
                || AccountCompletion.shortName(domain.provider).lowercased() == provider.lowercased()
        }
        return Set(own.map(\.identifier)).filter { !$0.isEmpty }.sorted()
    }

    /// The clients that have grants.
    @Sendable
    static func clients(words: [String], index: Int, _: String) async -> [String] {
        await matching(words, index) { client in
            let grants = try await client.call(AdministrationInterface.ListGrants.self, .init()).value.grants
            return Set(grants.map(\.client)).sorted()
        }
    }

    /// The clients that are held because they change too much at once.
    @Sendable
    static func heldClients(words: [String], index: Int, _: String) async -> [String] {
        await matching(words, index) { client in
            let held = try await client.call(AdministrationInterface.Held.self, .init()).value.clients
            return Set(held.map(\.client)).sorted()
        }
    }

    /// The names that continue the typed text. A name that cannot be typed as it is shown is not offered.
    static func matching(
        _ words: [String], _ index: Int, _ names: (DocumentsClient) async throws -> [String]
    ) async -> [String] {
        alarm(CompletionTime.seconds)
        let typed = ShellWord.plain(words.indices.contains(index) ? words[index] : "")
        let all = (try? await names(.administrator())) ?? []
        return all.filter { $0.hasPrefix(typed) && SafeText.escaped($0) == $0 }
    }
}
