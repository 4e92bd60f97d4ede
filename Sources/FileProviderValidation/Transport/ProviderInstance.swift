package import Varlink

/// One running provider, reached over one socket.
package protocol ProviderInstance: AnyObject, Sendable {
    /// The socket at whose other end the provider serves `org.docent.FileProvider`; can be taken once.
    func takeSocket() throws -> OwnedDescriptor

    /// The path that the provider is to be told as its storage: inside its sandbox, if it has one.
    var storage: String { get }

    /// The same directory as this process sees it.
    var visibleStorage: String { get }

    /// Whether it has a process of its own, whose end can be known.
    var isApart: Bool { get }

    /// The process that the provider's code runs in, as numbered here; nil where it has none of its own.
    var process: Int32? { get }

    /// How its process ended, in words for people; nil while it runs, and where it has none of its own.
    var end: String? { get }

    /// The last of what it wrote to standard error, at most a few KiB.
    var errorText: String { get }

    /// Ends it, at once or by hanging up and waiting for it, and returns when it is gone.
    ///
    /// - Parameter kill: with SIGKILL.
    /// - Returns: How it ended, for people; nil if it did not end within some seconds of hanging up and was killed.
    func stop(kill: Bool) async -> String?
}
