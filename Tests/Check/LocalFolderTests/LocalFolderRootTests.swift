import FileProvider
import Foundation
import LocalFolder
import Testing

@Suite struct LocalFolderRootTests {
    @Test("A missing root folder is an error with its path, and is served again as soon as it exists")
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

    @Test("The space is that of the file system that the folder is in")
    func space() async throws {
        try await LocalFolderFixture.with { fixture in
            let usage = try await fixture.provider.usage()
            let total = try FileManager.default.attributesOfFileSystem(forPath: fixture.path)[.systemSize] as? NSNumber
            #expect(usage.totalBytes == total?.intValue)
            let (used, available) = (try #require(usage.usedBytes), try #require(usage.availableBytes))
            #expect(used >= 0 && available >= 0 && used + available <= (usage.totalBytes ?? 0))
            try FileManager.default.removeItem(atPath: fixture.path)
            try fixture.restart()
            let provider = fixture.provider
            let error = await #expect(throws: FileProviderError.self) { try await provider.usage() }
            #expect(error?.code == .serverUnreachable)
        }
    }
}
