import CommandConsole
import DocentInterfaces
import Testing

@testable import DocentCommands

@Suite struct HeldTextTests {
    private let held = AdministrationInterface.Held.Reply(
        clients: [.init(clientKind: "run", client: "org.example.Editor", documents: 51, since: 0)],
        listings: [
            .init(
                reference: .init(provider: "org.example.Cloud", domain: "work", identifier: "id-1"), path: "/a\u{1B}",
                known: 60, listed: 2, since: 0)
        ], limit: 50)

    @Test("`docent held list`: programs and listings, in two tables, without raw control characters")
    func text() {
        let text = HeldText.text(held)
        #expect(text.contains("org.example.Editor") && text.contains("KNOWN") && text.contains("DOCUMENTS"))
        #expect(!text.contains("\u{1B}"), "\(text)")
        #expect(HeldText.text(.init(clients: [], listings: [], limit: 50)).isEmpty)
    }

    @Test("`docent held list --json`")
    func json() {
        #expect(
            HeldText.json(held).pretty == #"""
                {
                  "clients": [
                    {
                      "client": "org.example.Editor",
                      "documents": 51,
                      "isNoise": false,
                      "kind": "run",
                      "since": "1970-01-01T00:00:00Z"
                    }
                  ],
                  "limit": 50,
                  "listings": [
                    {
                      "known": 60,
                      "listed": 2,
                      "location": "org.example.Cloud@work:/a\u001b",
                      "since": "1970-01-01T00:00:00Z"
                    }
                  ]
                }

                """#)
        let none = HeldText.json(.init(clients: [], listings: [], limit: 0)).pretty
        #expect(none.contains(#""limit": null"#))
    }

    @Test("`docent held allow`, and the question of a command that is held")
    func allowed() {
        let allowed = [(held.clients[0], until: 60.0)]
        #expect(HeldText.text(allowed) == "allowed until \(Timestamp.text(60) ?? ""): org.example.Editor\n")
        #expect(
            HeldText.json(allowed).pretty == """
                [
                  {
                    "client": "org.example.Editor",
                    "kind": "run",
                    "until": "1970-01-01T00:01:00Z"
                  }
                ]

                """)
        #expect(
            HeldChange.question(held.clients[0])
                == "org.example.Editor would delete or replace 51 documents or more within a minute. Go on?")
    }

    @Test("A limit is a number of documents from 1, or off")
    func limits() {
        #expect(HeldLimitCommand.Limit(argument: "off")?.documents == 0)
        #expect(HeldLimitCommand.Limit(argument: "12")?.documents == 12)
        #expect(["0", "-1", "many", ""].allSatisfy { HeldLimitCommand.Limit(argument: $0) == nil })
    }
}
