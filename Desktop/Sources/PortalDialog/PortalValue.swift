/// A value of D-Bus. Pure.
package enum PortalValue: Equatable, Sendable {
    case boolean(Bool)
    case number(UInt32)
    case text(String)
    /// An array of bytes, with the zero at its end if there is one.
    case bytes([UInt8])
    /// An array or a structure.
    case list([PortalValue])
    /// With names as keys.
    case dictionary([String: PortalValue])
    /// Of another type, or too much.
    case other

    package var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    package var number: UInt32? { if case .number(let value) = self { value } else { nil } }
    package var text: String? { if case .text(let value) = self { value } else { nil } }
    package var list: [PortalValue]? { if case .list(let value) = self { value } else { nil } }
    package var dictionary: [String: PortalValue]? { if case .dictionary(let value) = self { value } else { nil } }

    /// The text of a file name, which D-Bus has as bytes that end with a zero; nil if it is not UTF-8, or empty.
    package var path: String? {
        guard case .bytes(let bytes) = self,
            let text = String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self), !text.isEmpty
        else { return nil }
        return text
    }
}
