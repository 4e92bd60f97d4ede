import DocentInterfaces
import ExtensionManifest
import Rights
import Testing

@testable import HostServices

/// What a client may ask for, and how much of it is granted.
@Suite struct PickQuestionTests {
    private typealias Parameters = DocumentsInterface.RequestPick.Parameters
    private typealias Answer = AdministrationInterface.AnswerPick.Parameters

    private static let location = Wire.Location(provider: "LocalFolder", domain: "", path: "/a.txt")

    @Test("I1: a valid question is accepted; the access defaults to the least that its mode needs")
    func good() throws {
        let question = try PickQuestion(Parameters(mode: "open", types: ["public.text"], operation: "one"))
        #expect(question.mode == .open)
        #expect(question.access == .read)
        let move = try PickQuestion(Parameters(mode: "move", name: "a", source: 0, operation: "one"))
        #expect(move.access == .readWrite)
    }

    @Test(
        "I1: an invalid question is refused",
        arguments: [
            Parameters(mode: "delete", operation: "one"), Parameters(mode: "open", operation: "../one"),
            Parameters(mode: "open", operation: ""), Parameters(mode: "open", access: "all", operation: "one"),
            Parameters(mode: "open", types: ["no type!"], operation: "one"),
            Parameters(mode: "open", types: Array(repeating: "public.text", count: 33), operation: "one"),
            Parameters(mode: "open", companions: Array(repeating: "{stem}.x", count: 9), operation: "one"),
            Parameters(mode: "open", companions: [String(repeating: "x", count: 129)], operation: "one"),
            Parameters(mode: "open", source: 0, operation: "one"),
            Parameters(mode: "import", source: 0, operation: "one"),
            Parameters(mode: "export", name: "a", operation: "one"),
            Parameters(mode: "move", source: 0, operation: "one"),
            Parameters(mode: "export", name: "", source: 0, operation: "one"),
            Parameters(mode: "export", name: String(repeating: "x", count: 256), source: 0, operation: "one"),
            Parameters(mode: "export", name: "report\u{202E}txt.exe", source: 0, operation: "one"),
            Parameters(mode: "move", name: "report\u{1B}[2J.pdf", source: 0, operation: "one"),
        ])
    private func bad(_ parameters: Parameters) {
        #expect { try PickQuestion(parameters) } throws: { ($0 as? Failure)?.code == .invalidArgument }
    }

    @Test(
        "I1: the grant never exceeds what was asked for, nor what the user allows",
        arguments: [
            (AccessLevel.read, nil, AccessLevel.read), (.read, .readWrite, .read), (.readWrite, .read, .read),
            (.readWrite, nil, .readWrite), (.readWrite, .readWrite, .readWrite),
        ] as [(AccessLevel, AccessLevel?, AccessLevel)])
    func least(_ asked: AccessLevel, _ allowed: AccessLevel?, _ granted: AccessLevel) throws {
        let question = try PickQuestion(Parameters(mode: "open", access: asked.rawValue, operation: "one"))
        #expect(question.access(allowed: allowed) == granted)
    }

    @Test("I1: companions are granted only if they were asked for and the answer names them")
    func companions() throws {
        let question = try PickQuestion(
            Parameters(mode: "open", companions: ["{stem}.srt", "*.vtt"], operation: "one"))
        let none = try PickAnswer.make(Answer(identifier: "x", location: Self.location), to: question)
        #expect(none?.companions == [])
        let one = try PickAnswer.make(
            Answer(identifier: "x", location: Self.location, companions: ["*.vtt"]), to: question)
        #expect(one?.companions == ["*.vtt"])
        #expect {
            try PickAnswer.make(Answer(identifier: "x", location: Self.location, companions: ["*"]), to: question)
        } throws: { ($0 as? Failure)?.code == .invalidArgument }
    }

    @Test("I1: an answer without a location is a refusal")
    func refusal() throws {
        let question = try PickQuestion(Parameters(mode: "open", operation: "one"))
        #expect(try PickAnswer.make(Answer(identifier: "x"), to: question) == nil)
    }

    @Test("I1: an impossible time is refused", arguments: [0, -1, .infinity, .nan, 1e12])
    func times(_ seconds: Double) throws {
        let question = try PickQuestion(Parameters(mode: "open", operation: "one"))
        #expect(throws: Failure.self) {
            try PickAnswer.make(Answer(identifier: "x", location: Self.location, expires: seconds), to: question)
        }
    }
}
