import DocentInterfaces
import Synchronization
import Testing

@testable import Access

/// The messages to one presenter on their way (T4).
@Suite struct CoordinationMailboxTests {
    private func delivered(_ mailbox: PresenterMailbox) async throws -> [PresenterMailbox.Message] {
        mailbox.end()
        var messages: [PresenterMailbox.Message] = []
        try await mailbox.deliver { messages.append($0) }
        return messages
    }

    @Test(
        "2.4: messages are delivered in the order in which they were sent, including those from before delivery began")
    func order() async throws {
        let mailbox = PresenterMailbox()
        let kinds = ["relinquishToWriter", "didChange", "reacquire"]
        for (number, kind) in kinds.enumerated() { mailbox.put(.init(kind: kind, message: "\(number)")) }
        let messages = try await delivered(mailbox)
        #expect(messages.map(\.kind) == kinds)
    }

    @Test("T4: events beyond the limit become one resync; questions stay")
    func resync() async throws {
        let mailbox = PresenterMailbox()
        mailbox.put(.init(kind: "saveChanges", message: "1"))
        for number in 0..<(PresenterMailbox.limit * 3) { mailbox.put(.init(kind: "didChange", version: "\(number)")) }
        mailbox.put(.init(kind: "relinquishToReader", message: "2"))
        let messages = try await delivered(mailbox)
        #expect(messages.count <= PresenterMailbox.limit + 1)
        #expect(messages.filter { $0.kind == "resync" }.count == 1)
        #expect(messages.compactMap(\.message) == ["1", "2"])
    }

    @Test("Two equal events in a row are delivered once")
    func repeated() async throws {
        let mailbox = PresenterMailbox()
        for _ in 0..<5 { mailbox.put(.init(kind: "didChange", version: "1")) }
        let messages = try await delivered(mailbox)
        #expect(messages.count == 1)
    }

    @Test("A mailbox that has ended accepts nothing")
    func ended() async throws {
        let mailbox = PresenterMailbox()
        mailbox.end()
        mailbox.put(.init(kind: "didChange"))
        let messages = try await delivered(mailbox)
        #expect(messages.isEmpty)
    }
}
