package import ExtensionManifest
import FoundationEssentials
import Logging
package import Rights

/// The configuration of a daemon, read once from its environment.
package struct DaemonConfiguration: Sendable {
    /// The environment at the start.
    package var environment: [String: String]
    /// Seconds without any work after which the daemon exits; 0 means never.
    package var idleSeconds: Double
    /// Seconds without a call after which an extension process is ended; 0 means never.
    package var extensionIdleSeconds: Double
    /// Seconds that a provider may take for one call without reporting progress.
    package var providerDeadline: Double
    /// Seconds after a restart in which clients may resume earlier write sessions; 0 means not at all.
    package var resumeSeconds: Double
    /// Seconds in which a presenter must answer a message.
    package var presenterDeadline: Double
    /// Seconds that a client's claim waits if the client gives no limit.
    package var claimDeadline: Double
    /// Seconds that a client's request waits for the user to choose.
    package var pickDeadline: Double
    /// How much of the audit is kept.
    package var audit: AuditRetention
    /// Seconds that an offered right which the client never took outlives the client's last session.
    package var transientSeconds: Double
    /// The limits that no provider may exceed, whatever its manifest asks for. The administrator sets them.
    package var providerCeilings: [ProviderLimits.Kind: Int]
    /// The program that runs extensions.
    package var extensionHost: String

    /// Reads `DOCENT_IDLE_SECONDS` (60), `DOCENT_EXTENSION_IDLE_SECONDS` (60), `DOCENT_PROVIDER_DEADLINE_SECONDS` (60),
    /// `DOCENT_RESUME_SECONDS` (60), `DOCENT_PRESENTER_DEADLINE_SECONDS` (20), `DOCENT_CLAIM_SECONDS` (300),
    /// `DOCENT_PICK_SECONDS` (600), `DOCENT_AUDIT_DAYS` (180) and `DOCENT_EXTENSION_HOST` (beside the daemon, else in
    /// `libexec/docent`).
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
        providerCeilings = Self.ceilings(environment)
        let folder = ownProgram.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
            separator: "/")
        extensionHost = environment["DOCENT_EXTENSION_HOST"] ?? folder + "/docent-extension-host"
    }

    /// The invalid values in the environment. A daemon with any does not start: a mistyped number must not silently
    /// become another one.
    package static func problems(in environment: [String: String]) -> [String] {
        func bad(_ names: [String], _ must: String, _ isGood: (String) -> Bool) -> [String] {
            names.compactMap { name in
                guard let text = environment[name], !text.isEmpty, !isGood(text) else { return nil }
                return "\(name) is \"\(text.prefix(100))\", but must be \(must)"
            }
        }
        return bad(numberOfSeconds, "a number of seconds, 0 or more") { text in
            Double(text).map { $0.isFinite && $0 >= 0 && $0 <= 1e9 } ?? false
        }
            + bad(["DOCENT_MINIMUM_FREE_BYTES"], "a number of bytes, 0 or more") { (Int64($0) ?? -1) >= 0 }
            + bad(["DOCENT_LISTING_ITEMS"], "a number, 1 or more") { (Int($0) ?? 0) > 0 }
            + bad(["DOCENT_CHANGE_LIMIT"], "a number, 1 to 100000, or off") { text in
                text == "off" || (1...100_000).contains(Int(text) ?? 0)
            }
            + bad(["DOCENT_LOG_LEVEL"], "one of " + Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")) {
                Logger.Level(rawValue: $0) != nil
            }
            + bad(["DOCENT_AUDIT_DAYS"], "a number of days, more than 0") { AuditRetention(environmentText: $0) != nil }
    }

    private static let numberOfSeconds = [
        "DOCENT_IDLE_SECONDS", "DOCENT_EXTENSION_IDLE_SECONDS", "DOCENT_PROVIDER_DEADLINE_SECONDS",
        "DOCENT_RESUME_SECONDS", "DOCENT_PRESENTER_DEADLINE_SECONDS", "DOCENT_CLAIM_SECONDS", "DOCENT_PICK_SECONDS",
        "DOCENT_TRANSIENT_SECONDS", "DOCENT_FRESH_SECONDS", "DOCENT_POLL_SECONDS", "DOCENT_DELETION_GRACE_SECONDS",
    ]

    private static let ceilingVariables: [(String, ProviderLimits.Kind)] = [
        ("DOCENT_PROVIDER_MEMORY", .memory), ("DOCENT_PROVIDER_PROCESSES", .processes),
        ("DOCENT_PROVIDER_DISK", .disk), ("DOCENT_PROVIDER_FILES", .files),
        ("DOCENT_PROVIDER_PROCESSOR_WEIGHT", .processorWeight),
    ]

    /// A value that is not a number counts as the default, and one below what a provider needs as the minimum: a typing
    /// error must not remove a limit.
    private static func ceilings(_ environment: [String: String]) -> [ProviderLimits.Kind: Int] {
        var result: [ProviderLimits.Kind: Int] = [:]
        for (name, kind) in ceilingVariables {
            guard let text = environment[name], !text.isEmpty else { continue }
            result[kind] = max(kind.range.lowerBound, kind.amount(text) ?? kind.standard)
        }
        return result
    }
}
