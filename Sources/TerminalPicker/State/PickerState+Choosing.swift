import Documents

/// From the key that chooses to the end of the picker. Pure.
extension PickerState {
    /// The account that a sign-in is for: the one under the cursor, or that of the folder.
    var account: (provider: String, domain: String)? {
        if let account = listing.account { return (account.provider, account.domain) }
        let place = listing.folder ?? listing.entry.flatMap { listing.location(of: $0) }
        return place.map { ($0.provider, $0.domain) }
    }

    mutating func signIn() -> [PickerEffect] {
        guard let account else { return [] }
        return [.signIn(provider: account.provider, domain: account.domain)]
    }

    /// Goes on where the sign-in was needed.
    mutating func signedIn(_ error: DocumentsError?) -> [PickerEffect] {
        let problem = afterSignIn
        afterSignIn = nil
        if let error {
            if error.code == .cancelled {
                message = "You did not sign in."
            } else {
                panel = .problem(PickerProblem(error: error, work: PickerWork(kind: .signingIn, text: "Signing in")))
            }
            return [.redraw]
        }
        if let problem { return [.redraw] + retry(problem) }
        let note = "Signed in."
        let account = listing.account
        let effects = account.map { open(.folder($0.location)) } ?? open(listing.place)
        message = note
        return [.redraw] + effects
    }

    mutating func open(_ account: PickerAccount) -> [PickerEffect] {
        account.needsSignIn
            ? [.signIn(provider: account.provider, domain: account.domain)] : open(.folder(account.location))
    }

    // MARK: Enter

    mutating func enter() -> [PickerEffect] {
        // What was typed for another program does not open or choose anything.
        guard isArmed else { return [] }
        if let error = listing.problem, listing.count == 0 {
            return error.code == .notAuthenticated ? signIn() : open(listing.place)
        }
        if listing.isOnPlace { return choosePlace() }
        if let shortcut = listing.shortcut { return open(.shortcut(shortcut)) }
        if let account = listing.account { return open(account) }
        guard let entry = listing.entry else { return [] }
        return activate(entry)
    }

    /// Enters a folder, follows a link, or chooses a document.
    mutating func activate(_ entry: PickerEntry) -> [PickerEffect] {
        guard let location = listing.location(of: entry) else { return [] }
        if entry.isLink {
            let serial = work(.following, "Following \(entry.name)")
            return [.follow(location, serial: serial)]
        }
        if entry.isFolder { return open(.folder(location)) }
        if task.destination != nil {
            // From a list of several folders, what is put there is put beside the document.
            guard listing.folder != nil else { return open(.folder(location.parent), seeking: location.name) }
            // The name of a document is a proposal for what is put beside it.
            panel = .name(TextField(entry.name), note: nil)
            return []
        }
        if !marks.isEmpty { return choose(marks) }
        guard entry.isChoosable, !task.choosesOnlyFolders else {
            message = task.choosesOnlyFolders ? "Choose a folder." : "This is not of the type that is asked for."
            return []
        }
        return choose([PickedItem(location: location, entry: entry)])
    }

    /// Chooses the folder that is shown.
    mutating func choosePlace() -> [PickerEffect] {
        guard let folder = listing.folder else { return [] }
        guard let destination = task.destination else { return choose([PickedItem(location: folder, entry: nil)]) }
        panel = .name(TextField(destination.name), note: nil)
        return []
    }

    /// Fetches what is not here, if its content is wanted, and goes on.
    mutating func choose(_ items: [PickedItem]) -> [PickerEffect] {
        let outcome = PickerOutcome.items(items, terms)
        // What cannot be described need not be fetched to be chosen.
        let missing = items.filter { item in
            item.entry.map { !$0.isFolder && (!$0.isDownloaded || $0.isStale) } ?? false
        }
        guard task.downloads, !missing.isEmpty else { return confirmed(outcome) }
        let name = missing.count == 1 ? missing[0].location.name : "\(missing.count) documents"
        let serial = work(.downloading, "Fetching \(name)", next: outcome)
        return [.download(missing.map(\.location), serial: serial)]
    }

