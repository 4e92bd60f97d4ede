import DaemonCore
import DocentInterfaces
import HostCore
import HostTesting
import RemoteDocuments
import Rights

@testable import HostServices

/// An account at the remote provider, and a login to it whose secret stays in memory.
struct Account: Sendable {
    static let name = "work"
    static let key = DomainKey(provider: TestProviderKind.remote.identifier, domain: name)

    let host: TestHost

    init(_ host: TestHost) {
        self.host = host
        host.store(.remote).addAccount("ada", password: "hush-inproces")
        host.store(.remote).addAccount("bob", password: "hush-inproces")
    }

    static func item(_ identifier: String) -> ItemKey {
        ItemKey(provider: key.provider, domain: key.domain, identifier: identifier)
    }

    static func parameters(
        _ user: String = "ada", _ password: String? = "hush-inproces", domain: String = name,
        attempt: String = "attempt"
    ) -> AdministrationInterface.Login.Parameters {
        var values = ["username": user]
        values["password"] = password
        return .init(
            provider: TestProviderKind.remote.identifier, domain: domain, form: "password", values: values,
            attempt: attempt, session: true)
    }

    @discardableResult
    func login(
        _ user: String = "ada", _ password: String? = "hush-inproces", domain: String = name,
        attempt: String = "attempt"
    ) async throws -> Wire.Domain {
        try await host.services.logins.login(
            Self.parameters(user, password, domain: domain, attempt: attempt), step: { _ in }
        ).domain
    }

    @discardableResult
    func logout(
        discards: Bool = false, timeout: Double? = nil,
        tell: @escaping @Sendable (String, Int?) async throws -> Void = { _, _ in }
    ) async throws -> LogoutService.Outcome {
        try await host.services.logouts.logout(
            TestProviderKind.remote.identifier, Self.name, discards: discards, timeout: timeout, tell: tell)
    }

    /// The recorded state of the account.
    func record(_ domain: String = name) async throws -> ProviderDomain? {
        try await host.services.consents.domains(of: Self.key.provider).first { $0.identifier == domain }
    }

    /// Signed in, with a document that the writer may change.
    func document() async throws -> ItemKey {
        try await login()
        let key = Self.item(host.store(.remote).add("a.txt", "old"))
        try await host.grant(key)
        return key
    }

    /// Whether the account is usable now, as every access sees it.
    var isOpen: Bool { host.services.remote.monitor.closed.state(Self.key) == nil }
}
