import Coordination
import DocentInterfaces
import ExtensionHosting
import HostCore
import Testing

/// Which claim waits for which call to an extension (2.9, deadlock 5).
@Suite struct ServedCallTests {
    private static let delete = FileProviderInterface.Delete.Parameters(
        domain: "work", identifier: "a b", recursive: false)
    private static let name = "Delete work a b"
    private static let claim = Claim.Identifier(rawValue: 7)

    @Test("2.9: a running call within a claim is found by its name, even if a child task of the claim makes it")
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

    @Test("2.9: if one of several calls with a name has no waiting claim, no false deadlock is reported")
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

    @Test("H3: a client that waits for a picker waits with all its claims; calls that change nothing are not recorded")
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
