import ArgumentParser
import CommandConsole
import Documents
import Glibc

struct ResolveCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve", abstract: "Settle the conflicts of a document.",
        discussion: """
            With theirs, the current content stays. With mine, what was saved here last becomes current, as does any \
            version that you name instead. With both, what was saved here becomes a document of its own beside it, and \
            the location of each is written. The conflicts of a package are those of the files in it. With merge, the merge tool of your git settings (`git config merge.tool`) \
            shows both and what they started from; its result becomes current, unless it fails or somebody changes the \
            document meanwhile. Nothing is lost: what is not current stays for a while, in `docent history`. If \
            somebody has settled the conflicts already, nothing is done.

            EXAMPLES
              docent resolve webdav@work:/plan.txt --keep mine
              docent resolve webdav@work:/plan.txt --keep both
              docent resolve webdav@work:/plan.txt --keep merge
              docent resolve webdav@work:/plan.txt --keep 3F2A91C0
            """)

    /// What becomes of the two sides.
    enum Choice: Sendable {
        /// What was saved here last becomes current.
        case mine
        /// The current content stays.
        case theirs
        /// What was saved here becomes documents beside it.
        case both
        /// The user's merge tool makes one of both.
        case merge
        /// This version becomes current.
        case version(VersionName)
    }

    @Argument(
        help: "The document: PROVIDER[@DOMAIN]:/PATH.", completion: LocationText.completion,
        transform: LocationText.parse)
    var location: DocumentLocation

    @Option(
        name: .long,
        help: ArgumentHelp("mine, theirs, both, merge, or the name of a version.", valueName: "choice"),
        completion: .list(["mine", "theirs", "both", "merge"]), transform: ResolveCommand.parse)
    var keep: Choice

    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let picker = DocumentPicker(client: client.makeClient())
        let document = try await picker.openDocument(at: location, persistence: .transient)
        let disputes = try await chosen(Dispute.all(of: document), of: document)
        guard !disputes.isEmpty else {
            return StandardError.write("docent: \(location) has no unresolved conflicts.\n")
        }
        for dispute in disputes { try await settle(dispute, picker) }
    }

    /// What the choice is about. A version of one element settles only the conflicts of that element; a version of the
    /// package settles all.
    private func chosen(_ disputes: [Dispute], of document: SecurityScopedDocument) async throws -> [Dispute] {
        guard case .version(let name) = keep,
            !disputes.contains(where: { $0.document.reference == document.reference })
        else { return disputes }
        if let one = disputes.first(where: { (try? name.find(in: $0.conflicts)) != nil }) { return [one] }
        let all = disputes.flatMap(\.conflicts)
        return all.isEmpty ? [] : [Dispute(document: document, conflicts: all)]
    }

    private func settle(_ dispute: Dispute, _ picker: DocumentPicker) async throws {
        guard let newest = dispute.conflicts.first else { return }
        var restored: DocumentItem?
        switch keep {
        case .theirs: break
        case .mine:
            await fetchCurrent(dispute.document)
            restored = try await RestoreCommand.restore(newest, of: dispute.document)
        case .version(let name):
            let version = try await name.find(of: dispute.document)
            if !version.isCurrent {
                await fetchCurrent(dispute.document)
                restored = try await RestoreCommand.restore(version, of: dispute.document)
            }
        case .merge: return try await merge(dispute.conflicts, of: dispute.document)
        case .both:
            for version in dispute.conflicts {
                try StandardOutput.write(
                    SafeText.escaped(try await copy(version, of: dispute, picker: picker).description) + "\n")
            }
        }
        // Only now: until then, both sides are safe if anything fails.
        for var version in dispute.conflicts { try await version.resolve() }
        if let restored { await SaveOutcome.report(restored, at: location, picker.client) }
    }

    /// Fetches what is about to be replaced, if it can be had now: only what is on this machine is kept as a version.
    private func fetchCurrent(_ document: SecurityScopedDocument) async {
        guard let current = try? await document.openForReading() else { return }
        close(current)
    }

    /// Merges one version after the other, the oldest first. Each is settled as soon as it is merged.
    private func merge(_ conflicts: [FileVersion], of document: SecurityScopedDocument) async throws {
        let run = MergeRun(document: document, client: client.client)
        var merged: DocumentItem?
        for var version in conflicts.reversed() {
            let common = version.commonIdentifier
            let base = try await FileVersion.localVersions(of: document).first { $0.persistentIdentifier == common }
            if let item = try await run.merge(version, base: base) { merged = item }
            try await version.resolve()
        }
        if let merged { await SaveOutcome.report(merged, at: location, document.client) }
    }

    /// Makes a version a document of its own, beside the other one. Never replaces anything.
    private func copy(
        _ version: FileVersion, of dispute: Dispute, picker: DocumentPicker
    ) async throws -> DocumentLocation {
        let file = try await version.openForReading()
        defer { close(file) }
        // The copy of an element does not belong in its package.
        let original = dispute.isElement ? version.localizedName : location.name
        for number in 1... {
            let name = VersionText.copyName(of: original, version, number: number)
            let destination = Destination(location.parent, fileName: name, isFolder: true)
            lseek(file, 0, SEEK_SET)
            do throws(DocumentsError) {
                let item = try await picker.exportDocument(
                    from: file, to: destination.folder, name: destination.name)
                return destination.location(of: item)
            } catch {
                guard error.code == .conflict, number < 100 else { throw error }
            }
        }
        throw DocumentsError(.conflict, "There are too many documents with such a name.")
    }

    @Sendable
    static func parse(_ text: String) throws -> Choice {
        switch text {
        case "mine": .mine
        case "theirs": .theirs
        case "both": .both
        case "merge": .merge
        default: .version(try VersionName.parse(text))
        }
    }
}
