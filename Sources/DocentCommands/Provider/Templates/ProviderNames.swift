import Documents

/// The validated names of a new provider.
struct ProviderNames: Equatable {
    /// The name of the module and the library, and the prefix of the principal class, such as `Postbox`.
    let name: String
    /// The provider's bundle identifier, such as `org.example.Postbox`.
    let identifier: String

    /// Modules of the SDK and the toolchain, and words of the language: a module with such a name would hide them.
    private static let reserved: Set<String> = [
        "Any", "CLinux", "CVarlinkSocket", "DocentInterfaces", "Documents", "Dispatch", "ExtensionABI", "FileProvider",
        "FileProviderValidation", "Foundation", "FoundationEssentials", "Glibc", "Package", "Protocol", "Self",
        "Swift", "Synchronization", "Test", "Testing", "Tests", "Type", "UniformTypes", "Varlink", "XCTest",
    ]

    /// Validates the names.
    ///
    /// - Parameters:
    ///   - name: as typed.
    ///   - identifier: as typed; nil means `org.example.NAME`.
    /// - Throws: ``DocumentsError`` `invalidArgument` that suggests a valid name.
    init(name: String, identifier: String?) throws(DocumentsError) {
        try Self.check(name: name)
        let identifier = identifier ?? "org.example." + name
        try Self.check(identifier: identifier)
        self.name = name
        self.identifier = identifier
    }

    private static func check(name: String) throws(DocumentsError) {
        let isWord = !name.isEmpty && name.utf8.allSatisfy(isLetterOrDigit)
        guard isWord, name.utf8.count <= 40, name.utf8.first.map(isCapital) == true else {
            throw DocumentsError(
                .invalidArgument,
                "\"\(name)\" is not a name for a provider. It becomes a type and a library: it needs a capital letter "
                    + "first, then only letters and digits, 40 in all at most.",
                suggestion: suggestion(for: name).map { "Write \($0)." } ?? "Write a name like Postbox.")
        }
        guard !reserved.contains(name) else {
            throw DocumentsError(
                .invalidArgument, "\"\(name)\" is the name of something that every provider is built with.",
                suggestion: "Choose another, for example My\(name).")
        }
    }

    /// The nearest valid name; nil if there is none.
    private static func suggestion(for name: String) -> String? {
        let words = name.utf8.split { !isLetterOrDigit($0) }.map { String(decoding: $0, as: UTF8.self) }
        let joined = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        let result = String(joined.drop { !$0.isLetter }.prefix(40))
        return result.isEmpty || reserved.contains(result) ? nil : result.prefix(1).uppercased() + result.dropFirst()
    }

    private static func check(identifier: String) throws(DocumentsError) {
        let parts = identifier.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { part in
            !part.isEmpty
                && part.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        }
        guard parts.count >= 3, isPlain, identifier.utf8.count <= 200 else {
            throw DocumentsError(
                .invalidArgument,
                "\"\(identifier)\" is not an identifier for a provider. It needs three parts or more in reverse DNS, "
                    + "of letters, digits, - and _, 200 bytes in all at most.",
                suggestion: "Write one like org.example.Postbox, with a domain name of your own reversed.")
        }
        guard !identifier.lowercased().hasPrefix("org.docent.") else {
            throw DocumentsError(
                .invalidArgument, "Identifiers that begin with org.docent. are Docent's own.",
                suggestion: "Begin with a domain name of your own reversed, or with org.example.")
        }
    }

    private static func isCapital(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isCapital(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
