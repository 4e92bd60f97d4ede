/// A misbehaviour that the provider can show on demand.
package struct Fault: Hashable, Sendable, CustomStringConvertible {
    /// The provider class that can show it.
    package enum Subject: String, Sendable {
        /// Supports everything in the SDK.
        case full = "Faulty.FaultyProvider"
        /// Lists and delivers content, and nothing else.
        case readOnly = "Faulty.ReadOnlyProvider"
        /// Its content is in local files.
        case inPlace = "Faulty.InPlaceProvider"
        /// Has a trash and a history, and no packages as a whole.
        case trash = "Faulty.TrashProvider"
    }

    /// Its name in a script: the method or subject, a dot, the fault.
    package let name: String
    /// What it does, as a sentence.
    package let summary: String
    /// The class that shows it.
    package let subject: Subject
    /// Whether it ends or damages the whole process, so that it must not be shown in the process of a test.
    package let needsProcess: Bool
    /// The meaning of `=VALUE` and its default; nil if it takes no value.
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

    /// All faults. A script that names another one is refused.
    package static let all =
        trouble + reading + ranges + listing + naming + writing + moving + trash + versions + changing + accounts
        + process

    /// The fault with a name.
    package static func named(_ name: String) -> Fault? { byName[name] }

    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}
