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
            try await client.call(AdministrationInterface.ListDomains.self, .init()).value.domains.filter {
                $0.provider == provider
                    || AccountCompletion.shortName($0.provider).lowercased() == provider.lowercased()
            }.map(\.identifier).filter { !$0.isEmpty }
        }
    }

    /// The clients that have grants.
    @Sendable
    static func clients(words: [String], index: Int, _: String) async -> [String] {
        await matching(words, index) { client in
            let grants = try await client.call(AdministrationInterface.ListGrants.self, .init()).value.grants
            return Set(grants.map(\.client)).sorted()
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
