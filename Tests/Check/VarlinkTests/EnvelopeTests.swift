import Testing

@testable import Varlink

@Suite("The scanner of messages")
struct EnvelopeTests {
    private func scan(_ bytes: [UInt8], depth: Int = 32) throws -> Envelope {
        try bytes.withUnsafeBufferPointer { try EnvelopeScanner.scan($0, depthLimit: depth) }
    }

    private func parameters(_ text: String) throws -> String? {
        let bytes = Array(text.utf8)
        return try scan(bytes).parameters.map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    @Test(
        "T5: parts are found in any order, among unknown fields",
        arguments: [
            #"{"method":"a.B","parameters":{"x":[1,{"y":"}"}]},"more":true}"#,
            #" { "more" : true , "parameters" : {"x":[1,{"y":"}"}]} , "method" : "a.B" } "#,
            #"{"future":[{"method":"no"},null],"method":"a.B","more":true,"parameters":{"x":[1,{"y":"}"}]},"z":-1.5e3}"#,
            #"{"\u006dethod":"a\u002eB","parameters":{"x":[1,{"y":"}"}]},"more":true,"oneway":false,"upgrade":null}"#,
        ])
    func order(_ text: String) async throws {
        let envelope = try scan(Array(text.utf8))
        #expect(envelope.method == "a.B")
        #expect(envelope.wantsMore)
        #expect(!envelope.isOneway && !envelope.wantsUpgrade && !envelope.continues && envelope.error == nil)
        #expect(try parameters(text) == #"{"x":[1,{"y":"}"}]}"#)
    }

    @Test("Strings with quotes, backslashes and all of Unicode are skipped")
    func strings() async throws {
        #expect(
            try parameters(#"{"parameters":{"a\"}":"\\","b":"\u0000é😀\\\""}}"#) == #"{"a\"}":"\\","b":"\u0000é😀\\\""}"#)
        #expect(try scan(Array(#"{"error":"é\n\"😀"}"#.utf8)).error == "é\n\"😀")
        #expect(try parameters(#"{"parameters":null}"#) == nil)
        #expect(try scan(Array("{}".utf8)).method == nil)
    }

    @Test(
        "Hostile messages are refused",
        arguments: [
            "", " ", "x", "null", "[]", "\"a\"", "{", "}", "{\"", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{,}"#,
            #"{"a":1}}"#, #"{"a":1} x"#, #"{"a":1 "b":2}"#, #"{"method":1}"#, #"{"method":{}}"#, #"{"more":1}"#,
            #"{"more":"true"}"#, #"{"parameters":[]}"#, #"{"parameters":"x"}"#, #"{"parameters":{"a":[}}"#,
            #"{"parameters":{"a":(}}"#, #"{"parameters":{]}"#, #"{"method":"a","method":"b"}"#,
            #"{"method":"a","\u006dethod":"b"}"#, "{\"method\":\"a\nb\"}", #"{"method":"\x"}"#, #"{"method":"\ud800"}"#,
            #"{"method":"a\"}"#, #"{"parameters":{},"parameters":{}}"#, #"{'method':'a'}"#,
        ])
    func malformed(_ text: String) {
        #expect { try scan(Array(text.utf8)) } throws: { ($0 as? VarlinkError)?.code == .malformed }
    }

    @Test("Invalid UTF-8 is refused", arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0x80]])
    func invalidText(_ bytes: [UInt8]) {
        let message = Array(#"{"method":""#.utf8) + bytes + Array(#""}"#.utf8)
        #expect { try scan(message) } throws: { ($0 as? VarlinkError)?.code == .malformed }
    }

    @Test("T4: nesting is allowed up to the limit", arguments: [2, 31, 32, 33, 100_000])
    func depth(_ depth: Int) async throws {
        // The outer object counts as one level.
        let inner = depth - 1
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let value = String(repeating: open, count: inner) + "1" + String(repeating: close, count: inner)
            let message = Array("{\"a\":\(value)}".utf8)
            if depth <= 32 {
                _ = try scan(message)
            } else {
                #expect { try scan(message) } throws: { ($0 as? VarlinkError)?.code == .tooDeep }
            }
        }
    }

    @Test("Every prefix of a message is refused, and nothing is read beyond its end")
    func prefixes() {
        let message = Array(#"{"method":"a\u0041","parameters":{"x":["é",true,null]},"oneway":true}"#.utf8)
        for count in 0..<message.count {
            #expect(throws: VarlinkError.self) { try scan(Array(message[..<count])) }
        }
    }

    @Test("Random changes of a message either succeed or throw")
    func mutations() {
        let message = Array(#"{"method":"a.\"b","parameters":{"x":[1,{"y":"z"}]},"more":true}"#.utf8)
        var generator = SystemRandomNumberGenerator()
        var refused = 0
        for _ in 0..<20_000 {
            var bytes = message
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            do { _ = try scan(bytes) } catch { refused += 1 }
        }
        #expect(refused > 1000)
    }
}
