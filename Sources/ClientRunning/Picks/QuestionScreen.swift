/// Sequences that give a question a screen of its own, whatever a program made of the terminal, and the program its terminal back. Pure.
enum QuestionScreen {
    /// What a terminal understands.
    enum Kind: Equatable {
        /// No sequences at all.
        case plain
        /// The kernel's console: no strings that set something.
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

    /// Brings the terminal to an empty screen in a known state, with the cursor at its first place and lines that do not wrap.
    ///
    /// Everything is said, not only what was seen to be changed: a program can hide from the tracker. What only few terminals know comes
    /// first, so that whatever another one shows of it is wiped. DECSTR is not used, because it overwrites the saved cursor; nor is RIS,
    /// because it wipes the normal screen and what was scrolled off it.
    static func open(_ tracker: TerminalTracker, _ kind: Kind) -> String {
        guard kind != .plain else { return "" }
        // Out of xterm's Tektronix mode, of any sequence and string, and of VT52 mode; to the main display; shown at once.
        var text = "\u{1B}\u{3}\u{18}" + stringEnd + "\u{1B}<" + control("0$}") + control("?2026l")
        if kind == .full, tracker.modes.hasChangedColors { text += control("#P") }
        text += control(tracker.modes.alternateScreen == nil ? "?1049h" : "?47h")
        if kind == .full {
            // No status line, keys without text of the program's own, and keyboards that send what they always do.
            text += control("0$~") + "\u{1B}P0;1|" + stringEnd + "\u{1B} F"
            text += [0, 1, 2, 4].map { control(">\($0)m") }.joined() + control(">0u")
        }
        if tracker.modes.hasChangedColors {
            text +=
                kind == .console
                ? "\u{1B}]R"
                : [104, 105, 110, 111, 112, 117, 119].map { "\u{1B}]\($0)" + stringEnd }.joined()
        }
        // UTF-8 and ASCII.
        text += "\u{1B}%G" + "()*+".map { "\u{1B}\($0)B" }.joined() + "\u{F}"
        text += TerminalModes.ansiDefaults.sorted { $0.key < $1.key }.map {
            control("\($0.key)" + ($0.value ? "h" : "l"))
        }
        .joined()
        text += TerminalModes.privateDefaults.sorted { $0.key < $1.key }
            .map { control("?\($0.key)" + ($0.value ? "h" : "l")) }.joined()
        // Keypad of numbers; nothing is guarded from being wiped; all lines scroll; plain characters; lines do not wrap.
        text += "\u{1B}>\u{1B}W" + control("0\"q") + control("r") + control("10m") + control("0m") + control("?7l")
        return text + control("H") + control("2J") + control("H")
    }

    /// Lets lines wrap, for what is typed.
    static func typing(_ kind: Kind) -> String { kind == .plain ? "" : control("?7h") }

    /// Gives the program its terminal back.
    static func close(_ tracker: TerminalTracker, _ kind: Kind) -> [UInt8] {
        guard kind != .plain else { return [] }
        let modes = tracker.modes
        var text = control("0m") + control("2J") + control("H")
        if kind == .full { text += control("<1u") }
        if kind == .full, modes.hasChangedColors { text += control("#Q") }
        // These move the cursor, which the way back to the normal screen puts where it was.
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

    /// After the program's end: nothing of what it set is left to whoever writes next, Docent's own messages among them.
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
        // These moved the cursor, and its place is not known: the last line is free in any case.
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
