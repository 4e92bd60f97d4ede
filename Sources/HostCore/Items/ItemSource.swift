package import DocentInterfaces
package import Rights

/// Where items come from: in the daemon the gateway to their providers, in a test its own memory.
package protocol ItemSource: Sendable {
    /// The description of an item by itself, without the version of a package.
    ///
    /// - Throws: ``Failure``: `NotFound` if there is no such item, else why it cannot be fetched.
    func bare(_ key: ItemKey) async throws -> Wire.Item

    /// One page of a folder.
    ///
    /// - Parameter page: ``nextPage`` of the page before it; nil for the first one.
    /// - Throws: ``Failure``, as ``bare(_:)``.
    func children(of folder: ItemKey, page: String?) async throws -> (items: [Wire.Item], nextPage: String?)
}
