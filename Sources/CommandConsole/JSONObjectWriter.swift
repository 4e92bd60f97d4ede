/// Takes the members of a JSON object one after the other, sorted by key.
package protocol JSONMemberReceiver {
    /// Takes a member. The key has only letters.
    mutating func add(_ key: StaticString, _ value: JSONValue)
}

/// Writes objects on one line each as their members arrive, for listings.
package struct JSONObjectWriter: JSONMemberReceiver {
    /// The text so far, in UTF-8. Callers append text between objects, and remove what they have used.
    package var text: [UInt8] = []
    private var isFirst = true

    /// Writes nothing yet.
    package init() {}

    /// Begins an object.
    package mutating func begin() {
        text.append(UInt8(ascii: "{"))
        isFirst = true
    }

    package mutating func add(_ key: StaticString, _ value: JSONValue) {
        text += isFirst ? "\"".utf8 : ", \"".utf8
        isFirst = false
        text.append(contentsOf: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
        text += "\": ".utf8
        value.write(to: &text)
    }

    /// Ends the object.
    package mutating func end() { text.append(UInt8(ascii: "}")) }
}

extension JSONMembers: JSONMemberReceiver {
    package mutating func add(_ key: StaticString, _ value: JSONValue) { self["\(key)"] = value }
}
