package import DocentInterfaces

/// How a deletion uses the trash of a provider.
package enum TrashUse: String, Hashable, Sendable {
    /// The item goes to the trash where there is one for it; otherwise it is deleted for good.
    case preferred
    /// As ``preferred``, but nothing is deleted for good that a provider with a trash cannot move there.
    case required
    /// The item is deleted for good.
    case unused
    /// The item is deleted for good, and there is nothing to take back: it was temporary, or its content is elsewhere.
    case temporary

    /// Whether a deletion may wait, so that it can be taken back where there is no trash.
    var allowsPeriod: Bool { self == .preferred || self == .required }

    /// Reads a parameter of a method.
    ///
    /// - Throws: ``Failure`` `InvalidArgument`.
    package init(_ text: String?) throws(Failure) {
        guard let text else {
            self = .preferred
            return
        }
        guard let use = TrashUse(rawValue: text) else {
            throw Failure(.invalidArgument, "\"\(text.prefix(80))\" is no way to use the trash.")
        }
        self = use
    }
}
