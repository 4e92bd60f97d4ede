package import DocentInterfaces

/// An error that knows which failure clients get for it.
package protocol FailureConvertible: Error {
    /// The failure that clients get.
    var failure: Failure { get }
}
