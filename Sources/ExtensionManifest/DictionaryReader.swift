/// Reads typed values from a dictionary and reports each that has another type.
struct DictionaryReader {
    /// The entries.
    let values: [String: PropertyListValue]
    /// The key path of the dictionary itself, empty at top level.
    let path: String

    /// The value of a key, whatever its type.
    subscript(_ key: ManifestKey) -> PropertyListValue? { values[key.rawValue] }

    func keyPath(_ key: ManifestKey) -> String { keyPath(named: key.rawValue) }

    private func keyPath(named name: String) -> String {
        path.isEmpty ? name : "\(path).\(name)"
    }

    func string(_ key: ManifestKey, _ problems: inout [ManifestProblem]) -> String? {
        guard let value = self[key] else { return nil }
        guard let text = value.stringValue else {
            problems.append(Self.wrongType(keyPath(key), value, key.entry.value))
            return nil
        }
        return text
    }

    func boolean(_ key: ManifestKey, _ problems: inout [ManifestProblem]) -> Bool? {
        guard let value = self[key] else { return nil }
        guard let flag = value.booleanValue else {
            problems.append(Self.wrongType(keyPath(key), value, key.entry.value))
            return nil
        }
        return flag
    }

    /// A whole number or, for a size, a text with a unit, within a range.
    func number(
        _ key: ManifestKey, in range: ClosedRange<Int>, text: (Int) -> String, _ problems: inout [ManifestProblem]
    ) -> Int? {
        guard let value = self[key] else { return nil }
        let kind = key.entry.value
        let written = kind == .size ? value.stringValue.map(SizeText.bytes) : nil
        guard let number = written ?? value.integerValue.flatMap({ Int(exactly: $0) }), range.contains(number) else {
            let isNumber = value.integerValue != nil || written != nil
            let bounds = "from \(text(range.lowerBound)) to \(text(range.upperBound))"
            problems.append(
                isNumber
                    ? .error(
                        keyPath(key), found: value.shortDescription, expected: "\(kind.rawValue), \(bounds)",
                        remedy: "Write \(kind.rawValue), \(bounds).",
                        message:
                            "\(DisplayText.escaped(keyPath(key))) is \(value.shortDescription), which is not \(bounds)."
                    )
                    : Self.wrongType(keyPath(key), value, kind))
            return nil
        }
        return number
    }

    func dictionary(_ key: ManifestKey, _ problems: inout [ManifestProblem]) -> DictionaryReader? {
        guard let value = self[key] else { return nil }
        guard let entries = value.dictionaryValue else {
            problems.append(Self.wrongType(keyPath(key), value, key.entry.value))
            return nil
        }
        return DictionaryReader(values: entries, path: keyPath(key))
    }

    /// The strings of an array, each with its key path, or nil when the key is missing. A single string stands for an
    /// array of one, as in real manifests.
    func strings(_ key: ManifestKey, _ problems: inout [ManifestProblem]) -> [(path: String, text: String)]? {
        strings(named: key.rawValue, &problems)
    }

    /// The same for a name that the author chose, such as a tag class.
    func strings(named name: String, _ problems: inout [ManifestProblem]) -> [(path: String, text: String)]? {
        guard let value = values[name] else { return nil }
        let path = keyPath(named: name)
        if let text = value.stringValue { return [(path, text)] }
        guard let elements = value.arrayValue else {
            problems.append(Self.wrongType(path, value, .strings))
            return []
        }
        var result: [(path: String, text: String)] = []
        for (index, element) in elements.enumerated() {
            let place = "\(path)[\(index)]"
            if let text = element.stringValue {
                result.append((place, text))
            } else {
                problems.append(Self.wrongType(place, element, .string))
            }
        }
        return result
    }

    static func wrongType(
        _ path: String, _ value: PropertyListValue, _ expected: ManifestKey.Value
    ) -> ManifestProblem {
        .error(
            path, found: value.shortDescription, expected: expected.rawValue,
            remedy: "Write \(expected.rawValue) there.",
            message: "\(DisplayText.escaped(path)) is \(value.kindDescription), but must be \(expected.rawValue).")
    }
}
