import FileProvider
import FoundationEssentials

/// The sections of rclone's configuration that a domain needs, including secrets. Kept in memory only.
struct RemoteConfiguration: Codable, Sendable {
    private static let mostSections = 32
    /// The parameters of each section, by the section's name.
    var sections: [String: [String: String]] = [:]
    /// Whether passwords in the parameters are plain text, not obscured as in rclone's own file.
    var hasPlainPasswords = false

    init() {}

    /// A single section for a back end that is given by its type.
    init(backend: String, parameters: [String: String]) {
        sections = [Self.onlySection: parameters.merging(["type": backend]) { _, type in type }]
        hasPlainPasswords = true
    }

    /// The name of the section when a back end is given only by its parameters.
    static let onlySection = "service"

    /// Reads the result of ``credentialText``, the output of `rclone config dump`, or the text of an `rclone.conf`.
    ///
    /// - Throws: `FileProviderError` for any other text. The message contains nothing of the text.
    init(text: String) throws {
        if text.utf8.first == UInt8(ascii: "{") {
            let (decoder, data) = (JSONDecoder(), Data(text.utf8))
            if let known = try? decoder.decode(RemoteConfiguration.self, from: data) {
                self = known
            } else if let dump = try? decoder.decode([String: [String: String]].self, from: data) {
                sections = dump.filter { $0.value["type"] != nil }
            } else {
                throw FileProviderError(
                    .invalidArgument, "The configuration is JSON, but not the output of `rclone config dump`.")
            }
            return
        }
        var name: String?
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = line.trimmed
            if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
            if line.hasPrefix("["), line.hasSuffix("]") {
                let section = String(line.dropFirst().dropLast())
                sections[section] = [:]
                name = section
            } else if let name, let equals = line.firstIndex(of: "=") {
                sections[name]?[String(line[..<equals].trimmed)] = String(line[line.index(after: equals)...].trimmed)
            } else {
                throw FileProviderError(
                    .invalidArgument, "Line \(index + 1) of the configuration is neither [NAME] nor KEY = VALUE.")
            }
        }
        guard !sections.isEmpty, sections.values.allSatisfy({ $0["type"] != nil }) else {
            throw FileProviderError(
                .invalidArgument,
                "The configuration must be the output of `rclone config dump`, or sections of an rclone.conf, each "
                    + "with a type.")
        }
    }

    /// The sections that a remote needs: its own and those that it builds on. The user's other remotes are left out.
    ///
    /// - Parameter root: `NAME:PATH`.
    /// - Throws: `FileProviderError` if there are too many, or if rclone has hidden a password.
    func needed(for root: String) throws -> RemoteConfiguration {
        var needed = self
        needed.sections = [:]
        var open = Self.name(in: root)
        while let name = open.popLast() {
            guard needed.sections[name] == nil, let section = sections[name] else { continue }
            needed.sections[name] = section
            open += Self.name(in: section["remote"] ?? "")
            // The `upstreams` of the back end combine are written NAME=REMOTE.
            open += (section["upstreams"] ?? "").split(separator: " ").flatMap { word in
                Self.name(in: word[(word.lastIndex(of: "=").map { word.index(after: $0) } ?? word.startIndex)...])
            }
        }
        guard needed.sections.count <= Self.mostSections else {
            throw FileProviderError(
                .invalidArgument, "The remote builds on more than \(Self.mostSections) others.")
        }
        guard !needed.sections.values.contains(where: { $0.values.contains(Self.hidden) }) else {
            throw FileProviderError(
                .invalidArgument,
                "`rclone config show` hides the passwords. Give the output of `rclone config dump`: only what the "
                    + "remote needs is kept.")
        }
        return needed
    }

    /// What rclone prints in place of a password.
    private static let hidden = "*** ENCRYPTED ***"
    /// Parameters that refer to other remotes.
    private static let referring = ["remote", "upstreams"]

    // The name before the first colon of NAME:PATH.
    private static func name(in text: some StringProtocol) -> [String] {
        text.firstIndex(of: ":").map { [String(text[..<$0])] } ?? []
    }

    /// The form stored in the keyring.
    var credentialText: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }

    /// Values that must not appear in an error. When in doubt a value is hidden.
    var hiddenValues: [String] {
        let harmless: Set = ["type", "provider", "remote", "upstreams", "url", "endpoint", "region", "vendor", "host"]
        return sections.values.flatMap { section in section.filter { !harmless.contains($0.key) }.map(\.value) }
    }

    /// Parses KEY=VALUE pairs separated by commas or newlines. A comma in a value is doubled.
    static func parameters(_ text: String) throws -> [String: String] {
        var result: [String: String] = [:]
        let comma = "\u{0}"
        for part in text.replacing(",,", with: comma).split(whereSeparator: { $0 == "," || $0.isNewline }) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, !pair[0].trimmed.isEmpty else {
                throw FileProviderError(.invalidArgument, "The parameters are not KEY=VALUE, separated by commas.")
            }
            result[String(pair[0].trimmed)] = String(pair[1]).replacing(comma, with: ",")
        }
        return result
    }

    /// The sections with a prefix before each name and each reference, so that domains cannot use each other's remotes.
    func prefixed(_ prefix: String) -> [String: [String: String]] {
        var result: [String: [String: String]] = [:]
        for (name, parameters) in sections {
            var parameters = parameters
            for key in Self.referring {
                if let value = parameters[key] { parameters[key] = prefixed(references: value, prefix) }
            }
            result[prefix + name] = parameters
        }
        return result
    }

    /// The remote of a domain with its earlier versions as further documents; nil if its back end cannot show them.
    ///
    /// - Parameter root: `NAME:PATH`.
    func history(of root: String, _ prefix: String) -> String? {
        guard let colon = root.firstIndex(of: ":"), let section = sections[String(root[..<colon])],
            let type = section["type"], Self.versioned.contains(type),
            // The user has decided which versions are documents.
            section["versions"].map({ $0 == "false" }) ?? true, section["version_at"].map({ $0 == "off" }) ?? true
        else { return nil }
        return "\(prefix)\(root[..<colon]),versions=true\(root[colon...])"
    }

    /// The back ends that can show earlier versions.
    private static let versioned: Set = ["s3", "b2"]

    /// A remote's name with the prefix. A path or an on-the-fly remote needs none.
    func prefixed(references text: String, _ prefix: String) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false).map { word -> String in
            // The `upstreams` of the back end combine are written NAME=REMOTE.
            let start = word.lastIndex(of: "=").map { word.index(after: $0) } ?? word.startIndex
            let reference = word[start...]
            guard let colon = reference.firstIndex(of: ":"), sections[String(reference[..<colon])] != nil else {
                return String(word)
            }
            return word[..<start] + prefix + reference
        }.joined(separator: " ")
    }
}

extension StringProtocol {
    /// The text without white space at both ends.
    var trimmed: SubSequence {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return self[endIndex...] }
        return self[first...last]
    }
}
