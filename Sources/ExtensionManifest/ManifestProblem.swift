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
    package let message: String

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
    /// The same problem with a sentence that also names the key, for when it is shown alone.
    var namingKey: ManifestProblem {
        let isNamed = ManifestKey.allCases.contains { known in
            message.contains(known.rawValue) && key.contains(known.rawValue)
        }
        guard !key.isEmpty, !isNamed, !message.contains(key) else { return self }
        return ManifestProblem(
            severity, unescaped: key, found: found, expected: expected, remedy: remedy, message: "\(key): \(message)")
    }

    private init(
        _ severity: Severity, unescaped key: String, found: String, expected: String, remedy: String, message: String
    ) {
        self.severity = severity
        self.key = key
        self.found = found
        self.expected = expected
        self.remedy = remedy
        self.message = message
    }
}

extension Sequence where Element == ManifestProblem {
    /// Errors first, in the order of the checks, each with its key; at most 200, with a count of the rest.
    var listed: [ManifestProblem] {
        let all = ManifestProblem.Severity.allCases.flatMap { severity in filter { $0.severity == severity } }
        let limit = 200
        let shown = all.prefix(limit).map(\.namingKey)
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
