import DocentTestSupport
import Foundation
import Testing

@testable import Keyring

/// Other programs see the same items: GNOME's secret-tool and Python's secretstorage, in both directions. Part of the
/// serial suite.
extension KeyringTests {
    private static let secrets: [[UInt8]] = [
        Array("hush-c81a3f60 pässword".utf8), Array("two\nlines\n".utf8), [0, 255, 10, 0, 13],
        (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31) },
    ]

    private static let attributes = [
        "xdg:schema", "org.docent.Credential", "access-group", "TEAM.org.example", "provider", "org.example.Files",
        "domain", "work", "account", "ada",
    ]

    // The command is passed as arguments, a secret on standard input; the answer is written to standard output.
    private static let python = """
        import json, secretstorage, sys
        verb, names = sys.argv[1], sys.argv[2:]
        attributes = dict(zip(names[::2], names[1::2]))
        collection = secretstorage.get_default_collection(secretstorage.dbus_init())
        if verb == "store":
            collection.create_item("by Python", attributes, sys.stdin.buffer.read(), replace=True)
        elif verb == "delete":
            for item in collection.search_items(attributes): item.delete()
        elif verb == "lookup":
            item, = collection.search_items(attributes)
            sys.stdout.buffer.write(item.get_secret())
        elif verb == "describe":
            print(json.dumps([[item.get_label(), item.get_attributes()] for item in collection.search_items(attributes)]))
        """

    private struct Described: Decodable, Equatable {
        var label: String
        var attributes: [String: String]

        init(label: String, attributes: [String: String]) { (self.label, self.attributes) = (label, attributes) }

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            label = try container.decode(String.self)
            attributes = try container.decode([String: String].self)
        }
    }

    private static func describe(_ session: KeyringSession) throws -> [Described] {
        let answer = try session.output("python3", ["-c", python, "describe"] + attributes)
        try #require(answer.status == 0)
        return try JSONDecoder().decode([Described].self, from: Data(answer.output))
    }

    @Test(
        "secret-tool reads what we store, and we read, replace and delete what it stores",
        .enabled(if: KeyringSession.hasTool, "secret-tool is not installed"), arguments: secrets)
    func secretTool(secret: [UInt8]) async throws {
        let session = try await KeyringSession(.unlocked)
        defer { session.end() }
        try await keyring.store(secret, for: key, label: "Docent: ada")
        let read = try session.output("secret-tool", ["lookup"] + Self.attributes)
        #expect(read.status == 0 && read.output == secret)
        #expect(try session.output("secret-tool", ["clear"] + Self.attributes).status == 0)
        #expect(try await keyring.secret(for: key) == nil)
        // It accepts only text.
        let text = Array("hush-theirs-2\nand more".utf8)
        let stored = try session.output("secret-tool", ["store", "--label=by hand"] + Self.attributes, input: text)
        #expect(stored.status == 0)
        #expect(try await keyring.secret(for: key) == text)
        #expect(try await keyring.list() == [key])
        try await keyring.store(secret, for: key, label: "Docent: ada")
        #expect(try await keyring.list() == [key], "ours replaces theirs")
        #expect(try session.output("secret-tool", ["lookup"] + Self.attributes).output == secret)
        #expect(try await keyring.delete(CredentialQuery(key)))
        #expect(try session.output("secret-tool", ["lookup"] + Self.attributes).status == 1)
    }

    @Test(
        "Python's secretstorage reads what we store, and we read, replace and delete what it stores",
        .enabled(if: KeyringSession.hasPython, "python3-secretstorage is not installed"), arguments: secrets)
    func secretStorage(secret: [UInt8]) async throws {
        let session = try await KeyringSession(.unlocked)
        defer { session.end() }
        func python(_ verb: String, input: [UInt8] = []) throws -> (status: Int32, output: [UInt8]) {
            try session.output("python3", ["-c", Self.python, verb] + Self.attributes, input: input)
        }
        try await keyring.store(secret, for: key, label: "Docent: ada")
        let read = try python("lookup")
        #expect(read.status == 0 && read.output == secret)
        let pairs = stride(from: 0, to: Self.attributes.count, by: 2).map {
            (Self.attributes[$0], Self.attributes[$0 + 1])
        }
        let named = Dictionary(uniqueKeysWithValues: pairs)
        #expect(try Self.describe(session) == [Described(label: "Docent: ada", attributes: named)])
        #expect(try python("store", input: Array("hush-theirs-1".utf8)).status == 0)
        #expect(try Self.describe(session) == [Described(label: "by Python", attributes: named)])
        #expect(try await keyring.secret(for: key) == Array("hush-theirs-1".utf8), "theirs replaces ours")
        #expect(try python("store", input: secret).status == 0)
        #expect(try await keyring.secret(for: key) == secret)
        #expect(try await keyring.list() == [key])
        try await keyring.store(Array("hush-ours-3c11".utf8), for: key, label: "Docent: ada")
        #expect(try python("lookup").output == Array("hush-ours-3c11".utf8))
        #expect(try Self.describe(session) == [Described(label: "Docent: ada", attributes: named)], "and its label too")
        #expect(try python("delete").status == 0)
        #expect(try await keyring.secret(for: key) == nil)
        #expect(try await keyring.list() == [])
    }

    @Test(
        "items of other programs with our attributes and another schema are not ours",
        .enabled(if: KeyringSession.hasTool, "secret-tool is not installed"))
    func otherSchema() async throws {
        let session = try await KeyringSession(.unlocked)
        defer { session.end() }
        var foreign = Self.attributes
        foreign[1] = "org.example.Other"
        for attributes in [foreign, Array(foreign.dropFirst(2))] {
            let stored = try session.output(
                "secret-tool", ["store", "--label=foreign"] + attributes, input: Array("foreign".utf8))
            try #require(stored.status == 0)
            #expect(try await keyring.secret(for: key) == nil)
            #expect(try await keyring.list() == [])
            #expect(try await keyring.delete(CredentialQuery()) == false, "and not deleted")
            #expect(try session.output("secret-tool", ["lookup"] + attributes).output == Array("foreign".utf8))
        }
    }
}
