package import Documents
package import TerminalPicker

/// From the click that chooses to the end of the window.
extension WindowModel {
    /// A double click on a row, or Enter.
    package mutating func activate(_ row: Int) -> [Step] {
        guard work == nil, !isFinished else { return [] }
        if let account = account(at: row) {
            guard !account.needsSignIn else {
                notice = .signedOut(provider: account.provider, domain: account.domain)
                return []
            }
            return open(.folder(account.provider == LocalFiles.provider ? home : account.location))
        }
        guard let entry = entry(at: row), isEnabled(row), let folder else { return [] }
        let location = folder.appending(entry.name)
        if entry.isFolder { return open(.folder(location)) }
        // Enter on one of several selected documents chooses them all.
        if !selection.contains(row) { select([row]) }
        if entry.isLink, selection == [row] { return follow(location) }
        return request.choosesDocuments ? confirm(name: "") : []
    }

    /// The confirming button.
    ///
    /// - Parameter name: what was typed, for a request that chooses a name.
    package mutating func confirm(name: String) -> [Step] {
        guard canConfirm, !isFinished, let folder else { return [] }
        notice = nil
        switch request.mode {
        case .open, .import:
            let chosen = selection.filter(isEnabled).compactMap { entry(at: $0) }
            if chosen.count == 1, let entry = chosen.first, entry.isFolder || entry.isLink {
                let location = folder.appending(entry.name)
                return entry.isFolder ? open(.folder(location)) : follow(location)
            }
            return choose(chosen.filter { !$0.isFolder }, in: folder)
        case .folder:
            // A folder in the list, or the one that is shown.
            let entry = selection.isEmpty ? nil : self.entry(at: selection[0])
            if let entry, entry.isLink { return follow(folder.appending(entry.name)) }
            return decided(DialogAnswer([entry.map { folder.appending($0.name) } ?? folder]))
        case .export, .move:
            guard Self.isName(name) else {
                notice = .badName
                return []
            }
            let location = folder.appending(name)
            let serial = begin(.lookingUp, DialogAnswer([location]))
            return [.lookUp(location, serial: serial)]
        }
    }

    /// The person agrees to replace what has the name.
    package mutating func replace() -> [Step] {
        guard case .taken(let entry) = notice, canConfirm, let folder else { return [] }
        return decided(DialogAnswer([folder.appending(entry.name)], replaces: true))
    }

    /// Makes a folder in the one that is shown, and opens it.
    package mutating func makeFolder(name: String) -> [Step] {
        guard canMakeFolder, !isFinished, let folder else { return [] }
        guard Self.isName(name) else {
            notice = .badName
            return []
        }
        notice = nil
        let serial = begin(.makingFolder, DialogAnswer([folder.appending(name)]))
        return [.makeFolder(folder, name: name, serial: serial)]
    }

    /// Does again what has failed, or lists again.
    package mutating func retry() -> [Step] {
        guard case .failed(let failed, _) = notice, work == nil else { return open(place) }
        notice = nil
        let serial = begin(failed.kind, failed.answer, missing: failed.missing, hasCopies: failed.hasCopies)
        switch failed.kind {
        case .following: return [.follow(failed.answer.locations[0], serial: serial)]
        case .lookingUp: return [.lookUp(failed.answer.locations[0], serial: serial)]
        case .makingFolder:
            let location = failed.answer.locations[0]
            return [.makeFolder(location.parent, name: location.name, serial: serial)]
        case .downloading: return [.download(failed.missing, serial: serial)]
        case .committing: return [.commit(failed.answer, serial: serial)]
        }
    }

    /// Goes on with the content that is here, after a download has failed.
    package mutating func useCopies() -> [Step] {
        guard case .failed(let failed, _) = notice, failed.hasCopies, work == nil else { return [] }
        return decided(failed.answer)
    }

    /// Ends what the window waits for, and lets the person choose again.
    package mutating func stop() -> [Step] {
        guard let work, work.canStop else { return [] }
        self.work = nil
        return [.cancelWork]
    }

    /// The person wants nothing.
    package mutating func cancel() -> [Step] {
        let isWorking = work != nil
        work = nil
        return (isWorking ? [.cancelWork] : []) + finish(nil)
    }

