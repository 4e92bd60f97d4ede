package import DocentInterfaces
package import HostCore

/// Pictures of documents, without their content being fetched (K9).
package struct ThumbnailService: Sendable {
    package init() {}

    /// A picture of a document.
    ///
    /// - Throws: ``Failure`` `NotSupported` if there is none.
    package func thumbnail(
        _ session: Session, _ reference: Wire.ItemReference, size: Int
    ) async throws -> Thumbnail {
        throw Failure(.notSupported, "There is no picture of this document.")
    }
}
