package import Access
package import DocentInterfaces
package import ExtensionHosting
import ExtensionManifest
import Foundation
package import HostCore
package import Keyring
package import Records
package import RemoteDocuments
package import Rights
package import Storage
import Transfers

/// Implements the general part of `org.docent.Administration`: providers and health.
package struct AdministrationService: Sendable {
    private let registry: ProviderRegistry
    private let supervisor: ExtensionSupervisor
    private let gateway: DocumentGateway
    private let consents: ProviderConsentStore
    private let access: AccessControl
    private let journal: OperationJournal
    private let changes: ContentChanges
    private let layout: StorageLayout
    private let ladder: CredentialLadder
    private let monitor: DomainMonitor
    private let bookmarkKey: BookmarkKey

    package init(
        registry: ProviderRegistry, supervisor: ExtensionSupervisor, gateway: DocumentGateway,
        consents: ProviderConsentStore, access: AccessControl, journal: OperationJournal, changes: ContentChanges,
        layout: StorageLayout, monitor: DomainMonitor, bookmarkKey: BookmarkKey, ladder: CredentialLadder
    ) {
        self.bookmarkKey = bookmarkKey
        self.monitor = monitor
        self.registry = registry
        self.supervisor = supervisor
        self.gateway = gateway
        self.consents = consents
        self.access = access
        self.journal = journal
        self.changes = changes
        self.layout = layout
        self.ladder = ladder
    }

    // MARK: Providers

    /// What the user agrees to by enabling a provider (S3).
    package func describe(_ name: String) async throws -> Wire.Consent {
        ConsentDescription.consent(
            try await registry.provider(name), folders: registry.userFolders, ceilings: supervisor.ceilings)
    }

    /// Enables a provider, if it is still as it was shown to the user.
    package func enable(_ name: String, digest: String, unsandboxed: Bool, joinGroups: Bool) async throws {
        try await registry.enable(name, digest: digest, unsandboxed: unsandboxed, joining: joinGroups)
        await restart(try await registry.provider(name).identifier)
    }

    /// Disables a provider and ends its processes.
    package func disable(_ name: String) async throws { await restart(try await registry.disable(name)) }

    /// Lifts a quarantine.
    package func reset(_ name: String) async throws {
        let provider = try await registry.reset(name)
        await supervisor.forgetCrashes(provider)
        await restart(provider)
    }

    private func restart(_ provider: String) async {
        await supervisor.stop(provider)
        changes.providerChanged(provider)
    }

    /// Manifests that cannot be used, or that others of the same name hide.
    package func broken() async -> [Wire.BrokenManifest] {
        let found = await registry.discovered()
        return (found.broken + found.ignored).map {
            Wire.BrokenManifest(manifest: $0.path, problems: $0.problems.map { ConsentDescription.problem($0) })
        }
            + found.shadowed.map { shadowed in
                Wire.BrokenManifest(
                    manifest: shadowed.path,
                    problems: [
                        Wire.Problem(
                            severity: "warning", key: "CFBundleIdentifier", found: shadowed.bundleIdentifier,
                            expected: "an identifier of its own", remedy: "Move one of the two out of the search path.",
                            message: "\(shadowed.shadowedBy) comes first on the search path.")
                    ])
            }
    }

    // MARK: Health

    /// What works and what does not, each with a remedy.
    package func doctor() async -> [Wire.Check] {
        var checks = SandboxProbe.checks() + IdentityCheck.checks()
        checks.append(await supervisor.rehearse())
        checks.append(KeyringCheck.check(await ladder.survey()))
        checks.append(await bookmarkKey.check())
        checks += await providerChecks()
        checks += domainChecks()
        checks += await operationChecks()
        return checks
    }

    private func providerChecks() async -> [Wire.Check] {
        var checks: [Wire.Check] = []
        for provider in (try? await registry.providers()) ?? [] {
            checks.append(ProviderCheck.check(provider, folders: registry.userFolders))
        }
        for broken in await broken() where broken.problems.contains(where: { $0.severity == "error" }) {
            checks.append(
                Wire.Check(
                    name: broken.manifest, status: "warning",
                    detail: broken.problems.first { $0.severity == "error" }?.message ?? "cannot be used",
                    remedy: "docent provider validate \(broken.manifest)"))
        }
        return checks
    }

    private func domainChecks() -> [Wire.Check] {
        monitor.troubled.sorted { ($0.key.provider, $0.key.domain) < ($1.key.provider, $1.key.domain) }.map {
            account, state in
            let name = "\(account.provider)@\(account.domain)"
            let remedy =
                switch state {
                case .notAuthenticated: SignInWords.suggestion(account)
                case .locked: "Unlock the keyring; Docent then continues by itself."
                default: "Local copies can be read, and changes are kept. To retry at once: docent transfers retry"
                }
            return Wire.Check(
                name: name, status: "warning", detail: "\(state.name): \(state.message ?? "")", remedy: remedy)
        }
    }

    private func operationChecks() async -> [Wire.Check] {
        var checks: [Wire.Check] = []
        for row in (try? await journal.failures()) ?? [] {
            checks.append(
                Wire.Check(
                    name: "write \(row.operation)", status: "warning", detail: row.reason ?? "failed",
                    remedy: "Its content is kept in \(layout.uploadsDirectory)/\(row.id)."))
        }
        for row in (try? await journal.pending()) ?? [] where row.state == .moveSourcePending {
            checks.append(
                Wire.Check(
                    name: "move \(row.operation)", status: "warning",
                    detail:
                        "\(row.source ?? "its source") was copied, but it was not confirmed that the source is gone",
                    remedy: "Compare the two, then move the source, or a leftover .docent-moved-\(row.operation), away."
                ))
        }
        return checks
    }

    /// The number of changes that are committed here and not yet sent to their provider.
    package func pendingOperations() async -> Int {
        ((try? await journal.pending()) ?? []).filter { $0.state == .staged || $0.needsUpload }.count
    }
}
