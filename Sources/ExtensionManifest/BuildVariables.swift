/// Expands the few build variables whose value follows from the manifest itself.
///
/// Xcode expands `$(NAME)` when it builds; manifests taken from a source tree still contain them.
struct BuildVariables {
    /// The product's name, from that of the library: `libMy-Drive.so` → `My-Drive`.
    var product: String?
    /// The extension's own bundle identifier, when written out.
    var bundleIdentifier: String?
    /// Values given from outside; they take precedence.
    var others: [String: String] = [:]

    /// The module name: the product's, with `_` for every character that a module name cannot have.
    var module: String? { product.map { Self.replacing(all: $0, but: "_", with: "_") } }

    /// A value with every known variable in its texts replaced; dictionary keys are unchanged.
    func expand(_ value: PropertyListValue) -> PropertyListValue {
        switch value {
        case .string(let text): text.contains("$") ? .string(expand(text).text) : value
        case .array(let values): .array(values.map(expand))
        case .dictionary(let entries): .dictionary(entries.mapValues(expand))
        case .integer, .real, .boolean, .date, .data: value
        }
    }

    /// The text with every known variable replaced, and the names of the unknown ones, which are left as they are.
    func expand(_ text: String) -> (text: String, unknown: [String]) {
        var result = ""
        var unknown: [String] = []
        var rest = Substring(text)
        while let dollar = rest.firstIndex(of: "$") {
            result += rest[..<dollar]
            let afterDollar = rest.index(after: dollar)
            let closing: Character? =
                switch rest[afterDollar...].first {
                case "(": ")"
                case "{": "}"
                default: nil
                }
            guard let closing, let end = rest[afterDollar...].firstIndex(of: closing) else {
                result.append("$")
                rest = rest[afterDollar...]
                continue
            }
            let name = rest[rest.index(after: afterDollar)..<end]
            if let value = value(of: name) {
                result += value
            } else {
                unknown.append(String(name))
                result += rest[dollar...end]
            }
            rest = rest[rest.index(after: end)...]
        }
        return (result + rest, unknown)
    }

    private func value(of expression: Substring) -> String? {
        let parts = expression.split(separator: ":", omittingEmptySubsequences: false)
        let plain: String? =
            switch parts.first {
            case .some(let name) where others[String(name)] != nil: others[String(name)]
            case "PRODUCT_MODULE_NAME": module
            case "PRODUCT_NAME", "TARGET_NAME": product
            case "PRODUCT_BUNDLE_IDENTIFIER": bundleIdentifier
            // There are no teams here, so their prefix is empty.
            case "AppIdentifierPrefix", "TeamIdentifierPrefix": ""
            default: nil
            }
        return parts.dropFirst().reduce(plain) { value, modifier in
            switch modifier {
            case "rfc1034identifier": value.map { Self.replacing(all: $0, but: ".", with: "-") }
            case "c99extidentifier": value.map { Self.replacing(all: $0, but: "_", with: "_") }
            case "lower": value?.lowercased()
            default: nil
            }
        }
    }

    /// The product of a library: `libFoo.so` and `libFoo.so.1` → `Foo`.
    static func product(ofLibrary path: String) -> String? {
        let file = Paths.lastComponent(of: path)
        let stem = file.split(separator: ".").first.map(String.init) ?? ""
        let name = stem.hasPrefix("lib") ? String(stem.dropFirst(3)) : stem
        return name.isEmpty || name.contains("$") ? nil : name
    }

    // By hand, because this runs for every manifest: a regular expression took a seventh of the time of reading one.
    private static func replacing(all text: String, but kept: Character, with other: Character) -> String {
        String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == kept ? $0 : other })
    }
}
