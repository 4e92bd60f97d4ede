import UniformTypes

/// Checks the names in a manifest: bundle identifiers, groups, classes, types.
enum ManifestNames {
    /// Why a text is not a bundle identifier, or nil.
    ///
    /// At least three components, because the provider's identifier leaves out the last one.
    static func problem(ofBundleIdentifier text: String, unknown: [String]) -> ManifestProblem? {
        let key = ManifestKey.bundleIdentifier.rawValue
        if !unknown.isEmpty { return unexpanded(key, text, unknown) }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let isValid =
            parts.count >= 3 && text.utf8.count <= 255
            && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isIdentifierByte) }
        guard !isValid else { return nil }
        return .error(
            key, found: DisplayText.quoted(text),
            expected: "reverse DNS of at least three parts, for example "
                + "org.example.Drive.FileProvider, with letters, digits, - and _",
            remedy: "Write the provider's identifier, a dot and a name for the extension.",
            message: "\(DisplayText.quoted(text)) is not the bundle identifier of an extension.")
    }

    /// Why a text is not a group, or nil. A group is also the name of a directory, so it must be harmless as a file
    /// name.
    static func problem(ofGroup text: String, unknown: [String], _ key: String) -> ManifestProblem? {
        if !unknown.isEmpty { return unexpanded(key, text, unknown) }
        if text.contains("*") {
            return .error(
                key, found: DisplayText.quoted(text), expected: "each group by its name",
                remedy: "List the groups that the extension uses, one by one.",
                message:
                    "\(DisplayText.quoted(text)) is a wildcard, which stands for every group of a team; there are no teams here."
            )
        }
        let isValid =
            !text.isEmpty && text.utf8.count <= 200 && text.utf8.allSatisfy { isIdentifierByte($0) || $0 == 0x2E }
            && text.utf8.first != 0x2E && !text.contains("..")
        guard !isValid else { return nil }
        return .error(
            key, found: text.isEmpty ? "an empty string" : DisplayText.quoted(text),
            expected: "a group such as group.org.example.Drive",
            remedy: text.isEmpty ? "Write a group, or remove the key." : "Use letters, digits, dots, - and _ only.",
            message: text.isEmpty
                ? "\(DisplayText.escaped(key)) is empty." : "\(DisplayText.quoted(text)) cannot be the name of a group."
        )
    }

    /// The most keychain groups of one extension.
    static let maximumKeychainGroups = 16

    /// Whether the daemon keeps its own secrets in a group: no extension may use it.
    static func isReserved(keychainGroup group: String) -> Bool {
        group == "org.docent.docentd" || group.hasPrefix("org.docent.docentd.")
    }

    /// A build variable that was not expanded.
    static func unexpanded(_ key: String, _ text: String, _ names: [String]) -> ManifestProblem {
        .error(
            key, found: DisplayText.quoted(text), expected: "a value without build variables",
            remedy: "Write out the value of \(names.map { "$(\(DisplayText.escaped($0)))" }.joined(separator: ", ")).",
            message: "\(DisplayText.escaped(key)) still has a build variable whose value is not known here.")
    }

    /// Whether a text is one or more Swift names separated by dots.
    static func isClassName(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 255
            && parts.allSatisfy { part in
                guard let first = part.unicodeScalars.first else { return false }
                return (first == "_" || first.properties.isXIDStart)
                    && part.unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
            }
    }

    /// A type identifier without deceptive characters, or nil with the problems that explain why.
    static func typeIdentifier(
        _ text: String, _ key: String, severity: ManifestProblem.Severity, _ problems: inout [ManifestProblem]
    ) -> String? {
        var cleaned = text
        if DisplayText.isDeceptive(text) {
            cleaned = DisplayText.removingDeceptive(from: text)
            problems.append(
                .warning(
                    key, found: DisplayText.quoted(text), expected: DisplayText.quoted(cleaned),
                    remedy: "Type the identifier again by hand.",
                    message: "The type identifier \(DisplayText.quoted(text)) has invisible characters, which are "
                        + "left out."))
        }
        guard cleaned.contains("."), cleaned.utf8.count <= 255, UniformType.isValidIdentifier(cleaned),
            !cleaned.hasPrefix("."), !cleaned.hasSuffix("."), !cleaned.contains("..")
        else {
            problems.append(
                .init(
                    severity, key, found: DisplayText.quoted(text),
                    expected: "a uniform type identifier such as public.image",
                    remedy: remedy(forType: cleaned),
                    message: "\(DisplayText.quoted(text)) is not a uniform type identifier."))
            return nil
        }
        return cleaned
    }

    private static func remedy(forType text: String) -> String {
        if text.contains("$(") || text.contains("${") { return "Write out the build variable." }
        if text.contains("/") { return "Write the uniform type identifier instead of the MIME type." }
        if text.hasPrefix("*") || text.hasPrefix(".") || !text.contains(".") {
            return "Write the uniform type identifier instead of the file name extension."
        }
        return "Use letters, digits, dots and hyphens in reverse DNS order."
    }

    private static func isIdentifierByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }
}
