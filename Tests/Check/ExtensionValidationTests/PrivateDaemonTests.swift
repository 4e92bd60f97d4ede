import DocentInterfaces
import DocentTestSupport
import ExtensionValidation
import Testing

@testable import ExtensionManifest

@Suite(.mayBlock) struct PrivateDaemonTests {
    // It once sent SIGKILL to the process group of the validator.
    @Test("a daemon that cannot be started is an error, and nothing is killed")
    func notStarted() async throws {
        let folder = TemporaryFolder()
        let error = await #expect(throws: Failure.self) {
            try await PrivateDaemon(
                PrivateDaemon.Programs(daemon: "/nonexistent/docentd", extensionHost: "/nonexistent/host"),
                for: ProviderDescription(identifier: "org.example.Drive", fileProvider: nil, picker: nil),
                variables: [:], in: RunPlaces(folder.path, runtimeParent: folder.path))
        }
        #expect(error?.message == "/nonexistent/docentd cannot be started: No such file or directory.")
    }
}
