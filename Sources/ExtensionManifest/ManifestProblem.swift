/// An error, a warning or a note about a manifest.
///
/// All texts are one line and safe for a terminal.
package struct ManifestProblem: Sendable, Codable, Hashable {
    /// How serious it is.
    package enum Severity: String, Sendable, Codable, CaseIterable {
        /// The manifest is not used.
        case error
        /// The manifest is used; the author should change something.
        case warning
        /// The manifest is used; nothing has to be done.
        case note
    }

    /// How serious it is.
    package let severity: Severity
    /// The key path, for example `NSExtension.NSExtensionAttributes.UIDocumentPickerModes[1]`; empty for the file.
    package let key: String
    /// What the manifest contains.
    package let found: String
    /// What it should contain.
    package let expected: String
    /// What to do next.
    package let remedy: String
    /// Everything in one sentence.
    package internal(set) var message: String
    /// The path of the file in which it is, if that is not the manifest itself.
    package internal(set) var file: String?

    /// Creates a problem.
    package init(
        _ severity: Severity, _ key: String, found: String, expected: String, remedy: String, message: String
    ) {
        self.severity = severity
        self.key = DisplayText.escaped(key)
        self.found = found
        self.expected = expected
        self.remedy = remedy
        self.message = message
    }

    static func error(
        _ key: String, found: String, expected: String, remedy: String, message: String
    ) -> ManifestProblem {
        .init(.error, key, found: found, expected: expected, remedy: remedy, message: message)
    }

    static func warning(
        _ key: String, found: String, expected: String, remedy: String, message: String
    ) -> ManifestProblem {
        .init(.warning, key, found: found, expected: expected, remedy: remedy, message: message)
    }

    static func note(
        _ key: String, found: String, expected: String, remedy: String, message: String
    ) -> ManifestProblem {
        .init(.note, key, found: found, expected: expected, remedy: remedy, message: message)
    }
}

extension ManifestProblem {
    /// The same problem with a sentence that also names the key, and the file if it is not the manifest, for when it
    /// is shown alone.
    var namingPlace: ManifestProblem {
        var result = self
        if !key.isEmpty, !namesKey { result.message = "\(key): \(message)" }
        if let file {
            let shown = DisplayText.quoted(file)
            if !message.contains(shown) { result.message = "\(shown): \(result.message)" }
        }
        return result
    }

    /// Whether the sentence has the key path or, where that leaves no doubt, its last key.
    private var namesKey: Bool {
        if message.hasWord(key) { return true }
        // The same key may be in each element of an array.
        guard !key.contains("[") else { return false }
        let last = ManifestKey.allCases.map(\.rawValue).filter { key.hasSuffix("." + $0) }
        return last.contains { message.hasWord($0) }
    }
}

extension String {
    /// Whether it has a text that is not the beginning or the end of a longer word.
    fileprivate func hasWord(_ word: String) -> Bool {
        ranges(of: word).contains { range in
            let neighbours = [self[..<range.lowerBound].last, self[range.upperBound...].first].compactMap(\.self)
            return !neighbours.contains { $0.isLetter || $0.isNumber }
        }
    }
}

extension Sequence where Element == ManifestProblem {
    /// Errors first, in the order of the checks, each with its place; at most 200, with a count of the rest.
    var listed: [ManifestProblem] {
        let all = ManifestProblem.Severity.allCases.flatMap { severity in filter { $0.severity == severity } }
        let limit = 200
        let shown = all.prefix(limit).map(\.namingPlace)
        guard all.count > limit else { return shown }
        return shown + [
            .note(
                "", found: "\(all.count) problems", expected: "none",
                remedy: "Correct the first ones, then look again.",
                message: "There are \(all.count - limit) further problems.")
        ]
    }

    /// Whether any problem prevents the manifest from being used.
    package var containsError: Bool {
        contains { $0.severity == .error }
    }
}
