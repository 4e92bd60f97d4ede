/// A complete sequence of ESC, intermediate bytes and a final byte.
struct EscapeSequence {
    private let text: String

    init(_ bytes: [UInt8]) { text = String(decoding: bytes.dropFirst(), as: UTF8.self) }

    func apply(to modes: inout TerminalModes) {
        switch text {
        case "c": modes.reset()
        case "7": modes.saveCursor()
        case "8": modes.restoreCursor()
        case "=": modes.isKeypadApplication = true
        case ">": modes.isKeypadApplication = false
        case "n": modes.shift = 2
        case "o": modes.shift = 3
        case "%@": modes.isEightBit = true
        case "%G", "%8": modes.isEightBit = false
        default:
            // "-./" are the places 1 to 3 for sets of 96 characters.
            guard text.count > 1, text.count < 5, let first = text.first,
                let place = ["(": 0, ")": 1, "*": 2, "+": 3, "-": 1, ".": 2, "/": 3][first]
            else { return }
            modes.designate(place, by: "\u{1B}" + text)
        }
    }
}

/// A complete sequence of CSI, parameters, intermediate bytes and a final byte.
struct ControlSequence {
    private let prefix: UInt8?
    /// Semicolons separate groups, colons separate members; −1 is an empty one.
    private let parameters: [[Int]]
    private let intermediates: String
    private let final: UInt8

    /// nil if the bytes are in an invalid order.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > 2, let final = bytes.last else { return nil }
        var rest = bytes.dropFirst(2).dropLast()
        var prefix: UInt8?
        if let first = rest.first, (0x3C...0x3F).contains(first) {
            prefix = first
            rest.removeFirst()
        }
        let numbers = rest.prefix { (0x30...0x3B).contains($0) }
        rest = rest.dropFirst(numbers.count)
        guard rest.allSatisfy({ $0 < 0x30 }) else { return nil }
        self.prefix = prefix
        self.final = final
        intermediates = String(decoding: rest, as: UTF8.self)
        parameters =
            numbers.isEmpty
            ? []
            : numbers.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).prefix(64).map { group in
                group.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).prefix(16).map {
                    $0.isEmpty ? -1 : min(1 << 20, Int(String(decoding: $0, as: UTF8.self)) ?? 1 << 20)
                }
            }
    }

    func apply(to modes: inout TerminalModes) {
        let numbers = parameters.map { max(0, $0.first ?? 0) }
        let range = TerminalModes.Range(first: max(1, numbers.first ?? 1), last: numbers.count > 1 ? numbers[1] : 0)
        switch (prefix.map { Character(Unicode.Scalar($0)) }, intermediates, Character(Unicode.Scalar(final))) {
        case (nil, "", "m"): modes.rendition.apply(parameters)
        case (nil, "", "h"): for mode in numbers { modes.set(ansiMode: mode, to: true) }
        case (nil, "", "l"): for mode in numbers { modes.set(ansiMode: mode, to: false) }
        case (nil, "", "r"): modes.set(lines: range)
        case (nil, "", "s"): if modes.isOn(69) { modes.set(columns: range) } else { modes.saveCursor() }
        case (nil, "", "u"): modes.restoreCursor()
        case (nil, "!", "p"): modes.resetSoftly()
        case ("?", "", "h"): for mode in numbers { modes.set(privateMode: mode, to: true) }
        case ("?", "", "l"): for mode in numbers { modes.set(privateMode: mode, to: false) }
        case ("?", "", "s"): for mode in numbers { modes.remember(mode) }
        case ("?", "", "r"): for mode in numbers { modes.recall(mode) }
        case (">", "", "m"):
            modes.set(keyModifier: numbers.first ?? 0, to: numbers.count > 1 ? numbers[1] : nil)
        default: break
        }
    }
}
