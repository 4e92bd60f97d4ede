import DocentInterfaces
import DocentTestSupport
import Foundation
import Glibc
import Synchronization
import Testing

/// A program in `docent run` that executes a test's orders, passed through files in its private home.
final class ScopedProgram: Sendable {
    /// The action: read, names, begin, commit, take or pick.
    struct Order: Encodable {
        var `do`: String
        var reference: Wire.ItemReference?
        var text: String?
        var access: String?
        var types: [String]?
    }

    /// The result: worked, or the error's name.
    struct Answer: Decodable {
        var came: String
        var text: String?
        var reference: Wire.ItemReference?
    }

    static let client = "org.example.scoped"

    private let installation: Installation
    private let process: ChildProcess
    private let count = Mutex(0)

    /// Starts it, and ends it after the body.
    static func with(_ installation: Installation, _ body: (ScopedProgram) async throws -> Void) async throws {
        let home = installation.privateHome(client, "")
        for name in (try? FileManager.default.contentsOfDirectory(atPath: home)) ?? [] {
            try FileManager.default.removeItem(atPath: home + name)
        }
        let program = try ScopedProgram(installation)
        defer { program.process.send(SIGKILL) }
        try await body(program)
        try program.write(Order(do: "end"))
        program.process.waitUntilExit()
        #expect(program.process.terminationStatus == 0, "\(installation.read(program.errors) ?? "")")
    }

    private var errors: String { installation.root + "/scoped-errors" }

    private init(_ installation: Installation) throws {
        self.installation = installation
        let errors = installation.root + "/scoped-errors"
        _ = FileManager.default.createFile(atPath: errors, contents: nil)
        process = try ChildProcess(
            Installation.binaries + "/docent",
            [
                "run", "--client", Self.client, "--no-picks", "--program-directory", HostileStage.programs,
                "--setenv", "PYTHONDONTWRITEBYTECODE=1", "--", "/usr/bin/python3", HostileStage.programs + "/scoped.py",
            ], environment: installation.environment, folder: installation.home, errors: .file(errors))
    }

    /// Sends an order, and waits for its result.
    @discardableResult
    func tell(_ order: Order) async throws -> Answer {
        let path = installation.privateHome(Self.client, "answer-\(try write(order))")
        try await installation.eventually("the program in the sandbox has answered", within: 120) {
            FileManager.default.fileExists(atPath: path)
        }
        return try JSONDecoder().decode(Answer.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// The text of a document, or the error's name.
    func read(_ reference: Wire.ItemReference) async throws -> String {
        let answer = try await tell(Order(do: "read", reference: reference))
        return answer.text ?? answer.came
    }

    /// The result of a save.
    func save(_ text: String, to reference: Wire.ItemReference) async throws -> String {
        let begun = try await tell(Order(do: "begin", reference: reference, text: text))
        return begun.came == "worked" ? try await tell(Order(do: "commit")).came : begun.came
    }

    /// Writes an order; returns its number.
    @discardableResult
    private func write(_ order: Order) throws -> Int {
        let home = installation.privateHome(Self.client, "")
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        let number = count.withLock { count in
            defer { count += 1 }
            return count
        }
        try JSONEncoder().encode(order).write(to: URL(fileURLWithPath: home + "ask-\(number)"), options: .atomic)
        return number
    }
}
