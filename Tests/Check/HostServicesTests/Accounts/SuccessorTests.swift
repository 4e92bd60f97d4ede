import DaemonCore
import DocentInterfaces
import DocentTestSupport
import ExtensionHosting
import ExtensionManifest
import HostCore
import HostTesting
import RemoteDocuments
import Testing

@testable import HostServices

/// The process that follows one that has ended.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct SuccessorTests {
    @Test("a query that a process never read is answered by the next one, with the settings that the account has now")
    func settings() async throws {
        try await TestHost.with { host in
            let account = Account(host)
            try await account.login()
            let provider = try await host.services.registry.usable(Account.key.provider)
            let connection = try await host.services.supervisor.connection(provider, .fileProvider)
            _ = try await host.services.domains.change(
                Account.name, of: Account.key.provider, displayName: nil, settings: ["shelf": "upper"], credential: nil)
            host.kill(.remote)
            // Until its end is noticed, the killed one may still answer.
            while await host.services.supervisor.statuses().contains(where: { $0.state != "ended" }) {
                try await Task.sleep(for: .milliseconds(5))
            }
            // The next one starts after a while.
            _ = try await host.clock.letting(["ExtensionSupervisor"]) {
                try await connection.call(
                    FileProviderInterface.Item.self, .init(domain: Account.name, identifier: ".root"))
            }
            #expect(host.extensions.starts(of: Account.key.provider) == 2)
            #expect(host.store(.remote).settings(of: Account.name)?["shelf"] == "upper")
        }
    }
    @Test("a caller that looked before a change starts the provider with what the account has since")
    func lookedBefore() async throws {
        try await TestHost.with { host in
            try await Account(host).login()
            let before = try await host.services.registry.usable(Account.key.provider)
            _ = try await host.services.domains.change(
                Account.name, of: Account.key.provider, displayName: nil, settings: ["shelf": "upper"], credential: nil)
            await host.services.supervisor.stop(Account.key.provider)
            let connection = try await host.services.supervisor.connection(before, .fileProvider)
            _ = try await connection.call(
                FileProviderInterface.Item.self, .init(domain: Account.name, identifier: ".root"))
            #expect(host.extensions.starts(of: Account.key.provider) == 2)
            #expect(host.store(.remote).settings(of: Account.name)?["shelf"] == "upper")
        }
    }

    @Test("a caller that looked before a change tells a running provider what the account has since")
    func toldAgain() async throws {
        try await TestHost.with { host in
            try await Account(host).login()
            let before = try await host.services.registry.usable(Account.key.provider)
            _ = try await host.services.domains.change(
                Account.name, of: Account.key.provider, displayName: nil, settings: ["shelf": "upper"], credential: nil)
            await host.services.supervisor.introduceAgain(before)
            let connection = try await host.services.supervisor.connection(before, .fileProvider)
            _ = try await connection.call(
                FileProviderInterface.Item.self, .init(domain: Account.name, identifier: ".root"))
            #expect(host.extensions.starts(of: Account.key.provider) == 1)
            #expect(host.store(.remote).settings(of: Account.name)?["shelf"] == "upper")
        }
    }
}
