import CLinux
import CommandConsole
import Documents
import Glibc

/// A document that a sandboxed program writes: a private copy in a separate folder. The copy is published as a whole
/// whenever it has changed and is not open for writing (S6, W0).
actor StagedDocument {
    /// The result of an attempt to publish.
    enum Step: Equatable {
        /// There was nothing to publish.
        case unchanged
        case published
        /// The copy is being written right now.
        case busy
        /// The document has changed meanwhile. The end of the run decides, and keeps both.
        case changedElsewhere
        /// The program removed the copy, or replaced it with something other than a file.
        case gone
    }

    nonisolated let number: Int
    nonisolated let folder: String
    private(set) var record: StagedRecord
    private let recordFile: String
    private let client: DocumentsClient

    private init(number: Int, folder: String, recordFile: String, record: StagedRecord, client: DocumentsClient) {
        self.number = number
        self.folder = folder
        self.recordFile = recordFile
        self.record = record
        self.client = client
    }

    nonisolated static func places(in run: String, _ number: Int) -> (folder: String, record: String) {
        ("\(run)/\(number)", "\(run)/\(number).json")
    }

    /// Copies a document that the client may write.
    ///
    /// - Parameter client: the client itself, outside its sandbox.
    static func stage(
        _ reference: DocumentReference, name: String, location: DocumentLocation, number: Int, run: RunFolder,
        client: DocumentsClient
    ) async throws -> StagedDocument {
        let (folder, recordFile) = places(in: run.path, number)
        try ClientFolders.make(folder)
        let path = folder + "/" + name
        // With a claim, so that the version is that of the copied content.
        let record = try await FileCoordinator(client: client).coordinate(readingItemAt: reference) { access in
            let source = try access.openForReading()
            defer { close(source) }
            let target = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard target >= 0 else {
                throw DocumentsError(
                    .failed, "\(name) cannot be copied for the program: \(String(cString: strerror(errno))).")
            }
            defer { close(target) }
            try DescriptorCopy.copy(from: source, to: target)
            guard let fingerprint = StagedFingerprint(of: target) else {
                throw DocumentsError(.failed, "\(name) cannot be copied for the program.")
            }
            return StagedRecord(
                location: location.description, reference: reference, name: name, version: access.item.version,
                fingerprint: fingerprint)
        }
        try record.write(to: recordFile)
        return StagedDocument(
            number: number, folder: folder, recordFile: recordFile, record: record, client: client)
    }

    /// Publishes the copy if it has changed and is not being written.
    ///
    /// - Throws: ``DocumentsError`` from the daemon, or `Mixture` if the copy was written meanwhile. Nothing is lost
    ///   then.
    func publish() async throws -> Step {
        switch Self.changed(record, in: folder) {
        case .unchanged: return .unchanged
        case .gone: return .gone
        case .changed(let source, let fingerprint):
            defer { close(source) }
            guard clinux_has_writer(source) == 0 else { return .busy }
            let known = record.version
            let item = try await FileCoordinator(client: client).coordinate(writingItemAt: record.reference) {
                access -> DocumentItem? in
                guard access.item?.version == known else { return nil }
                let session = try await access.session(replacing: true)
                do {
                    try DescriptorCopy.copy(from: source, to: session.descriptor)
                } catch {
                    try? await session.abandon()
                    throw error
                }
                // The copy was written while it was read, so the result would be a mixture.
                guard StagedFingerprint(of: source) == fingerprint, clinux_has_writer(source) == 0 else {
                    try? await session.abandon()
                    throw Mixture()
                }
                return try await session.commit()
            }
            guard let item else { return .changedElsewhere }
            record.version = item.version
            record.fingerprint = fingerprint
            try record.write(to: recordFile)
            return .published
        }
    }

    /// Publishes at the end of the run, waiting up to five seconds for writers. If the document has changed meanwhile,
    /// the copy is kept beside it as a version.
    ///
    /// - Returns: the message for the user, and the code of the error; nil if all is well.
    func finish() async -> (message: String, code: DocumentsError.Code)? {
        for _ in 0..<50 {
            do {
                switch try await publish() {
                case .unchanged, .published: return nil
                case .gone:
                    return ("\(shown) was removed in the sandbox; the document itself is unchanged.", .conflict)
                case .busy: try await Task.sleep(for: .milliseconds(100))
                case .changedElsewhere:
                    try await Self.keep(record, in: folder, through: client)
                    try noteKept()
                    return (
                        "\(shown) was changed by somebody else meanwhile. What the program saved is kept as a version: "
                            + "docent versions \(shown)", .conflict
                    )
                }
            } catch is Mixture {
                continue
            } catch {
                let failure = error as? DocumentsError
                let reason = failure?.message ?? "It was interrupted."
                return (
                    "\(shown) was not saved: \(SafeText.escaped(reason)) What the program wrote is in "
                        + "\(folder); the next `docent run` of this client keeps it as a version.",
                    failure?.code ?? .failed
                )
            }
        }
        return ("\(shown) is still being written. What the program wrote is in \(folder).", .failed)
    }

    /// Whether everything that was written has been published or kept.
    var isSettled: Bool {
        switch Self.changed(record, in: folder) {
        case .unchanged, .gone: return true
        case .changed(let source, _):
            close(source)
            return false
        }
    }

    private var shown: String { SafeText.escaped(record.location) }

    private func noteKept() throws {
        guard case .changed(let source, let fingerprint) = Self.changed(record, in: folder) else { return }
        close(source)
        record.fingerprint = fingerprint
        try record.write(to: recordFile)
    }

    // MARK: The copy

    /// How a copy differs from its record.
    enum Change {
        case unchanged
        case changed(CInt, StagedFingerprint)
        case gone
    }

    /// Compares the copy with its record. The program may have put anything in its place: only a regular file counts,
    /// and links are not followed.
    static func changed(_ record: StagedRecord, in folder: String) -> Change {
        let source = clinux_open(
            folder + "/" + record.name, CLINUX_O_RDONLY | CLINUX_O_NOFOLLOW | CLINUX_O_NONBLOCK, 0)
        guard source >= 0 else { return .gone }
        guard let fingerprint = StagedFingerprint(of: source) else {
            close(source)
            return .gone
        }
        guard fingerprint != record.fingerprint else {
            close(source)
            return .unchanged
        }
        return .changed(source, fingerprint)
    }

    /// Keeps a copy beside its document as a recovered version.
    ///
    /// - Parameter client: a client that may write the document.
    static func keep(_ record: StagedRecord, in folder: String, through client: DocumentsClient) async throws {
        guard case .changed(let source, _) = changed(record, in: folder) else { return }
        defer { close(source) }
        let session = try await client.document(record.reference, access: .readWrite).beginWriting(replacing: true)
        do {
            try DescriptorCopy.copy(from: source, to: session.descriptor)
            try await session.setAside(as: "recovered")
        } catch {
            try? await session.abandon()
            throw error
        }
    }

    private struct Mixture: Error {}
}
