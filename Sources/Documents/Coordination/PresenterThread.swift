/// A thread that handles a presenter's messages and that the program itself may block. The daemon knows which it is,
/// so that a claim that would wait for itself fails with `deadlock`.
public struct PresenterThread: Sendable, Hashable {
    /// The name that blocking calls and presenters of one program use for the same thread.
    public let name: String

    /// Creates a thread with a name of the program's choice.
    public init(_ name: String) { self.name = name }

    /// The main thread.
    public static let main = PresenterThread("main")
}
