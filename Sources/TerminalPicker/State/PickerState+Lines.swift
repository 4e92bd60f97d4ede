import Documents

/// Lines that are typed on terminals that cannot draw. Pure.
extension PickerState {
    mutating func handle(line: String) -> [PickerEffect] {
        message = nil
        let line = line.trimmedEnds
        switch panel {
        case .list: return listLine(line)
        case .name(let field, _): return line == "-" ? handle(.escape) : submitName(line.isEmpty ? field.text : line)
        case .newFolder: return line.isEmpty || line == "-" ? handle(.escape) : submitFolder(line)
        case .search(let field):
            return line == "-" ? handle(.escape) : submitSearch(line.isEmpty ? field.text : line)
        case .confirm, .refuse, .replace, .problem:
            guard line.count < 2 || ["yes", "no"].contains(line) else {
                message = "Type one of the letters."
                return []
            }
            if let letter = line.first { return handle(.character(letter)) }
            // An empty line confirms nothing.
            return handle(.escape)
        case .work: return []
        case .help: panel = .list
        }
        return []
    }

    private mutating func listLine(_ line: String) -> [PickerEffect] {
        if line.hasPrefix("//") { return submitSearch(String(line.dropFirst(2))) }
        if line.first == "/" {
            listing.setFilter(String(line.dropFirst()))
            return []
        }
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        switch words.first {
        case nil, "?": panel = .help
        case "q": return [.finish(.cancelled)]
        case "..": return up()
        case ".": if listing.hasPlaceRow { return choosePlace() }
        case "+": listing.turnPage(rows: listRows)
        case "r": return handle(.control("r"))
        case "s": return signIn()
        case "x": return handle(.control("x"))
        case "ok": return handle(.control("d"))
        case "n":
            guard words.count > 1 else {
                newFolder()
                return []
            }
            guard task.destination != nil, listing.folder != nil else { return [] }
            return submitFolder(words[1])
        case "m": if words.count > 1, let number = Int(words[1]), go(to: number) { return handle(.tab) }
        case .some(let word):
            guard let number = Int(word), go(to: number) else {
                message = "There is no such number. Type ? for help."
                return []
            }
            guard isArmed else {
                message = "That was too soon. Type it again."
                return []
            }
            return enter()
        }
        return []
    }

    /// Moves the cursor to a number of the list.
    private mutating func go(to number: Int) -> Bool {
        let position = number - 1 + (listing.hasPlaceRow ? 1 : 0)
        guard number > 0, position < listing.count else { return false }
        listing.move(to: position)
        return true
    }
}

extension String {
    /// Without white space at both ends.
    fileprivate var trimmedEnds: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
