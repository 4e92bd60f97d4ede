import CommandConsole
import Testing

@Suite struct JSONMembersTests {
    @Test("Members are written in the order of their keys, however they were given")
    func order() {
        var members: JSONMembers = ["b": .integer(1), "a": .null]
        members["c"] = .bool(true)
        members["aa"] = .string("x")
        members["b"] = .integer(2)
        members["c"] = nil
        members["missing"] = nil
        #expect(JSONValue.object(members).compact == #"{"a": null, "aa": "x", "b": 2}"#)
        #expect(members["b"] == .integer(2) && members["c"] == nil)
    }

    @Test("An object that is written as its members arrive equals the same object as a value")
    func written() {
        var (writer, members) = (JSONObjectWriter(), JSONMembers([]))
        func describe(to receiver: inout some JSONMemberReceiver) {
            receiver.add("number", .integer(-3))
            receiver.add("text", .string("a\u{1B}\"é\\\n"))
            receiver.add("value", .array([.null, .object(["key": .number(1.5)])]))
        }
        describe(to: &members)
        for _ in 0..<2 {
            writer.begin()
            describe(to: &writer)
            writer.end()
        }
        let value = JSONValue.object(members).compact
        #expect(String(decoding: writer.text, as: UTF8.self) == value + value)
    }
}
