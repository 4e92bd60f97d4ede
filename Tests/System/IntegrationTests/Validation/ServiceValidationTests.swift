import DocentTestSupport
import Foundation
import Glibc
import Testing

/// A provider whose service fails, and is changed by others.
@Suite struct ServiceValidationTests {
    /// The cases that act on the service.
    private static let filter = "^(unreachable|foreign)"

    private static func outcomes(_ run: ValidationRun) -> [String: String] {
        Dictionary(run.cases.map { ($0.name, $0.outcome) }, uniquingKeysWith: { first, _ in first })
    }

    @Test("cases that need the service do not pass without it: the report says what to give", .needs(.daemon))
    func notTried() async throws {
        try await Installation.with { installation in
            let arguments = ["LocalFolder", "--level", "5", "--filter", Self.filter + "|^errors.steady"]
            let (run, outcome) = try await ValidationRun.make(installation, arguments)
            #expect(outcome.status == 0 && run.passed, "\(run.complaints)")
            #expect(run.named("errors.steady")?.outcome == "passed")
            let acting = run.cases.filter { $0.name.hasPrefix("unreachable.") || $0.name.hasPrefix("foreign.") }
            #expect(acting.count >= 10 && acting.allSatisfy { $0.outcome == "notTried" }, "\(run.counts)")
            #expect(run.counts["notTried"] == acting.count)
            #expect(acting.allSatisfy { $0.reason?.contains("give --") == true })
            let text = try await installation.run(
                Installation.binaries + "/docent", ["provider", "validate"] + arguments
            ).succeeded().text
            #expect(text.contains("not tried: ") && text.contains("give --service"), "\(text)")
        }
    }

    @Test("LocalFolder passes when its folder is unreadable and when others write in it", .needs(.daemon))
    func localFolder() async throws {
        try await Installation.with { installation in
            let (run, outcome) = try await ValidationRun.make(
                installation, ["LocalFolder", "--service", "directory", "--filter", Self.filter, "--seed", "1"])
            #expect(outcome.status == 0 && run.passed, "\(run.complaints)")
            let outcomes = Self.outcomes(run)
            for name in [
                "unreachable.reading", "unreachable.writing", "unreachable.replacing", "foreign.listing",
                "foreign.content", "foreign.staleBase", "foreign.observing",
            ] {
                #expect(outcomes[name] == "passed", "\(name): \(run.named(name)?.reason ?? "not run")")
            }
        }
    }

    @Test(
        "WebDAV passes behind a proxy that cuts and refuses, and when others change the server, from its sandbox",
        .needs(.daemon, .server))
    func webDAV() async throws {
        var server = WebDAVServer.Options()
        server.username = "ada"
        let options = RemoteInstallation.Options(server: server, throughProxy: false, addsDomain: false)
        try await RemoteInstallation.with(.apache, options: options) { remote in
            try remote.write(password: remote.server.options.password)
            let (run, outcome) = try await ValidationRun.make(
                remote.installation,
                [
                    RemoteInstallation.provider, "--setting", "url=\(remote.url)", "--username", "ada",
                    "--password-file", remote.passwordFile, "--identifiers-are-paths", "--proxy", "--service", "webdav",
                    "--filter", Self.filter, "--seed", "1",
                ])
            #expect(outcome.status == 0 && run.passed, "\(run.complaints)")
            let outcomes = Self.outcomes(run)
            for name in [
                "unreachable.reading", "unreachable.writing", "unreachable.fetching", "unreachable.creating",
                "unreachable.replacing", "foreign.listing", "foreign.content", "foreign.staleBase",
            ] {
                #expect(outcomes[name] == "passed", "\(name): \(run.named(name)?.reason ?? "not run")")
            }
            let left = try await remote.server.list()
            #expect(!left.contains { $0.hasPrefix("docent-validation-") }, "\(left)")
        }
    }

