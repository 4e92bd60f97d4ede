/// A thread that handles a presenter's messages and that the program itself may block: told to the daemon, so that a claim which
/// would wait for itself fails with `deadlock` instead (SEMANTICS 2.9, deadlock 1).
public struct PresenterThread: Sendable, Hashable {
    /// The name by which blocking calls and presenters of one program mean the same thread.
    public let name: String

    /// A thread by a name of the program's own.
    public init(_ name: String) { self.name = name }

    /// The main thread.
    public static let main = PresenterThread("main")
}