    // MARK: Names

    mutating func submitName(_ name: String) -> [PickerEffect] {
        guard let folder = listing.folder else { return [] }
        if let note = Self.fault(of: name) {
            panel = .name(TextField(name), note: note)
            return []
        }
        let serial = work(
            .lookingUp, "Looking for \(name)", next: .destination(folder: folder, name: name, replaces: false))
        return [.lookUp(folder.appending(name), serial: serial)]
    }

    mutating func submitFolder(_ name: String) -> [PickerEffect] {
        guard let folder = listing.folder else { return [] }
        if let note = Self.fault(of: name) {
            panel = .newFolder(TextField(name), note: note)
            return []
        }
        let serial = work(.makingFolder, "Making the folder \(name)")
        return [.makeFolder(folder, name: name, serial: serial)]
    }

    /// Why a name cannot be used; nil if it can.
    private static func fault(of name: String) -> String? {
        if name.allSatisfy(\.isWhitespace) { return "Type a name." }
        if name.contains("/") { return "A name has no slash." }
        return name == "." || name == ".." ? "This name means a folder." : nil
    }

    /// The name was looked up.
    mutating func nameIsFree(unless entry: PickerEntry?) -> [PickerEffect] {
        guard case .work(let work) = panel, let outcome = work.next,
            case .destination(_, let name, _) = outcome
        else { return [] }
        guard let entry else { return confirmed(outcome) }
        if task.destination?.canReplace == true, !entry.isFolder, !entry.isLink {
            panel = .replace(name: name, entry)
        } else {
            panel = .name(
                TextField(name),
                note: entry.isFolder ? "A folder has this name. Type another." : "This name is taken. Type another.")
        }
        return []
    }

    // MARK: The end

    /// The person has chosen; a program's request is confirmed once more.
    mutating func confirmed(_ outcome: PickerOutcome) -> [PickerEffect] {
        guard task.asker != nil else { return commit(outcome) }
        panel = .confirm(outcome)
        return arm()
    }

    mutating func commit(_ outcome: PickerOutcome) -> [PickerEffect] {
        let outcome: PickerOutcome =
            if case .items(let items, _) = outcome { .items(items, terms) } else { outcome }
        guard task.commits else { return [.remember(folder(of: outcome)), .finish(outcome)] }
        let serial = work(.committing, "Passing it on", next: outcome)
        return [.commit(outcome, serial: serial)]
    }

    /// The folder to begin in the next time: the one that is shown, or that of what was chosen from all accounts.
    func folder(of outcome: PickerOutcome) -> DocumentLocation? {
        guard listing.folder == nil, case .items(let items, _) = outcome else { return listing.folder }
        return items.first?.location.parent
    }

    // MARK: Failures

    /// Shows a failure of a step, and the ways on.
    mutating func show(_ error: DocumentsError, of work: PickerWork) {
        guard error.code != .cancelled else {
            panel = .list
            message = "Cancelled."
            return
        }
        var problem = PickerProblem(error: error, work: work)
        if work.kind == .downloading, case .items(let items, _)? = work.next {
            let entries = items.compactMap(\.entry)
            if entries.count == items.count, entries.allSatisfy({ $0.isDownloaded || $0.isFolder }) {
                problem.copy = work.next
                problem.copyDate = entries.compactMap(\.modificationDate).max()
            }
        }
        panel = .problem(problem)
    }

    mutating func retry(_ problem: PickerProblem) -> [PickerEffect] {
        guard let next = problem.work.next else {
            panel = .list
            return []
        }
        switch (problem.work.kind, next) {
        case (.downloading, .items(let items, _)): return choose(items)
        case (.lookingUp, .destination(_, let name, _)): return submitName(name)
        default: return commit(next)
        }
    }
}