    @Test(
        "a service program that lacks a verb, fails, hangs or is invalid is no pass, and the reason is reported",
        .needs(.daemon))
    func programs() async throws {
        try await Installation.with { installation in
            func run(_ command: String, _ filter: String) async throws -> ValidationRun {
                try await ValidationRun.make(
                    installation,
                    ["LocalFolder", "--service", command, "--filter", filter, "--seed", "1", "--call-limit", "2"]
                ).0
            }
            let lacking = try await run("echo nobody does that >&2; exit 3;:", "^unreachable.reading$")
            #expect(lacking.named("unreachable.reading")?.outcome == "notTried")
            #expect(lacking.named("unreachable.reading")?.reason?.contains("nobody does that") == true)
            let failing = try await run("printf 'out\\033[2Jof order' >&2; exit 9;:", "^foreign.listing$")
            #expect(failing.named("foreign.listing")?.outcome == "failed")
            let got = failing.named("foreign.listing")?.findings.first?.got ?? ""
            #expect(got.contains("of order") && got.contains("code 9") && !got.contains("\u{1B}"), "\(got)")
            // It reports success and has done nothing.
            let lying = try await run("true", "^foreign.listing$")
            #expect(lying.named("foreign.listing")?.outcome == "failed")
            let unknown = try await installation.docent("provider", "validate", "LocalFolder", "--service", " ")
            #expect(unknown.status == 64, "\(unknown)")
            let homeless = try await installation.docent(
                "provider", "validate", "LocalFolder", "--service", "webdav http://127.0.0.1:9/",
                environment: ["DOCENT_SERVICES": "/nonexistent"])
            #expect(homeless.status == 5 && homeless.errors.contains("DOCENT_SERVICES"), "\(homeless)")
        }
    }

    @Test("a proxy without a server behind it reports that at once", .needs(.daemon))
    func noAddress() async throws {
        try await Installation.with { installation in
            for (arguments, words) in [
                (["--proxy"], "nothing to put a proxy in front of"),
                (
                    ["--proxy", "--setting", "a=http://a.example/", "--setting", "b=http://b.example/"],
                    "several addresses"
                ),
                (["--proxy", "--service", "echo 'no address' ;:"], "\"no address\""),
                (["--proxy", "--service", "echo h.example:80 ;:"], "No --setting names h.example:80"),
                (["--latency", "5"], "--latency needs --proxy"),
                (["--proxy", "--latency=-1"], "0 to 10000"),
            ] {
                let outcome = try await installation.run(
                    Installation.binaries + "/docent", ["provider", "validate", "LocalFolder"] + arguments)
                #expect(outcome.status == 64 && outcome.errors.contains(words), "\(arguments): \(outcome)")
            }
            let secret = installation.given + "/secret"
            try Data("hush-42\n".utf8).write(to: URL(filePath: secret))
            chmod(secret, 0o600)
            let plain = try await installation.docent(
                "provider", "validate", "LocalFolder", "--proxy", "--setting", "url=http://a.example/", "--username",
                "ada", "--password-file", secret)
            #expect(plain.status == 64 && plain.errors.contains("without encryption"), "\(plain)")
        }
    }

    @Test(
        "a service made unreachable is restored when the validator or its case is killed",
        .needs(.daemon), arguments: Sample.shared.of(["validator", "case"]))
    func killedWhilePaused(_ victim: String) async throws {
        try await Installation.with { installation in
            let folder = installation.root + "/shown"
            let notes = installation.root + "/notes"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            // A pause that lasts until the process is gone: the case waits for it.
            let script = """
                echo "$1" >>'\(notes)'
                case $1 in pause) sleep 25 ;; change) exit 3 ;; esac
                """
            let path = installation.root + "/service"
            try Data(script.utf8).write(to: URL(filePath: path))
            let process = try ChildProcess(
                Installation.binaries + "/docent",
                [
                    "provider", "validate", "LocalFolder", "--folder", folder, "--service", "sh '\(path)'",
                    "--filter", "^unreachable.reading$",
                ],
                environment: installation.environment, folder: installation.home)
            try await installation.eventually("the service is paused") {
                installation.read(notes)?.contains("pause") == true
            }
            if victim == "validator" {
                process.send(SIGKILL)
            } else {
                let running = try #require(
                    ValidationRun.child(of: process.processIdentifier, with: "--case"), "no case runs")
                kill(running, SIGKILL)
            }
            try await installation.eventually("the service is resumed") {
                installation.read(notes)?.contains("resume") == true
            }
            try await installation.eventually("no file is left") {
                ValidationRun.leftovers(below: installation.root + "/tmp").isEmpty && !process.isRunning
            }
        }
    }
}
