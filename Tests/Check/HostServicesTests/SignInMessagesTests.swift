import DocentInterfaces
import Synchronization
import Testing

@testable import HostServices

/// Messages of an extension during a sign-in with a slow client.
@Suite struct SignInMessagesTests {
    private static func message(_ text: String) -> Wire.SignInStep { Wire.SignInStep(kind: "message", message: text) }

    private static func told(_ messages: SignInMessages) async throws -> [Wire.SignInStep] {
        messages.finish()
        var told: [Wire.SignInStep] = []
        try await messages.forEach { told.append($0) }
        return told
    }

    @Test("a flood of messages takes bounded space: the newest are kept, and the person learns how many were dropped")
    func flood() async throws {
        let messages = SignInMessages()
        for number in 1...10_000 {
            messages.add(Self.message("\(number)"))
            #expect(messages.count <= SignInMessages.room)
        }
        let told = try await Self.told(messages)
        #expect(told.count == SignInMessages.room + 1)
        #expect(told.first?.kind == "message")
        #expect(told.first?.message?.contains("\(10_000 - SignInMessages.room) messages") == true)
        #expect(told.last?.message == "10000")
        #expect(told.dropFirst().map(\.message) == (10_000 - SignInMessages.room + 1...10_000).map { "\($0)" })
    }

    @Test("long messages count by their length, and a single one of any length is delivered")
    func long() async throws {
        let messages = SignInMessages()
        let text = String(repeating: "x", count: SignInMessages.bytes / 4)
        for _ in 0..<40 { messages.add(Self.message(text)) }
        #expect(messages.count < 5)
        messages.add(Self.message(text + text + text + text))
        let told = try await Self.told(messages)
        #expect(told.count == 2 && told.last?.message?.utf8.count == SignInMessages.bytes)
        #expect(told.first?.message?.contains("40 messages") == true, "\(told.first?.message ?? "")")
    }

    @Test("messages that the person has to act upon are never dropped")
    func actions() async throws {
        let messages = SignInMessages()
        messages.add(Wire.SignInStep(kind: "open", url: "http://127.0.0.1:1/"))
        messages.add(
            Wire.SignInStep(
                kind: "question", question: Wire.SignInField(key: "code", label: "Code", kind: "text"), number: 1))
        for number in 0..<1_000 { messages.add(Self.message("\(number)")) }
        // Only the newest of the messages that open a browser counts.
        for _ in 0..<1_000 { messages.add(Wire.SignInStep(kind: "open", url: "http://127.0.0.1:2/")) }
        let told = try await Self.told(messages)
        #expect(told.count == SignInMessages.room + 1)
        #expect(told.dropFirst().first?.kind == "question")
        #expect(told.last?.url == "http://127.0.0.1:2/")
    }

    @Test("a reader gets messages that are added while it reads, in order, and ends after the last")
    func reader() async throws {
        let messages = SignInMessages()
        messages.add(Self.message("1"))
        var told: [String] = []
        try await messages.forEach { step in
            told.append(step.message ?? "")
            if told.count < 200 { messages.add(Self.message("\(told.count + 1)")) } else { messages.finish() }
        }
        #expect(told == (1...200).map { "\($0)" })
    }
}
