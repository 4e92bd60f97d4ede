import ArgumentParser
import DocentInterfaces
import Documents
import Foundation
import Glibc
import Testing

@testable import DocentCommands

/// Accounts on the command line.
@Suite struct AccountOptionsTests {
    private func withFile(_ text: String, mode: mode_t, _ body: (_ path: String) throws -> Void) throws {
        let path = "/tmp/docent-secret-\(UUID().uuidString)"
        try Data(text.utf8).write(to: URL(filePath: path))
        defer { unlink(path) }
        try #require(chmod(path, mode) == 0)
        try body(path)
    }

    private func parse(_ arguments: [String]) throws -> DomainsAddCommand {
        try #require(try Docent.parseAsRoot(["domains", "add", "P", "work"] + arguments) as? DomainsAddCommand)
    }

    @Test("A password file is passed to the daemon by its absolute path, and is not read here")
    func passwordFile() throws {
        try withFile("secret", mode: 0o600) { path in
            let command = try parse(["--url", "https://h/", "--username", "ada", "--password-file", path])
            let credential = try #require(try command.account.wireCredential())
            #expect(credential.kind == "password" && credential.source == "file" && credential.path == path)
            #expect(credential.username == "ada" && credential.secret == nil)
            let token = try #require(try parse(["--token-file", path]).account.wireCredential())
            #expect(token.kind == "token" && token.path == path)
        }
    }

    @Test(
        "A password file that others may read is refused, with the command that fixes it",
        arguments: [0o640, 0o604, 0o622])
    func openFile(mode: mode_t) throws {
        try withFile("secret", mode: mode) { path in
            let command = try parse(["--password-file", path])
            let error = #expect(throws: DocumentsError.self) { try command.account.wireCredential() }
            #expect(error?.code == .notPermitted)
            #expect(error?.suggestion?.contains("chmod 600 \(path)") == true)
        }
    }

    @Test(
        "An invalid password file is refused",
        arguments: [("/no/such/file", "NotFound"), ("/tmp", "InvalidArgument")])
    func noFile(path: String, code: String) throws {
        let command = try parse(["--password-file", path])
        let error = #expect(throws: DocumentsError.self) { try command.account.wireCredential() }
        #expect(error?.code.rawValue == code)
    }

    @Test("The name of a systemd credential is passed unchanged")
    func systemd() throws {
        let credential = try #require(try parse(["--credential", "dav"]).account.wireCredential())
        #expect(credential.source == "systemd" && credential.name == "dav" && credential.path == nil)
    }

    @Test("Settings: the address, the user, and others by key, including empty values")
    func settings() throws {
        let command = try parse([
            "--url", "https://h/", "--username", "ada", "--set", "a=b=c", "--set", "quotaBytes=",
        ])
        #expect(
            try command.account.settings() == ["url": "https://h/", "username": "ada", "a": "b=c", "quotaBytes": ""])
        #expect(try parse(["--folder", "/f"]).account.settings() == nil)
    }

    @Test("Certificates are passed as text; a private key never is")
    func certificates() throws {
        let pem = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n"
        try withFile(pem, mode: 0o644) { path in
            let settings = try parse(["--certificate-authority", path]).account.settings()
            #expect(settings == ["certificateAuthorityData": pem])
        }
        for text in ["", "DER", pem + "-----BEGIN PRIVATE KEY-----\n"] {
            try withFile(text, mode: 0o644) { path in
                let command = try parse(["--certificate-authority", path])
                #expect(throws: DocumentsError.self) { try command.account.settings() }
            }
        }
    }

    @Test("A path is quoted for a shell if necessary")
    func quoted() {
        #expect(SecretFile.quoted("/a/b-c.txt") == "/a/b-c.txt")
        #expect(SecretFile.quoted("/a b/it's") == #"'/a b/it'\''s'"#)
    }
}
