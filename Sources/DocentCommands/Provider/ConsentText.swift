import CommandConsole
import DocentInterfaces
import ProviderInstallation

/// Formats the consent to a provider for people.
enum ConsentText {
    /// The provider, its files, what it asks for, and its problems.
    static func text(_ consent: Wire.Consent) -> String {
        var text = Table.facts([
            ("name", consent.displayName), ("identifier", consent.provider), ("state", consent.state),
            ("installed by", consent.isSystem ? "the administrator" : "you"), ("note", consent.message),
        ])
        text += section("manifests", consent.manifests)
        text += section("libraries", consent.libraries)
        if consent.requests.isEmpty {
            text += "It asks for nothing beyond its own sandbox.\n"
        } else {
            text += "It asks for:\n" + consent.requests.map(request).joined()
        }
        if let withheld = consent.withheld, !withheld.isEmpty {
            text += "Not agreed to yet, and withheld until you agree with `docent provider enable "
            text += "\(SafeText.escaped(consent.provider))`:\n" + withheld.map(request).joined()
        }
        let limits = consent.limits ?? []
        if !limits.isEmpty {
            text += "It may use:\n" + limits.map { "  \(words($0))\n" }.joined()
        }
        if !consent.problems.isEmpty {
            text += "Problems:\n" + consent.problems.map(ProblemText.text).joined()
        }
        return text
    }

    private static func request(_ request: Wire.Request) -> String {
        "  \(SafeText.escaped(request.explanation))  (\(SafeText.escaped(request.kind)))\n"
    }

    private static func words(_ limit: Wire.Limit) -> String {
        let text = SafeText.escaped(limit.text)
        return switch limit.kind {
        case "memory": "\(text) of memory"
        case "processes": "\(text) processes and threads"
        case "disk": "\(text) on disk, for its own files"
        case "files": "\(text) files on disk"
        case "processorWeight": "\(text) percent of a program's share of a busy processor"
        default: "\(text) (\(SafeText.escaped(limit.kind)))"
        }
    }

    private static func section(_ title: String, _ lines: [String]) -> String {
        lines.isEmpty ? "" : "\(title):\n" + lines.map { "  \(SafeText.escaped($0))\n" }.joined()
    }
}
