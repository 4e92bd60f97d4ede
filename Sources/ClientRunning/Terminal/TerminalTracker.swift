/// Tracks what a program writes to its terminal: which modes it set, and whether it is in the middle of a sequence.
///
/// Terminals differ, and a program may mislead the tracker. The safety of a question therefore never depends on it,
/// only how well the terminal is restored afterwards.
struct TerminalTracker: Sendable {
    private enum State {
        case ground
        /// In a UTF-8 character, with this many bytes to come.
        case character(Int)
        case escape
        case control
        /// In a string that began with this byte after ESC.
        case string(UInt8)
        case stringEscape(UInt8)
    }

    private(set) var modes = TerminalModes()
    private var state = State.ground
    /// The sequence or character so far, with ESC at the start of a sequence; cut after `longest`.
    private var pending: [UInt8] = []
    private var isCut = false
    private var last: UInt8 = 0
    /// The most bytes that are kept of an unfinished sequence.
    static let longest = 4096
    private static let escape: UInt8 = 0x1B

    /// The bytes that bring a terminal from the ground state to the state of the program's terminal. A string that was
    /// too long to keep begins as one that no terminal supports, so that the rest of it shows nothing.
    var unfinished: [UInt8] {
        switch state {
        case .ground: return []
        case .string(let kind), .stringEscape(let kind):
            guard isCut else { return pending }
            let begin = [Self.escape, kind] + Array(kind == UInt8(ascii: "]") ? "99999;".utf8 : "z".utf8)
            if case .stringEscape = state { return begin + [Self.escape] }
            return begin
        default: return isCut ? [Self.escape, UInt8(ascii: "["), UInt8(ascii: "<"), UInt8(ascii: ";")] : pending
        }
    }

    /// Records what was written, in pieces of any size.
    mutating func note(_ bytes: some Sequence<UInt8>) { for byte in bytes { note(byte) } }

    private mutating func note(_ byte: UInt8) {
        defer { last = byte }
        switch state {
        case .ground: ground(byte)
        case .character(let lacking): character(byte, lacking)
        case .escape:
            guard isOfSequence(byte) else { return }
            keep(byte)
            guard byte >= 0x30 else { return }
            if pending.count == 2, byte == UInt8(ascii: "[") {
                state = .control
            } else if pending.count == 2, "]P^_X".utf8.contains(byte) {
                state = .string(byte)
            } else {
                end { if !$0.isCut { EscapeSequence($0.pending).apply(to: &$0.modes) } }
            }
        case .control:
            guard isOfSequence(byte) else { return }
            keep(byte)
            if byte >= 0x40 { end { if !$0.isCut { ControlSequence($0.pending)?.apply(to: &$0.modes) } } }
        case .string(let kind): string(byte, kind)
        case .stringEscape:
            if byte == UInt8(ascii: "\\") { return end { $0.endString() } }
            begin(.escape, [Self.escape])
            note(byte)
        }
    }

    private mutating func ground(_ byte: UInt8) {
        switch byte {
        case 0x20..<0x80: break
        case Self.escape: begin(.escape, [byte])
        case 0x0E: modes.shift = 1
        case 0x0F: modes.shift = 0
        case 0x80..<0xA0 where modes.isEightBit: eightBitControl(byte)
        case 0xC2..<0xF5 where !modes.isEightBit:
            begin(.character(byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3), [byte])
        default: break
        }
    }

    private mutating func character(_ byte: UInt8, _ lacking: Int) {
        guard byte & 0xC0 == 0x80 else {
            end { _ in }
            return ground(byte)
        }
        keep(byte)
        guard lacking == 1 else { return state = .character(lacking - 1) }
        let isControl = pending.count == 2 && pending[0] == 0xC2 && byte < 0xA0
        end { _ in }
        if isControl { eightBitControl(byte) }
    }

    /// For some terminals, an eight-bit control character equals ESC and a seven-bit one.
    private mutating func eightBitControl(_ byte: UInt8) {
        modes.isDoubtful = true
        begin(.escape, [Self.escape])
        note(byte - 0x40)
    }

    /// Whether a byte continues a sequence. If not, it has been handled.
    private mutating func isOfSequence(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20..<0x7F: return true
        case Self.escape: begin(.escape, [byte])
        case 0x18, 0x1A: end { _ in }
        case 0x0E: modes.shift = 1
        case 0x0F: modes.shift = 0
        case 0x80...:
            end { _ in }
            ground(byte)
        default: break
        }
        return false
    }

    private mutating func string(_ byte: UInt8, _ kind: UInt8) {
        let isCommand = kind == UInt8(ascii: "]")
        switch byte {
        case 0x18, 0x1A: end { _ in }
        case 0x07 where isCommand: end { $0.endString() }
        case 0x9C where modes.isEightBit || last == 0xC2: end { $0.endString() }
        case Self.escape:
            keep(byte)
            state = .stringEscape(kind)
        default:
            keep(byte)
            // The console's palette sequences: seven digits, or none, and no terminator.
            let isPalette = isCommand && pending.count > 2 && pending[2] == UInt8(ascii: "P")
            if isPalette && pending.count == 10 || isCommand && pending.count == 3 && byte == UInt8(ascii: "R") {
                modes.hasChangedColors = true
                end { _ in }
            }
        }
    }

    private mutating func endString() {
        guard pending.count > 2, pending[1] == UInt8(ascii: "]") else { return }
        let number = Int(String(decoding: pending.dropFirst(2).prefix { (0x30...0x39).contains($0) }, as: UTF8.self))
        if let number, [4, 5, 21].contains(number) || (10...19).contains(number) || (104...119).contains(number) {
            modes.hasChangedColors = true
        }
    }

    private mutating func keep(_ byte: UInt8) {
        if pending.count < Self.longest { pending.append(byte) } else { isCut = true }
    }

    private mutating func begin(_ next: State, _ bytes: [UInt8]) { (state, pending, isCut) = (next, bytes, false) }

    private mutating func end(_ act: (inout TerminalTracker) -> Void) {
        act(&self)
        (state, pending, isCut) = (.ground, [], false)
    }
}
