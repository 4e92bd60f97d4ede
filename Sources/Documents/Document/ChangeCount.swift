/// Counts the changes of a document, and knows whether its contents are those that were saved (M6). Pure.
///
/// Undoing back to what was saved leaves nothing to save; an edit after undoing makes what was undone unreachable, so that the
/// same count does not mean the same contents.
struct ChangeCount: Sendable {
    /// A moment in the history of the contents.
    struct Mark: Sendable, Hashable {
        /// Edits in force.
        var position = 0
        /// Goes up with everything that happens.
        var serial = 0
    }

    /// Now.
    private(set) var mark = Mark()
    private var saved = Mark()
    private var highest = 0
    /// Edits after undoing; what lay above such a position before is gone.
    private var branches: [Mark] = []

    /// How many branches are remembered, for tests.
    var branchCount: Int { branches.count }

    /// Whether the contents differ from those that were saved.
    var hasUnsavedChanges: Bool { saved.position != mark.position || !isReachable(saved) }

    /// Counts what happened.
    mutating func record(_ kind: Document.ChangeKind) {
        mark.serial += 1
        switch kind {
        case .done:
            if mark.position < highest {
                let position = mark.position
                branches.removeAll { $0.position >= position }
                branches.append(mark)
            }
            mark.position += 1
            highest = mark.position
        case .undone:
            mark.position -= 1
        case .redone:
            mark.position += 1
            highest = max(highest, mark.position)
        case .cleared:
            saved = mark
        }
    }

    /// The contents of that moment have been saved.
    mutating func save(_ mark: Mark) { saved = mark }

    private func isReachable(_ mark: Mark) -> Bool {
        !branches.contains { $0.serial > mark.serial && $0.position < mark.position }
    }
}
