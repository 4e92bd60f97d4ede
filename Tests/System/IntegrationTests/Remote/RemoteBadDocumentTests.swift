import DocentTestSupport
import Foundation
import Testing

/// A document with which its server always fails: its state is its own, and not the account's.
@Suite(.needs(.daemon, .server)) struct RemoteBadDocumentTests {
    private static func put(_ server: WebDAVServer) async throws {
        try await server.makeFolder("bad")
        try await server.put("bad", "bad/bad.txt")
        for name in ["first", "second"] { try await server.put(name, "\(name).txt") }
    }

    @Test("a document that its server never stores affects no other document and not the account")
    func neverStored() async throws {
        try await RemoteInstallation.with { server in
            try await Self.put(server)
        } _: { remote in
            let proxy = try remote.faults()
            #expect(try await remote.names() == ["bad/", "first.txt", "second.txt"])
            #expect(try await remote.read("bad/bad.txt") == "bad")
            try await proxy.add(.status(500).on("PUT", "/bad/").always)
            try await remote.write("new", "bad/bad.txt").succeeded()
            for (name, attempts) in [("first", 1), ("second", 3)] {
                try await remote.eventually("it was sent \(attempts) times") {
                    let sent = try await proxy.requests("PUT").filter { $0.path.contains("/bad/") && $0.status == 500 }
                    return sent.count >= attempts
                }
                #expect(try await remote.domain()?.state == "ready")
                #expect(try await remote.read("\(name).txt") == name)
                try await remote.write("saved", "\(name).txt").succeeded()
                try await remote.eventually("\(name).txt is sent") {
                    try await remote.server.text("\(name).txt") == "saved"
                }
            }
            #expect(try await remote.domain()?.state == "ready")
            #expect(try await remote.server.text("bad/bad.txt") == "bad")
            try await proxy.clearRules()
            #expect(try await remote.drain().status == 0)
            #expect(try await remote.server.text("bad/bad.txt") == "new")
        }
    }

    @Test("a document that its server never describes affects no other document and not the account")
    func neverDescribed() async throws {
        try await RemoteInstallation.with { server in
            try await Self.put(server)
        } _: { remote in
            let proxy = try remote.faults()
            #expect(try await remote.names("bad") == ["bad.txt"])
            #expect(try await remote.names() == ["bad/", "first.txt", "second.txt"])
            try await proxy.add(.status(500).on("PROPFIND", "/bad.txt").always)
            for name in ["first", "second"] {
                #expect(try await remote.docent("cat", remote.location("bad/bad.txt")).status != 0)
                #expect(try await remote.domain()?.state == "ready")
                #expect(try await remote.read("\(name).txt") == name)
                try await remote.write("saved", "\(name).txt").succeeded()
            }
            #expect(try await remote.drain().status == 0)
            #expect(try await proxy.requests("PROPFIND").contains { $0.status == 500 })
            try await proxy.clearRules()
            #expect(try await remote.read("bad/bad.txt") == "bad")
        }
    }

    @Test("a document of which its server always sends a wrong part affects no other document and not the account")
    func wrongPart() async throws {
        let content = String(repeating: "0123456789", count: 400_000)
        try await RemoteInstallation.with { server in
            try await Self.put(server)
            try await server.put(content, "bad/bad.txt")
            try await server.agree("bad/bad.txt")
        } _: { remote in
            let proxy = try remote.faults()
            #expect(try await remote.names() == ["bad/", "first.txt", "second.txt"])
            let part = FaultRule.status(206, headers: ["Content-Range": "bytes 0-2/3"], body: "bad")
            try await proxy.add(.cutResponse(after: 2 << 20).on("GET", "/bad.txt"))
            try await proxy.add(part.on("GET", "/bad.txt").from(2).always)
            for name in ["first", "second"] {
                let bad = try await remote.docent("cat", remote.location("bad/bad.txt"))
                #expect(bad.status != 0 && bad.text.isEmpty, "\(bad.errors)")
                #expect(try await remote.domain()?.state == "ready")
                #expect(try await remote.read("\(name).txt") == name)
            }
            try await remote.write("saved", "first.txt").succeeded()
            #expect(try await remote.drain().status == 0)
            #expect(try await proxy.requests("GET").contains { $0.range != nil && $0.status == 206 })
            try await proxy.clearRules()
            let read = try await remote.docent("cat", remote.location("bad/bad.txt")).succeeded()
            #expect(difference(read.output, from: Data(content.utf8)) == nil)
        }
    }
}
