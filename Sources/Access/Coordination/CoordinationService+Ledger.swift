import Coordination
package import DocentInterfaces
import FoundationEssentials
import HostCore
package import Rights

extension CoordinationService {
    /// Which parties hold claims, which wait for which, and which present what (2.9).
    ///
    /// - Parameter key: limits the answer to this item and what it contains.
    package func ledger(of key: ItemKey? = nil) -> AdministrationInterface.Claims.Reply {
        let wanted = key?.coordinated
        return withTable { table in
            let ledger = table.engine.ledger
            return .init(
                claims: ledger.claims.compactMap { entry in
                    guard Self.concerns(entry.claim.accesses.map(\.location), wanted) else { return nil }
                    return claim(entry, table)
                },
                presenters: ledger.presenters.compactMap { entry in
                    guard Self.concerns([entry.presenter.location], wanted) else { return nil }
                    return presenter(entry, table)
                })
        }
    }

    private static func concerns(_ locations: [ItemLocation], _ wanted: CoordinatedItem?) -> Bool {
        guard let wanted else { return true }
        return locations.contains { $0.item == wanted || $0.folders.contains(wanted) }
    }

    private func claim(_ entry: CoordinationLedger.Entry, _ table: CoordinationTable) -> Wire.Claim? {
        guard let kept = table.claims[entry.claim.id] else { return nil }
        let party = kept.party
        let state = entry.stage == .providing ? "fetching" : entry.stage.rawValue
        return Wire.Claim(
            operation: kept.operation ?? "docentd-\(entry.claim.id.rawValue)", state: state, clientKind: party.kind,
            client: party.client, process: party.process, executable: party.executable,
            isStopped: CoordinationParty.isStopped(party.process), purpose: kept.purpose, presenter: kept.presenter,
            items: entry.claim.accesses.map { access in
                Wire.ClaimItem(
                    reference: access.location.item.item.reference, name: name(access.location.item),
                    writing: access.isWriting, options: access.optionNames)
            }, since: kept.since.timeIntervalSince1970,
            waitsFor: words.waits(entry.waitsFor, for: .daemon, table))
    }

    private func presenter(
        _ entry: CoordinationLedger.PresenterEntry, _ table: CoordinationTable
    ) -> Wire.Presenter? {
        guard let kept = table.presenters[entry.presenter.id] else { return nil }
        let asked = table.asked.values.filter { $0.presenter == entry.presenter.id }.min { $0.since < $1.since }
        let item = entry.presenter.location.item
        return Wire.Presenter(
            identifier: kept.name, clientKind: kept.party.kind, client: kept.party.client,
            process: kept.party.process, isStopped: CoordinationParty.isStopped(kept.party.process),
            reference: item.item.reference, name: name(item), asked: asked?.kind,
            askedSince: asked?.since.timeIntervalSince1970)
    }

    private func name(_ key: CoordinatedItem) -> String? {
        if key.isAbsent { return key.identifier.split(separator: "\u{0}").last.map(String.init) }
        return hierarchy.name(key.item)
    }
}
