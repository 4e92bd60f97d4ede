import DocentInterfaces
import DocentTestSupport
import Foundation

/// An honest client that reads and saves its document repeatedly while another one attacks.
struct Victim: Sendable {
    /// Its results. Times are in seconds.
    struct Report: Decodable, Sendable {
        var rounds: Int
        var failures: [String]
        var median: Double
        var worst: Double
    }

    private let stage: HostileStage

    init(_ stage: HostileStage) { self.stage = stage }

    /// Runs it during the body, and until one more round after that has finished.
    func during(_ body: () async throws -> Void) async throws -> Report {
        let installation = stage.installation
        let stop = installation.root + "/stop-\(UUID().uuidString)"
        let reference = try JSONSerialization.data(withJSONObject: HostileStage.object(stage.victim))
        async let outcome = installation.run(
            "/usr/bin/python3",
            [
                HostileStage.programs + "/victim.py", installation.socket, String(decoding: reference, as: UTF8.self),
                stop,
            ], environment: ["PYTHONDONTWRITEBYTECODE": "1"])
        let result: Result<Void, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        _ = FileManager.default.createFile(atPath: stop, contents: nil)
        let report = try await outcome.succeeded().json(Report.self)
        try result.get()
        return report
    }
}
