package import DocentInterfaces

/// Who caused a message to a presenter.
public struct ChangeCause: Sendable, Hashable {
    /// The kind of originator. An unknown kind keeps its name.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The name on the wire.
        public let rawValue: String

        /// Creates a kind from its name, known or unknown.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// A program outside any sandbox.
        public static let unconfined = Kind("unconfined")
        /// A program in a sandbox of `docent run`.
        public static let run = Kind("run")
        /// A Flatpak application.
        public static let flatpak = Kind("flatpak")
        /// A snap.
        public static let snap = Kind("snap")
        /// A provider that reported a change in its service.
        public static let provider = Kind("provider")
        /// The daemon itself.
        public static let docent = Kind("docent")

        /// The name on the wire.
        public var description: String { rawValue }
    }

    /// The kind of originator.
    public let kind: Kind
    /// The identifier of the client or provider; empty when it may not be disclosed.
    public let client: String
    /// The process number; nil when it is unknown or may not be disclosed.
    public let process: Int?
    /// The path of the executable; nil when it is unknown or may not be disclosed.
    public let executable: String?
    /// The purpose of the claim; nil when none was stated.
    public let purpose: String?
    /// The operation of the claim or change; nil when unknown.
    public let operation: String?

    /// Creates a cause, for tests of presenters.
    public init(
        kind: Kind, client: String, process: Int? = nil, executable: String? = nil, purpose: String? = nil,
        operation: String? = nil
    ) {
        self.kind = kind
        self.client = client
        self.process = process
        self.executable = executable
        self.purpose = purpose
        self.operation = operation
    }

    package init(_ wire: Wire.Cause) {
        self.init(
            kind: Kind(wire.kind), client: wire.client, process: wire.process, executable: wire.executable,
            purpose: wire.purpose, operation: wire.operation)
    }

    /// Used when the daemon reports no cause.
    static let unknown = ChangeCause(kind: .docent, client: "")
}
