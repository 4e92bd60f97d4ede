/// The parameters of a call or of a reply.
package protocol VarlinkMessage: Codable, Sendable {
    /// The number of descriptors that this value refers to; the receiver takes exactly as many. 0 by default.
    var descriptorCount: Int { get }

    /// The value as a JSON object, encoded without the ordinary encoder. Nil, the default, uses the ordinary encoder.
    var quickJSON: [UInt8]? { get }

    /// Whether values contain secrets, so that the bytes of their messages are overwritten after use. False by default.
    static var hasSecrets: Bool { get }

    /// Decodes a JSON object, which must be well formed and within the depth limit, without the ordinary decoder. Nil,
    /// the default, uses the ordinary decoder, which also reports what is wrong.
    static func quickValue(_ json: UnsafeBufferPointer<UInt8>) -> Self?
}

extension VarlinkMessage {
    /// Returns 0.
    package var descriptorCount: Int { 0 }

    /// Returns nil.
    package var quickJSON: [UInt8]? { nil }

    /// Returns false.
    package static var hasSecrets: Bool { false }

    /// Returns nil.
    package static func quickValue(_ json: UnsafeBufferPointer<UInt8>) -> Self? { nil }
}

/// An empty object.
package struct NoParameters: VarlinkMessage {
    /// Creates an empty message.
    package init() {}
}
