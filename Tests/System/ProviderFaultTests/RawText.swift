import FileProviderValidation

/// Debugger output, which does not belong in a report for users.
enum RawText {
    /// The parts of a finding that are not sentences.
    static func hits(in finding: Finding) -> [String] {
        [finding.did, finding.expected, finding.got].filter { text in
            ["Optional(", "DecodingError", "Error Domain", "DocentInterfaces.", "FileProviderValidation.", "Swift."]
                .contains(where: text.contains) || text.firstMatch(of: #/\b[A-Z][A-Za-z]+\([a-z][A-Za-z]*: /#) != nil
        }
    }
}
