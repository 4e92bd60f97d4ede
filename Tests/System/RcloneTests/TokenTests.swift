import DocentTestSupport
import Foundation
import Synchronization
import Testing

@testable import FileProvider
@testable import Rclone

extension RcloneTests {
    /// A service with single-use refresh tokens: a client that loses the new one is locked out.
    struct TokenTests {
        /// The saves of the host. It can be made to refuse them.
        private final class Keeper: Sendable {
            private struct Locked: Error {}
            private let state = Mutex((refusals: 0, saved: [Credential]()))

            init(refusals: Int = 0) { state.withLock { $0.refusals = refusals } }

            var saved: [Credential] { state.withLock { $0.saved } }

            func keep(_ credential: Credential) throws {
                try state.withLock { state in
                    state.refusals -= 1
                    guard state.refusals < 0 else { throw Locked() }
                    state.saved.append(credential)
                }
            }
        }

        private struct Counts: Decodable, Equatable {
            var renewed: Int
            var refused: Int
        }

        /// The service, with separate state for each test.
        private final class Service: Sendable {
            let url: String
            private let directory: String

            init() async throws {
                directory =
                    FileManager.default.temporaryDirectory.path + "/rclone-hidrive-" + UUID().uuidString.prefix(8)
                url = try await Servers.start("hidrive", in: directory)
            }

            /// - Parameter token: the last one that the service returned.
            func configuration(_ token: String) throws -> RemoteConfiguration {
                try RemoteConfiguration(
                    text: """
                        [drive]
                        type = hidrive
                        client_id = docent
                        client_secret = hush-client-11
                        token_url = \(url)token
                        endpoint = \(url)api
                        token = {"access_token":"hush-access-0","token_type":"Bearer","refresh_token":"\(token)","expiry":"2020-01-01T00:00:00Z"}
                        """)
            }

            func counts() async throws -> Counts {
                let text = try await Servers.run("/usr/bin/curl", ["-s", url + "state"])
                return try JSONDecoder().decode(Counts.self, from: Data(text.utf8))
            }

            func end() async throws {
                _ = try await Servers.run("/bin/bash", ["\(Servers.scripts)/hidrive.sh", "kill", directory])
                try FileManager.default.removeItem(atPath: directory)
            }
        }

        private func with(_ body: (Service) async throws -> Void) async throws {
            let service = try await Service()
            let result: Result<Void, any Error>
            do {
                result = .success(try await body(service))
            } catch {
                result = .failure(error)
            }
            try await service.end()
            try result.get()
        }

        private func session(_ configuration: RemoteConfiguration, _ keeper: Keeper) throws -> RemoteSession {
            let account = try RemoteAccount(
                settings: ["remote": "drive:"], secret: try configuration.credentialText)
            return RemoteSession(account, service: .of(program: Servers.rclone)) { try keeper.keep($0) }
        }

        private struct Answer: Decodable, Sendable { var list: [RcloneEntry]? }

        /// The listed names; the request is repeated until a killed rclone is replaced.
        private func names(_ session: RemoteSession) async throws -> [String] {
            for _ in 0..<200 {
                do {
                    return try await session.call(
                        "operations/list", { ["fs": .text($0.root), "remote": ""] }, cannot: "list", as: Answer.self
                    ).list?.map(\.name) ?? []
                } catch let error as FileProviderError where [.serverUnreachable, .busy].contains(error.code) {
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
            throw Problem("rclone is not restarted")
        }

        private func refreshToken(_ configuration: RemoteConfiguration) throws -> String {
            struct Fields: Decodable { var refresh_token: String }
            let text = try #require(configuration.sections["drive"]?["token"])
            return try JSONDecoder().decode(Fields.self, from: Data(text.utf8)).refresh_token
        }

        @Test(
            "a token that rclone renewed is saved with the next answer, and the next rclone signs in with it")
        func keepsRenewed() async throws {
            try await with { service in
                let keeper = Keeper()
                let session = try session(service.configuration("hush-refresh-0"), keeper)
                #expect(try await names(session) == ["note.txt"])
                let kept = try RemoteConfiguration(text: try #require(keeper.saved.last?.secret))
                #expect(try refreshToken(kept) == "hush-refresh-1")
                // As after a crash: another rclone, which has only the saved token.
                try await session.connected().endpoint.process.kill()
                let other = Keeper()
                #expect(try await names(try self.session(kept, other)) == ["note.txt"])
                #expect(other.saved.isEmpty, "it was still valid")
                #expect(try await service.counts() == Counts(renewed: 1, refused: 0))
                // The previous token is no longer valid: without the new one the user would be asked.
                let lost = try self.session(service.configuration("hush-refresh-0"), Keeper())
                #expect(try await code { _ = try await names(lost) } == .notAuthenticated)
            }
        }

        @Test(
            "an rclone that dies before the keyring could store a renewed token continues with it, and it is stored later"
        )
        func keepsLater() async throws {
            try await with { service in
                let keeper = Keeper(refusals: 1)
                let session = try session(service.configuration("hush-refresh-0"), keeper)
                #expect(try await names(session) == ["note.txt"])
                #expect(keeper.saved.isEmpty)
                try await session.connected().endpoint.process.kill()
                for _ in 0..<600 where keeper.saved.isEmpty {
                    #expect(try await names(session) == ["note.txt"])
                    try await Task.sleep(for: .milliseconds(100))
                }
                let kept = try RemoteConfiguration(text: try #require(keeper.saved.last?.secret))
                #expect(try refreshToken(kept) == "hush-refresh-1")
                #expect(try await service.counts() == Counts(renewed: 1, refused: 0))
            }
        }

        @Test("the credential of a sign-in has the token that rclone renewed during the trial")
        func signsInWithRenewed() async throws {
            try await with { service in
                let storage =
                    FileManager.default.temporaryDirectory.path + "/rclone-token-" + UUID().uuidString.prefix(8)
                defer { try? FileManager.default.removeItem(atPath: storage) }
                let settings = ["remote": "drive:", "program": Servers.rclone]
                let form = try #require(RcloneProvider.signInForms.first { $0.identifier == "remote" })
                let text = try service.configuration("hush-refresh-0").sections.map { name, values in
                    "[\(name)]\n" + values.map { "\($0) = \($1)" }.joined(separator: "\n")
                }.joined(separator: "\n")
                let answers = try SignInAnswers(["remote": "drive:", "configuration": text], to: form)
                let signedIn = try await Remote.make(settings, storage).authenticate(
                    answers, interaction: SignInInteraction { _ in })
                let kept = try RemoteConfiguration(text: try #require(signedIn.credential.secret))
                #expect(try refreshToken(kept) == "hush-refresh-1")
                let provider = try Remote.make(settings, storage)
                _ = try await provider.signIn(signedIn.credential)
                #expect(
                    try await provider.children(of: .rootContainer, page: nil).items.map(\.filename) == ["note.txt"])
                #expect(try await service.counts() == Counts(renewed: 1, refused: 0))
            }
        }
    }
}
