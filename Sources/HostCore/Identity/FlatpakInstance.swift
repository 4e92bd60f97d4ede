import FoundationEssentials

/// The identity of a Flatpak instance, as stated in the sandbox's `/.flatpak-info` and by Flatpak outside the sandbox.
/// Pure.
package struct FlatpakInstance: Sendable, Hashable {
    /// The application's identifier.
    package let application: String
    /// The number of the running instance.
    package let instance: String

    /// Reads the text of such a file; nil when the application or the instance is missing or given twice.
    package init?(_ text: String?) {
        guard let text else { return nil }
        var group = ""
        var names: [String] = []
        var instances: [String] = []
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("["), line.hasSuffix("]") {
                group = String(line.dropFirst().dropLast())
                continue
            }
            guard !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") else { continue }
            let key = Self.trimmed(line[..<equals])
            let value = Self.trimmed(line[line.index(after: equals)...])
            if group == "Application", key == "name" { names.append(value) }
            if group == "Instance", key == "instance-id" { instances.append(value) }
        }
        guard names.count == 1, instances.count == 1, Self.isIdentifier(names[0]), Self.isInstance(instances[0]) else {
            return nil
        }
        application = names[0]
        instance = instances[0]
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0 == " " || $0 == "\t" }
        let end = start.lastIndex { $0 != " " && $0 != "\t" }
        return end.map { String(start[...$0]) } ?? ""
    }

    // Reverse DNS: at least two parts of letters, digits, - and _.
    private static func isIdentifier(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 255 && parts.count >= 2
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
            }
    }

    // The instance names a directory. It must consist of digits: directories that an application can write to are named
    // after the application, and so never match.
    private static func isInstance(_ text: String) -> Bool {
        (1...20).contains(text.utf8.count)
            && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// The first process in the sandbox according to `bwrapinfo.json`; nil when that cannot be read.
    package static func child(bwrapInformation text: String?) -> Int32? {
        struct Information: Decodable {
            var child: Int32
            enum CodingKeys: String, CodingKey { case child = "child-pid" }
        }
        guard let text, let information = try? JSONDecoder().decode(Information.self, from: Data(text.utf8)),
            information.child > 0
        else { return nil }
        return information.child
    }
}
