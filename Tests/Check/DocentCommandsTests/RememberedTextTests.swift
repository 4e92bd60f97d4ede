import DocentInterfaces
import Documents
import SignInConversation
import Testing

@testable import DocentCommands

@Suite struct RememberedTextTests {
    @Test("a cached listing is dated, gives the reason, and stays on one line")
    func warning() {
        #expect(
            RememberedText.warning(RememberedListing(reason: "it is off\nline", since: 0))
                == "docent: listed from memory, as of 1970-01-01T00:00:00Z: it is off\\x0Aline\n")
        #expect(RememberedText.warning(RememberedListing(reason: "why", since: nil)).contains("known before"))
        #expect(
            RememberedText.warning(RememberedListing(reason: "why", since: 0), "shown")
                == "docent: shown from memory, as of 1970-01-01T00:00:00Z: why\n")
    }

    @Test("a logout that leaves the secret says where it is, and not that it is gone")
    func left() {
        let account = AccountName(provider: "webdav", domain: "work")
        let text = LogoutText.done(account, .init(left: "It is in X."))
        #expect(text.contains("It is in X.") && !text.contains("its secret and its local copies are gone"))
    }
}
