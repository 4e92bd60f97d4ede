import Documents
import Foundation
import Glibc

/// One command of a probe.
///
/// - `read LOCATION [OPTION…]`: `read TEXT`.
/// - `write LOCATION TEXT [OPTION…]`: replaces the content; `ok VERSION`.
/// - `append LOCATION LINE`: reads and writes within one claim; `ok VERSION`.
/// - `own-read`, `own-append`: the same as a separate client.
/// - `hold-read`, `hold-write LOCATION [OPTION…]`: `granted`, then waits for `release ID`; `released`.
/// - `hold-then LOCATION OTHER`: writes the first, `granted`, waits for `release ID`, and then writes the other within
///   it.
/// - `nest KIND LOCATION KIND LOCATION`: the same with other kinds, `read` or `write`, each with its own coordinator.
/// - `late LOCATION TEXT`: keeps its session beyond the accessor, and commits it then (SEMANTICS 2.9, deadlock 9).
/// - `block-main LOCATION`: reads on the main thread, which waits (SEMANTICS 2.9, deadlock 1).
/// - `intents LOCATION LOCATION`: reads the first and writes the second in one claim.
/// - `prepare LOCATION`: prepares to read and to write it (2.6), and reads it within.
/// - `present LOCATION MODE`: reports every message; MODE: see ``ProbePresenter``. `unpresent ID` ends it.
/// - `save ID LOCATION TEXT`: writes with the presenter of that command.
/// - `rename LOCATION NAME`, `delete LOCATION`: within a writing claim.
/// - `create FOLDER NAME TEXT`: creates a document within a writing claim on its place; `ok IDENTIFIER`.
/// - `stage-new FOLDER NAME TEXT`: the same without committing, `staged`, until `release ID`.
/// - `stage LOCATION TEXT`: writes within a claim without committing, `staged`, then waits for `release ID`, which
///   commits.
/// - `document LOCATION TEXT`: opens a ``ProbeDocument`` and edits it to that text; `edited`, and `conflict` on a
///   conflict.
/// - `many LOCATION COUNT`: that many consecutive reading claims.
/// - `cancel ID`, `release ID`.
struct ProbeCommand: Sendable {
    let id: String
    let verb: String
    private let arguments: [String]

    init?(_ line: String) {
        let words = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard words.count >= 2 else { return nil }
        id = words[0]
        verb = words[1]
        arguments = Array(words.dropFirst(2))
    }

    subscript(index: Int) -> String { index < arguments.count ? arguments[index] : "" }

    private func rest(_ start: Int) -> [String] { Array(arguments.dropFirst(start)) }

    /// Runs the command and reports its result.
    func run(_ probe: ProbeState) async {
        do {
            switch verb {
            case "read", "hold-read": try await read(probe)
            case "write": try await write(probe)
            case "append": try await append(probe)
            case "own-read": try await withOwnClient(probe, read)
            case "own-append": try await withOwnClient(probe, append)
            case "hold-write": try await holdWrite(probe)
            case "hold-then": try await holdThen(probe)
            case "nest": try await nest(probe)
            case "late": try await late(probe)
            case "block-main": try await blockMain(probe)
            case "intents": try await intents(probe)
            case "prepare": try await prepare(probe)
            case "present": try await present(probe)
            case "unpresent":
                if let presenter = probe.presenter(self[0]) { await probe.client.removeFilePresenter(presenter) }
                probe.tell(id, "ok")
            case "save": try await save(probe)
            case "rename", "delete": try await manage(probe)
            case "create", "stage-new": try await create(probe)
            case "stage": try await stage(probe)
            case "document": try await ProbeDocument.run(self, probe)
            case "many": try await many(probe)
            default: probe.tell(id, "error", "Unknown", "there is no \(verb)")
            }
        } catch {
            let known = error as? DocumentsError
            probe.tell(id, "error", known?.code.rawValue ?? "Other", known?.message ?? "\(error)")
        }
    }

    private func read(_ probe: ProbeState) async throws {
        let reference = try await probe.reference(self[0])
        let options = FileCoordinator.ReadingOptions(names: rest(1))
        try await probe.coordinator(id).coordinate(readingItemAt: reference, options: options) { access in
            if verb == "hold-read" {
                probe.tell(id, "granted")
                await probe.wait(id)
            } else if options.contains(.immediatelyAvailableMetadataOnly) {
                probe.tell(id, "read", access.item.name)
            } else {
                probe.tell(id, "read", try Self.text(access.descriptor))
            }
        }
        if verb == "hold-read" { probe.tell(id, "released") }
    }

    /// As another client of the same process, with its own session.
    private func withOwnClient(_ probe: ProbeState, _ body: (ProbeState) async throws -> Void) async throws {
        var configuration = probe.client.configuration
        configuration.clientIdentifier = "\(configuration.clientIdentifier ?? "probe").\(id)"
        let own = ProbeState(client: DocumentsClient(configuration))
        defer { own.client.close() }
        try await body(own)
    }

    private func write(_ probe: ProbeState) async throws {
        let reference = try await probe.reference(self[0])
        let options = FileCoordinator.WritingOptions(names: rest(2))
        let version = try await probe.coordinator(id).coordinate(
            writingItemAt: reference, options: options.isEmpty ? .forReplacing : options
        ) { access in
            let session = try await access.session(replacing: true)
            try Self.put(self[1], session.descriptor)
            return try await session.commit().version
        }
        probe.tell(id, "ok", version ?? "")
    }

    private func append(_ probe: ProbeState) async throws {
        let reference = try await probe.reference(self[0])
        let version = try await probe.coordinator(id).coordinate(writingItemAt: reference) { access in
            let session = try await access.session(replacing: false)
            lseek(session.descriptor, 0, SEEK_END)
            try Self.put(self[1] + "\n", session.descriptor, truncates: false)
            return try await session.commit().version
        }
        probe.tell(id, "ok", version ?? "")
    }

