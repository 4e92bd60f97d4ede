import ExtensionManifest

/// The digest that goes with a content, as `Create` and `Modify` want it.
package enum ContentDigest {
    /// SHA-256 in 64 lower-case hexadecimal digits.
    package static func hex(_ content: [UInt8]) -> String { PortableDigest.hexDigest(of: content) }
}
