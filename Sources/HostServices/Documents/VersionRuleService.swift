package import DocentInterfaces
import FoundationEssentials
import HostCore
package import Records
package import RemoteDocuments
import Rights
package import Saving
package import Storage

/// The user's rules about what is kept of replaced content.
package struct VersionRuleService: Sendable {
    private let policies: VersionPolicies
    private let versions: KeptVersionStore
    private let content: SupersededContent
    private let gateway: DocumentGateway
    private let layout: StorageLayout
    private let worker: BlockingWorker

    package init(
        policies: VersionPolicies, versions: KeptVersionStore, content: SupersededContent,
        gateway: DocumentGateway, layout: StorageLayout, worker: BlockingWorker
    ) {
        self.policies = policies
        self.versions = versions
        self.content = content
        self.gateway = gateway
        self.layout = layout
        self.worker = worker
    }

    /// All rules, what applies at a location, and what is in use.
    package func rules(at location: Wire.Location?) async throws -> AdministrationInterface.VersionRules.Reply {
        let path = layout.versionsDirectory
        let free = try await worker.run { _ in
            let directory = try Directory(path: path)
            return try withExtendedLifetime(directory) { try Space.available(on: directory.descriptor) }
        }
        let scope = try await scope(location)
        let policy =
            if let key = scope.key {
                await policies.policy(of: key)
            } else {
                policies.global
            }
        let effective = VersionRule(
            scope, isKept: policy.isKept, versions: policy.versions, days: policy.days,
            space: policies.global.room(free: Int64(clamping: free)), whenFull: policy.whenFull, merges: policy.merges)
        let used = try await versions.space()
        let shared = try await content.sharedBytes()
        var rules: [Wire.VersionRule] = []
        for rule in try await policies.all() { rules.append(await wire(rule)) }
        return .init(
            rules: rules, effective: await wire(effective), usedBytes: Int(used.bytes + shared),
            usedVersions: used.versions)
    }

    /// Changes a rule. Durable when it returns.
    ///
    /// - Throws: ``Failure`` `InvalidArgument` for impossible values.
    package func set(
        _ given: AdministrationInterface.SetVersionRule.Parameters
    ) async throws -> Wire.VersionRule {
        let scope = try await scope(given.location)
        func require(_ value: Int?, _ range: ClosedRange<Int>, _ what: String) throws(Failure) {
            guard value.map(range.contains) ?? true else {
                throw Failure(.invalidArgument, "\(what) must be \(range.lowerBound) to \(range.upperBound).")
            }
        }
        try require(given.versions, 1...100_000, "The number of versions")
        try require(given.days, 1...36_500, "The number of days")
        try require(given.space, 0...Int(Int64.max / 4), "The space")
        let whenFull = given.whenFull.map(VersionPolicy.WhenFull.init(rawValue:))
        if let whenFull, whenFull == nil {
            throw Failure(.invalidArgument, "Without room, a save can be refused (refuse) or keep nothing (drop).")
        }
        guard given.space == nil || scope == .everything else {
            throw Failure(
                .invalidArgument, "The space is that of all versions together.", suggestion: "Name no location.")
        }
        if given.reset == true { try await policies.remove(scope) }
        let rule = VersionRule(
            scope, isKept: given.isKept, versions: given.versions, days: given.days,
            space: given.space.map(Int64.init), whenFull: whenFull ?? nil, merges: given.merges)
        guard given.reset != true || rule != VersionRule(scope) else { return await wire(rule) }
        return await wire(try await policies.set(rule))
    }

    private func scope(_ location: Wire.Location?) async throws -> VersionRule.Scope {
        guard let location else { return .everything }
        let item = try await gateway.item(
            at: try ItemPath(location.path), provider: location.provider, domain: location.domain)
        return VersionRule.Scope(item.reference.key)
    }

    private func wire(_ rule: VersionRule) async -> Wire.VersionRule {
        var path: String?
        if let key = rule.scope.key { path = try? await gateway.path(of: key) }
        return Wire.VersionRule(
            reference: rule.scope.key?.reference, path: path, isKept: rule.isKept, versions: rule.versions,
            days: rule.days, space: rule.space.map(Int.init), whenFull: rule.whenFull?.rawValue,
            merges: rule.merges)
    }
}
