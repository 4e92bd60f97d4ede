import CLinux

/// An open file with one owner: it is closed when the value ends.
public struct OpenFile: ~Copyable, Sendable {
    /// The descriptor's number, valid while this value lives.
    public let descriptor: CInt

    /// Takes ownership of an open descriptor.
    public init(owning descriptor: CInt) { self.descriptor = descriptor }

    deinit { _ = clinux_close(descriptor) }

    /// Gives ownership up: the caller closes the result.
    public consuming func release() -> CInt {
        let descriptor = descriptor
        discard self
        return descriptor
    }
}
