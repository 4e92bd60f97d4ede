import FileProviderValidation

/// Texts as a debugger shows values, which have no place in a report for people.
enum RawText {
    /// What of a finding is no sentence.
    static func hits(in finding: Finding) -> [String] {
        [finding.did, finding.expected, finding.got].filter { text in
            ["Optional(", "DecodingError", "Error Domain", "DocentInterfaces.", "FileProviderValidation.", "Swift."]
                .contains(where: text.contains) || text.firstMatch(of: #/\b[A-Z][A-Za-z]+\([a-z][A-Za-z]*: /#) != nil
        }
    }
}
