/// The parameters of a call or of a reply.
package protocol VarlinkMessage: Codable, Sendable {
    /// How many descriptors this value refers to; the receiver takes exactly as many (T1). 0 unless implemented.
    var descriptorCount: Int { get }
}

extension VarlinkMessage {
    /// No descriptors.
    package var descriptorCount: Int { 0 }
}

/// The empty object.
package struct NoParameters: VarlinkMessage {
    /// The only value.
    package init() {}
}
