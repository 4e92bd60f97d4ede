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
    @Test("a query that a process never read is answered by its successor, with the present settings of the account")
    func settings() async throws {
        try await TestHost.with { host in
            let account = Account(host)
            try await account.login()
            let provider = try await host.services.registry.usable(Account.key.provider)
            let connection = try await host.services.supervisor.connection(provider, .fileProvider)
            _ = try await host.services.domains.change(
                Account.name, of: Account.key.provider, displayName: nil, settings: ["shelf": "upper"], credential: nil)
            host.kill(.remote)
            // The killed process may still answer until its end is noticed.
            while await host.services.supervisor.statuses().contains(where: { $0.state != "ended" }) {
                try await Task.sleep(for: .milliseconds(5))
            }
            // The next process starts after a while.
            _ = try await host.clock.letting(["ExtensionSupervisor"]) {
                try await connection.call(
                    FileProviderInterface.Item.self, .init(domain: Account.name, identifier: ".root"))
            }
            #expect(host.extensions.starts(of: Account.key.provider) == 2)
            #expect(host.store(.remote).settings(of: Account.name)?["shelf"] == "upper")
        }
    }
    @Test("a caller with settings from before a change starts the provider with the present ones")
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

    @Test("a caller with settings from before a change sends a running provider the present ones")
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
