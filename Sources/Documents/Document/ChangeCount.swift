/// Counts the changes of a document, and knows whether its contents are the saved ones. Pure.
///
/// Undoing back to the saved state leaves nothing to save. An edit after undoing makes the undone state unreachable, so
/// that the same count no longer means the same contents.
struct ChangeCount: Sendable {
    /// A point in the history of the contents.
    struct Mark: Sendable, Hashable {
        /// The number of edits in effect.
        var position = 0
        /// Increases with every change.
        var serial = 0
    }

    /// The current point.
    private(set) var mark = Mark()
    private var saved = Mark()
    private var highest = 0
    /// Edits made after undoing; each made the earlier states above its position unreachable.
    private var branches: [Mark] = []

    /// The number of remembered branches, for tests.
    var branchCount: Int { branches.count }

    /// Whether the contents differ from the saved ones.
    var hasUnsavedChanges: Bool { saved.position != mark.position || !isReachable(saved) }

    /// Records a change.
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

    /// Records that the contents at that point were saved.
    mutating func save(_ mark: Mark) { saved = mark }

    private func isReachable(_ mark: Mark) -> Bool {
        !branches.contains { $0.serial > mark.serial && $0.position < mark.position }
    }
}
