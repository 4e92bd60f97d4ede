/// Sequences that give a question its own screen, whatever state a program left the terminal in, and then restore the
/// program's state. Pure.
enum QuestionScreen {
    /// What a terminal understands.
    enum Kind: Equatable {
        /// No sequences at all.
        case plain
        /// The kernel's console: no string sequences that set something.
        case console
        case full

        /// - Parameter name: the value of `TERM`.
        init(_ name: String?) {
            switch name {
            case nil, "", "dumb", "unknown": self = .plain
            case "linux": self = .console
            default: self = .full
            }
        }
    }

    private static let stringEnd = "\u{1B}\\"

    /// Brings the terminal to an empty screen in a known state, with the cursor at the top left and no line wrapping.
    ///
    /// Everything is set, not only what was seen to change: a program can hide changes from the tracker. Sequences that
    /// few terminals support come first, so that anything that other terminals show of them is erased. DECSTR is not
    /// used, because it overwrites the saved cursor; nor is RIS, because it erases the normal screen and the
    /// scrollback.
    static func open(_ tracker: TerminalTracker, _ kind: Kind) -> String {
        guard kind != .plain else { return "" }
        // Leaves xterm's Tektronix mode, any sequence or string, and VT52 mode; selects the main display; ends
        // synchronized output.
        var text = "\u{1B}\u{3}\u{18}" + stringEnd + "\u{1B}<" + control("0$}") + control("?2026l")
        if kind == .full, tracker.modes.hasChangedColors { text += control("#P") }
        text += control(tracker.modes.alternateScreen == nil ? "?1049h" : "?47h")
        if kind == .full {
            // No status line, no programmed keys, and the usual key sequences.
            text += control("0$~") + "\u{1B}P0;1|" + stringEnd + "\u{1B} F"
            text += [0, 1, 2, 4].map { control(">\($0)m") }.joined() + control(">0u")
        }
        if tracker.modes.hasChangedColors {
            text +=
                kind == .console
                ? "\u{1B}]R"
                : [104, 105, 110, 111, 112, 117, 119].map { "\u{1B}]\($0)" + stringEnd }.joined()
        }
        // UTF-8, and ASCII in all character sets.
        text += "\u{1B}%G" + "()*+".map { "\u{1B}\($0)B" }.joined() + "\u{F}"
        text += TerminalModes.ansiDefaults.sorted { $0.key < $1.key }.map {
            control("\($0.key)" + ($0.value ? "h" : "l"))
        }
        .joined()
        text += TerminalModes.privateDefaults.sorted { $0.key < $1.key }
            .map { control("?\($0.key)" + ($0.value ? "h" : "l")) }.joined()
        // Numeric keypad; nothing is protected from erasure; all lines scroll; plain characters; no line wrapping.
        text += "\u{1B}>\u{1B}W" + control("0\"q") + control("r") + control("10m") + control("0m") + control("?7l")
        return text + control("H") + control("2J") + control("H")
    }

    /// Turns line wrapping on, for what is typed.
    static func typing(_ kind: Kind) -> String { kind == .plain ? "" : control("?7h") }

    /// Restores the program's terminal.
    static func close(_ tracker: TerminalTracker, _ kind: Kind) -> [UInt8] {
        guard kind != .plain else { return [] }
        let modes = tracker.modes
        var text = control("0m") + control("2J") + control("H")
        if kind == .full { text += control("<1u") }
        if kind == .full, modes.hasChangedColors { text += control("#Q") }
        // These move the cursor. Returning to the normal screen puts it back.
        if modes.isOn(69) {
            text += control("?69h")
            if let columns = modes.columns { text += control(range(columns) + "s") }
        }
        if let lines = modes.lines { text += control(range(lines) + "r") }
        if modes.isOn(6) { text += control("?6h") }
        if modes.alternateScreen == nil { text += control("?1049l") }
        text += designated(modes) + modes.rendition.sequence
        for mode in modes.changedANSI.sorted() {
            text += control("\(mode)" + (TerminalModes.ansiDefaults[mode] == true ? "l" : "h"))
        }
        for mode in modes.changed.sorted() where mode != 6 && mode != 69 {
            text += control("?\(mode)" + (modes.isOn(mode) ? "h" : "l"))
        }
        if modes.isKeypadApplication { text += "\u{1B}=" }
        if kind == .full {
            for (number, value) in modes.keyModifiers.sorted(by: { $0.key < $1.key }) {
                text += control(">\(number);\(value)m")
            }
        }
        if modes.isEightBit { text += "\u{1B}%@" }
        return Array(text.utf8) + tracker.unfinished
    }

    /// After the program has ended: resets what it set, for whatever is written next, Docent's own messages included.
    static func leave(_ tracker: TerminalTracker, _ kind: Kind) -> String {
        let modes = tracker.modes
        guard kind != .plain else { return "" }
        var text = tracker.unfinished.isEmpty ? "" : "\u{18}" + stringEnd
        guard !modes.isPlain else { return text }
        if let screen = modes.alternateScreen { text += control("?\(screen)l") }
        for (mode, isOn) in TerminalModes.ansiDefaults.sorted(by: { $0.key < $1.key })
        where modes.isDoubtful || modes.changedANSI.contains(mode) {
            text += control("\(mode)" + (isOn ? "h" : "l"))
        }
        for (mode, isOn) in TerminalModes.privateDefaults.sorted(by: { $0.key < $1.key })
        where modes.isDoubtful || modes.changed.contains(mode) {
            text += control("?\(mode)" + (isOn ? "h" : "l"))
        }
        text += "\u{1B}>"
        if kind == .full { text += modes.keyModifiers.keys.sorted().map { control(">\($0)m") }.joined() }
        if modes.isEightBit { text += "\u{1B}%G" }
        text += "()*+".map { "\u{1B}\($0)B" }.joined()
        text += "\u{F}" + control("0m")
        // These moved the cursor to an unknown place. The last line is free in any case.
        if modes.lines != nil || modes.isOn(6) || modes.isDoubtful { text += control("r") + control("999;1H") }
        return text
    }

    private static func control(_ text: String) -> String { "\u{1B}[" + text }

    private static func range(_ range: TerminalModes.Range) -> String {
        range.last == 0 ? "\(range.first)" : "\(range.first);\(range.last)"
    }

    private static func designated(_ modes: TerminalModes) -> String {
        modes.designations.compactMap(\.self).joined() + ["\u{F}", "\u{E}", "\u{1B}n", "\u{1B}o"][modes.shift]
    }
}
