/// The parameters of a call or of a reply.
package protocol VarlinkMessage: Codable, Sendable {
    /// How many descriptors this value refers to; the receiver takes exactly as many (T1). 0 unless implemented.
    var descriptorCount: Int { get }

    /// The value as a JSON object, written without the ordinary encoder; nil, unless implemented, to leave it to that.
    var quickJSON: [UInt8]? { get }

    /// Whether values have secrets in them, so that the bytes of their messages are overwritten after use. False unless
    /// implemented.
    static var hasSecrets: Bool { get }

    /// Reads a JSON object that is known to be well formed and no deeper than the limit, without the ordinary decoder.
    /// Nil, unless implemented, leaves it to that, which also says what is wrong.
    static func quickValue(_ json: UnsafeBufferPointer<UInt8>) -> Self?
}

extension VarlinkMessage {
    /// No descriptors.
    package var descriptorCount: Int { 0 }

    /// None.
    package var quickJSON: [UInt8]? { nil }

    /// None.
    package static var hasSecrets: Bool { false }

    /// None.
    package static func quickValue(_ json: UnsafeBufferPointer<UInt8>) -> Self? { nil }
}

/// The empty object.
package struct NoParameters: VarlinkMessage {
    /// The only value.
    package init() {}
}
