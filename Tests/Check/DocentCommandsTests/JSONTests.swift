import CommandConsole
import DesktopNotices
import DocentInterfaces
import DocentTestSupport
import Documents
import Testing

@testable import DocentCommands

@Suite struct JSONTests {
    private let wireItem = Wire.Item(
        reference: .init(provider: "org.example.Cloud", domain: "work", identifier: "id-1"), name: "a\u{1B}\"é\\\n",
        contentType: "public.plain-text", size: 12, modificationDate: 0, isFolder: false, isDownloaded: true,
        isUploaded: false)

    private func line(_ item: DocumentItem, path: String?) -> String {
        var writer = JSONObjectWriter()
        writer.begin()
        item.describe(to: &writer, path: path, remembered: .null)
        writer.end()
        return String(decoding: writer.text, as: UTF8.self)
    }

    @Test("`docent ls --json`: one item per line, sorted keys, null for unknown values, no raw control characters")
    func item() {
        #expect(
            line(DocumentItem(wireItem), path: "/a") == #"""
                {"conflicts": 0, "contentType": "public.plain-text", "identifier": "id-1", "isDownloaded": true, "isFolder": false, "isPinned": false, "isStale": false, "isUploaded": false, "modificationDate": "1970-01-01T00:00:00Z", "name": "a\u001b\"é\\\n", "path": "/a", "remembered": null, "size": 12, "symbolicLinkTarget": null, "uploadState": "queued"}
                """#)
        var unknown = wireItem
        unknown.size = nil
        unknown.modificationDate = nil
        let text = line(DocumentItem(unknown), path: nil)
        #expect(text.contains(#""size": null"#) && text.contains(#""modificationDate": null"#))
        #expect(text.contains(#""path": null"#))
    }

    @Test("`docent open --json`")
    func opened() {
        let client = DocumentsClient(.init(clientIdentifier: "org.example.a"))
        let document = client.document(
            .init(provider: "org.example.Cloud", domain: "", identifier: "id-1"), access: .readWrite)
        #expect(
            JSONValue(opened: document, bookmark: "B").pretty == """
                {
                  "access": "readWrite",
                  "bookmark": "B",
                  "domain": "",
                  "identifier": "id-1",
                  "provider": "org.example.Cloud"
                }

                """)
    }

    @Test("`docent providers --json`")
    func provider() {
        let provider = Wire.ProviderSummary(
            identifier: "org.example.Cloud", displayName: "Cloud", enabled: true, state: "ready",
            modes: ["import", "open"], supportedTypes: ["public.data"], documentGroup: nil, domains: [],
            sandboxed: true,
            extensions: [
                .init(point: "com.apple.fileprovider-ui", principalClass: "A.B", library: "/l.so", manifest: "/m")
            ], withheld: [.init(kind: "network", value: "client", explanation: "connects to the network")])
        #expect(
            JSONValue.array([JSONValue(provider: provider)]).pretty == """
                [
                  {
                    "displayName": "Cloud",
                    "documentGroup": null,
                    "domains": [],
                    "enabled": true,
                    "extensions": [
                      {
                        "library": "/l.so",
                        "manifest": "/m",
                        "point": "com.apple.fileprovider-ui",
                        "principalClass": "A.B"
                      }
                    ],
                    "identifier": "org.example.Cloud",
                    "modes": [
                      "import",
                      "open"
                    ],
                    "sandboxed": true,
                    "state": "ready",
                    "supportedTypes": [
                      "public.data"
                    ],
                    "withheld": [
                      {
                        "explanation": "connects to the network",
                        "kind": "network",
                        "value": "client"
                      }
                    ]
                  }
                ]

                """)
    }

    @Test("`docent grants --json`")
    func grant() {
        let grant = Wire.Grant(
            clientKind: "unconfined", client: "org.docent.cli", provider: "p", domain: "", identifier: "i",
            access: "read", origin: "open", created: 1)
        #expect(
            JSONValue(grant: grant).compact == #"""
                {"access": "read", "client": "org.docent.cli", "clientKind": "unconfined", "companions": [], "created": "1970-01-01T00:00:01Z", "domain": "", "executable": null, "expires": null, "id": null, "identifier": "i", "isFolder": false, "isTaken": true, "name": null, "origin": "open", "provider": "p", "strength": null, "used": null}
                """#)
    }

    @Test("docs/json.md names every key of every record")
    func documentation() throws {
        let text = try Repository.text("docs/json.md")
        let item = DocumentItem(wireItem)
        let status = AdministrationInterface.Status.Reply(
            version: "1", processIdentifier: 1, uptime: 1, socket: "", dataDirectory: "", residentBytes: 1, sessions: 1,
            pendingOperations: 1, extensions: [.init(provider: "p", point: "", state: "", crashes: 0)])
        let consent = Wire.Consent(
            provider: "", displayName: "", digest: "", isSystem: false, manifests: [], libraries: [],
            requests: [.init(kind: "", value: "", explanation: "")],
            problems: [.init(severity: "", key: "", found: "", expected: "", remedy: "", message: "")], enabled: false,
            state: "", limits: [.init(kind: "", amount: 1, text: "", standard: 1)],
            withheld: [.init(kind: "", value: "", explanation: "")])
        let records: [JSONValue] = [
            JSONValue(information: item, path: nil), JSONValue(resolved: item, access: .read, isStale: true),
            JSONValue(status: status), JSONValue(consent: consent),
            JSONValue(domain: .init(provider: "", identifier: "", displayName: "")),
            JSONValue(check: .init(name: "", status: "", detail: "")),
            JSONValue(transfer: Samples.transfer(state: "running")), JSONValue(version: Samples.version),
            JSONValue(historyOf: Samples.fileVersion("b1")),
            JSONValue(conflict: ConflictedDocument.group([Samples.version])[0]),
            JSONValue(
                rules: .init(rules: [.init()], effective: .init(isKept: true), usedBytes: 1, usedVersions: 1)),
            JSONValue(
                grant: .init(
                    clientKind: "", client: "", provider: "", domain: "", identifier: "", access: "", origin: "",
                    created: 1)),
            JSONValue(why: .init(item: wireItem, grants: [], lastDownload: Samples.logEntry, sentences: [])),
        ]
        for key in Set(records.flatMap(keys)) { #expect(text.contains("`\(key)`"), "\(key)") }
    }

    private func keys(_ value: JSONValue) -> [String] {
        switch value {
        case .object(let members): members.members.flatMap { [$0.key] + keys($0.value) }
        case .array(let values): values.flatMap(keys)
        default: []
        }
    }

    @Test("Numbers that JSON cannot represent are null; empty containers are short")
    func edges() {
        #expect(
            JSONValue.array([.number(.nan), .number(1.5), .integer(-1), .null, .bool(true)]).compact
                == "[null, 1.5, -1, null, true]")
        #expect(JSONValue.array([]).pretty == "[]\n")
        #expect(JSONValue.object([:]).pretty == "{}\n")
        #expect(JSONValue.string("\u{202E}\u{9B}").compact == #""\u202e\u009b""#)
        #expect(JSONValue.string("t\u{E0041}\u{200B}").compact == #""t\udb40\udc41\u200b""#)
    }
}
