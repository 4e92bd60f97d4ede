package import DocentInterfaces

/// The path of a location: names from the top, never a path of the file system. Pure.
///
/// A byte of a name that is not UTF-8 is written `\xHH`; the provider decodes it.
package struct ItemPath: Sendable, Hashable {
    /// Names from the top; empty for the root.
    package var names: [String]

    /// Splits a path into names.
    ///
    /// - Throws: ``Failure`` `InvalidArgument` for `.` and `..`, NUL, and names beyond 255 bytes; nothing is silently
    ///   normalised.
    package init(_ path: String) throws(Failure) {
        names = []
        // Split by bytes: to Swift, a slash followed by a combining accent is one character, and not a slash.
        for name in path.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init) {
            guard name != ".", name != ".." else {
                throw Failure(
                    .invalidArgument, "A location cannot contain the component \"\(name)\".",
                    suggestion: "Write the full path, such as LocalFolder:/notes/a.txt.")
            }
            guard !name.utf8.contains(0) else {
                throw Failure(.invalidArgument, "A name cannot contain a NUL character.")
            }
            guard Self.bytesOnDisk(name) <= 255 else {
                throw Failure(.invalidArgument, "The name \"\(name.prefix(40))…\" is longer than 255 bytes.")
            }
            names.append(String(name))
        }
    }

    /// A single legal name.
    ///
    /// - Throws: ``Failure`` `InvalidArgument` when it is empty, contains a slash, or is illegal in a path.
    package static func name(_ text: String) throws(Failure) -> String {
        let path = try ItemPath(text)
        guard path.names.count == 1, !text.utf8.contains(UInt8(ascii: "/")) else {
            throw Failure(.invalidArgument, "\"\(text.prefix(80))\" cannot be the name of a document.")
        }
        return path.names[0]
    }

    /// The path as text, with a leading slash.
    package var text: String { "/" + names.joined(separator: "/") }

    private static func bytesOnDisk(_ name: Substring) -> Int {
        var count = 0
        var rest = name.utf8[...]
        while let byte = rest.popFirst() {
            count += 1
            if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"), rest.count >= 3 { rest = rest.dropFirst(3) }
        }
        return count
    }
}
