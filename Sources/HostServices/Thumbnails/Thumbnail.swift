package import Storage

/// A picture of a document, ready to be handed out.
package struct Thumbnail: Sendable {
    /// Where a picture is from.
    package enum Source: String, Sendable {
        /// An earlier picture of the same version.
        case cache
        /// The provider.
        case provider
        /// Made on this machine, of content that is here.
        case local
    }

    /// A PNG, open for reading.
    package var file: OpenDescriptor
    package var width: Int
    package var height: Int
    package var source: Source
    /// The version of the document that it shows; nil if its provider has no versions.
    package var version: String?
    /// The path of the file that keeps it.
    package var path: String?
}
