import DocentTestSupport
import Foundation
import Glibc
import Testing

/// `docent login` with a browser and with a code, from the user's view.
@Suite(.needs(.daemon, .server, .keyring)) struct LoginBrowserTests {
    private let docent = Installation.binaries + "/docent"

    private func with(_ body: (RemoteInstallation, KeyringServices, IdentityService) async throws -> Void) async throws
    {
        try await IdentityService.with { identity in
            try await KeyringServices.with(.unlocked) { keyring in
                let options = RemoteInstallation.Options(
                    server: .init(identity: identity.url), throughProxy: false, environment: keyring.environment,
                    addsDomain: false)
                try await RemoteInstallation.with(.apache, options: options) { try await body($0, keyring, identity) }
            }
        }
    }

    private func command(_ remote: RemoteInstallation, _ more: [String]) -> [String] {
        [docent, "login", "webdav@work", "--form", "browser", "--url", remote.url, "--set", "client=docent"] + more
    }

    @Test(
        "A code is shown on a terminal with the remaining time; ^C ends the attempt, and another one can begin at once"
    )
    func interrupted() async throws {
        try await with { remote, keyring, identity in
            let outcome = try await remote.installation.onTerminal(
                command(remote, ["--device", "--set", "issuer=", "--set", "scope="]),
                [
                    ("Client secret (may be empty): ", .type("\n")),
                    ("and type this code:", .touch(remote.installation.given + "/shown")),
                    ("Waiting for the code to be used, 9 min", .type("\u{03}")),
                ])
            #expect(outcome.status == 7, "\(outcome.text)")
            #expect(outcome.text.contains(identity.url + "device"), "\(outcome.text)")
            #expect(try await keyring.secret() == nil)

            let browser = try await identity.browser(in: remote.installation.given)
            let next = command(remote, ["--json"])
            try await remote.installation.run(next[0], Array(next.dropFirst()), environment: ["BROWSER": browser])
                .succeeded()
            #expect(try await keyring.secret() != nil)
        }
    }

    @Test("--no-browser prints the address; a browser's request for an icon and a foreign request do no harm")
    func told() async throws {
        try await with { remote, keyring, identity in
            let browser = try await identity.browser(in: remote.installation.given)
            let script = #"""
                errors=$1 browser=$2; shift 2
                "$@" 2>"$errors" & login=$!
                for i in $(seq 600); do
                    url=$(sed -n 's/^    \(http.*\)/\1/p' "$errors")
                    [ -z "$url" ] || break
                    sleep 0.1
                done
                back=$(printf '%s' "$url" | sed -n 's/.*redirect_uri=\([^&]*\).*/\1/p' | sed 's/%3A/:/g; s/%2F/\//g')
                for path in favicon.ico '' robots.txt; do curl -s -o /dev/null -w '%{http_code}\n' "$back$path"; done
                "$browser" "$url"
                wait $login
                """#
            let errors = remote.installation.given + "/errors"
            let outcome = try await remote.installation.run(
                "/bin/bash", ["-c", script, "bash", errors, browser] + command(remote, ["--no-browser"]))
            let told = remote.installation.read(errors) ?? ""
            #expect(outcome.status == 0, "\(outcome) \(told)")
            #expect(outcome.text.hasPrefix("404\n404\n404\n"), "\(outcome.text)")
            #expect(told.contains("Sign in with a browser on this machine") && !told.contains("was opened"))
            #expect(outcome.text.contains("webdav@work is signed in"))
            #expect(try await keyring.secret() != nil)
        }
    }

    @Test("Without a browser, a form that supports both uses a code without being asked")
    func elsewhere() async throws {
        try await with { remote, keyring, identity in
            let words = command(remote, [])
            async let login = remote.installation.run(words[0], Array(words.dropFirst()))
            try await remote.installation.eventually("a code waits", within: 60) {
                try await !identity.state().userCodes.isEmpty
            }
            try await identity.type(try #require(try await identity.state().userCodes.first))
            let outcome = try await login.succeeded()
            #expect(outcome.errors.contains("and type this code:"), "\(outcome.errors)")
            #expect(try await keyring.secret() != nil)
        }
    }
}
