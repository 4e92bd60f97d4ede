import CLinux

/// An open file with one owner. It is closed when this value is destroyed.
public struct OpenFile: ~Copyable, Sendable {
    /// The descriptor, valid while this value exists.
    public let descriptor: CInt

    /// Takes ownership of an open descriptor.
    public init(owning descriptor: CInt) { self.descriptor = descriptor }

    deinit { _ = clinux_close(descriptor) }

    /// Releases ownership: the caller closes the result.
    public consuming func release() -> CInt {
        let descriptor = descriptor
        discard self
        return descriptor
    }
}
