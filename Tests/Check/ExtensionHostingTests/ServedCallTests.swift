import Coordination
import DocentInterfaces
import ExtensionHosting
import HostCore
import Testing

/// Which claim waits for which call of an extension (2.9, deadlock 5).
@Suite struct ServedCallTests {
    private static let delete = FileProviderInterface.Delete.Parameters(
        domain: "work", identifier: "a b", recursive: false)
    private static let name = "Delete work a b"
    private static let claim = Claim.Identifier(rawValue: 7)

    @Test(
        "2.9: a call that is made within a claim is known by its name while it is under way, also to tasks of the claim"
    )
    func within() async {
        let calls = ServedCalls()
        await ClaimContext.$held.withValue(Self.claim) {
            let call = await Task { calls.begin(Self.delete) }.value
            #expect(calls.waiters(Self.name) == [.claim(Self.claim)])
            #expect(calls.waiters("Delete  a b").isEmpty)
            calls.end(call)
        }
        #expect(calls.waiters(Self.name).isEmpty)
    }

    @Test("2.9: where nobody waits for one of several calls of a name, nobody is told of a deadlock that is none")
    func unclear() {
        let calls = ServedCalls()
        let waited = ClaimContext.$held.withValue(Self.claim) { calls.begin(Self.delete) }
        let free = calls.begin(Self.delete)
        #expect(calls.waiters(Self.name).isEmpty)
        calls.end(free)
        #expect(calls.waiters(Self.name) == [.claim(Self.claim)])
        calls.end(waited)
        calls.end(waited)
        #expect(calls.waiters(Self.name).isEmpty)
    }

    @Test(
        "H3: the client that waits for a picker waits with all that it holds; calls that change nothing are not noted")
    func choosing() {
        let calls = ServedCalls()
        let client = Claim.Owner(rawValue: 3)
        ClaimContext.$choosing.withValue(client) {
            let call = calls.begin(DocumentPickerInterface.Choose.Parameters(session: "s", path: "/"))
            #expect(calls.waiters("s") == [.client(client)])
            calls.end(call)
            #expect(calls.begin(FileProviderInterface.Item.Parameters(domain: "", identifier: "a")) == nil)
        }
    }
}
