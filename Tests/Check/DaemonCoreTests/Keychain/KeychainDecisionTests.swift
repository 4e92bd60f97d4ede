import DocentInterfaces
import Foundation
import Keyring
import Rights
import Testing

@testable import DaemonCore

/// What an extension may ask of the keyring: its manifest decides, not its request (O6).
@Suite struct KeychainDecisionTests {
    private typealias Message = FileProviderInterface.Keychain.Reply

    @Test("O6: the group is one of the manifest's, by default the first")
    func groups() throws {
        let groups = ["org.example.a", "org.example.b"]
        #expect(try KeychainRight.group(nil, of: groups, provider: "p") == "org.example.a")
        #expect(try KeychainRight.group("org.example.b", of: groups, provider: "p") == "org.example.b")
    }

    @Test(
        "O6: any other group is refused, whether it exists or not",
        arguments: [
            "org.example.c", "org.example.A", "org.example.a ", "", "org.example.a\0", "org.docent.WebDAV/domain", "*",
            "org.docent.docentd",
        ])
    func refused(_ group: String) throws {
        let failure = #expect(throws: Failure.self) {
            try KeychainRight.group(group, of: ["org.example.a"], provider: "p")
        }
        #expect(failure?.code == .notPermitted)
    }

    @Test("O6: a manifest without groups grants none, and no manifest can name a group of the daemon")
    func none() {
        for groups in [[], ["org.docent.docentd"], ["org.docent.WebDAV/domain"], [""]] {
            let failure = #expect(throws: Failure.self) { try KeychainRight.group(nil, of: groups, provider: "p") }
            #expect(failure?.code == .notPermitted)
            for group in groups {
                #expect(throws: Failure.self) { try KeychainRight.group(group, of: groups, provider: "p") }
            }
        }
    }

    @Test("Requests are read with their secrets, which may be any bytes")
    func requests() throws {
        let bytes: [UInt8] = [0, 10, 255] + Array("hush-req00001".utf8)
        let text = Data(bytes).base64EncodedString()
        guard
            case .store(let place, let secret, "L") = try KeychainRequest(
                Message(kind: "store", request: "1", domain: "d", account: "a", secret: text, label: "L"))
        else { Issue.record("no store"); return }
        #expect(place == .init(domain: "d", account: "a"))
        #expect(secret.withBytes { Array($0) } == bytes)
        guard
            case .lookUp(.init(domain: "", account: "a")) = try KeychainRequest(
                Message(kind: "lookUp", request: "1", account: "a"))
        else { Issue.record("no lookUp"); return }
        guard
            case .save("d", .oauth, nil, let saved) = try KeychainRequest(
                Message(kind: "save", request: "1", domain: "d", secret: "hush-save00001", credentialKind: "oauth"))
        else { Issue.record("no save"); return }
        #expect(saved.text == "hush-save00001")
    }

    @Test("T4, T5: an invalid request is refused, and the error does not repeat the secret", arguments: 0..<10)
    func nonsense(_ index: Int) {
        let secret = Data("hush-nonsense1".utf8).base64EncodedString()
        let large = Data(repeating: 1, count: 65_537).base64EncodedString()
        let messages = [
            Message(kind: "store", request: "1", secret: secret),
            Message(kind: "store", request: "1", account: "", secret: secret),
            Message(kind: "store", request: "1", account: "a"),
            Message(kind: "store", request: "1", account: "a", secret: "hush-nonsense1%"),
            Message(kind: "store", request: "1", account: "a", secret: large),
            Message(kind: "store", request: "1", account: String(repeating: "a", count: 256), secret: secret),
            Message(kind: "lookUp", request: "1", domain: "a\nb", account: "a"),
            Message(kind: "save", request: "1", domain: "", secret: "hush-nonsense1"),
            Message(kind: "save", request: "1", domain: "", secret: "hush-nonsense1\0", credentialKind: "token"),
            Message(kind: "empty", request: "1", account: "a", secret: secret),
        ]
        let failure = #expect(throws: Failure.self) { try KeychainRequest(messages[index]) }
        #expect(failure?.code == (index == 9 ? .notSupported : .invalidArgument))
        #expect(failure.map { !"\($0)".contains("hush-") && !"\($0)".contains(secret) } == true)
    }
}
