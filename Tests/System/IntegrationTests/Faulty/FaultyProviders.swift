import DocentInterfaces
import DocentTestSupport
import Documents
import Faulty
import Foundation
import Varlink

/// One of Faulty's faults; the tests with a server have their own faults.
typealias ProviderFault = Faulty.Fault

/// Copies of the provider Faulty under one daemon, each with its own identifier, process and script.
struct FaultyProviders: Sendable {
    /// The domain of each copy.
    static let domain = "d"

    let installation: Installation
    /// An unconfined program, which may also administer.
    let client: DocumentsClient

    /// Creates an installation with the given copies, in which LocalFolder works, for a test.
    ///
    /// - Parameter copies: the class of each copy, by the copy's identifier.
    static func with<Result>(
        _ copies: [String: ProviderFault.Subject], environment extra: [String: String] = [:],
        _ body: (FaultyProviders) async throws -> Result
    ) async throws -> Result {
        let environment = [
            "DOCENT_PROVIDER_DEADLINE_SECONDS": "5", "DOCENT_FRESH_SECONDS": "0", "DOCENT_POLL_SECONDS": "1",
            "DOCENT_IDLE_SECONDS": "600", "DOCENT_LOG_LEVEL": "info",
        ].merging(extra) { _, new in new }
        return try await Installation.withLocalFolder(environment: environment) { installation in
            try installation.write("well", to: "well.txt")
            for (identifier, subject) in copies {
                let original = Self.original(subject)
                for point in ["FileProvider", "Picker"] {
                    let manifest = try String(
                        contentsOfFile: "\(Repository.root)/Plugins/Faulty/manifests/\(original).\(point).plist",
                        encoding: .utf8)
                    try manifest.replacingOccurrences(of: original, with: identifier)
                        .write(
                            toFile: "\(installation.manifests)/\(identifier).\(point).plist", atomically: false,
                            encoding: .utf8)
                }
            }
            let client = installation.client()
            defer { client.close() }
            let providers = FaultyProviders(installation: installation, client: client)
            for identifier in copies.keys { try await providers.enable(identifier) }
            return try await body(providers)
        }
    }

    private static func original(_ subject: ProviderFault.Subject) -> String {
        switch subject {
        case .full: "org.docent.Faulty"
        case .readOnly: "org.docent.FaultyReadOnly"
        case .inPlace: "org.docent.FaultyInPlace"
        case .trash: "org.docent.FaultyTrash"
        }
    }

    private func enable(_ provider: String) async throws {
        let consent = try await client.call(
            AdministrationInterface.DescribeProvider.self, .init(provider: provider)
        ).value.consent
        _ = try await client.call(
            AdministrationInterface.EnableProvider.self, .init(provider: provider, digest: consent.digest))
    }

    /// Adds the domain with a script.
    func addDomain(_ provider: String, faults: String, settings: [String: String] = [:]) async throws {
        _ = try await client.call(
            AdministrationInterface.AddDomain.self,
            .init(
                domain: .init(
                    provider: provider, identifier: Self.domain, displayName: "",
                    settings: settings.merging(["faults": faults]) { _, new in new }), unchecked: true))
    }

    /// Ends the fault: removes the script, and resets the daemon's reaction to crashes as a user would.
    func mend(_ provider: String) async throws {
        _ = try await client.call(
            AdministrationInterface.ChangeDomain.self,
            .init(provider: provider, identifier: Self.domain, settings: ["faults": ""]))
        _ = try await client.call(AdministrationInterface.ResetProvider.self, .init(provider: provider))
    }

    func location(_ provider: String, _ path: String) -> DocumentLocation {
        DocumentLocation(provider: provider, domain: Self.domain, path: path)
    }

    func wire(_ provider: String, _ path: String) -> Wire.Location {
        Wire.Location(provider: provider, domain: Self.domain, path: path)
    }

    /// The processes in which a copy's own code runs: the innermost of its sandbox.
    func processes(_ provider: String) async throws -> [pid_t] {
        guard let outermost = try await status(provider)?.processIdentifier else { return [] }
        return Self.innermost(pid_t(outermost))
    }

    private static func innermost(_ process: pid_t) -> [pid_t] {
        let text = try? String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
        let children = (text ?? "").split(separator: " ").compactMap { pid_t($0) }
        return children.isEmpty ? [process] : children.flatMap(innermost)
    }

    /// The daemon's status of a copy's process.
    func status(_ provider: String) async throws -> Wire.ExtensionStatus? {
        try await client.call(AdministrationInterface.Status.self, .init()).value.extensions
            .first { $0.provider == provider }
    }
}
