import Documents

/// The keys. Pure.
extension PickerState {
    mutating func handle(_ key: Key) -> [PickerEffect] {
        switch key {
        case .control("c"): return cancelled()
        case .control("z"): return [.suspend]
        case .control("l"): return [.redraw]
        default: break
        }
        message = nil
        switch panel {
        case .list: return listKey(key)
        case .name(let field, _):
            return fieldKey(key, field, { .name($0, note: nil) }, submit: { $0.submitName($1) })
        case .newFolder(let field, _):
            return fieldKey(key, field, { .newFolder($0, note: nil) }, submit: { $0.submitFolder($1) })
        case .search(let field):
            return fieldKey(key, field, { .search($0) }, submit: { $0.submitSearch($1) })
        case .replace(let name, _): return replaceKey(key, name)
        case .confirm(let outcome): return confirmKey(key, outcome)
        case .refuse:
            switch key {
            case .character("y") where isArmed: return [.finish(.refused)]
            case .character("n"), .escape: panel = .list
            default: break
            }
        case .work: if key == .escape { return stopWork() }
        case .problem(let problem): return problemKey(key, problem)
        case .help: panel = .list
        }
        return []
    }

    private mutating func cancelled() -> [PickerEffect] {
        if case .work = panel { return stopWork() }
        return [.finish(.cancelled)]
    }

    private mutating func stopWork() -> [PickerEffect] {
        panel = .list
        message = "Cancelled."
        // A late answer has another number.
        workSerial = next()
        return [.cancelWork]
    }

    // MARK: The list

    private mutating func listKey(_ key: Key) -> [PickerEffect] {
        switch key {
        case .up: listing.move(by: -1)
        case .down: listing.move(by: 1)
        case .pageUp: listing.move(by: -max(1, listRows - 1))
        case .pageDown: listing.move(by: max(1, listRows - 1))
        case .home: listing.move(to: 0)
        case .end: listing.move(to: listing.count - 1)
        case .left: return up()
        case .right: return enterFolder()
        case .enter: return enter()
        case .escape: return escape()
        case .tab: mark()
        case .control(let letter): return listCommand(letter)
        case .character("?") where listing.filter.text.isEmpty: panel = .help
        // No name contains a slash. What was typed so far is what is looked for.
        case .character("/"): panel = .search(TextField(listing.filter.text))
        case .character, .pasted, .backspace: listing.type(key)
        case .delete: break
        }
        return []
    }

    private mutating func listCommand(_ letter: Character) -> [PickerEffect] {
        switch letter {
        case "u", "w": listing.type(.control(letter))
        case "r": return open(listing.place, seeking: listing.entry?.name)
        case "s": return signIn()
        case "n": newFolder()
        case "p": showsPreview.toggle()
        case "d": if !marks.isEmpty { return choose(marks) }
        case "x":
            guard task.asker != nil else { return [] }
            panel = .refuse
            return arm()
        default: break
        }
        return []
    }

    private mutating func escape() -> [PickerEffect] {
        if !listing.filter.text.isEmpty {
            listing.setFilter("")
            return []
        }
        return listing.isOfAccounts ? [.finish(.cancelled)] : up()
    }

    /// Shows what contains this list.
    mutating func up() -> [PickerEffect] {
        guard let folder = listing.folder else { return listing.isOfAccounts ? [] : open(.accounts) }
        return folder.isTop ? open(.accounts) : open(.folder(folder.parent), seeking: folder.name)
    }

    private mutating func enterFolder() -> [PickerEffect] {
        if let shortcut = listing.shortcut { return open(.shortcut(shortcut)) }
        if let account = listing.account { return open(account) }
        guard let entry = listing.entry, entry.isFolder, let location = listing.location(of: entry) else { return [] }
        return open(.folder(location))
    }

    /// Searches in all accounts.
    mutating func submitSearch(_ text: String) -> [PickerEffect] {
        guard !text.allSatisfy(\.isWhitespace) else {
            panel = .list
            return []
        }
        return open(.search(text))
    }

    private mutating func mark() {
        guard task.allowsSeveral, let entry = listing.entry, let location = listing.location(of: entry) else { return }
        if let index = marks.firstIndex(where: { $0.location == location }) {
            marks.remove(at: index)
        } else if entry.isChoosable, !entry.isLink, !entry.isFolder || task.choosesFolders {
            marks.append(PickedItem(location: location, entry: entry))
        }
        listing.move(by: 1)
    }

    mutating func newFolder() {
        guard task.destination != nil, listing.folder != nil else { return }
        panel = .newFolder(TextField(), note: nil)
    }

    // MARK: Other panels

    private mutating func fieldKey(
        _ key: Key, _ field: TextField, _ shown: (TextField) -> PickerPanel,
        submit: (inout PickerState, String) -> [PickerEffect]
    ) -> [PickerEffect] {
        switch key {
        case .enter: return submit(&self, field.text)
        case .escape: panel = .list
        default:
            var field = field
            if field.take(key) { panel = shown(field) }
        }
        return []
    }

    private mutating func replaceKey(_ key: Key, _ name: String) -> [PickerEffect] {
        guard let folder = listing.folder else { return [] }
        switch key {
        case .character("y"): return confirmed(.destination(folder: folder, name: name, replaces: true))
        case .character("n"), .enter, .escape: panel = .name(TextField(name), note: nil)
        default: break
        }
        return []
    }

    private mutating func confirmKey(_ key: Key, _ outcome: PickerOutcome) -> [PickerEffect] {
        switch key {
        case .enter, .character("y"): if isArmed { return commit(outcome) }
        case .character("n"), .escape: panel = .list
        case .character("r"): if task.asker?.mayWrite == true { terms.isReadOnly.toggle() }
        case .character("t"):
            let all = PickerTerms.Lifetime.allCases
            let index = all.firstIndex(of: terms.lifetime) ?? 0
            terms.lifetime = all[(index + 1) % all.count]
        case .character("c"): if task.asker?.companions.isEmpty == false { terms.hasCompanions.toggle() }
        default: break
        }
        return []
    }

    private mutating func problemKey(_ key: Key, _ problem: PickerProblem) -> [PickerEffect] {
        switch key {
        case .character("r"), .control("r"): return retry(problem)
        case .character("s"), .control("s"):
            guard problem.error.code == .notAuthenticated else { return [] }
            afterSignIn = problem.canRetry ? problem : nil
            return signIn()
        case .character("u"): if let copy = problem.copy { return confirmed(copy) }
        case .escape, .enter, .left: panel = .list
        default: break
        }
        return []
    }
}
