package import Coordination
package import DocentInterfaces
import Glibc
import Rights
import Synchronization

/// A party that claims or presents: a session of a client, an extension, or the daemon itself.
package struct CoordinationParty: Sendable {
    /// The owner of its claims and presenters; they end with it.
    package let owner: Claim.Owner
    /// As in ``Wire/Cause``: a kind of client, `provider`, or `docent`.
    package let kind: String
    /// Identifier of the client or provider.
    package let client: String
    /// Its process, if known.
    package let process: Int?
    /// Its executable, if known.
    package let executable: String?
    /// Whether it is not informed about other clients' documents.
    package let isConfined: Bool

    package init(
        owner: Claim.Owner, kind: String, client: String, process: Int?, executable: String?, isConfined: Bool
    ) {
        self.owner = owner
        self.kind = kind
        self.client = client
        self.process = process
        self.executable = executable
        self.isConfined = isConfined
    }

    /// The client of a session.
    package init(_ session: Session) {
        self.init(
            owner: Claim.Owner(rawValue: session.number), kind: session.principal.kind.rawValue,
            client: session.principal.identifier, process: session.process, executable: session.executable,
            isConfined: session.principal.isConfined)
    }

    /// The daemon, for a change that no client asked for.
    package static let daemon = CoordinationParty(
        owner: Claim.Owner(rawValue: 0), kind: "docent", client: "docentd", process: Int(getpid()), executable: nil,
        isConfined: false)

    /// A provider's extension.
    ///
    /// - Parameter owner: a unique number (``nextNumber()``).
    package static func provider(_ identifier: String, owner: UInt64, process: Int?) -> CoordinationParty {
        CoordinationParty(
            owner: Claim.Owner(rawValue: owner), kind: "provider", client: identifier, process: process,
            executable: nil, isConfined: false)
    }

    /// A number for an owner; no number is used twice.
    package static func nextNumber() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }

    private static let last = Atomic<UInt64>(0)

    /// The party as the cause in a message.
    package func cause(purpose: String?, operation: String?) -> Wire.Cause {
        Wire.Cause(
            kind: kind, client: client, process: process, executable: executable, purpose: purpose,
            operation: operation)
    }

    /// The party as shown to people: `org.example.Editor (process 123)`.
    package var words: String {
        process.map { "\(client) (process \($0)\(Self.isStopped($0) == true ? ", stopped" : ""))" } ?? client
    }

    /// Whether a process is stopped and so cannot answer; nil when that cannot be determined.
    package static func isStopped(_ process: Int?) -> Bool? {
        guard let process, let file = fopen("/proc/\(process)/stat", "r") else { return nil }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 512)
        let count = fread(&buffer, 1, buffer.count, file)
        // The state follows the name. The name may contain anything, but ends at the last parenthesis.
        guard let end = buffer[..<count].lastIndex(of: UInt8(ascii: ")")), end + 2 < count else { return nil }
        return [UInt8(ascii: "T"), UInt8(ascii: "t")].contains(buffer[end + 2])
    }
}
