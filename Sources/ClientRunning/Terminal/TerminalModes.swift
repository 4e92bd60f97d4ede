/// What a program has set on its terminal, as far as it can be restored. A value of bounded size.
struct TerminalModes: Equatable, Sendable {
    /// Lines or columns, counted from 1; a `last` of 0 is the terminal's last.
    struct Range: Equatable, Sendable {
        var first: Int
        var last: Int
    }

    /// What the terminal saves with the cursor.
    private struct Saved: Equatable, Sendable {
        var rendition = TerminalRendition()
        var designations: [String?] = [nil, nil, nil, nil]
        var shift = 0
        var hasOrigin = false
    }

    /// The DEC private modes that are tracked, with their initial values. Modes like 12 change only how the cursor
    /// looks.
    static let privateDefaults: [Int: Bool] = [
        1: false, 5: false, 6: false, 7: true, 9: false, 25: true, 45: false, 66: false, 69: false, 1000: false,
        1001: false, 1002: false, 1003: false, 1004: false, 1005: false, 1006: false, 1015: false, 1016: false,
        2004: false, 2031: false, 2048: false, 9001: false,
    ]
    /// The same for ANSI modes: keyboard lock, visible control characters, insertion, no echo, new line.
    static let ansiDefaults: [Int: Bool] = [2: false, 3: false, 4: false, 12: true, 20: false]

    /// The mode that selected the alternate screen: 47, 1047 or 1049; nil on the normal one.
    private(set) var alternateScreen: Int?
    /// Modes that differ from their initial values.
    private(set) var changed: Set<Int> = []
    private(set) var changedANSI: Set<Int> = []
    private var remembered: [Int: Bool] = [:]
    private(set) var lines: Range?
    private(set) var columns: Range?
    var isKeypadApplication = false
    /// The character sets designated as G0 to G3, by `ESC ( B` and the like.
    private(set) var designations: [String?] = [nil, nil, nil, nil]
    /// The set that letters are taken from.
    var shift = 0
    var rendition = TerminalRendition()
    /// The values of xterm's key modifier options, by number.
    private(set) var keyModifiers: [Int: Int] = [:]
    /// Whether a palette or default colour was changed. It stays true, because the changed colours are not recorded.
    var hasChangedColors = false
    /// Whether bytes are not UTF-8 (`ESC % @`).
    var isEightBit = false
    /// Whether terminals interpret the program's sequences differently, so that more may be set than is recorded here.
    var isDoubtful = false
    private var saved = Saved()

    /// Whether nothing is set that would disturb a later program.
    var isPlain: Bool {
        var plain = TerminalModes()
        plain.saved = saved
        plain.remembered = remembered
        plain.designations = designations.map { $0?.hasSuffix("B") == true ? $0 : nil }
        return self == plain
    }

    /// Whether a private mode is on.
    func isOn(_ mode: Int) -> Bool {
        Self.privateDefaults[mode] == true ? !changed.contains(mode) : changed.contains(mode)
    }

    mutating func set(privateMode mode: Int, to isOn: Bool) {
        switch mode {
        case 47, 1047, 1049:
            if mode == 1049, isOn { saveCursor() }
            alternateScreen = isOn ? mode : nil
            if mode == 1049, !isOn { restoreCursor() }
        case 1048: isOn ? saveCursor() : restoreCursor()
        default:
            guard let usual = Self.privateDefaults[mode] else { return }
            if isOn == usual { changed.remove(mode) } else { changed.insert(mode) }
            if mode == 69 { columns = nil }
            // Only one of these four is on at a time.
            if [1000, 1001, 1002, 1003].contains(mode) {
                changed.subtract(Set([1000, 1001, 1002, 1003]).subtracting([mode]))
            }
        }
    }

    mutating func set(ansiMode mode: Int, to isOn: Bool) {
        guard let usual = Self.ansiDefaults[mode] else { return }
        if isOn == usual { changedANSI.remove(mode) } else { changedANSI.insert(mode) }
    }

    /// Handles `CSI ? … s`; ``recall(_:)`` handles `CSI ? … r`.
    mutating func remember(_ mode: Int) {
        if [47, 1047, 1049].contains(mode) { remembered[mode] = alternateScreen != nil }
        if Self.privateDefaults[mode] != nil { remembered[mode] = isOn(mode) }
    }

    mutating func recall(_ mode: Int) {
        if let isOn = remembered[mode] { set(privateMode: mode, to: isOn) }
    }

    mutating func set(lines range: Range) {
        guard range.last == 0 || range.first < range.last else { return }
        lines = range.first <= 1 && range.last == 0 ? nil : range
    }

    mutating func set(columns range: Range) {
        guard range.last == 0 || range.first < range.last else { return }
        columns = range
    }

    mutating func set(keyModifier number: Int, to value: Int?) {
        if [0, 1, 2, 4].contains(number) { keyModifiers[number] = value }
    }

    /// - Parameter place: 0 to 3.
    mutating func designate(_ place: Int, by sequence: String) {
        designations[place] = sequence.hasSuffix("(B") ? nil : sequence
    }

    mutating func saveCursor() {
        saved = Saved(rendition: rendition, designations: designations, shift: shift, hasOrigin: isOn(6))
    }

    mutating func restoreCursor() {
        rendition = saved.rendition
        designations = saved.designations
        shift = saved.shift
        set(privateMode: 6, to: saved.hasOrigin)
    }

    /// DECSTR, which not every terminal supports.
    mutating func resetSoftly() {
        if !isPlain { isDoubtful = true }
        for mode in [1, 6, 7, 25, 66] { changed.remove(mode) }
        for mode in [2, 4] { changedANSI.remove(mode) }
        (lines, isKeypadApplication, shift) = (nil, false, 0)
        designations = [nil, nil, nil, nil]
        rendition = TerminalRendition()
        saved = Saved()
    }

    /// RIS.
    mutating func reset() {
        let hasChangedColors = hasChangedColors
        self = TerminalModes()
        self.hasChangedColors = hasChangedColors
    }
}
