import DocentTestSupport
import Documents
import Foundation
import Storage
import Testing

/// Where clients look for the daemon, and where the daemon listens.
@Suite(.needs(.programs)) struct SocketPlaceTests {
    @Test(
        "D4: a client looks where the daemon listens, whatever the runtime directory is",
        arguments: ["run", "no such directory", "open to all", "", String(repeating: "long", count: 20)])
    func agreement(_ name: String) throws {
        let place = "/tmp/docent-place-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: place) }
        let runtime = "\(place)/\(name)"
        let mode = name.hasPrefix("open") ? 0o777 : 0o700
        try FileManager.default.createDirectory(atPath: place + "/home", withIntermediateDirectories: true)
        if name != "no such directory", !name.isEmpty {
            try FileManager.default.createDirectory(atPath: runtime, withIntermediateDirectories: true)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: runtime)
        }
        var environment = ["HOME": place + "/home"]
        if !name.isEmpty { environment["XDG_RUNTIME_DIR"] = runtime }
        let socket = SocketLocation(environment: environment).path
        #expect(try socket == StorageLayout(environment: environment).socketPath)
        #expect((socket == runtime + "/docent/docent.sock") == (name == "run"))
        environment["HOME"] = place + "/" + String(repeating: "home", count: 20)
        #expect(try SocketLocation(environment: environment).path == StorageLayout(environment: environment).socketPath)
    }
}
