/// What is known of the contents that machines were told are saved. Pure.
struct MachineModel {
    /// A content that was saved.
    struct Saved {
        /// The document that it was written to, under whichever name.
        let document: Int
        /// The machine that saved it.
        let machine: Int
        /// Whether that machine has had no network since.
        var isOnlyThere: Bool
        /// Whether its document was deleted after it had reached the server, on purpose.
        var isDeleted = false
    }

    private(set) var saved: [String: Saved] = [:]
    private var lastDocument = 0
    private var lastContent = 0

    /// The first content of a new document.
    mutating func newDocument() -> String {
        lastDocument += 1
        return content(of: lastDocument)
    }

    /// A new content for the document that another content belongs to.
    ///
    /// - Returns: nil if nobody wrote that content.
    mutating func next(after content: String) -> String? { Self.document(of: content).map { self.content(of: $0) } }

    // Each has a length of its own: some servers tell two changes within one second apart by nothing else.
    private mutating func content(of document: Int) -> String {
        lastContent += 1
        return "document \(document) content \(lastContent) " + String(repeating: ".", count: lastContent)
    }

    static func document(of content: String) -> Int? {
        let words = content.split(separator: " ")
        guard words.count >= 4, words[0] == "document", words[2] == "content" else { return nil }
        return Int(words[1])
    }

    /// A machine has said that a content is saved.
    mutating func note(_ content: String, by machine: Int, isOffline: Bool) {
        guard let document = Self.document(of: content) else { return }
        saved[content] = Saved(document: document, machine: machine, isOnlyThere: isOffline)
    }

    /// A machine has a network again.
    mutating func isOnline(_ machine: Int) {
        for (content, one) in saved where one.machine == machine { saved[content]?.isOnlyThere = false }
    }

    /// A document was deleted, as a machine saw it with a content: with it goes what had been saved in it before,
    /// except what no other machine could know of.
    mutating func deleted(_ content: String, by machine: Int) {
        guard let document = Self.document(of: content) else { return }
        for (content, one) in saved where one.document == document && (!one.isOnlyThere || one.machine == machine) {
            saved[content]?.isDeleted = true
        }
    }

    /// The contents that must be somewhere, in the order in which they were written.
    var required: [String] {
        saved.filter { !$0.value.isDeleted }.keys.sorted { $0.utf8.count < $1.utf8.count }
    }
}
