import Foundation
import Testing

@testable import FileProviderValidation

/// The service behind a provider, with a program that acts on it.
@Suite struct TestedServiceTests {
    private static func with(
        _ command: String, _ body: (_ service: TestedService, _ mark: PauseMark) async throws -> Void
    ) async throws {
        let folder = NSTemporaryDirectory() + "tested-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let mark = PauseMark(run: folder)
        let program = ServiceProgram(command: command, environment: ["PATH": "/usr/bin:/bin", "RUN": folder])
        try await body(TestedService(program: program, variables: ["DOCENT_SERVICE_FOLDER": "/srv"], mark: mark), mark)
    }

    /// A program that succeeds only if the service is recorded as unreachable.
    private static let asksMark = "test -e \"$RUN/service-paused\" && :"

    @Test("while a program cuts, the service is recorded as unreachable; afterwards it is not")
    func cut() async throws {
        try await Self.with(Self.asksMark) { service, mark in
            try await service.cut()
            #expect(mark.read() == nil)
        }
    }

    @Test("a pause is recorded before the program runs, until the service is resumed")
    func pause() async throws {
        try await Self.with(Self.asksMark) { service, mark in
            try await service.pause()
            #expect(mark.read() == ["DOCENT_SERVICE_FOLDER": "/srv"])
            try await service.resume()
            #expect(mark.read() == nil)
        }
    }

    @Test("a cut that fails midway leaves the record; one that the program lacks does not", arguments: [1, 3])
    func failedCut(status: Int) async throws {
        try await Self.with("exit \(status);:") { service, mark in
            await #expect(throws: ServiceProblem.self) { try await service.cut() }
            #expect((mark.read() != nil) == (status == 1))
        }
    }
}