    /// Escape: ends what the window waits for; without that, clears the filter; without one, ends the window.
    package mutating func escape() -> [Step] {
        guard work == nil else { return stop() }
        guard filter.isEmpty else {
            setFilter("")
            return []
        }
        // What was typed for another window refuses no program's request either.
        return isArmed || asker == nil && request.files == nil ? cancel() : []
    }

    // MARK: Replies

    /// Where the link leads.
    package mutating func followed(_ entry: PickerEntry, at location: DocumentLocation, serial: Int) -> [Step] {
        guard let work, work.serial == serial, work.kind == .following, let folder else { return [] }
        self.work = nil
        if entry.isFolder { return open(.folder(location)) }
        guard request.choosesDocuments, entry.isChoosable else {
            notice = .problem(
                DocumentsError(.invalidArgument, "The link does not lead to what is asked for."))
            return []
        }
        return choose([entry], in: folder)
    }

    /// What has the chosen name; nil if nothing has.
    package mutating func lookedUp(_ entry: PickerEntry?, serial: Int) -> [Step] {
        guard let work, work.serial == serial, work.kind == .lookingUp else { return [] }
        self.work = nil
        guard let entry else { return decided(work.answer) }
        if entry.isFolder {
            notice = .folderHasName(entry.name)
        } else if request.mode == .export, asker == nil, !entry.isLink {
            notice = .taken(entry)
        } else {
            notice = .takenForGood(entry)
        }
        return []
    }

    package mutating func progressed(_ progress: DownloadProgress, serial: Int) {
        guard work?.serial == serial, work?.kind == .downloading else { return }
        work?.progress = progress
    }

    /// The download or the passing on has succeeded.
    ///
    /// - Parameter paths: those of the choice, for a file dialog.
    package mutating func worked(serial: Int, paths: [String] = []) -> [Step] {
        guard let work, work.serial == serial else { return [] }
        self.work = nil
        switch work.kind {
        case .downloading: return decided(work.answer)
        case .committing:
            var answer = work.answer
            if request.files != nil {
                dialog.paths = paths
                answer.files = dialog
            }
            return finish(answer)
        case .makingFolder: return open(.folder(work.answer.locations[0]))
        case .following, .lookingUp: return []
        }
    }

    /// The program no longer waits.
    package mutating func withdraw() -> [Step] { cancel() }

    // MARK: The end

    private mutating func follow(_ location: DocumentLocation) -> [Step] {
        // Only a look: nothing is chosen before it is known what that is.
        guard isArmed else { return [] }
        let serial = begin(.following, DialogAnswer([location]))
        return [.follow(location, serial: serial)]
    }

    /// Fetches what is not here, if its content is wanted, and goes on.
    private mutating func choose(_ chosen: [PickerEntry], in folder: DocumentLocation) -> [Step] {
        guard isArmed, !chosen.isEmpty else { return [] }
        let answer = DialogAnswer(chosen.map { folder.appending($0.name) })
        let missing = chosen.filter { !$0.isDownloaded || $0.isStale }
        guard request.downloads, !missing.isEmpty else { return decided(answer) }
        let locations = missing.map { folder.appending($0.name) }
        let serial = begin(
            .downloading, answer, missing: locations, hasCopies: chosen.allSatisfy(\.isDownloaded))
        return [.download(locations, serial: serial)]
    }

    /// The choice is complete.
    private mutating func decided(_ answer: DialogAnswer) -> [Step] {
        notice = nil
        guard asker != nil || request.files != nil else { return finish(answer) }
        let serial = begin(.committing, answer)
        return [.commit(answer, serial: serial)]
    }

    private mutating func finish(_ answer: DialogAnswer?) -> [Step] {
        guard !isFinished else { return [] }
        isFinished = true
        return [.finish(answer)]
    }

    private mutating func begin(
        _ kind: WindowWork.Kind, _ answer: DialogAnswer, missing: [DocumentLocation] = [], hasCopies: Bool = false
    ) -> Int {
        let serial = nextSerial()
        var work = WindowWork(kind: kind, serial: serial, answer: answer)
        work.missing = missing
        work.hasCopies = hasCopies
        self.work = work
        return serial
    }

    private static func isName(_ name: String) -> Bool {
        !name.allSatisfy(\.isWhitespace) && name != "." && name != ".." && !name.utf8.contains(UInt8(ascii: "/"))
            && !name.utf8.contains(0)
    }
}
