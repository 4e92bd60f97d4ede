import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing
import Varlink

/// Confined programs ask, and the user answers outside their sandbox (I1).
@Suite(.needs(.daemon)) struct PickRequestTests {
    private struct Requests: Decodable {
        struct Request: Decodable {
            var identifier: String
            var clientKind: String
            var client: String
            var strength: String
            var mode: String
            var access: String?
            var companions: [String]?
            var name: String?
            var size: Int?
            var reason: String?
        }
        var requests: [Request]
    }

    private static let identifier = "org.example.Boxed"

    /// A confined client, and a listener for its requests.
    private static func with(
        listens: Bool = true, environment: [String: String] = [:],
        _ body: (Installation, DocumentPicker) async throws -> Void
    ) async throws {
        try await Installation.withLocalFolder(environment: environment) { installation in
            try installation.write("hello", to: "a.txt")
            try installation.write("other", to: "b.txt")
            try await installation.docent("ls", "LocalFolder:/").succeeded()
            let administrator = installation.client()
            defer { administrator.close() }
            let listening = Task {
                guard listens else { return }
                try await administrator.follow(
                    AdministrationInterface.PickRequests.self, .init(client: Self.identifier, clientKind: "run")
                ) { _ in }
            }
            defer { listening.cancel() }
            try await IsolationTests.withConfinedClient(installation, Self.identifier) { client in
                try await body(installation, DocumentPicker(client: client))
            }
        }
    }

    private static func waiting(_ installation: Installation) async throws -> Requests.Request {
        let deadline = ContinuousClock.now + .seconds(90)
        while ContinuousClock.now < deadline {
            let found = try await installation.docent("picks", "--json").succeeded().json(Requests.self)
            if let request = found.requests.first { return request }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw Problem("Nothing was asked.")
    }

    // The listener may start a moment after the first question: then that is refused, and asked again.
    private static func asking<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) -> Task<Result, any Error> {
        Task {
            let deadline = ContinuousClock.now + .seconds(30)
            while true {
                do {
                    return try await body()
                } catch let error as DocumentsError {
                    guard error.message.contains("No program is running that could ask the user"),
                        ContinuousClock.now < deadline
                    else { throw error }
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
        }
    }

    @Test("I1: a confined program that asks gets exactly what the user chooses outside")
    func open() async throws {
        try await Self.with { installation, picker in
            let task = Self.asking {
                try await picker.requestDocument(access: .readWrite, reason: "to \u{1B}[2Jedit\nit")
            }
            let request = try await Self.waiting(installation)
            #expect(request.client == Self.identifier)
            #expect(request.clientKind == "run")
            #expect(request.strength == "enforced")
            #expect(request.access == "readWrite")
            #expect(request.reason == "to [2Jedit it")
            let missing = try await installation.docent("picks", "answer", request.identifier, "LocalFolder:/none.txt")
            #expect(missing.status == 2, "\(missing)")
            try await installation.docent(
                "picks", "answer", request.identifier, "LocalFolder:/a.txt", "--read-only"
            ).succeeded()
            let document = try await task.value
            #expect(document.access == .read)
            #expect(IsolationTests.text(try await document.openForReading()) == "hello")
            #expect(
                await IsolationTests.failure { _ = try await document.beginWriting(replacing: true) } == .notPermitted)
            #expect(
                await IsolationTests.failure {
                    _ = try await picker.openDocument(at: IsolationTests.location("/b.txt"))
                } == .notPermitted)
            let grants = try await IsolationTests.grants(installation).map(\.client)
            #expect(grants.filter { $0 == Self.identifier }.count == 1, "\(grants)")
        }
    }

    @Test("I1: if no user can be asked, this is reported at once with a remedy")
    func nobody() async throws {
        try await Self.with(listens: false) { _, picker in
            await #expect {
                _ = try await picker.requestDocument()
            } throws: { error in
                (error as? DocumentsError)?.code == .notPermitted
                    && (error as? DocumentsError)?.suggestion?.contains("docent picks --watch") == true
            }
        }
    }

    @Test("Law 5, T3: a request ends at its timeout")
    func ends() async throws {
        try await Self.with(environment: ["DOCENT_PICK_SECONDS": "2"]) { _, picker in
            let task = Self.asking { try await picker.requestDocument() }
            #expect(await IsolationTests.failure { _ = try await task.value } == .deadlineExceeded)
        }
    }

    @Test(
        "C1, C3, C4, F1, I1, X14, T3: a confined program's requests are refused, import, export and move what the user chooses, and end with the program"
    )
    func inTurn() async throws {
        try await Self.with { installation, picker in
            try await TestStep.run("refused") { try await Self.refused(installation, picker) }
            try await TestStep.run("import") { try await Self.imports(installation, picker) }
            try await TestStep.run("export") { try await Self.exports(installation, picker) }
            try await TestStep.run("move") { try await Self.moves(installation, picker) }
            try await TestStep.run("cancelled") { try await Self.cancelled(installation, picker) }
        }
    }

    /// A refusal is reported as such; a confined program can neither listen for requests nor answer them.
    private static func refused(_ installation: Installation, _ picker: DocumentPicker) async throws {
        let task = Self.asking { try await picker.requestImport() }
        let request = try await Self.waiting(installation)
        for code in [
            await IsolationTests.failure {
                _ = try await picker.client.call(AdministrationInterface.PickRequests.self, .init())
            },
            await IsolationTests.failure {
                _ = try await picker.client.call(
                    AdministrationInterface.AnswerPick.self,
                    .init(
                        identifier: request.identifier,
                        location: .init(provider: "LocalFolder", domain: "", path: "/a.txt")))
            },
        ] { #expect(code == .notPermitted) }
        try await installation.docent("picks", "refuse", String(request.identifier.prefix(8))).succeeded()
        #expect(await IsolationTests.failure { _ = try await task.value } == .notPermitted)
        #expect(try await IsolationTests.grants(installation).isEmpty)
    }

    /// A requested import gives a copy by descriptor, and records no grant.
    private static func imports(_ installation: Installation, _ picker: DocumentPicker) async throws {
        let task = Self.asking { try await picker.requestImport() }
        let request = try await Self.waiting(installation)
        try await installation.docent("picks", "answer", request.identifier, "LocalFolder:/a.txt").succeeded()
        let copy = try await task.value
        #expect(copy.path == nil)
        #expect(copy.item.name == "a.txt")
        #expect(IsolationTests.text(dup(copy.descriptor)) == "hello")
        #expect(try await IsolationTests.grants(installation).isEmpty)
    }

    /// A requested export puts a copy at the place and under the name that the user chooses.
    private static func exports(_ installation: Installation, _ picker: DocumentPicker) async throws {
        let source = installation.home + "/export.txt"
        try Data("from inside".utf8).write(to: URL(fileURLWithPath: source))
        let descriptor = Glibc.open(source, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let task = Self.asking { try await picker.requestExport(from: descriptor, name: "a.txt") }
        let request = try await Self.waiting(installation)
        #expect(request.name == "a.txt")
        #expect(request.size == 11)
        // The name is taken: the user gets an error, and chooses another name and place.
        let taken = try await installation.docent("picks", "answer", request.identifier, "LocalFolder:/")
        #expect(taken.status == 6, "\(taken)")
        try await installation.docent("mkdir", "LocalFolder:/reports").succeeded()
        try await installation.docent(
            "picks", "answer", request.identifier, "LocalFolder:/reports", "--name", "new.txt"
        ).succeeded()
        #expect(try await task.value.name == "new.txt")
        #expect(
            try await installation.docent("cat", "LocalFolder:/reports/new.txt").succeeded().text == "from inside")
        // Not a regular file.
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(
            await IsolationTests.failure { _ = try await picker.requestExport(from: ends[0], name: "p") }
                == .invalidArgument)
    }

    /// A requested move removes the source, also after a first answer failed.
    private static func moves(_ installation: Installation, _ picker: DocumentPicker) async throws {
        let source = installation.home + "/move.txt"
        try Data("moved".utf8).write(to: URL(fileURLWithPath: source))
        let task = Self.asking { try await picker.requestMove(at: source, name: "a.txt") }
        let request = try await Self.waiting(installation)
        #expect(request.mode == "move")
        #expect(try await installation.docent("picks", "answer", request.identifier, "LocalFolder:/").status == 6)
        #expect(installation.read(source) == "moved")
        try await installation.docent(
            "picks", "answer", request.identifier, "LocalFolder:/", "--name", "moved.txt"
        ).succeeded()
        let document = try await task.value
        #expect(installation.read(source) == nil)
        #expect(IsolationTests.text(try await document.openForReading()) == "moved")
        let status = try await installation.docent("daemon", "status", "--json").succeeded().text
        #expect(status.contains("\"pendingOperations\": 0"), "\(status)")
    }

    /// A request ends when the program cancels it.
    private static func cancelled(_ installation: Installation, _ picker: DocumentPicker) async throws {
        let task = Self.asking { try await picker.requestDocument() }
        _ = try await Self.waiting(installation)
        task.cancel()
        _ = await task.result
        try await installation.eventually("a cancelled request is no longer shown", within: 60) {
            try await installation.docent("picks", "--json").succeeded().json(Requests.self).requests.isEmpty
        }
    }
}
