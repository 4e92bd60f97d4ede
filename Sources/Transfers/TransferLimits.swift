package import HostCore
import Synchronization

/// How many transfers of an account may run at once.
package protocol TransferLimits: Sendable {
    /// At least 1; a smaller number counts as 1.
    func maximum(_ provider: String, _ domain: String) -> Int
}

/// The limits in the domains' settings; 8 where a domain has none. Thread-safe.
package final class DomainTransferLimits: TransferLimits {
    /// The limit of a domain that has no setting.
    package static let standard = 8
    /// The name of the setting; its value is from 1 to 64.
    package static let setting = "maximumTransfers"

    private let maxima = Mutex<[DomainKey: Int]>([:])

    package init() {}

    /// Applies the settings of a domain.
    package func update(_ domain: DomainKey, settings: [String: String]) {
        let value = settings[Self.setting].flatMap(Int.init).map { min(max(1, $0), 64) }
        maxima.withLock { $0[domain] = value }
    }

    package func maximum(_ provider: String, _ domain: String) -> Int {
        maxima.withLock { $0[DomainKey(provider: provider, domain: domain)] } ?? Self.standard
    }
}
