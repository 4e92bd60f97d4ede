import FileProvider

/// What must be remembered about identifiers across restarts, as a value that is read from and written to lines.
struct IdentityRecords: Sendable {
    /// The result of an operation.
    struct Operation: Sendable {
        var identity: LocalFileIdentity
        var isDone: Bool
    }

    private static let maximumOperations = 1_000
    private static let maximumHints = 10_000
    private static let maximumIdentities = 8
    private static let maximumGone = 10_000

    /// The files that an identifier stands for since they were replaced by this provider, newest first.
    private(set) var identities: [String: [LocalFileIdentity]] = [:]
    /// The reverse mapping.
    private(set) var identifiers: [LocalFileIdentity: String] = [:]
    /// The results of operations, so that one repeated after a crash is recognised.
    private(set) var operations: [String: Operation] = [:]
    /// The last known places of items that were used.
    private(set) var hints: [String: [LocalName]] = [:]
    private var operationOrder: [String] = []
    private var hintOrder: [String] = []
    /// Items that this provider has deleted lately. What was learned of them before must not count after it.
    private var gone: Set<String> = []
    private var goneOrder: [String] = []

    /// Applies one line. Lines of another version or cut short by a crash are ignored.
    mutating func apply(_ line: Substring) {
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, parts[3] == "." else { return }
        switch (parts[0], LocalFileIdentity(parts[2])) {
        case ("bind", let identity?): bind(parts[1], identity)
        case ("unbind", let identity?): unbind(parts[1], identity)
        case ("begin", let identity?): note(parts[1], Operation(identity: identity, isDone: false))
        case ("done", let identity?): note(parts[1], Operation(identity: identity, isDone: true))
        case ("gone", _): forget(parts[1])
        case ("trashed", _): forgetPlace(of: parts[1])
        case ("seen", _): note(parts[1], at: parts[2].split(separator: "/").compactMap { Self.name($0) })
        default: break
        }
    }

    static func line(bind identifier: String, _ identity: LocalFileIdentity) -> String {
        "bind\t\(identifier)\t\(identity.text)\t.\n"
    }
    static func line(unbind identifier: String, _ identity: LocalFileIdentity) -> String {
        "unbind\t\(identifier)\t\(identity.text)\t.\n"
    }
    static func line(trashed identifier: String) -> String { "trashed\t\(identifier)\t\t.\n" }
    static func line(gone identifier: String) -> String { "gone\t\(identifier)\t\t.\n" }
    static func line(_ key: String, _ operation: Operation) -> String {
        "\(operation.isDone ? "done" : "begin")\t\(key)\t\(operation.identity.text)\t.\n"
    }
    static func line(_ identifier: String, seenAt path: [LocalName]) -> String {
        "seen\t\(identifier)\t\(path.map { text($0) }.joined(separator: "/"))\t.\n"
    }

    /// Whether a file that was found in the place of an item may get its identifier: the file has none yet that anybody
    /// knows, this provider did not make it, and the item was not deleted by this provider.
    func canPass(_ identifier: String, to identity: LocalFileIdentity) -> Bool {
        !gone.contains(identifier) && identifiers[identity] == nil && hints[identity.text] == nil
            && !operations.values.contains { $0.identity == identity }
    }

    /// The items that were last seen below a path.
    func hinted(below path: [LocalName]) -> [String] {
        hints.filter { $0.value.count > path.count && $0.value.starts(with: path) }.map(\.key)
    }

    /// Whether an item was deleted or moved to the trash lately.
    func isGone(_ identifier: String) -> Bool { gone.contains(identifier) }

    /// All records that are still needed.
    var lines: String {
        var text = ""
        for (identifier, bound) in identities {
            for identity in bound.reversed() { text += Self.line(bind: identifier, identity) }
        }
        for key in operationOrder {
            if let operation = operations[key] { text += Self.line(key, operation) }
        }
        for identifier in hintOrder {
            if let path = hints[identifier] { text += Self.line(identifier, seenAt: path) }
        }
        return text
    }

    /// The approximate number of lines in ``lines``.
    var count: Int { identities.count + operations.count + hints.count }

    private mutating func bind(_ identifier: String, _ identity: LocalFileIdentity) {
        gone.remove(identifier)
        if let other = identifiers[identity], other != identifier { unbind(other, identity) }
        var bound = identities[identifier, default: []]
        bound.removeAll { $0 == identity }
        bound.insert(identity, at: 0)
        if bound.count > Self.maximumIdentities { identifiers[bound.removeLast()] = nil }
        identities[identifier] = bound
        identifiers[identity] = identifier
    }

    private mutating func unbind(_ identifier: String, _ identity: LocalFileIdentity) {
        identities[identifier]?.removeAll { $0 == identity }
        if identities[identifier]?.isEmpty == true { identities[identifier] = nil }
        if identifiers[identity] == identifier { identifiers[identity] = nil }
    }

    // A new file in its place does not get this identifier.
    private mutating func forget(_ identifier: String) {
        let bound = identities.removeValue(forKey: identifier) ?? []
        noteGone(identifier)
        for identity in bound where identifiers[identity] == identifier {
            identifiers[identity] = nil
            // It may also be the identifier of another item: of the one that this file was displaced from.
            if identities[identity.text] == nil { noteGone(identity.text) }
        }
        if hints.removeValue(forKey: identifier) != nil { hintOrder.removeAll { $0 == identifier } }
    }

    // A new file in its place does not get this identifier, but the file itself keeps it.
    private mutating func forgetPlace(of identifier: String) {
        noteGone(identifier)
        if hints.removeValue(forKey: identifier) != nil { hintOrder.removeAll { $0 == identifier } }
    }

    private mutating func noteGone(_ identifier: String) {
        guard gone.insert(identifier).inserted else { return }
        goneOrder.append(identifier)
        guard goneOrder.count > Self.maximumGone else { return }
        gone.subtract(goneOrder.prefix(Self.maximumGone / 4))
        goneOrder.removeFirst(Self.maximumGone / 4)
    }

    private mutating func note(_ key: String, _ operation: Operation) {
        if operations.updateValue(operation, forKey: key) == nil { operationOrder.append(key) }
        if operationOrder.count > Self.maximumOperations { operations[operationOrder.removeFirst()] = nil }
    }

    private mutating func note(_ identifier: String, at path: [LocalName]) {
        guard !path.isEmpty, !gone.contains(identifier) else { return }
        if hints.updateValue(path, forKey: identifier) == nil { hintOrder.append(identifier) }
        if hintOrder.count > Self.maximumHints {
            for old in hintOrder.prefix(Self.maximumHints / 4) { hints[old] = nil }
            hintOrder.removeFirst(Self.maximumHints / 4)
        }
    }

    /// A name as one word of a line: everything but plain ASCII letters, digits and some marks is written %HH.
    private static func text(_ name: LocalName) -> String { encoded(name.bytes) }

    /// Any text as one word of a line.
    static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in bytes {
            if (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || [0x2D, 0x2E, 0x5F].contains(byte)
            {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
            }
        }
        return text
    }

    private static func name(_ word: some StringProtocol) -> LocalName? {
        var bytes: [UInt8] = []
        var rest = Array(word.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return LocalName(bytes: bytes)
    }
}