    private func holdWrite(_ probe: ProbeState) async throws {
        let reference = try await probe.reference(self[0])
        try await probe.coordinator(id).coordinate(
            writingItemAt: reference, options: FileCoordinator.WritingOptions(names: rest(1))
        ) { _ in
            probe.tell(id, "granted")
            await probe.wait(id)
        }
        probe.tell(id, "released")
    }

    private func holdThen(_ probe: ProbeState) async throws {
        let first = try await probe.reference(self[0])
        let second = try await probe.reference(self[1])
        try await probe.coordinator(id).coordinate(writingItemAt: first) { _ in
            probe.tell(id, "granted")
            await probe.wait(id)
            try await probe.coordinator(id + "+").coordinate(writingItemAt: second) { _ in probe.tell(id, "both") }
        }
        probe.tell(id, "released")
    }

    private func intents(_ probe: ProbeState) async throws {
        let first = try await probe.reference(self[0])
        let second = try await probe.reference(self[1])
        try await probe.coordinator(id).coordinate(with: [
            .reading(first), .writing(second),
        ]) { _ in probe.tell(id, "both") }
        probe.tell(id, "released")
    }

    private func prepare(_ probe: ProbeState) async throws {
        let reference = try await probe.reference(self[0])
        let coordinator = probe.coordinator(id)
        try await coordinator.prepare(
            forReadingItemsAt: [reference], options: [], writingItemsAt: [DocumentPlace(reference)], options: []
        ) {
            probe.tell(id, "prepared")
            try await coordinator.coordinate(readingItemAt: reference, options: .withoutChanges) { access in
                probe.tell(id, "read", try Self.text(access.descriptor))
            }
        }
        probe.tell(id, "ok")
    }

    private func present(_ probe: ProbeState) async throws {
        let reference = try await probe.reference(self[0])
        let presenter = ProbePresenter(probe, id, reference, mode: self[1])
        probe.keep(presenter, id)
        try await probe.client.addFilePresenter(presenter)
        probe.tell(id, "presenting")
    }

    private func save(_ probe: ProbeState) async throws {
        guard let presenter = probe.presenter(self[0]) else {
            return probe.tell(id, "error", "Unknown", "no presenter")
        }
        let version = try await probe.coordinator(id, presenter: presenter).coordinate(
            writingItemAt: try await probe.reference(self[1]), options: .forReplacing
        ) { access in
            let session = try await access.session(replacing: true)
            try Self.put(self[2], session.descriptor)
            return try await session.commit().version
        }
        probe.tell(id, "ok", version ?? "")
    }

    private func manage(_ probe: ProbeState) async throws {
        let reference = try await probe.reference(self[0])
        try await probe.coordinator(id).coordinate(
            writingItemAt: reference, options: verb == "rename" ? .forMoving : .forDeleting
        ) { access in
            if verb == "rename" { _ = try await access.move(to: nil, name: self[1]) } else { try await access.delete() }
        }
        probe.tell(id, "ok")
    }

    private func create(_ probe: ProbeState) async throws {
        let place = DocumentPlace(name: self[1], in: try await probe.reference(self[0]))
        let made = try await probe.coordinator(id).coordinate(writingItemAt: place, options: .forReplacing) { access in
            let session = try await access.session()
            try Self.put(self[2], session.descriptor)
            if verb == "stage-new" {
                probe.tell(id, "staged")
                await probe.wait(id)
            }
            return try await session.commit().reference
        }
        probe.tell(id, "ok", made.identifier)
    }

    private func stage(_ probe: ProbeState) async throws {
        let reference = try await probe.reference(self[0])
        try await probe.coordinator(id).coordinate(writingItemAt: reference) { access in
            let session = try await access.session(replacing: true)
            try Self.put(self[1], session.descriptor)
            probe.tell(id, "staged")
            await probe.wait(id)
        }
        probe.tell(id, "ok")
    }

    private func many(_ probe: ProbeState) async throws {
        let reference = try await probe.reference(self[0])
        for _ in 0..<(Int(self[1]) ?? 1) {
            try await FileCoordinator(client: probe.client).coordinate(readingItemAt: reference) { _ in }
        }
        probe.tell(id, "ok")
    }

    static func text(_ descriptor: CInt) throws -> String {
        String(
            decoding: try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readToEnd() ?? Data(),
            as: UTF8.self)
    }

    static func put(_ text: String, _ descriptor: CInt, truncates: Bool = true) throws {
        if truncates { ftruncate(descriptor, 0) }
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: Data(text.utf8))
    }
}

extension FileCoordinator.ReadingOptions {
    /// The options by their names in the wire's spelling; others are left out.
    init(names: [String]) {
        let known: [String: FileCoordinator.ReadingOptions] = [
            "withoutChanges": .withoutChanges, "resolvesSymbolicLink": .resolvesSymbolicLink,
            "immediatelyAvailableMetadataOnly": .immediatelyAvailableMetadataOnly, "forUploading": .forUploading,
        ]
        self = names.compactMap { known[$0] }.reduce([]) { $0.union($1) }
    }
}

extension FileCoordinator.WritingOptions {
    /// The options by their names in the wire's spelling; others are left out.
    init(names: [String]) {
        let known: [String: FileCoordinator.WritingOptions] = [
            "forDeleting": .forDeleting, "forMoving": .forMoving, "forMerging": .forMerging,
            "forReplacing": .forReplacing,
            "contentIndependentMetadataOnly": .contentIndependentMetadataOnly,
        ]
        self = names.compactMap { known[$0] }.reduce([]) { $0.union($1) }
    }
}
