import DocentInterfaces
import FileProviderValidation

/// Ordinary work for any provider: lists, reads and, where allowed, writes, renames and deletes.
enum ProviderWork {
    /// Does the work, and calls `look` after every step.
    ///
    /// - Parameter look: receives a description of the step.
    /// - Throws: `CallProblem`.
    static func perform(_ context: CaseContext, _ look: (String) throws -> Void) async throws {
        let top = try await context.page(of: CaseContext.root)
        try look("Listing the top folder")
        if let document = top.items.first(where: {
            !$0.isFolder && $0.symbolicLinkTarget == nil && ($0.size ?? 0) < 1 << 24
        }) {
            _ = try await context.read(document.identifier)
            try look("Reading a document")
        }
        guard context.has(.write) else { return }
        var file = try await context.makeFile(count: 100_000)
        try look("Creating a document")
        try await context.expectContent(of: file, after: "creating it")
        try look("Reading that document")
        let content = context.randomBytes(50_000)
        file.item = try await context.modify(file.identifier, base: file.item.version, content: content).item
        file.content = content
        try look("Writing that document")
        if context.has(.move) {
            let parent = file.item.parent
            file.item = try await context.move(
                file.identifier, base: file.item.version, to: parent, named: context.freshName("renamed") + ".bin")
            try look("Renaming that document")
        }
        try await context.expectContent(of: file, after: "the changes")
        if context.has(.delete) {
            try await context.delete(file.identifier)
            try look("Deleting that document")
        }
    }
}
