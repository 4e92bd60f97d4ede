import DocentTestSupport
import Foundation
import Glibc
import Testing

/// Remote documents as files.
@Suite(.needs(.daemon, .server)) struct RemoteViewTests {
    @Test("a remote document is fetched when it is read, and its state can be seen")
    func fetched() async throws {
        try await RemoteInstallation.with(prepare: { try await $0.put("from far away", "a.txt") }) { remote in
            try await ViewedInstallation.with(remote.installation) { view in
                let account = try #require(try await view.run("ls").succeeded().text.split(separator: "\n").first)
                let path = String(account) + "/a.txt"
                #expect(try await view.run("stat", "-c", "%s %b", path).succeeded().text == "13 0\n")
                #expect(try await view.run("cat", path).succeeded().text == "from far away")
                let state = try await view.run("getfattr", "--only-values", "-n", "user.docent.state", path)
                #expect(state.text == "local", "\(state.errors)")
            }
        }
    }

    @Test("a reader that waits for content ends at once when it is killed")
    func killedReader() async throws {
        try await RemoteInstallation.with(prepare: { try await $0.put("slow", "a.txt") }) { remote in
            try await ViewedInstallation.with(remote.installation) { view in
                let account = try #require(try await view.run("ls").succeeded().text.split(separator: "\n").first)
                _ = try await view.run("ls", String(account)).succeeded()
                let proxy = try #require(remote.proxy)
                try await proxy.add(.hold().on("GET"))
                let reader = try ChildProcess(
                    "/bin/cat", ["\(view.folder)/\(account)/a.txt"], environment: [:], folder: "/")
                try await proxy.held("GET")
                reader.send(SIGKILL)
                try await remote.installation.eventually("the end of the reader") { !reader.isRunning }
                try await proxy.release()
            }
        }
    }
}
