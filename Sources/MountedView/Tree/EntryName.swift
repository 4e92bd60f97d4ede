/// A name in a folder of the view, compared byte by byte: é of one character and of two are different names.
package struct EntryName: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (first: EntryName, second: EntryName) -> Bool {
        first.text.utf8.elementsEqual(second.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(UInt8(0xff))
    }

    package var description: String { text }
}
