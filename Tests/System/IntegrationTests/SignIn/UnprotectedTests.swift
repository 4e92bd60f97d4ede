import DocentTestSupport
import Foundation
import Glibc
import Testing

/// A plain-text password: a real server behind an http address whose every request is recorded.
@Suite(.needs(.daemon, .server, .keyring)) struct UnprotectedTests {
    /// An address of this machine other than loopback: Docent treats it as another machine. nil without a network.
    private static let address: String? = {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let address = entry.ifa_addr, address.pointee.sa_family == AF_INET,
                entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0, entry.ifa_flags & UInt32(IFF_UP) != 0
            else { continue }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            guard getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 else {
                continue
            }
            return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
        return nil
    }()

    private static func expectNoSecret(at proxy: FaultProxy) async throws {
        for request in try await proxy.requests() {
            #expect(request.headers["authorization"] == nil, "\(request.method) \(request.path)")
        }
    }

    private static func login(
        _ world: SignInWorld, _ url: String, _ more: [String] = []
    ) async throws -> Outcome {
        let answers = ["login", "webdav@work", "--form", "password", "--url", url, "--username", SignInWorld.username]
        return try await world.remote.docent(
            answers + ["--password-stdin"] + more, input: Data((SignInWorld.password + "\n").utf8))
    }

    @Test(
        "a permanent redirect to https is stored as the new address, a temporary one is not and its error names the address; http never gets a password"
    )
    func moved() async throws {
        try await SignInWorld.with(.unlocked, usesTLS: true) { world in
            // First: it expects no account.
            try await TestStep.run("for now") { try await Self.movedForNow(world) }
            try await TestStep.run("for good") { try await Self.movedForGood(world) }
        }
    }

    /// A temporary redirect to https is not stored; the error names the address, and http gets no password.
    private static func movedForNow(_ world: SignInWorld) async throws {
        let server = world.remote.server
        let authority = try #require(server.certificateAuthority)
        try await FaultProxy.with(server.url) { proxy in
            try await proxy.add(FaultRule.status(302, headers: ["Location": server.url]).always)
            let outcome = try await Self.login(world, proxy.url, ["--certificate-authority", authority])
            #expect(outcome.status != 0 && outcome.errors.contains("--url \(server.url)"), "\(outcome.errors)")
            #expect(try await world.domain() == nil)
            try world.remote.write(password: SignInWorld.password)
            let added = try await world.remote.docent(
                ["domains", "add", "webdav", "work", "--url", proxy.url, "--username", SignInWorld.username]
                    + ["--password-file", world.remote.passwordFile, "--certificate-authority", authority])
            #expect(added.status != 0 && added.errors.contains("for now"), "\(added.errors)")
            #expect(try await world.domain() == nil)
            #expect(try await !proxy.requests().isEmpty)
            try await Self.expectNoSecret(at: proxy)
        }
    }

    /// A permanent redirect to https is stored as the new address, and http never gets a password.
    private static func movedForGood(_ world: SignInWorld) async throws {
        let server = world.remote.server
        let authority = ["--certificate-authority", try #require(server.certificateAuthority)]
        try await FaultProxy.with(server.url) { proxy in
            try await proxy.add(FaultRule.status(308, headers: ["Location": server.url]).always)
            let outcome = try await Self.login(world, proxy.url, authority).succeeded()
            #expect(outcome.errors.contains("moved") && outcome.errors.contains(server.url), "\(outcome.errors)")
            #expect(try await world.domain()?["url"] as? String == server.url)
            let seen = try await proxy.requests().count
            #expect(seen == 1, "the question whether there is a server")
            #expect(try await world.remote.docent("ls", "webdav@work:/").succeeded().text.contains("a.txt"))
            #expect(try await world.remote.read("a.txt") == "Alpha\n")
            try await world.remote.write("Changed\n", "a.txt").succeeded()
            try await world.remote.drain().succeeded()
            #expect(try await server.text("a.txt") == "Changed\n")
            try await world.remote.killDaemon()
            #expect(try await world.remote.read("b.txt") == "Beta\n")
            #expect(try await proxy.requests().count == seen, "no further request uses http")
            try await Self.expectNoSecret(at: proxy)

            try world.remote.write(password: SignInWorld.password)
            let added = try await world.remote.docent(
                ["domains", "add", "webdav", "other", "--url", proxy.url, "--username", SignInWorld.username]
                    + ["--password-file", world.remote.passwordFile] + authority
            ).succeeded()
            #expect(added.errors.contains("moved"), "\(added.errors)")
            #expect(try await world.domain("other")?["url"] as? String == server.url)
            try await Self.expectNoSecret(at: proxy)
            try await Self.offered(world, proxy, authority)
        }
    }

    /// On a terminal, the new address is offered.
    private static func offered(_ world: SignInWorld, _ proxy: FaultProxy, _ authority: [String]) async throws {
        for (name, answer, url) in [("declined", "n", nil), ("accepted", "", world.remote.server.url)] {
            let words = ["domains", "add", "webdav", name, "--url", proxy.url, "--username", SignInWorld.username]
            let outcome = try await world.installation.onTerminal(
                [Installation.binaries + "/docent"] + words + ["--password-file", world.remote.passwordFile]
                    + authority,
                [("Use the new address? [Y/n] ", .type(answer + "\n"))])
            #expect((outcome.status == 0) == (url != nil), "\(outcome.text)")
            #expect(try await world.domain(name)?["url"] as? String == url, "\(outcome.text)")
            try await Self.expectNoSecret(at: proxy)
        }
    }

    @Test(
        "http to another machine gets no password without consent, which the user is asked for, \"no\" by default, and which is stored, shown, and ends with the address",
        .enabled(if: address != nil, "the machine has no address but the loopback"))
    func agreement() async throws {
        let host = try #require(Self.address)
        try await SignInWorld.with(.unlocked) { world in
            try await TestStep.run("asked") { try await Self.asked(world, host) }
            try await TestStep.run("agreed") { try await Self.agreed(world, host) }
        }
    }

    /// The user is asked, "no" is the default, and there is no question for an address of this machine.
    private static func asked(_ world: SignInWorld, _ host: String) async throws {
        let docent = Installation.binaries + "/docent"
        try await FaultProxy.with(world.remote.server.url, at: host) { proxy in
            func login(_ answer: String) async throws -> (status: Int32, text: String) {
                let words = [docent, "login", "webdav@asked", "--form", "password", "--url", proxy.url]
                let outcome = try await world.installation.onTerminal(
                    words + ["--username", SignInWorld.username],
                    [
                        ("Without https [1]: ", .type(answer + "\n")),
                        ("Password or app password: ", .type(SignInWorld.password + "\n")),
                    ])
                return (outcome.status, outcome.text)
            }
            let no = try await login("")
            #expect(no.status != 0 && no.text.contains("not protected by https"), "\(no.text)")
            try await Self.expectNoSecret(at: proxy)
            #expect(try await world.domain("asked") == nil)
            let yes = try await login("yes")
            #expect(yes.status == 0 && yes.text.contains("is signed in as ada"), "\(yes.text)")
            #expect(try await world.domain("asked")?["isUnprotected"] as? Bool == true)
            let loopback = try await world.installation.onTerminal(
                [docent, "login", "webdav@asked"] + world.answers,
                [("Password or app password: ", .type(SignInWorld.password + "\n"))])
            #expect(loopback.status == 0 && !loopback.text.contains("Without https"), "\(loopback.text)")
            #expect(try await world.domain("asked")?["isUnprotected"] as? Bool == false)
        }
    }

    /// Without consent there is no password; the consent is stored, shown, and ends with the address.
    private static func agreed(_ world: SignInWorld, _ host: String) async throws {
        try await FaultProxy.with(world.remote.server.url, at: host) { proxy in
            let refused = try await Self.login(world, proxy.url)
            #expect(refused.status != 0, "\(refused.errors)")
            #expect(refused.errors.contains("--set unprotected=yes"), "\(refused.errors)")
            #expect(try await world.domain() == nil)
            #expect(try await Self.login(world, proxy.url, ["--set", "unprotected=no"]).status != 0)
            try await Self.expectNoSecret(at: proxy)

            try await proxy.reset()
            try world.remote.write(password: SignInWorld.password)
            let add =
                ["domains", "add", "webdav", "other", "--url", proxy.url, "--username", SignInWorld.username]
                + ["--password-file", world.remote.passwordFile]
            let unasked = try await world.remote.docent(add)
            #expect(unasked.status != 0 && unasked.errors.contains("unprotected=yes"), "\(unasked.errors)")
            #expect(try await proxy.requests().isEmpty, "nothing was sent")
            try await world.remote.docent(add + ["--set", "unprotected=yes"]).succeeded()

            try await Self.login(world, proxy.url, ["--set", "unprotected=yes"]).succeeded()
            #expect(try await world.remote.read("a.txt") == "Alpha\n")
            #expect(try await world.domain()?["isUnprotected"] as? Bool == true)
            let table = try await world.remote.docent("domains").succeeded().text
            #expect(table.contains("\(proxy.url) (unprotected)"), "\(table)")
            try await world.remote.killDaemon()
            #expect(try await world.remote.read("b.txt") == "Beta\n", "the consent is stored")

            // Another address of another machine needs another consent.
            try await proxy.reset()
            try await world.remote.docent("domains", "set", "webdav", "work", "--url", proxy.url + "folder/")
                .succeeded()
            #expect(try await world.domain()?["isUnprotected"] as? Bool == false)
            let listing = try await world.remote.docent("ls", "webdav@work:/")
            #expect(listing.status != 0 && listing.errors.contains("https"), "\(listing.errors)")
            #expect(try await proxy.requests().isEmpty, "nothing was sent")
        }
    }
}
