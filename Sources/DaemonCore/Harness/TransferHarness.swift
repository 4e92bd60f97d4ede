import DocentInterfaces
import HostCore
package import HostServices
import Varlink

/// Transfers, domains and local documents in the administration, on the wire. Every method is refused to a confined
/// client (I1).
package struct TransferHarness: Sendable {
    private typealias Interface = AdministrationInterface

    private let transfers: TransferService
    private let domains: DomainService
    private let remote: any RemoteAdministration
    private let rules: VersionRuleService

    package init(
        transfers: TransferService, domains: DomainService, remote: any RemoteAdministration,
        rules: VersionRuleService
    ) {
        self.transfers = transfers
        self.domains = domains
        self.remote = remote
        self.rules = rules
    }

    /// Adds the methods to the table of the interface.
    func add(to table: inout MethodTable) {
        domainMethods(&table)
        transferMethods(&table)
        documentMethods(&table)
        versionMethods(&table)
    }

    private func domainMethods(_ table: inout MethodTable) {
        let domains = domains
        table.call(Interface.ListDomains.self) { parameters, call in
            return Reply(.init(domains: try await domains.domains(parameters.provider)))
        }
        table.call(Interface.AddDomain.self, changesState: true) { parameters, call in
            return Reply(
                try await domains.add(
                    parameters.domain, credential: parameters.credential, isUnchecked: parameters.unchecked == true))
        }
        table.call(Interface.ChangeDomain.self, changesState: true) { parameters, call in
            return Reply(
                .init(
                    domain: try await domains.change(
                        parameters.identifier, of: parameters.provider, displayName: parameters.displayName,
                        settings: parameters.settings, credential: parameters.credential)))
        }
        table.call(Interface.RemoveDomain.self, changesState: true) { parameters, call in
            let removed = try await domains.remove(
                parameters.identifier, of: parameters.provider, isForced: parameters.force == true,
                leavesSecret: parameters.leaveSecret == true)
            return Reply(
                .init(left: removed.left, undeleted: removed.undeleted.isEmpty ? nil : removed.undeleted))
        }
    }

    private func transferMethods(_ table: inout MethodTable) {
        let transfers = transfers
        table.stream(Interface.Transfers.shortName, requiresMore: false, Interface.Transfers.Parameters.self) {
            parameters, call, sink in
            let changes = transfers.changes()
            var shown = try await transfers.transfers(provider: parameters.provider)
            guard call.wantsMore else { return Reply(Interface.Transfers.Reply(transfers: shown)) }
            try await sink.send(Reply(Interface.Transfers.Reply(transfers: shown)))
            for await _ in changes {
                try await Task.sleep(for: .milliseconds(250))
                let now = try await transfers.transfers(provider: parameters.provider)
                guard now != shown else { continue }
                shown = now
                try await sink.send(Reply(Interface.Transfers.Reply(transfers: shown)))
            }
            return Reply(Interface.Transfers.Reply(transfers: shown))
        }
        table.call(Interface.CancelTransfer.self, changesState: true) { parameters, call in
            try await transfers.cancel(parameters.identifier)
            return Reply(.init())
        }
        table.call(Interface.RetryTransfers.self, changesState: true) { parameters, call in
            let count = try await transfers.retry(
                identifier: parameters.identifier, provider: parameters.provider, domain: parameters.domain)
            return Reply(.init(count: count))
        }
        table.stream(Interface.Drain.shortName, requiresMore: false, Interface.Drain.Parameters.self) {
            parameters, call, sink in
            let left = try await transfers.drain(timeout: parameters.timeout) { left in
                guard call.wantsMore else { return }
                try await sink.send(Reply(Interface.Drain.Reply(pending: left.pending, failed: left.failed)))
            }
            return Reply(Interface.Drain.Reply(pending: left.pending, failed: left.failed))
        }
    }

    private func documentMethods(_ table: inout MethodTable) {
        let remote = remote
        table.call(Interface.Pin.self, changesState: true) { parameters, call in
            return Reply(
                .init(items: try await remote.pin(location: parameters.location, pinned: parameters.pinned)))
        }
        table.call(Interface.Evict.self, changesState: true) { parameters, call in
            let evicted = try await remote.evict(location: parameters.location)
            return Reply(.init(items: evicted.items, bytes: Int(evicted.bytes)))
        }
        table.call(Interface.Refresh.self, changesState: true) { parameters, call in
            let result = try await remote.refresh(location: parameters.location, accept: parameters.accept == true)
            return Reply(.init(changed: result.changed, deleted: result.deleted, held: result.held))
        }
    }

    private func versionMethods(_ table: inout MethodTable) {
        let remote = remote
        table.call(Interface.Versions.self) { parameters, call in
            let versions = try await remote.versions(
                location: parameters.location, includingSuperseded: parameters.all == true,
                isUnresolved: parameters.unresolved == true)
            return Reply(.init(versions: versions))
        }
        table.call(Interface.OpenVersion.self) { parameters, call in
            let opened = try await remote.openVersion(parameters.identifier)
            return Reply(.init(version: opened.version, file: 0), descriptors: try DescriptorList(opened.file))
        }
        table.call(Interface.RemoveVersion.self, changesState: true) { parameters, call in
            try await remote.removeVersion(parameters.identifier)
            return Reply(.init())
        }
        let rules = rules
        table.call(Interface.VersionRules.self) { parameters, call in
            return Reply(try await rules.rules(at: parameters.location))
        }
        table.call(Interface.SetVersionRule.self, changesState: true) { parameters, call in
            return Reply(.init(rule: try await rules.set(parameters)))
        }
    }
}
