package import Varlink

/// What runs an extension's code, as the host sees it behind a connection.
package protocol ExtensionProgram: AnyObject, Sendable {
    /// The outermost process; nil if the code runs in no process of its own.
    var outermostProcess: Int32? { get }
    /// The process in which the extension's own code runs; nil before the sandbox is closed.
    var pluginProcess: Int32? { get }
    /// Resident bytes of it and its children; nil when they cannot be read.
    var residentBytes: Int? { get }
    /// The end of its standard output and error.
    var errorText: String { get }
    /// Whether it is running.
    var isRunning: Bool { get }

    /// The extension's socket; it can be taken once.
    func takeSocket() -> OwnedDescriptor?

    /// Waits until it has ended.
    func waitForExit() async -> ExtensionExit

    /// How it ended; nil when it is still running after the limit. The wait is not shortened when the task is
    /// cancelled.
    func exit(within limit: Duration) async -> ExtensionExit?

    /// Ends it and all its children.
    func terminate()

    /// Ends it for exceeding a limit; its calls and its exit report that.
    func terminate(for excess: ExtensionExit.Excess)
}

extension ExtensionProcess: ExtensionProgram {
    package var outermostProcess: Int32? { processIdentifier }
}
