import FileProviderValidation
import Testing

/// How the proxy's address replaces the service's in the settings of a domain.
@Suite struct ServiceSettingsTests {
    private static let named: [([String: String], String, [String: String])] = [
        (["url": "http://127.0.0.1:8080/dav/"], "127.0.0.1:8080", ["url": "http://127.0.0.1:9/dav/"]),
        (["url": "https://files.example/"], "files.example:443", ["url": "https://127.0.0.1:9/"]),
        (["url": "http://[::1]:81"], "[::1]:81", ["url": "http://127.0.0.1:9"]),
        (["url": "sftp://me@files.example/home"], "files.example:22", ["url": "sftp://me@127.0.0.1:9/home"]),
        (["host": "files.example", "port": "2022"], "files.example:2022", ["host": "127.0.0.1", "port": "9"]),
        (["host": "files.example"], "files.example:22", ["host": "127.0.0.1", "port": "9"]),
        (
            ["backend": "sftp", "parameters": "host=h.example,port=2022,user=me"], "h.example:2022",
            ["backend": "sftp", "parameters": "host=127.0.0.1,port=9,user=me"]
        ),
        (["parameters": "host=h.example,user=me"], "h.example:22", ["parameters": "host=127.0.0.1,user=me,port=9"]),
        (
            ["parameters": "url=http://h.example:80/,vendor=other", "other": "http://h.example/x"],
            "h.example:80",
            ["parameters": "url=http://127.0.0.1:9/,vendor=other", "other": "http://127.0.0.1:9/x"]
        ),
    ]

    @Test("the address of a service is found as a URL, as host and port, and in a list")
    func found() throws {
        for (settings, address, through) in Self.named {
            let service = ServiceSettings(settings)
            #expect(service.addresses.map(\.description) == [address])
            let replaced = service.replacing(try #require(ServiceAddress(address)), with: 9)
            #expect(replaced == through)
        }
    }

    @Test("several addresses are recognised, and one that is not in the settings is not replaced")
    func several() throws {
        let settings = ["url": "http://a.example/", "identity": "https://b.example/"]
        #expect(ServiceSettings(settings).addresses.count == 2)
        let second = try #require(ServiceAddress("b.example:443"))
        #expect(
            ServiceSettings(settings).replacing(second, with: 9)
                == ["url": "http://a.example/", "identity": "https://127.0.0.1:9/"])
        let third = try #require(ServiceAddress("c.example:80"))
        #expect(ServiceSettings(settings).replacing(third, with: 9) == nil)
        #expect(ServiceSettings(["url": "mailto:me", "a": "://", "b": "http://"]).addresses.isEmpty)
    }

    @Test("a name without a scheme is an address if the program says so")
    func plainName() throws {
        let settings = ["server": "h.example:7007"]
        #expect(ServiceSettings(settings).addresses.isEmpty)
        let address = try #require(ServiceAddress("h.example:7007"))
        #expect(ServiceSettings(settings).replacing(address, with: 9) == ["server": "127.0.0.1:9"])
    }

    @Test("a secret that would leave the machine without encryption is detected")
    func plain() throws {
        func isRisky(_ url: String) throws -> Bool {
            let settings = ServiceSettings(["url": url])
            let address = try #require(settings.addresses.first)
            return settings.isPlain(address) && !address.isLoopback
        }
        #expect(try isRisky("http://files.example/"))
        #expect(try !isRisky("https://files.example/"))
        #expect(try !isRisky("http://127.0.0.1:80/"))
        #expect(try !isRisky("http://localhost:80/"))
        #expect(try isRisky("http://127.0.0.1.example:80/"))
    }

    @Test(
        "a text other than HOST:PORT is no address",
        arguments: [
            "", ":", ":80", "h", "h:", "h:0", "h:65536", "h:-1", "h:8x", "a:b:80", "[::1]", "[::1", "[]:80", "h h:80",
            "h\n:80", "h\u{1B}[31m:80", "höst:80", "u@h:80", "h/x:80", "'h':80",
            String(repeating: "h", count: 300) + ":80",
        ])
    func noAddress(_ text: String) { #expect(ServiceAddress(text) == nil) }
}
