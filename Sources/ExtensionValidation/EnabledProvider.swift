package import DocentInterfaces
package import FileProviderValidation
import Varlink

/// A provider that has been enabled in a daemon, given a domain, and granted to one client.
package struct EnabledProvider: Sendable {
    /// The client.
    package let client: DaemonClient
    /// The top folder of its domain.
    package let root: Wire.ItemReference

    /// Its bundle identifier.
    package var provider: String { root.provider }
    /// Its domain, empty for the default one.
    package var domain: String { root.domain }

    /// Enables it unless that has been done, adds its domain, and grants the top folder for reading and writing.
    ///
    /// - Parameter home: the home of the case.
    /// - Throws: `Failure`.
    package init(_ subject: ProviderSubject, home: String, _ client: DaemonClient) async throws {
        self.client = client
        let consent = try await client.call(
            AdministrationInterface.DescribeProvider.self, .init(provider: subject.identifier)
        ).value.consent
        if !consent.enabled || consent.state != "ready" {
            _ = try await client.call(
                AdministrationInterface.EnableProvider.self,
                .init(provider: subject.identifier, digest: consent.digest, joinGroups: true))
        }
        let domain = try await Self.domain(subject, home, client)
        let granted = try await client.call(
            AdministrationInterface.AddGrant.self,
            .init(
                clientKind: "unconfined", client: DaemonClient.identifier,
                location: .init(provider: subject.identifier, domain: domain, path: "/"), access: "readWrite",
                persist: true)
        ).value
        root = granted.item.reference
    }

    /// A location in the domain, by its names from the top folder.
    package func location(_ path: String) -> Wire.Location {
        Wire.Location(provider: provider, domain: domain, path: path)
    }

    /// A reference to one of its items.
    package func reference(_ identifier: String) -> Wire.ItemReference {
        identifier == ".root" ? root : .init(provider: provider, domain: domain, identifier: identifier)
    }

    /// Waits until all changes have been uploaded.
    ///
    /// - Throws: `Failure` when that takes longer than two minutes, or needs the user.
    package func drain() async throws {
        let left = try await client.call(AdministrationInterface.Drain.self, .init(timeout: 120)).value
        guard left.pending == 0, left.failed == 0 else {
            throw Failure(
                .unavailable, "\(left.pending) changes were not sent in two minutes, and \(left.failed) cannot be sent."
            )
        }
    }

    private static func domain(
        _ subject: ProviderSubject, _ home: String, _ client: DaemonClient
    ) async throws -> String {
        guard subject.folder != nil || !subject.settings.isEmpty || subject.credential != nil else { return "" }
        let name = "validation"
        let known = try await client.call(
            AdministrationInterface.ListDomains.self, .init(provider: subject.identifier)
        ).value.domains
        let credential = subject.credential.map {
            Wire.Credential(kind: $0.kind, source: "session", username: $0.username, secret: $0.secret)
        }
        guard !known.contains(where: { $0.identifier == name }) else {
            // The credential was in the memory of the previous daemon, as for a user who signed in for the session
            // only.
            if let credential {
                _ = try await client.call(
                    AdministrationInterface.ChangeDomain.self,
                    .init(provider: subject.identifier, identifier: name, credential: credential))
            }
            return name
        }
        _ = try await client.call(
            AdministrationInterface.AddDomain.self,
            .init(
                domain: .init(
                    provider: subject.identifier, identifier: name, displayName: "Validation", folder: subject.folder,
                    settings: subject.settings.isEmpty ? nil : subject.settings(inHome: home)),
                credential: credential,
                // The cases report what is wrong with it.
                unchecked: credential == nil ? true : nil))
        return name
    }
}
