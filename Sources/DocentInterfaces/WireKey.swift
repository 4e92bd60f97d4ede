/// The name of a field of a message.
package struct WireKey: CodingKey, ExpressibleByStringLiteral {
    package let stringValue: String

    package init(stringLiteral value: String) { stringValue = value }
    package init(stringValue: String) { self.stringValue = stringValue }

    /// Fields have no numbers.
    package var intValue: Int? { nil }
    package init?(intValue: Int) { nil }
}
