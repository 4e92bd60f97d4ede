import CommandConsole
import Documents

/// The questions, and what is below the list. Pure.
extension PickerDrawing {
    /// The line that is typed; nil if the panel has none.
    var panelField: TextField? {
        switch state.panel {
        case .name(let field, _), .newFolder(let field, _), .search(let field): field
        default: nil
        }
    }

    func fieldLine(_ field: TextField) -> PickerLine {
        PickerLine("> " + ForeignText.cutBeginning(ForeignText.harmless(field.text), to: columns - 4))
    }

    func shownBeforeCursor(_ field: TextField) -> String {
        ForeignText.cutBeginning(ForeignText.harmless(field.textBeforeCursor), to: columns - 4)
    }

    func panelLines() -> [PickerLine] {
        switch state.panel {
        case .list: []
        case .name(let field, let note):
            named("The name of the document:", field, note)
        case .newFolder(let field, let note):
            named("The name of the new folder:", field, note)
        case .search(let field):
            named("Search in all accounts:", field, "Words, or conditions like type:public.image and newer:7d.")
        case .replace(let name, let entry): replaceLines(name, entry)
        case .confirm(let outcome): confirmLines(outcome)
        case .refuse: [PickerLine(), PickerLine("Refuse the request?", style: .bold)] + armingLines
        case .work(let work): workLines(work)
        case .problem(let problem): problemLines(problem)
        case .help: helpLines
        }
    }

    private func named(_ question: String, _ field: TextField, _ note: String?) -> [PickerLine] {
        [PickerLine()] + paragraph(question, style: .bold) + [fieldLine(field)]
            + (note.map { [PickerLine(), PickerLine($0)] } ?? [])
    }

    private func paragraph(_ text: String, style: PickerLine.Style = .plain) -> [PickerLine] {
        ForeignText.wrapped(text, to: columns - 1).map { PickerLine($0, style: style) }
    }

    /// What is there, before it is replaced.
    private func replaceLines(_ name: String, _ entry: PickerEntry) -> [PickerLine] {
        let facts = [entry.size.map(ByteCount.text), Timestamp.text(entry.modificationDate)].compactMap(\.self)
        let there = facts.isEmpty ? "" : " It has \(facts.joined(separator: ", changed "))."
        let new = state.task.destination?.size.map { " The new content has \(ByteCount.text($0))." } ?? ""
        return [PickerLine()] + paragraph("\(quoted(name, to: columns - 2)) exists already.\(there)\(new)")
            + [PickerLine(), PickerLine("Replace its content?", style: .bold)]
    }

    private func confirmLines(_ outcome: PickerOutcome) -> [PickerLine] {
        guard let asker = state.task.asker else { return [] }
        var lines = [PickerLine()]
        let client = ForeignText.harmless(asker.client)
        switch outcome {
        case .items(let items, _):
            lines += paragraph("\(client) (\(ForeignText.harmless(asker.strength))) gets:", style: .bold)
            for item in items.prefix(3) {
                lines.append(
                    PickerLine(
                        "  "
                            + ForeignText.cutBeginning(ForeignText.harmless(item.location.description), to: columns - 4)
                    ))
                lines += itemFacts(item)
            }
            if items.count > 3 { lines.append(PickerLine("  and \(items.count - 3) more")) }
        case .destination(let folder, let name, _):
            lines += paragraph(
                "\(client) (\(ForeignText.harmless(asker.strength))) puts a document here:", style: .bold)
            let location = folder.appending(name).description
            lines.append(PickerLine("  " + ForeignText.cutBeginning(ForeignText.harmless(location), to: columns - 4)))
        case .cancelled, .refused, .withdrawn: break
        }
        lines += termLines(asker, outcome)
        return lines + armingLines
    }

    private func itemFacts(_ item: PickedItem) -> [PickerLine] {
        guard let entry = item.entry, !entry.isFolder else { return [] }
        let size = entry.size.map(ByteCount.text) ?? "unknown size"
        return [PickerLine("    " + size + (entry.isDownloaded ? "" : ", will be downloaded"), style: .dim)]
    }

    private func termLines(_ asker: PickerAsker, _ outcome: PickerOutcome) -> [PickerLine] {
        guard state.task.verb == "open", case .items = outcome else { return [] }
        var lines = [PickerLine()]
        let access = state.terms.isReadOnly ? "to read it" : "to read and change it"
        lines.append(PickerLine("  \(access), \(state.terms.lifetime.text)"))
        if !asker.companions.isEmpty {
            let patterns = ForeignText.harmless(asker.companions.prefix(8).joined(separator: ", "))
            let text = (state.terms.hasCompanions ? "with" : "without") + " what is beside it: " + patterns
            lines.append(PickerLine("  " + ForeignText.cut(text, to: columns - 4)))
        }
        return lines
    }

    private var armingLines: [PickerLine] {
        [PickerLine(), state.isArmed ? PickerLine() : PickerLine("One moment…", style: .dim)]
    }

    private func workLines(_ work: PickerWork) -> [PickerLine] {
        var lines = [PickerLine()] + paragraph(ForeignText.harmless(work.text) + "…", style: .bold)
        guard let progress = work.progress else { return lines }
        let text = ProgressLine.text(
            "", done: progress.completedBytes, total: progress.totalBytes, rate: progress.bytesPerSecond, seconds: 0,
            columns: columns)
        lines.append(PickerLine(ForeignText.cut(text, to: columns - 1)))
        return lines
    }

