import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Varlink

/// A client's use of a provider: it browses, reads, creates, changes, moves and deletes, and records the answers.
struct FaultyTour: Sendable {
    /// The outcome of one step.
    struct Answer: Sendable, CustomStringConvertible {
        let step: String
        /// nil: success.
        let error: DocumentsError?
        let seconds: Double
        var description: String {
            "\(step): \(error.map { "\($0.code) \"\($0.message)\"" } ?? "done") in \(Int(seconds * 1000)) ms"
        }
    }

    /// The document that no step changes.
    static let reportPath = "/Reports/Report.bin"
    static let report = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
    static let made = Data("made by the tour".utf8)
    /// The beginning of a message that no user's program would get.
    static let foreign = "no error of Docent: "
    static let changed = Data("changed by the tour".utf8)

    let providers: FaultyProviders
    let provider: String

    var client: DocumentsClient { providers.client }
    var picker: DocumentPicker { DocumentPicker(client: client) }
    var storage: FaultyStorage { FaultyStorage(providers, provider) }

    func wire(_ path: String) -> Wire.Location { providers.wire(provider, path) }

    /// Runs every step, whatever the outcome of the previous ones.
    ///
    /// - Returns: the answers, and the result of reading the unchanged document.
    func run() async -> (answers: [Answer], report: Data?) {
        var answers: [Answer] = []
        var report: Data?
        answers.append(await step("list /") { _ = try await names(in: "/") })
        answers.append(await step("look at the report") { _ = try await item(Self.reportPath) })
        answers.append(
            await step("read the report") {
                let bytes = try await read(Self.reportPath)
                report = bytes
            })
        answers.append(await step("list the letters") { _ = try await names(in: "/Many") })
        answers.append(await step("show the welcome") { try await present("/Welcome.txt") })
        answers.append(await step("make a document") { try await make("/", "made.txt", Self.made) })
        answers.append(
            await step("change the welcome") { try await change("/Welcome.txt", Self.changed) })
        answers.append(
            await step("move the empty one") {
                _ = try await client.call(
                    PickerInterface.MoveItem.self,
                    .init(location: wire("/Empty.txt"), name: "Moved.txt", operation: UUID().uuidString))
            })
        answers.append(
            await step("delete a letter") {
                _ = try await client.call(
                    PickerInterface.DeleteItem.self,
                    .init(location: wire("/Many/Letter 7.txt"), operation: UUID().uuidString))
            })
        answers.append(
            await step("look for news") {
                _ = try await client.call(AdministrationInterface.Refresh.self, .init(location: wire("/")))
            })
        return (answers, report)
    }

    /// Runs one action and records its outcome.
    ///
    /// - Parameter settling: whether to wait afterwards until nothing is in transit to the provider; not for long,
    ///   because with a fault something may always be.
    func step(_ name: String, settling: Bool = false, _ body: () async throws -> Void) async -> Answer {
        let start = ContinuousClock.now
        var failure: DocumentsError?
        do {
            try await body()
        } catch {
            failure = error as? DocumentsError ?? DocumentsError(.failed, "\(Self.foreign)\(error)")
        }
        let answer = Answer(step: name, error: failure, seconds: (ContinuousClock.now - start) / .seconds(1))
        if settling { await settle() }
        return answer
    }

    private func settle() async {
        let end = ContinuousClock.now + .seconds(4)
        while !Task.isCancelled, ContinuousClock.now < end, (try? await pending()) != 0 {
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    // MARK: Steps

    func names(in folder: String) async throws -> [String] {
        var names: [String] = []
        for try await item in picker.items(in: providers.location(provider, folder)) {
            names.append(item.name)
            guard names.count < 100_000 else { throw Problem("\(folder) never ends") }
        }
        return names
    }

    func item(_ path: String) async throws -> DocumentItem {
        try await picker.item(at: providers.location(provider, path))
    }

    func read(_ path: String) async throws -> Data {
        let document = try await picker.openDocument(
            at: providers.location(provider, path), access: .read)
        let file = FileHandle(fileDescriptor: try await document.openForReading(), closeOnDealloc: true)
        defer { document.stopAccessing() }
        return try file.readToEnd() ?? Data()
    }

    func make(_ folder: String, _ name: String, _ content: Data) async throws {
        let path = providers.installation.root + "/source-\(UUID().uuidString)"
        try content.write(to: URL(fileURLWithPath: path))
        let source = open(path, O_RDONLY | O_CLOEXEC)
        unlink(path)
        defer { close(source) }
        _ = try await picker.exportDocument(
            from: source, to: providers.location(provider, folder), name: name)
    }

    func change(_ path: String, _ content: Data) async throws {
        let document = try await picker.openDocument(at: providers.location(provider, path))
        let session = try await document.beginWriting(replacing: true)
        _ = content.withUnsafeBytes { pwrite(session.descriptor, $0.baseAddress, $0.count, 0) }
        try await session.commit()
    }

    func present(_ path: String) async throws {
        let document = try await picker.openDocument(
            at: providers.location(provider, path), access: .read)
        let shown = Shown(presentedItem: DocumentPlace(document.reference))
        try await client.addFilePresenter(shown)
        await client.removeFilePresenter(shown)
    }

    /// The number of changes waiting to be sent to the provider.
    func pending() async throws -> Int {
        try await client.call(AdministrationInterface.ListDomains.self, .init(provider: provider)).value
            .domains
            .reduce(0) { $0 + ($1.pendingChanges ?? 0) }
    }

    /// Evicts the local copies, so that the provider is asked.
    func evict(_ path: String) async throws {
        _ = try await client.call(AdministrationInterface.Evict.self, .init(location: wire(path)))
    }

    private final class Shown: FilePresenter {
        let presentedItem: DocumentPlace?
        init(presentedItem: DocumentPlace) { self.presentedItem = presentedItem }
    }
}
