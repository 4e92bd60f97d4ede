/// Expands the few build variables whose value follows from the manifest itself.
///
/// Xcode expands `$(NAME)` when it builds; manifests taken from a source tree still have them (SEMANTICS 6).
struct BuildVariables {
    /// The module name, from the library's name.
    var module: String?
    /// The extension's own bundle identifier, when written out.
    var bundleIdentifier: String?

    /// The text with every known variable replaced, and the names of the others, which are left as written.
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
            case "PRODUCT_MODULE_NAME", "PRODUCT_NAME", "TARGET_NAME": module
            case "PRODUCT_BUNDLE_IDENTIFIER": bundleIdentifier
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

    /// The module that a library holds: `libFoo.so` and `libFoo.so.1` → `Foo`; characters that no module name may
    /// have become `_`, as the build tools do.
    static func module(ofLibrary path: String) -> String? {
        let file = Paths.lastComponent(of: path)
        let stem = file.split(separator: ".").first.map(String.init) ?? ""
        let name = stem.hasPrefix("lib") ? String(stem.dropFirst(3)) : stem
        return name.isEmpty ? nil : replacing(all: name, but: "_", with: "_")
    }

    // Every manifest comes here: a regular expression took a seventh of the time of reading one.
    private static func replacing(all text: String, but kept: Character, with other: Character) -> String {
        String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == kept ? $0 : other })
    }
}
