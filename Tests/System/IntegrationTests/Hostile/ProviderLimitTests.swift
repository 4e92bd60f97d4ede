import DocentTestSupport
import Foundation
import Testing

/// A provider that takes as many resources as it can gets what its manifest declares, and nothing else is affected.
@Suite("Resource limits of a provider", .needs(.daemon, .server)) struct ProviderLimitTests {
    static let provider = PluginFaultTests.provider

    @Test(
        "Memory: a process that exceeds its limit is killed, and its call fails with the reason",
        arguments: ["hog-private", "hog-shared", "hog-temporary"])
    func memory(_ kind: String) async throws {
        try await PluginFaultTests.with({ $0.limits = ["memory": 64 << 20] }) { workshop in
            let installation = workshop.installation
            let outcome = try await installation.docent("info", "--verbose", workshop.location(kind))
            #expect(outcome.status == 5)
            #expect(outcome.errors.contains("code: Unavailable\n"), "\(outcome.errors)")
            #expect(
                outcome.errors.contains("\(Self.provider) used more than 64 MiB of memory and was stopped"),
                "\(outcome.errors)")
            #expect(outcome.errors.contains("docent provider show \(Self.provider)"), "\(outcome.errors)")
            // The call's answer and the log line follow the same event, in either order.
            try await installation.eventually("the log has the reason") {
                (installation.read(installation.log) ?? "").contains("used more than 64 MiB of memory")
            }
            try await installation.docent("cat", workshop.location("a.txt")).succeeded()
        }
    }

    @Test("Memory that belongs to no process cannot be allocated")
    func unseenMemory() async throws {
        try await PluginFaultTests.with { workshop in
            let outcome = try await workshop.installation.docent("info", workshop.location("hog-unseen"))
            #expect(outcome.errors.contains("hog-unseen: 0, \(EPERM)"), "\(outcome.errors)")
        }
    }

    @Test("Threads: a thread beyond the limit is refused with EAGAIN, regardless of the user's other processes")
    func threads() async throws {
        try await PluginFaultTests.with({ $0.limits = ["processes": 16] }) { workshop in
            let installation = workshop.installation
            let outcome = try await installation.docent("info", workshop.location("hog-threads"))
            #expect(outcome.errors.contains("hog-threads: 15, \(EAGAIN)"), "\(outcome.errors)")
            try await installation.docent("cat", workshop.location("a.txt")).succeeded()
        }
    }

    @Test("Processes and threads count towards one limit")
    func processes() async throws {
        try await PluginFaultTests.with({
            $0.limits = ["processes": 12]
            $0.spawn = ["/bin/true"]
        }) { workshop in
            let outcome = try await workshop.installation.docent("info", workshop.location("hog-forks"))
            #expect(outcome.errors.contains("hog-forks: 11, \(EAGAIN)"), "\(outcome.errors)")
        }
    }

    @Test("Disk: a full container refuses writes, and accepts them again when there is space")
    func full() async throws {
        // The plugin answers no creation: an admitted one ends at the deadline.
        try await PluginFaultTests.with(deadline: 5, { $0.limits = ["disk": 4 << 20] }) { workshop in
            let installation = workshop.installation
            // Beyond the limit, but not so far that it would be ended.
            let filled = try await installation.docent("info", workshop.location("hog-disk-6"))
            #expect(filled.errors.contains("hog-disk-6: 6, 0"), "\(filled.errors)")
            for _ in 0..<300 where !(installation.read(installation.log) ?? "").contains("a container is full") {
                try await Task.sleep(for: .milliseconds(100))
            }
            let refused = try await export(workshop)
            #expect(refused.status != 0)
            #expect(refused.errors.contains("code: NoSpace\n"), "\(refused.errors)")
            #expect(refused.errors.contains("in its container, more than its limit of 4 MiB"), "\(refused.errors)")
            #expect(refused.errors.contains(workshop.container), "\(refused.errors)")
            // Existing documents can be read.
            try await installation.docent("cat", workshop.location("a.txt")).succeeded()
            for index in 0..<6 { try FileManager.default.removeItem(atPath: workshop.container + "/hog-\(index)") }
            let taken = try await export(workshop)
            #expect(!taken.errors.contains("NoSpace"), "\(taken.errors)")
        }
    }

    /// Writes a document to the provider, or tries to.
    private func export(_ workshop: PluginWorkshop) async throws -> Outcome {
        let source = workshop.installation.home + "/source.txt"
        try Data("text".utf8).write(to: URL(fileURLWithPath: source))
        return try await workshop.installation.docent("export", "--verbose", source, workshop.location(""))
    }

    @Test(
        "Disk: a container over its limit stops its provider until the user has intervened",
        arguments: [
            ("hog-disk-64", ["disk": 4 << 20], "in its container, more than its limit of 4 MiB"),
            ("hog-nameless", ["disk": 4 << 20], "in its container, more than its limit of 4 MiB"),
            ("hog-names", ["files": 100], "more than 100 files in its container"),
        ])
    func overflow(_ kind: String, _ limits: [String: Int], _ says: String) async throws {
        try await PluginFaultTests.with({ $0.limits = limits }) { workshop in
            let installation = workshop.installation
            _ = try await installation.docent("info", workshop.location(kind))
            // Ended by a periodic check.
            var shown = ""
            for _ in 0..<300 where !shown.contains("quarantined") {
                try await Task.sleep(for: .milliseconds(100))
                shown = try await installation.docent("provider", "show", Self.provider).succeeded().text
            }
            #expect(shown.contains(says), "\(shown)")
            let refused = try await installation.docent("cat", workshop.location("a.txt"))
            #expect(refused.status == 5)
            #expect(refused.errors.contains(says), "\(refused.errors)")
            #expect((installation.read(installation.log) ?? "").contains("a container exceeded its limits"))
            // Emptied and enabled again, it works as before.
            for name in try FileManager.default.contentsOfDirectory(atPath: workshop.container)
            where name.hasPrefix("hog-") || name.hasPrefix("name-") {
                try FileManager.default.removeItem(atPath: workshop.container + "/" + name)
            }
            try await installation.docent("provider", "reset", Self.provider).succeeded()
            try await installation.docent("cat", workshop.location("a.txt")).succeeded()
        }
    }

    @Test("Processor: a provider runs with a lower priority than the user's programs", arguments: [(50, 3), (10, 10)])
    func priority(_ weight: Int, _ nice: Int) async throws {
        try await PluginFaultTests.with({ $0.limits = ["processor-weight": weight] }) { workshop in
            let installation = workshop.installation
            try await installation.docent("cat", workshop.location("a.txt")).succeeded()
            let status = try await installation.docent("daemon", "status", "--json").succeeded().text
            struct Status: Decodable {
                struct Extension: Decodable {
                    let provider: String
                    let processIdentifier: Int?
                }
                let extensions: [Extension]
            }
            let extensions = try JSONDecoder().decode(Status.self, from: Data(status.utf8)).extensions
            let process = try #require(extensions.first { $0.provider == Self.provider }?.processIdentifier)
            let facts = try #require(installation.read("/proc/\(process)/stat"))
            let words = facts.split(separator: ")").last.map { $0.split(separator: " ") } ?? []
            // proc(5): nice is field 19; the first field after the name is the third.
            let own = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
            #expect(Int32(words[16]) == max(Int32(nice), own))
        }
    }

    @Test("Limits are shown, need consent where they exceed the default, and again when raised")
    func consent() async throws {
        try await PluginFaultTests.with({ $0.limits = ["memory": 64 << 20] }) { workshop in
            let installation = workshop.installation
            let usual = try await installation.docent("provider", "show", Self.provider).succeeded().text
            #expect(usual.contains("64 MiB of memory\n") && usual.contains("256 processes and threads\n"), "\(usual)")
            #expect(!usual.contains("(limit)"), "\(usual)")
            let raised = PluginWorkshop(installation) { $0.limits = ["memory": 2 << 30] }
            try raised.writeManifests()
            let refused = try await installation.docent("cat", workshop.location("a.txt"))
            #expect(refused.status == 3)
            #expect(refused.errors.contains("changed since it was enabled"), "\(refused.errors)")
            let asked = try await installation.docent("provider", "show", Self.provider).succeeded().text
            #expect(asked.contains("uses up to 2 GiB of memory, where 1 GiB is usual  (limit)"), "\(asked)")
            let json = try await installation.docent("provider", "show", "--json", Self.provider).succeeded().text
            #expect(json.contains("\"amount\": 2147483648"), "\(json)")
            // Whoever is asked to agree sees them as well.
            let question = try await installation.docent("provider", "enable", Self.provider)
            #expect(question.status != 0)
            #expect(
                question.errors.contains("It may use:") && question.errors.contains("2 GiB of memory\n"),
                "\(question.errors)")
            try await workshop.enable()
            try await installation.docent("cat", workshop.location("a.txt")).succeeded()
        }
    }

    @Test("The administrator's ceiling overrides the manifest")
    func ceiling() async throws {
        try await Installation.with(environment: ["DOCENT_PROVIDER_PROCESSES": "20"], localFolder: false) {
            installation in
            let workshop = PluginWorkshop(installation) { $0.limits = ["processes": 500] }
            try await workshop.install()
            let outcome = try await installation.docent("info", workshop.location("hog-threads"))
            #expect(outcome.errors.contains("hog-threads: 19, \(EAGAIN)"), "\(outcome.errors)")
            let shown = try await installation.docent("provider", "show", Self.provider).succeeded().text
            #expect(shown.contains("  20 processes and threads\n"), "\(shown)")
        }
    }
}
