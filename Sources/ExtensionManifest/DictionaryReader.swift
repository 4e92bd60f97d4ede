/// Takes typed values out of a dictionary and notes each that has another type.
struct DictionaryReader {
    /// The entries.
    let values: [String: PropertyListValue]
    /// The key path of the dictionary itself, empty at top level.
    let path: String

    func keyPath(_ key: String) -> String {
        path.isEmpty ? key : "\(path).\(key)"
    }

    func string(_ key: String, _ problems: inout [ManifestProblem]) -> String? {
        guard let value = values[key] else { return nil }
        guard let text = value.stringValue else {
            problems.append(Self.wrongType(keyPath(key), value, "a string"))
            return nil
        }
        return text
    }

    func boolean(_ key: String, _ problems: inout [ManifestProblem]) -> Bool? {
        guard let value = values[key] else { return nil }
        guard let flag = value.booleanValue else {
            problems.append(Self.wrongType(keyPath(key), value, "a boolean"))
            return nil
        }
        return flag
    }

    func dictionary(_ key: String, _ problems: inout [ManifestProblem]) -> DictionaryReader? {
        guard let value = values[key] else { return nil }
        guard let entries = value.dictionaryValue else {
            problems.append(Self.wrongType(keyPath(key), value, "a dictionary"))
            return nil
        }
        return DictionaryReader(values: entries, path: keyPath(key))
    }

    /// The strings of an array, each with its key path, or nil when the key is absent. A single string stands for an
    /// array of one, as in real manifests (SEMANTICS 6).
    func strings(_ key: String, _ problems: inout [ManifestProblem]) -> [(path: String, text: String)]? {
        guard let value = values[key] else { return nil }
        if let text = value.stringValue { return [(keyPath(key), text)] }
        guard let elements = value.arrayValue else {
            problems.append(Self.wrongType(keyPath(key), value, "an array of strings"))
            return []
        }
        var result: [(path: String, text: String)] = []
        for (index, element) in elements.enumerated() {
            let place = "\(keyPath(key))[\(index)]"
            if let text = element.stringValue {
                result.append((place, text))
            } else {
                problems.append(Self.wrongType(place, element, "a string"))
            }
        }
        return result
    }

    static func wrongType(_ path: String, _ value: PropertyListValue, _ expected: String) -> ManifestProblem {
        .error(
            path, found: value.shortDescription, expected: expected, remedy: "Write \(expected) there.",
            message: "\(DisplayText.escaped(path)) is \(value.kindDescription), but must be \(expected).")
    }
}
