import Testing

@testable import ExtensionManifest

/// The limits that a manifest may request.
@Suite struct ProviderLimitsTests {
    let fixture: ManifestFixture

    init() throws {
        fixture = try ManifestFixture()
    }

    private func limits(_ entries: [String: PropertyListValue]) throws -> ProviderLimits? {
        var manifest = ManifestFixture.fileProvider()
        for (name, value) in entries { manifest = manifest.setting("org.docent.limits." + name, value) }
        return try fixture.read(manifest).manifest?.limits
    }

    @Test(
        "Sizes are whole numbers with a unit",
        arguments: [
            ("512 MiB", 512 << 20), ("512MiB", 512 << 20), ("2 GB", 2_000_000_000), ("1 KB", 1000), ("7 B", 7),
            ("4096", 4096),
        ])
    func sizes(_ text: String, _ bytes: Int) { #expect(SizeText.bytes(text) == bytes) }

    @Test(
        "An invalid size is refused",
        arguments: [
            "", "MiB", "-1 MiB", "1.5 GiB", "1 mib", "1 TiB", "1 MiB ", "9223372036854775807 GiB", "１ MiB", "0x10",
        ])
    func noSizes(_ text: String) { #expect(SizeText.bytes(text) == nil) }

    @Test(
        "A size is written exactly, in the largest unit that fits",
        arguments: [
            (1 << 30, "1 GiB"), (1536 << 20, "1536 MiB"), (2_000_000_000, "2 GB"), (1001, "1001 B"), (0, "0 B"),
        ])
    func text(_ bytes: Int, _ text: String) {
        #expect(SizeText.text(bytes) == text)
        #expect(SizeText.bytes(text) == bytes)
    }

    @Test("A manifest without limits has the defaults")
    func standard() throws {
        let limits = try #require(try limits([:]))
        #expect(limits == ProviderLimits())
        #expect(limits.memory == 1 << 30 && limits.processes == 256 && limits.disk == 2 << 30)
        #expect(limits.files == 100_000 && limits.processorWeight == 50)
        #expect(limits.raised.isEmpty && limits.lines.isEmpty)
    }

    @Test("Each limit can be given as text and as bytes")
    func written() throws {
        let limits = try #require(
            try limits([
                "memory": "512 MB", "processes": 64, "disk": .integer(1 << 40), "files": 16, "processor-weight": 100,
            ]))
        #expect(limits.memory == 512_000_000 && limits.processes == 64 && limits.disk == 1 << 40)
        #expect(limits.files == 16 && limits.processorWeight == 100)
        #expect(limits.raised == [.disk, .processorWeight])
    }

    @Test(
        "An invalid amount, or one out of its range, is an error that names the range",
        arguments: [
            ("memory", "lots", "from 32 MiB to 16 GiB"), ("memory", "31 MiB", "from 32 MiB to 16 GiB"),
            ("memory", .integer((16 << 30) + 1), "from 32 MiB to 16 GiB"), ("memory", -1, "from 32 MiB to 16 GiB"),
            ("memory", true, "a size"), ("processes", 7, "from 8 to 4096"), ("processes", "64", "a whole number"),
            ("disk", 0, "from 1 MiB to 1024 GiB"), ("files", 15, "from 16 to 10000000"),
            ("processor-weight", 101, "from 1 to 100"), ("processor-weight", 0, "from 1 to 100"),
        ] as [(String, PropertyListValue, String)])
    func refused(_ name: String, _ value: PropertyListValue, _ expected: String) throws {
        let key = "org.docent.limits." + name
        let report = try fixture.read(ManifestFixture.fileProvider().setting(key, value))
        #expect(report.manifest == nil)
        let problem = try #require(report.problems.first { $0.key == key })
        #expect(problem.severity == .error && problem.expected.contains(expected), "\(problem)")
    }

    @Test("A ceiling lowers limits and never raises them; two extensions of one container have the higher of both")
    func combined() {
        var low = ProviderLimits()
        low.memory = 64 << 20
        var high = ProviderLimits()
        high.disk = 8 << 30
        let capped = low.capped(by: [.memory: 128 << 20, .disk: 1 << 30])
        #expect(capped.memory == 64 << 20 && capped.disk == 1 << 30)
        #expect(low.union(high).memory == ProviderLimits().memory && low.union(high).disk == 8 << 30)
    }
}
