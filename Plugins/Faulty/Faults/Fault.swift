/// One misbehaviour that the provider can be told to show.
package struct Fault: Hashable, Sendable, CustomStringConvertible {
    /// Which of the provider's classes can show it.
    package enum Subject: String, Sendable {
        /// Everything the SDK knows.
        case full = "Faulty.FaultyProvider"
        /// Lists and gives content, and nothing else.
        case readOnly = "Faulty.ReadOnlyProvider"
        /// Its content is local files.
        case inPlace = "Faulty.InPlaceProvider"
    }

    /// What a script calls it: the method or the thing, a point, the fault.
    package let name: String
    /// What it does, as a sentence.
    package let summary: String
    /// The class that shows it.
    package let subject: Subject
    /// It ends or spoils the whole process, so it must not be shown in that of a test.
    package let needsProcess: Bool
    /// What `=VALUE` says, and what holds without it; nil where it says nothing.
    package let value: String?

    init(
        _ name: String, _ summary: String, _ subject: Subject = .full, needsProcess: Bool = false, value: String? = nil
    ) {
        self.name = name
        self.summary = summary
        self.subject = subject
        self.needsProcess = needsProcess
        self.value = value
    }

    /// The name.
    package var description: String { name }

    /// All that there are. A script that names another is refused.
    package static let all = trouble + reading + listing + naming + writing + moving + changing + accounts + process

    /// The fault of a name.
    package static func named(_ name: String) -> Fault? { byName[name] }

    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}
