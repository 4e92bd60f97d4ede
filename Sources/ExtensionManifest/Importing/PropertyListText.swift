/// Writes a property list as XML, with the keys of a manifest in their usual order.
package enum PropertyListText {
    private static let order = Dictionary(
        uniqueKeysWithValues: ManifestKey.allCases.enumerated().map { ($0.element.rawValue, $0.offset) })

    /// The whole file. Dates and data, which do not occur in manifests, are written as text.
    package static func xml(_ value: PropertyListValue) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        \(lines(value).joined(separator: "\n"))
        </plist>

        """
    }

    private static func lines(_ value: PropertyListValue) -> [String] {
        switch value {
        case .string(let text): ["<string>\(escaped(text))</string>"]
        case .integer(let number): ["<integer>\(number)</integer>"]
        case .real(let number): ["<real>\(number)</real>"]
        case .boolean(let flag): [flag ? "<true/>" : "<false/>"]
        case .date, .data: ["<string>\(escaped(value.shortDescription))</string>"]
        case .array(let values) where values.isEmpty: ["<array/>"]
        case .array(let values): ["<array>"] + values.flatMap(lines).map(indented) + ["</array>"]
        case .dictionary(let entries) where entries.isEmpty: ["<dict/>"]
        case .dictionary(let entries):
            ["<dict>"]
                + sorted(entries.keys).flatMap { key in
                    ["<key>\(escaped(key))</key>"] + (entries[key].map(lines) ?? [])
                }.map(indented) + ["</dict>"]
        }
    }

    private static func sorted(_ keys: Dictionary<String, PropertyListValue>.Keys) -> [String] {
        keys.sorted { (order[$0] ?? Int.max, $0) < (order[$1] ?? Int.max, $1) }
    }

    private static func indented(_ line: String) -> String { "    " + line }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