    private func problemLines(_ problem: PickerProblem) -> [PickerLine] {
        var lines = [PickerLine()] + paragraph(ForeignText.harmless(problem.error.message), style: .bold)
        for cause in problem.error.causes.prefix(2) where cause.message != problem.error.message {
            lines += paragraph("  " + ForeignText.harmless(cause.message))
        }
        if let suggestion = problem.error.suggestion {
            lines += [PickerLine()] + paragraph(ForeignText.harmless(suggestion))
        }
        if problem.copy != nil {
            let date = Timestamp.text(problem.copyDate).map { "from \($0)" } ?? "of an unknown date"
            lines += [PickerLine()] + paragraph("The copy \(date) is on this machine.")
        }
        return lines
    }

    private var helpLines: [PickerLine] {
        var keys = [
            ("letters", "leave what contains them"), ("Enter", "open a folder, or choose"),
            ("Left, Right", "the folder above, the folder below"), ("Esc", "one step back; at the accounts: cancel"),
            ("/", "search in all accounts"), ("^R", "list again"), ("^S", "sign in to the account"),
            ("^P", "preview on or off"), ("^C", "cancel"),
        ]
        if state.task.allowsSeveral {
            keys.insert(contentsOf: [("Tab", "mark"), ("^D", "choose what is marked")], at: 2)
        }
        if state.task.destination != nil { keys.insert(("^N", "new folder"), at: 5) }
        if state.task.asker != nil { keys.append(("^X", "refuse the request")) }
        let marks = "v: will be downloaded   ~: not the newest   (name): another type"
        return keys.map { key, text in
            var line = PickerLine()
            line.add(key, at: 2, style: .bold)
            line.add(ForeignText.cut(text, to: columns - 16), at: 15)
            return line
        } + [PickerLine(), PickerLine("  " + ForeignText.cut(marks, to: columns - 3))]
    }

    // MARK: Below the list

    func foot() -> [PickerLine] {
        let keys = PickerLine(ForeignText.cut(keyText, to: columns - 1), style: .dim)
        guard state.footRows > 1 else {
            return [noteText.isEmpty ? keys : PickerLine(ForeignText.cut(noteText, to: columns - 1))]
        }
        return [PickerLine(ForeignText.cut(noteText, to: columns - 1)), keys]
    }

    /// A message, or what is remembered; nil for neither.
    var newsText: String? {
        if let message = state.message { return ForeignText.harmless(message) }
        guard state.panel == .list, let remembered = state.listing.remembered else { return nil }
        let since = Timestamp.text(remembered.since).map { "as of \($0)" } ?? "as it was known before"
        return "From memory, \(since): \(ForeignText.harmless(remembered.reason))"
    }

    /// A message; otherwise what is under the cursor, and what is remembered.
    var noteText: String {
        guard state.message == nil, state.panel == .list else { return newsText ?? "" }
        return [factText, newsText ?? "", gapText].filter { !$0.isEmpty }.joined(separator: ". ")
    }

    /// Whether a search covered everything, also where there is no room for the accounts below the list.
    private var gapText: String {
        let gaps = state.listing.gaps
        guard state.listing.isComplete, let first = gaps.first else { return "" }
        return "Not complete: " + (gaps.count == 1 ? ForeignText.harmless(first.account) : "\(gaps.count) accounts")
    }

    /// What a choice of the row under the cursor means.
    private var factText: String {
        if let account = state.listing.account { return account.message.map(ForeignText.harmless) ?? "" }
        guard let entry = state.listing.entry, !entry.isFolder, !entry.isLink else { return marked }
        let size = entry.size.map(ByteCount.text) ?? "Unknown size"
        let will = entry.isDownloaded ? "" : ", will be downloaded"
        let type = entry.isChoosable ? "" : "; not of the asked type"
        return size + will + type + (state.marks.isEmpty ? "" : "; \(marked)")
    }

    private var marked: String { state.marks.isEmpty ? "" : "\(state.marks.count) marked" }

    /// The keys that do something now.
    var keyText: String {
        switch state.panel {
        case .list:
            let enter =
                state.listing.isOfAccounts
                ? "Enter open" : "Enter \(state.listing.isOnPlace ? "choose" : state.task.verb)"
            var keys = [state.isArmed ? enter : "One moment…", "Esc back"]
            if state.task.allowsSeveral { keys += ["Tab mark"] }
            if state.task.destination != nil, state.listing.folder != nil { keys += ["^N new folder"] }
            if state.task.asker != nil { keys += ["^X refuse"] }
            return (keys + ["/ search", "? help", "^C cancel"]).joined(separator: "   ")
        case .search: return "Enter search   Esc back   ^C cancel"
        case .name, .newFolder: return "Enter go on   Esc back   ^C cancel"
        case .replace: return "y replace   n another name   ^C cancel"
        case .confirm:
            var keys = [state.isArmed ? "Enter give" : "", "n back"].filter { !$0.isEmpty }
            if state.task.verb == "open" {
                if state.task.asker?.mayWrite == true { keys.append("r only reading") }
                keys.append("t time")
                if state.task.asker?.companions.isEmpty == false { keys.append("c beside it") }
            }
            return (keys + ["^C cancel"]).joined(separator: "   ")
        case .refuse: return (state.isArmed ? "y refuse   " : "") + "n back"
        case .work: return "Esc cancel"
        case .problem(let problem):
            var keys: [String] = problem.canRetry ? ["r try again"] : []
            if problem.error.code == .notAuthenticated { keys.append("s sign in") }
            if problem.copy != nil { keys.append("u use the copy") }
            return (keys + ["Esc back"]).joined(separator: "   ")
        case .help: return "Any key goes back"
        }
    }
}
