import DocentInterfaces
import HostCore
package import HostServices
package import Varlink

/// `org.docent.Administration` on the wire. Every method is refused to a confined client (I1).
package enum AdministrationHarness {
    /// The method table of the interface.
    package static func table(
        administration: AdministrationService, control: DaemonControl, transfers: TransferHarness,
        claims: ClaimsHarness, picks: PickHarness, grants: GrantHarness, signIn: SignInHarness, log: LogHarness,
        search: SearchHarness, trash: TrashHarness, holds: HoldHarness, actions: ActionHarness
    ) -> MethodTable {
        typealias Interface = AdministrationInterface
        var table = MethodTable(
            interface: Interface.name, description: Interface.description, authority: .unconfined)
        providerMethods(&table, administration)
        transfers.add(to: &table)
        signIn.add(to: &table)
        claims.add(to: &table)
        log.add(to: &table)
        trash.add(to: &table)
        holds.add(to: &table)
        actions.add(to: &table)
        search.add(toAdministration: &table)
        picks.add(toAdministration: &table)
        grants.add(toAdministration: &table)
        table.call(Interface.Doctor.self) { _, call in
            return Reply(.init(checks: await administration.doctor() + control.checks()))
        }
        table.call(Interface.Status.self) { _, call in
            return Reply(await control.status())
        }
        table.stream(Interface.ListenForClient.shortName, Interface.ListenForClient.Parameters.self) {
            parameters, call, sink in
            return try await control.listen(forClient: parameters.client) { path in
                try await sink.send(Reply(Interface.ListenForClient.Reply(path: path)))
            }
        }
        table.call(Interface.Stop.self, changesState: true) { parameters, call in
            try await control.stop(force: parameters.force == true, ifIdle: parameters.ifIdle == true)
            return Reply(.init())
        }
        return table
    }

    private static func providerMethods(_ table: inout MethodTable, _ administration: AdministrationService) {
        typealias Interface = AdministrationInterface
        table.call(Interface.DescribeProvider.self) { parameters, call in
            return Reply(.init(consent: try await administration.describe(parameters.provider)))
        }
        table.call(Interface.EnableProvider.self, changesState: true) { parameters, call in
            try await administration.enable(
                parameters.provider, digest: parameters.digest, unsandboxed: parameters.unsandboxed == true,
                joinGroups: parameters.joinGroups == true)
            return Reply(.init())
        }
        table.call(Interface.DisableProvider.self, changesState: true) { parameters, call in
            try await administration.disable(parameters.provider)
            return Reply(.init())
        }
        table.call(Interface.ResetProvider.self, changesState: true) { parameters, call in
            try await administration.reset(parameters.provider)
            return Reply(.init())
        }
        table.call(Interface.ListBroken.self) { _, call in
            return Reply(.init(broken: await administration.broken()))
        }
    }
}
