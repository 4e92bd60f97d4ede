import CommandConsole
import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

@testable import SignInConversation

/// Where `docent login` reads secrets from.
@Suite(.mayBlock) struct SecretSourceTests {
    private let password = Wire.SignInField(key: "password", label: "Password", kind: "secret")
    private let pin = Wire.SignInField(key: "pin", label: "PIN", kind: "secret")
    private let extra = Wire.SignInField(key: "extra", label: "Extra", kind: "secret", isOptional: true)

    @Test("The command line comes first, then the terminal, then DOCENT_ASKPASS, then SSH_ASKPASS")
    func order() {
        let both = ["DOCENT_ASKPASS": "ours", "SSH_ASKPASS": "theirs"]
        func choose(
            descriptor: CInt? = nil, isStandardInput: Bool = false, askpass: String? = nil,
            _ environment: [String: String], _ hasTerminal: Bool
        ) -> SecretSource {
            let options = SecretOptions(descriptor: descriptor, isStandardInput: isStandardInput, askpass: askpass)
            return SecretSource.choose(options, environment: environment, hasTerminal: hasTerminal)
        }
        #expect(choose(descriptor: 5, both, true) == .descriptor(5))
        #expect(choose(isStandardInput: true, both, false) == .standardInput)
        #expect(choose(askpass: "a", both, true) == .askpass("a"))
        #expect(choose(both, true) == .terminal)
        #expect(choose(both, false) == .askpass("ours"))
        #expect(choose(["DOCENT_ASKPASS": "", "SSH_ASKPASS": "theirs"], false) == .askpass("theirs"))
        #expect(choose([:], false) == .nowhere)
    }

    @Test("One secret is the whole content except a newline at its end; several are a line each, in the form's order")
    func lines() throws {
        #expect(try SecretLines.split("hush-aa11bb22\n", [password]) == ["password": "hush-aa11bb22"])
        #expect(try SecretLines.split("hush-aa11\nbb22\n\n", [password]) == ["password": "hush-aa11\nbb22\n"])
        #expect(try SecretLines.split("hush-aa11bb22\r\n", [password]) == ["password": "hush-aa11bb22\r"])
        #expect(try SecretLines.split("a\nb\n", [password, pin]) == ["password": "a", "pin": "b"])
        #expect(try SecretLines.split("a\n", [password, extra]) == ["password": "a"])
        for (text, fields) in [
            ("", [password]), ("\n", [password]), ("a\n", [password, pin]), ("a\nb\nc\n", [password, pin]),
        ] {
            #expect(throws: DocumentsError.self) { try SecretLines.split(text, fields) }
        }
    }

    @Test("A descriptor is read to its end, within its limits of time and size")
    func descriptor() throws {
        func read(_ bytes: [UInt8], closes: Bool = true, within: Duration = .seconds(60)) throws -> String {
            var ends: [CInt] = [-1, -1]
            try #require(pipe(&ends) == 0)
            defer { for end in ends where end >= 0 { close(end) } }
            _ = fcntl(ends[1], 1031, 1 << 20)
            try ContentPump.write(bytes, to: ends[1])
            if closes {
                close(ends[1])
                ends[1] = -1
            }
            return try SecretDescriptor.read(ends[0], within: within)
        }
        #expect(try read(Array("hush-aa11bb22\n".utf8)) == "hush-aa11bb22\n")
        #expect(throws: DocumentsError.self) { try read([0xFF, 0xFE]) }
        #expect(throws: DocumentsError.self) { try read([UInt8](repeating: 0x61, count: 65_537)) }
        let error = #expect(throws: DocumentsError.self) { try read([0x61], closes: false, within: .milliseconds(300)) }
        #expect(error?.code == .deadlineExceeded)
    }

    @Test("A closed descriptor is reported before anything else happens")
    func closed() {
        let error = #expect(throws: DocumentsError.self) { try SecretDescriptor.keepApart(987) }
        #expect(error?.code == .invalidArgument && error?.message.contains("987") == true)
    }

    // Programs of the system: a script that was just written may be refused as busy while other tests start programs.
    @Test("an askpass program gets the question as its argument, and its output is the secret")
    func askpass() throws {
        #expect(try Askpass(program: "/bin/echo").ask("hush-aa11 bb22") == "hush-aa11 bb22")
        #expect(try Askpass(program: "echo").ask("-n") == "")
        #expect(
            try SecretSource.askpass("echo").read([password, pin], account: AccountName(provider: "p", domain: "d"))
                == ["password": "Password for p@d: ", "pin": "PIN for p@d: "])
    }

    @Test("An askpass program that fails cancels, one that does not answer ends in time, a missing one is reported")
    func askpassFailures() throws {
        let no = #expect(throws: DocumentsError.self) { try Askpass(program: "false").ask("?") }
        #expect(no?.code == .cancelled)

        // The question is how long it sleeps.
        let late = #expect(throws: DocumentsError.self) {
            try Askpass(program: "sleep", deadline: .seconds(2)).ask("600.04172")
        }
        #expect(late?.code == .deadlineExceeded)
        let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { pid_t($0) != nil }
        let left = processes.filter { process in
            let words = try? Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline"))
            return words?.range(of: Data("600.04172".utf8)) != nil
        }
        #expect(left == [], "it has been ended")

        let none = #expect(throws: DocumentsError.self) { try Askpass(program: "/no/such/program").ask("?") }
        #expect(none?.code == .invalidArgument)
    }
}
