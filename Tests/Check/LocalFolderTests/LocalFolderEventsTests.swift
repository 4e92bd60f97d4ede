import DocentInterfaces
import FileProvider
import Foundation
import LocalFolder
import Testing
import Varlink

@Suite struct LocalFolderEventsTests {
    @Test(
        "W, J: changes by other programs in a listed folder are reported, and their saves keep the identifier",
        .timeLimit(.minutes(1)))
    func tellsForeignChanges() async throws {
        try await LocalFolderFixture.with { fixture in
            try fixture.write("old", to: "doc")
            let pair = try UnixSocket.pair()
            let connection = VarlinkConnection(descriptor: try pair.first.duplicate())
            let server = try ExtensionServer(try pair.second.duplicate())
            _ = try await connection.call(
                FileProviderInterface.Initialize.self,
                .init(
                    version: 1, provider: "p", point: "com.apple.fileprovider-nonui",
                    principalClass: "LocalFolder.LocalFolderProvider", displayName: "Test",
                    domains: [
                        .init(
                            identifier: "", displayName: "", folder: fixture.path, storage: fixture.storage + "-events")
                    ]))
            func list() async throws -> [Wire.ProviderItem] {
                try await connection.call(
                    FileProviderInterface.Children.self, .init(domain: "", parent: ".root")
                ).value.items
            }
            let item = try #require(try await list().first)
            let second = try UnixSocket.pair()
            _ = try await connection.call(
                FileProviderInterface.Connect.self, .init(socket: 0),
                descriptors: DescriptorList(try second.second.duplicate()))
            let listener = VarlinkConnection(descriptor: try second.first.duplicate())
            var events = listener.stream(
                FileProviderInterface.Events.name, FileProviderInterface.Events.Parameters(),
                FileProviderInterface.Events.Reply.self
            ).makeAsyncIterator()
            func next(_ wanted: Set<String>) async throws {
                var missing = wanted
                while !missing.isEmpty, let reply = try await events.next() {
                    missing.subtract(reply.value.identifiers)
                }
                #expect(missing.isEmpty)
            }
            try fixture.write("changed in place", to: "doc")
            try await next([item.identifier])
            try fixture.saveElsewhere("saved by renaming", to: "doc")
            try await next([item.identifier, ".root"])
            #expect(try await list().first { $0.name == "doc" }?.identifier == item.identifier)
            try FileManager.default.removeItem(atPath: fixture.path + "/doc")
            try await next([item.identifier, ".root"])
            withExtendedLifetime(server) {}
        }
    }
}
