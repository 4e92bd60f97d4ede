/// Makes names comparable for a search: case, accents, widths and the kind of separator do not matter. Pure.
///
/// The result has words separated by one space. "Müller_Rechnung-2024.PDF" becomes "muller rechnung 2024 pdf".
package enum NameFolding {
    /// The largest number of scalars of a name that can be searched.
    package static let longest = 400

    /// The folded form of a name or of a word that is searched.
    package static func fold(_ text: String) -> String {
        var folded = Folded()
        for scalar in text.unicodeScalars.prefix(longest) { folded.add(scalar) }
        return String(folded.result)
    }

    /// The bytes of the folded form. Most names are ASCII, for which this is much faster.
    ///
    /// - Parameters:
    ///   - name: a name in UTF-8.
    ///   - result: is replaced.
    static func fold(_ name: UnsafeRawBufferPointer, into result: inout [UInt8]) {
        result.removeAll(keepingCapacity: true)
        guard name.count <= longest, name.allSatisfy({ $0 < 0x80 }) else {
            result.append(contentsOf: fold(String(decoding: name, as: UTF8.self)).utf8)
            return
        }
        var isAfterSpace = false
        for byte in name {
            guard let folded = asciiFolds[Int(byte)] else {
                isAfterSpace = true
                continue
            }
            if isAfterSpace, !result.isEmpty { result.append(UInt8(ascii: " ")) }
            isAfterSpace = false
            result.append(folded)
        }
    }

    /// What becomes of each ASCII character; nil for one that separates words.
    private static let asciiFolds: [UInt8?] = (0..<0x80 as Range<UInt8>).map { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
        default: "+#$%&*<>=^@".utf8.contains(byte) ? byte : nil
        }
    }

    private struct Folded {
        var result = String.UnicodeScalarView()
        private var isAfterSpace = false

        mutating func add(_ scalar: Unicode.Scalar) {
            let value = scalar.value
            if value < 0x80 { return addASCII(scalar) }
            switch value {
            // Marks that are written above or below a letter.
            case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F, 0x3099...0x309C,
                // Invisible: soft hyphen, joiners, directions, variation selectors, byte order mark.
                0xAD, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2064, 0x2066...0x2069, 0xFE00...0xFE0F, 0xFEFF:
                return
            // Full-width forms of ASCII.
            case 0xFF01...0xFF5E: return Unicode.Scalar(value - 0xFEE0).map { addASCII($0) } ?? ()
            case 0xDF, 0x1E9E: return append("s", "s")
            case 0xE6, 0xC6: return append("a", "e")
            case 0x152, 0x153: return append("o", "e")
            case 0xDE, 0xFE: return append("t", "h")
            case 0x1161...0x1175, 0x11A8...0x11C2: if joinHangul(value) { return }
            default: break
            }
            if let letter = NameFolding.unmarked[scalar] { return append(letter) }
            switch scalar.properties.generalCategory {
            case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .connectorPunctuation,
                .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation,
                .otherPunctuation:
                separate()
            case .uppercaseLetter, .titlecaseLetter:
                for lower in scalar.properties.lowercaseMapping.unicodeScalars {
                    // The mapping may have a mark of its own, as that of the Turkish İ.
                    if (0x300...0x36F).contains(lower.value) { continue }
                    append(NameFolding.unmarked[lower] ?? lower)
                }
            default: append(scalar)
            }
        }

        private mutating func addASCII(_ scalar: Unicode.Scalar) {
            guard let folded = NameFolding.asciiFolds[Int(scalar.value)] else { return separate() }
            append(Unicode.Scalar(folded))
        }

        private mutating func append(_ scalars: Unicode.Scalar...) {
            if isAfterSpace, !result.isEmpty { result.append(" ") }
            isAfterSpace = false
            result.append(contentsOf: scalars)
        }

        private mutating func separate() { isAfterSpace = true }

        // A syllable that is written as two or three scalars is the same as the syllable in one.
        private mutating func joinHangul(_ value: UInt32) -> Bool {
            guard let last = result.last?.value, !isAfterSpace else { return false }
            var joined: UInt32?
            if value <= 0x1175, (0x1100...0x1112).contains(last) {
                joined = 0xAC00 + ((last - 0x1100) * 21 + (value - 0x1161)) * 28
            } else if value >= 0x11A8, (0xAC00...0xD7A3).contains(last), (last - 0xAC00) % 28 == 0 {
                joined = last + (value - 0x11A7)
            }
            guard let joined, let syllable = Unicode.Scalar(joined) else { return false }
            result.removeLast()
            result.append(syllable)
            return true
        }
    }
}
