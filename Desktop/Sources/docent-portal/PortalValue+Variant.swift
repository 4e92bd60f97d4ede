import CGIO
import PortalDialog

extension PortalValue {
    /// More than this of anything is left out.
    private static let mostMembers: gsize = 4096
    private static let mostLevels = 12

    /// The value of a GVariant, without the boxes around values of any type.
    init(_ variant: OpaquePointer, levels: Int = mostLevels) {
        guard levels > 0 else {
            self = .other
            return
        }
        switch g_variant_classify(variant) {
        case G_VARIANT_CLASS_BOOLEAN: self = .boolean(g_variant_get_boolean(variant) != 0)
        case G_VARIANT_CLASS_UINT32: self = .number(g_variant_get_uint32(variant))
        case G_VARIANT_CLASS_STRING, G_VARIANT_CLASS_OBJECT_PATH, G_VARIANT_CLASS_SIGNATURE:
            self = .text(g_variant_get_string(variant, nil).map { String(cString: $0) } ?? "")
        case G_VARIANT_CLASS_VARIANT:
            self = Self.with(g_variant_get_variant(variant)) { PortalValue($0, levels: levels - 1) }
        case G_VARIANT_CLASS_ARRAY where docent_is_bytes(variant) != 0:
            var count: gsize = 0
            let bytes = g_variant_get_fixed_array(variant, &count, 1)
            self = .bytes(bytes.map { Array(UnsafeRawBufferPointer(start: $0, count: Int(min(count, 65_536)))) } ?? [])
        case G_VARIANT_CLASS_ARRAY where docent_is_dictionary(variant) != 0:
            var members: [String: PortalValue] = [:]
            for entry in Self.members(variant, levels) {
                if let pair = entry.list, pair.count == 2, let key = pair[0].text { members[key] = pair[1] }
            }
            self = .dictionary(members)
        case G_VARIANT_CLASS_ARRAY, G_VARIANT_CLASS_TUPLE, G_VARIANT_CLASS_DICT_ENTRY:
            self = .list(Self.members(variant, levels))
        default: self = .other
        }
    }

    private static func members(_ variant: OpaquePointer, _ levels: Int) -> [PortalValue] {
        (0..<min(g_variant_n_children(variant), mostMembers)).map { index in
            with(g_variant_get_child_value(variant, index)) { PortalValue($0, levels: levels - 1) }
        }
    }

    private static func with(_ variant: OpaquePointer?, _ body: (OpaquePointer) -> PortalValue) -> PortalValue {
        guard let variant else { return .other }
        defer { g_variant_unref(variant) }
        return body(variant)
    }
}
