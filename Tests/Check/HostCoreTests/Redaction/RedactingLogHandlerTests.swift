import Logging
import Synchronization
import Testing

@testable import HostCore

/// What reaches the log itself.
@Suite struct RedactingLogHandlerTests {
    /// Writes lines like the daemon's handler.
    private struct Lines: LogHandler {
        final class Store: Sendable { let text = Mutex("") }
        let store: Store
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
        func log(event: LogEvent) {
            let fields = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            store.text.withLock { $0 += "\(fields.joined(separator: " ")) \(event.message)\n" }
        }
    }

    private struct Problem: Error, CustomStringConvertible { let description: String }

    private static let hostile = "a\nerror docentd: forged\r\u{1B}[2J\u{9B}31m\u{7}\u{85}\u{2028}\u{202E}b"
    private static let escaped = #"a\nerror docentd: forged\r\u{1B}[2J\u{9B}31m\u{7}\u{85}\u{2028}\u{202E}b"#

    private static func written(_ log: (Logger) -> Void) -> String {
        let store = Lines.Store()
        log(KnownSecrets().redacting(Logger(label: "x") { _ in Lines(store: store) }))
        return store.text.withLock { $0 }
    }

    @Test("Control characters and line ends are escaped in the message, in every field, at any depth, and in an error")
    func escapes() {
        let hostile = Self.hostile
        let fields: [Logger.Metadata] = [
            ["provider": "org.example.p", "text": .string(hostile)], ["value": .stringConvertible(Text(hostile))],
            ["list": ["plain", .string(hostile)]], ["table": ["inner": ["deep": .string(hostile)]]],
        ]
        for metadata in fields {
            let text = Self.written { $0.info("says", metadata: metadata) }
            Self.expectOneLine(text)
        }
        Self.expectOneLine(Self.written { $0.info("\(hostile)") })
        Self.expectOneLine(Self.written { $0.error("fails", error: Problem(description: hostile)) })
    }

    private struct Text: CustomStringConvertible, Sendable {
        let description: String
        init(_ description: String) { self.description = description }
    }

    private static func expectOneLine(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let hidden = text.dropLast().unicodeScalars.filter { scalar in
            [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
        #expect(hidden.isEmpty && text.hasSuffix("\n"), "\(text.debugDescription)", sourceLocation: sourceLocation)
        #expect(text.contains("forged"), sourceLocation: sourceLocation)
    }

    @Test("A provider's text is one field of a line that names the provider")
    func field() {
        let text = Self.written {
            $0.info("provider says", metadata: ["provider": "org.example.p", "text": .string(Self.hostile)])
        }
        #expect(text == "provider=org.example.p text=\"\(Self.escaped)\" provider says\n")
    }
}
