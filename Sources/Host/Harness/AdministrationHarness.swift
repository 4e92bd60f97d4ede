import DocentInterfaces
package import Varlink

/// `org.docent.Administration` on the wire. Every method is refused to a confined client (I1).
package enum AdministrationHarness {
    /// The methods.
    package static func table(
        sessions: SessionRegistry, administration: AdministrationService, control: DaemonControl,
        transfers: TransferHarness, claims: ClaimsHarness, picks: PickHarness,
        grants: GrantHarness, signIn: SignInHarness, log: LogHarness
    ) -> MethodTable {
        typealias Interface = AdministrationInterface
        var table = MethodTable(interface: Interface.name, description: Interface.description)
        providerMethods(&table, sessions, administration)
        transfers.add(to: &table, sessions)
        signIn.add(to: &table, sessions)
        claims.add(to: &table, sessions)
        log.add(to: &table, sessions)
        picks.add(toAdministration: &table, sessions)
        grants.add(toAdministration: &table)
        table.call(Interface.Doctor.self) { _, call in
            _ = try sessions.unconfinedSession(call.connection)
            return Reply(.init(checks: await administration.doctor()))
        }
        table.call(Interface.Status.self) { _, call in
            _ = try sessions.unconfinedSession(call.connection)
            return Reply(await control.status())
        }
        table.stream(Interface.ListenForClient.shortName, Interface.ListenForClient.Parameters.self) {
            parameters, call, sink in
            _ = try sessions.unconfinedSession(call.connection)
            return try await control.listen(forClient: parameters.client) { path in
                try await sink.send(Reply(Interface.ListenForClient.Reply(path: path)))
            }
        }
        table.call(Interface.Stop.self, changesState: true) { parameters, call in
            _ = try sessions.unconfinedSession(call.connection)
            try await control.stop(force: parameters.force == true)
            return Reply(.init())
        }
        return table
    }

    private static func providerMethods(
        _ table: inout MethodTable, _ sessions: SessionRegistry, _ administration: AdministrationService
    ) {
        typealias Interface = AdministrationInterface
        table.call(Interface.DescribeProvider.self) { parameters, call in
            _ = try sessions.unconfinedSession(call.connection)
            return Reply(.init(consent: try await administration.describe(parameters.provider)))
        }
        table.call(Interface.EnableProvider.self, changesState: true) { parameters, call in
            _ = try sessions.unconfinedSession(call.connection)
            try await administration.enable(
                parameters.provider, digest: parameters.digest, unsandboxed: parameters.unsandboxed == true,
                joinGroups: parameters.joinGroups == true)
            return Reply(.init())
        }
        table.call(Interface.DisableProvider.self, changesState: true) { parameters, call in
            _ = try sessions.unconfinedSession(call.connection)
            try await administration.disable(parameters.provider)
            return Reply(.init())
        }
        table.call(Interface.ResetProvider.self, changesState: true) { parameters, call in
            _ = try sessions.unconfinedSession(call.connection)
            try await administration.reset(parameters.provider)
            return Reply(.init())
        }
        table.call(Interface.ListBroken.self) { _, call in
            _ = try sessions.unconfinedSession(call.connection)
            return Reply(.init(broken: await administration.broken()))
        }
    }
}
