package import DocentInterfaces

/// Who is behind a message to a presenter (complaint 8).
public struct ChangeCause: Sendable, Hashable {
    /// What kind of somebody. One that this build does not know stays what it was.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The name on the wire.
        public let rawValue: String

        /// A kind by its name, known or not.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// A program that no sandbox confines.
        public static let unconfined = Kind("unconfined")
        /// A program that `docent run` confines.
        public static let run = Kind("run")
        /// A Flatpak application.
        public static let flatpak = Kind("flatpak")
        /// A snap.
        public static let snap = Kind("snap")
        /// A provider, with news from its service.
        public static let provider = Kind("provider")
        /// The daemon itself.
        public static let docent = Kind("docent")

        /// The name.
        public var description: String { rawValue }
    }

    /// What kind of somebody it is.
    public let kind: Kind
    /// The identifier of the client or provider; empty where it may not be told.
    public let client: String
    /// Its process number, where that is known and may be told.
    public let process: Int?
    /// Its executable, where that is known and may be told.
    public let executable: String?
    /// The purpose of its claim, if it stated one.
    public let purpose: String?
    /// Names the claim or change.
    public let operation: String?

    /// A cause, for tests of presenters.
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

    /// Where the daemon does not say.
    static let unknown = ChangeCause(kind: .docent, client: "")
}
