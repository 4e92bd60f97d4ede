import ExtensionManifest

/// The digest of a content, as `Create` and `Modify` expect it.
package enum ContentDigest {
    /// SHA-256 in 64 lower-case hexadecimal digits.
    package static func hex(_ content: [UInt8]) -> String { PortableDigest.hexDigest(of: content) }
}
