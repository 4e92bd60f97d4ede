import DocentTestSupport
import Documents
import Foundation
import Glibc
import Synchronization
import Testing

/// Export and move report their progress (C3, C4, C6), and otherwise work as before.
@Suite(.needs(.daemon, .server)) struct ExportProgressTests {
    private static let root = DocumentLocation(provider: "LocalFolder", path: "/")

    /// Collects the progress reports.
    private final class Told: Sendable {
        private let reports = Mutex<[ExportProgress]>([])

        func note(_ progress: ExportProgress) { reports.withLock { $0.append(progress) } }
        var all: [ExportProgress] { reports.withLock { $0 } }
        func of(_ stage: ExportProgress.Stage) -> [ExportProgress] { all.filter { $0.stage == stage } }

        /// Every stage counts up to the size, one after the other.
        func expectOrder(_ size: Int) {
            let order: [ExportProgress.Stage] = [.copying, .checking, .publishing]
            let stages = all.compactMap { order.firstIndex(of: $0.stage) }
            #expect(stages == stages.sorted(), "\(all)")
            for stage in order {
                let bytes = of(stage).map(\.completedBytes)
                #expect(bytes == bytes.sorted() && bytes.allSatisfy { $0 <= size }, "\(all)")
                #expect(of(stage).allSatisfy { $0.totalBytes == size }, "\(all)")
            }
        }
    }

    private static func withDescriptor<Result>(
        _ path: String, _ body: (CInt) async throws -> Result
    ) async throws -> Result {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Problem("\(path) cannot be opened") }
        defer { close(descriptor) }
        return try await body(descriptor)
    }

    @Test("C3, C4: an export and a move to LocalFolder report the bytes of each stage", arguments: [false, true])
    func localFolder(isMove: Bool) async throws {
        try await Installation.withLocalFolder { installation in
            let (size, source) = (48 << 20, installation.home + "/big.bin")
            try Data(count: size).write(to: URL(fileURLWithPath: source))
            let picker = DocumentPicker(client: installation.client())
            let told = Told()
            if isMove {
                let document = try await picker.moveDocument(at: source, to: Self.root, name: "a.bin") { told.note($0) }
                #expect(try await document.item().size == size)
                #expect(!FileManager.default.fileExists(atPath: source))
            } else {
                let item = try await Self.withDescriptor(source) { descriptor in
                    try await picker.exportDocument(from: descriptor, to: Self.root, name: "a.bin") { told.note($0) }
                }
                #expect(item.size == size)
            }
            told.expectOrder(size)
            #expect(told.of(.copying).contains { $0.completedBytes == size }, "\(told.all)")
            #expect(told.of(.checking).contains { $0.completedBytes == size }, "\(told.all)")
            // The next test checks the provider's progress, for an export that takes a while.
            #expect(!told.of(.publishing).isEmpty, "the provider's stage is reported too: \(told.all)")
        }
    }

    @Test("C3: a provider's progress is reported continuously, not only at the end")
    func provider() async throws {
        try await SlowPlugin.with { plugin in
            let told = Told()
            let item = try await Self.withDescriptor(plugin.file) { descriptor in
                try await DocumentPicker(client: plugin.installation.client()).exportDocument(
                    from: descriptor, to: plugin.location, name: "big.bin"
                ) { progress in
                    told.note(progress)
                    // Only a client that gets the report of the half lets the provider continue.
                    guard progress.stage == .publishing, progress.completedBytes == SlowPlugin.size / 2 else { return }
                    _ = FileManager.default.createFile(atPath: plugin.go, contents: nil)
                }
            }
            told.expectOrder(SlowPlugin.size)
            #expect(told.of(.publishing).contains { $0.completedBytes == SlowPlugin.size / 2 }, "\(told.all)")
            #expect(item.size == SlowPlugin.size && plugin.madeSize == SlowPlugin.size)
        }
    }

    @Test(
        "C6, C7: the progress of a provider's own picker with its server is reported, in export and in move",
        arguments: [false, true])
    func ownPicker(isMove: Bool) async throws {
        try await SlowPlugin.with(hasOwnPicker: true) { plugin in
            let picker = DocumentPicker(client: plugin.installation.client())
            let told = Told()
            let tell: (ExportProgress) -> Void = { progress in
                told.note(progress)
                guard progress.completedBytes == SlowPlugin.size / 2 else { return }
                _ = FileManager.default.createFile(atPath: plugin.go, contents: nil)
            }
            if isMove {
                _ = try await picker.moveDocument(
                    at: plugin.file, to: plugin.location, name: "big.bin", progress: tell)
                #expect(!FileManager.default.fileExists(atPath: plugin.file))
            } else {
                _ = try await Self.withDescriptor(plugin.file) { descriptor in
                    try await picker.exportDocument(
                        from: descriptor, to: plugin.location, name: "big.bin", progress: tell)
                }
            }
            #expect(
                told.all.map(\.stage) == [.publishing] && told.all.first?.totalBytes == SlowPlugin.size, "\(told.all)")
            #expect(plugin.madeSize == SlowPlugin.size)
        }
    }

    @Test(
        "Law 5: a provider or picker that reports progress may exceed its deadline",
        arguments: Sample.shared.of([false, true]))
    func longerThanDeadline(hasOwnPicker: Bool) async throws {
        try await SlowPlugin.with(
            hasOwnPicker: hasOwnPicker, tellsForSeconds: 7, environment: ["DOCENT_PROVIDER_DEADLINE_SECONDS": "3"]
        ) { plugin in
            // Also for a client that requests no progress.
            try await Self.withDescriptor(plugin.file) { descriptor in
                _ = try await DocumentPicker(client: plugin.installation.client()).exportDocument(
                    from: descriptor, to: plugin.location, name: "big.bin")
            }
            #expect(plugin.madeSize == SlowPlugin.size)
        }
    }

    @Test("Law 5: a picker that stops reporting progress fails at its deadline")
    func silence() async throws {
        try await SlowPlugin.with(
            hasOwnPicker: true, environment: ["DOCENT_PROVIDER_DEADLINE_SECONDS": "2"]
        ) { plugin in
            // It reports one half and then waits forever.
            let error = await #expect(throws: DocumentsError.self) {
                try await Self.withDescriptor(plugin.file) { descriptor in
                    try await DocumentPicker(client: plugin.installation.client()).exportDocument(
                        from: descriptor, to: plugin.location, name: "big.bin"
                    ) { _ in }
                }
            }
            #expect(error?.code == .deadlineExceeded, "\(String(describing: error))")
        }
    }

    @Test(
        "W8, W9: an export to a slow server is stored locally and reported before it is sent; no client waits for the server"
    )
    func remote() async throws {
        let content = Data(count: 900_000)
        try await RemoteInstallation.with { remote in
            try await remote.faults().add(.hold().on("PUT").always)
            let source = remote.installation.home + "/a.bin"
            try content.write(to: URL(fileURLWithPath: source))
            let told = Told()
            let folder = DocumentLocation(
                provider: RemoteInstallation.provider, domain: RemoteInstallation.domain, path: "/")
            let item = try await Self.withDescriptor(source) { descriptor in
                try await DocumentPicker(client: remote.installation.client()).exportDocument(
                    from: descriptor, to: folder, name: "a.bin"
                ) { told.note($0) }
            }
            told.expectOrder(content.count)
            #expect(told.of(.copying).contains { $0.completedBytes == content.count }, "\(told.all)")
            #expect(!item.isUploaded)
            try await remote.eventually("it is being sent") { try await remote.transfer("a.bin")?.state == "running" }
            try await remote.faults().held("PUT")
            try await remote.faults().clearRules()
            try await remote.faults().release()
            try await remote.drain().succeeded()
            #expect(try await remote.info("a.bin").isUploaded)
        }
    }

    @Test(
        "W, X14: an export and a move with progress survive kill -9 of the daemon after a step, and happen once",
        arguments: Sample.shared.of([false, true], Installation.writeSteps.filter { $0 != "renamed" }))
    func killed(isMove: Bool, step: String) async throws {
        let text = Installation.content("told")
        try await Installation.withLocalFolder { installation in
            let source = try installation.makeSource(text)
            try await installation.stopDaemon()
            let daemon = try await installation.readyDaemon(crashAfter: step)
            let picker = DocumentPicker(client: installation.client())
            if isMove {
                _ = try await picker.moveDocument(at: source, to: Self.root, name: "source.txt") { _ in }
            } else {
                _ = try await Self.withDescriptor(source) { descriptor in
                    try await picker.exportDocument(from: descriptor, to: Self.root, name: "source.txt") { _ in }
                }
            }
            try await installation.waitForEnd(of: daemon)
            #expect(installation.read(installation.documents + "/source.txt") == text)
            #expect(installation.documentNames == ["source.txt"])
            #expect(FileManager.default.fileExists(atPath: source) == !isMove)
            try await installation.eventually("nothing is left") { installation.leftovers.isEmpty }
        }
    }

    @Test("T5: with `more` every reply but the last reports progress; without it there is one reply")
    func onTheWire() async throws {
        try await Installation.withLocalFolder { installation in
            try await ProtocolPython.run(
                installation,
                """
                raw, folder = Raw(), sys.argv[2]
                with open(folder + "/big", "wb") as file:
                    file.truncate(8 << 20)
                for method in ("PickExport", "PickMove"):
                    replies = []
                    source = os.open(folder + "/big", os.O_RDONLY)
                    raw.send(raw.message(
                        PICKER + method, {"more": True}, folder=location("/"), name=method, source=0, operation=operation()),
                        [source])
                    while not replies or replies[-1].get("continues"):
                        replies.append(raw.receive())
                    told = [reply["parameters"] for reply in replies[:-1]]
                    assert {one["stage"] for one in told} == {"copying", "checking", "publishing"}, told
                    assert all("item" not in one and one["totalBytes"] == 8 << 20 for one in told), told
                    last = replies[-1]["parameters"]
                    assert last["item"]["size"] == 8 << 20 and "stage" not in last, last
                    once = raw.call(
                        PICKER + method, [os.open(folder + "/big", os.O_RDONLY)], folder=location("/"), name=method + "-once",
                        source=0, operation=operation())
                    assert once["item"]["size"] == 8 << 20 and "stage" not in once and "completedBytes" not in once, once
                    assert method == "PickExport" or once["size"] == 8 << 20, once
                """, installation.home)
        }
    }
}
