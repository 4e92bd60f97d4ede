/// Decides which characters of a foreign text may be shown as they are, for names, questions and the log alike.
extension DisplayText {
    /// Whether a text contains a character that must not be shown as it is.
    package static func hasHidden(_ text: String) -> Bool {
        var isFound = false
        visit(text) { _, isHidden in isFound = isFound || isHidden }
        return isFound
    }

    /// The text with every character replaced that is invisible, moves the cursor, breaks the line, changes the
    /// direction or has no defined look. Joiners and selectors are kept where a script or an emoji needs them.
    ///
    /// - Parameter replacement: what replaces such a character.
    package static func replacingHidden(
        in text: String, _ replacement: (Unicode.Scalar) -> String
    ) -> String {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        var result = String.UnicodeScalarView()
        visit(text) { scalar, isHidden in
            if isHidden {
                result.append(contentsOf: replacement(scalar).unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// Visits the scalars of a text, and says for each whether it must not be shown as it is.
    package static func visit(_ text: String, _ body: (Unicode.Scalar, _ isHidden: Bool) -> Void) {
        let scalars = text.unicodeScalars
        var previous: Unicode.Scalar?
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let scalar = scalars[index]
            index = scalars.index(after: index)
            let next = index < scalars.endIndex ? scalars[index] : nil
            body(scalar, isHidden(scalar, after: previous, before: next))
            previous = scalar
        }
    }

    private static func isHidden(
        _ scalar: Unicode.Scalar, after previous: Unicode.Scalar?, before next: Unicode.Scalar?
    ) -> Bool {
        switch scalar.value {
        case 0x20...0x7E: return false
        // A Braille pattern without dots looks like a space but is not one.
        case 0x2800: return true
        // Signs above numbers in Arabic, Syriac and Kaithi: in the category of format characters, but visible.
        case 0x0600...0x0605, 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD: return false
        case 0x200C, 0x200D: return !isJoining(scalar, previous, next)
        case 0xFE00...0xFE0F, 0xE0100...0xE01EF, 0x180B...0x180D, 0x180F: return !isSelecting(scalar, previous, next)
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: return true
        default: return scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    // Between two letters of a script whose letters join, and, for the joiner, between two emoji.
    private static func isJoining(
        _ scalar: Unicode.Scalar, _ previous: Unicode.Scalar?, _ next: Unicode.Scalar?
    ) -> Bool {
        guard let previous, let next else { return false }
        if joins(previous), joins(next) { return true }
        return scalar.value == 0x200D && isEmoji(next)
            && (isEmoji(previous) || previous.value == 0xFE0F || previous.properties.isEmojiModifier)
    }

    // After a character whose look it selects.
    private static func isSelecting(
        _ scalar: Unicode.Scalar, _ previous: Unicode.Scalar?, _ next: Unicode.Scalar?
    ) -> Bool {
        guard let previous else { return false }
        switch scalar.value {
        case 0xFE0E, 0xFE0F: return isEmoji(previous) || previous.properties.isEmoji && next?.value == 0x20E3
        case 0x180B...0x180D, 0x180F: return (0x1800...0x18AF).contains(previous.value) && joins(previous)
        case 0xFE03...0xFE0D: return false
        default: return previous.properties.isIdeographic
        }
    }

    private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isEmoji && scalar.value > 0x7F
    }

    // Letters and marks of Arabic, Syriac, N'Ko, Mandaic, the scripts of India, Tibetan, Myanmar, Khmer and Mongolian.
    private static func joins(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0620...0x077F, 0x07C0...0x07FF, 0x0840...0x085F, 0x0870...0x109F, 0x1780...0x18AF, 0xFB50...0xFDFF,
            0xFE70...0xFEFC:
            break
        default: return false
        }
        guard !scalar.properties.isDefaultIgnorableCodePoint else { return false }
        switch scalar.properties.generalCategory {
        case .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark: return true
        default: return false
        }
    }
}
