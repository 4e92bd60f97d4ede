import FoundationEssentials
package import Isolation

/// What a daemon is started with: the environment, read once.
package struct DaemonConfiguration: Sendable {
    /// The environment as it was.
    package var environment: [String: String]
    /// Seconds without any work after which the daemon leaves (D2); 0 means never.
    package var idleSeconds: Double
    /// Seconds without a call after which an extension process is ended; 0 means never.
    package var extensionIdleSeconds: Double
    /// Seconds that a provider may take for one call without telling progress.
    package var providerDeadline: Double
    /// Seconds after a restart in which clients may take up write sessions of before (D3); 0 means not at all.
    package var resumeSeconds: Double
    /// Seconds that a presenter has to answer a message (SEMANTICS 2.3).
    package var presenterDeadline: Double
    /// Seconds that a client's claim waits which does not say how long (law 5).
    package var claimDeadline: Double
    /// Seconds that a client's request waits for the user to choose (law 5).
    package var pickDeadline: Double
    /// What is kept of the audit.
    package var audit: AuditRetention
    /// Seconds that a right which was not taken outlives the last session of its client.
    package var transientSeconds: Double
    /// The program that runs extensions.
    package var extensionHost: String

    /// Reads `DOCENT_IDLE_SECONDS` (60), `DOCENT_EXTENSION_IDLE_SECONDS` (60), `DOCENT_PROVIDER_DEADLINE_SECONDS` (60),
    /// `DOCENT_RESUME_SECONDS` (60), `DOCENT_PRESENTER_DEADLINE_SECONDS` (20), `DOCENT_CLAIM_SECONDS` (300),
    /// `DOCENT_PICK_SECONDS` (600), `DOCENT_AUDIT_DAYS` (180) and `DOCENT_EXTENSION_HOST` (beside the daemon, else in `libexec/docent`).
    package init(environment: [String: String], ownProgram: String) {
        func seconds(_ key: String, _ standard: Double) -> Double {
            environment[key].flatMap(Double.init).map { max(0, $0) } ?? standard
        }
        self.environment = environment
        idleSeconds = seconds("DOCENT_IDLE_SECONDS", 60)
        extensionIdleSeconds = seconds("DOCENT_EXTENSION_IDLE_SECONDS", 60)
        providerDeadline = seconds("DOCENT_PROVIDER_DEADLINE_SECONDS", 60)
        resumeSeconds = seconds("DOCENT_RESUME_SECONDS", 60)
        presenterDeadline = seconds("DOCENT_PRESENTER_DEADLINE_SECONDS", 20)
        claimDeadline = seconds("DOCENT_CLAIM_SECONDS", 300)
        pickDeadline = seconds("DOCENT_PICK_SECONDS", 600)
        audit = environment["DOCENT_AUDIT_DAYS"].flatMap(AuditRetention.init(environmentText:)) ?? AuditRetention()
        transientSeconds = seconds("DOCENT_TRANSIENT_SECONDS", 60)
        let folder = ownProgram.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
            separator: "/")
        extensionHost = environment["DOCENT_EXTENSION_HOST"] ?? folder + "/docent-extension-host"
    }
}
