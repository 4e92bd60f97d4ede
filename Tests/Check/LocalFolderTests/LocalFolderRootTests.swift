import FileProvider
import Foundation
import LocalFolder
import Testing

@Suite struct LocalFolderRootTests {
    @Test(
        "A folder that is missing is named as missing, says nothing of what is in it, and serves as soon as it is there"
    )
    func comesLater() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("text", to: "a.txt")
            let aside = fixture.path + "-aside"
            try FileManager.default.moveItem(atPath: fixture.path, toPath: aside)
            try fixture.restart()
            let provider = fixture.provider
            let error = await #expect(throws: FileProviderError.self) {
                try await provider.children(of: .rootContainer, page: nil)
            }
            #expect(error?.code == .serverUnreachable)
            #expect(error?.message == "The folder \(fixture.path) does not exist.")
            try FileManager.default.moveItem(atPath: aside, toPath: fixture.path)
            #expect(try await fixture.list().map(\.filename) == ["a.txt"])
        }
    }
}
