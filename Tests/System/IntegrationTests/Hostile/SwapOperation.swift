import Foundation

/// An operation of the host while a provider attacks its container.
enum SwapOperation: String, CaseIterable, Sendable {
    case cat, info, write, evict, refresh, logout, remove, disable, uninstall

    /// Those that use an account.
    static let using: [SwapOperation] = [.cat, .info, .write, .evict, .refresh]
    /// Those after which the account or the provider has to be set up again.
    static let ending: [SwapOperation] = [.logout, .remove, .disable, .uninstall]

    /// The arguments of `docent`.
    var arguments: [String] {
        switch self {
        case .cat: ["cat", SwapStage.location("a.txt")]
        case .info: ["info", SwapStage.location("b.txt")]
        case .write: ["write", SwapStage.location("b.txt")]
        case .evict: ["evict", SwapStage.location("a.txt")]
        case .refresh: ["refresh", SwapStage.location("")]
        case .logout: ["logout", SwapStage.account, "--yes", "--timeout", "1"]
        case .remove: ["domains", "remove", "--force", "--yes", SwapStage.provider, SwapStage.domain]
        case .disable: ["provider", "disable", SwapStage.provider]
        case .uninstall: ["provider", "uninstall", "--yes", SwapStage.provider]
        }
    }

    /// The standard input of `docent`.
    var input: Data { self == .write ? Data("changed \(UUID())".utf8) : Data() }
}
