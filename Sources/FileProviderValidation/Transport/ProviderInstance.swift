package import Varlink

/// One running provider, reached over one socket.
package protocol ProviderInstance: AnyObject, Sendable {
    /// The socket on which the provider serves `org.docent.FileProvider`; can be taken once.
    func takeSocket() throws -> OwnedDescriptor

    /// The storage path for the provider: inside its sandbox, if it has one.
    var storage: String { get }

    /// The same directory as this process sees it.
    var visibleStorage: String { get }

    /// Whether it has a process of its own whose end can be detected.
    var isApart: Bool { get }

    /// The process that runs the provider's code, as numbered here; nil if it has none of its own.
    var process: Int32? { get }

    /// How its process ended, in words for people; nil while it runs, and if it has none of its own.
    var end: String? { get }

    /// The end of its standard error, at most a few KiB.
    var errorText: String { get }

    /// Ends it, either at once or by closing the connection, and returns when it is gone.
    ///
    /// - Parameter kill: with SIGKILL.
    /// - Returns: How it ended, for people; nil if it did not end within some seconds after the connection was closed
    ///   and was killed.
    func stop(kill: Bool) async -> String?
}
