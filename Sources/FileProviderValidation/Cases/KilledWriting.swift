import DocentInterfaces
import Synchronization

/// The part of `kill.anyCall` that changes something: confirmed changes are there afterwards, and an unfinished one is
/// there completely or not at all.
struct KilledWriting {
    private let context: CaseContext

    init(_ context: CaseContext) { self.context = context }

    /// One kind after the other, as far as the provider supports them.
    func all() async throws {
        try await creating(isFolder: false)
        try await creating(isFolder: true)
        try await modifying()
        if context.has(.move), !context.options.identifiersArePaths { try await moving() }
        if context.has(.delete) { try await deleting() }
    }

    private func creating(isFolder: Bool) async throws {
        let context = context
        let kind = isFolder ? "Create of folders" : "Create of documents"
        let folder = try await context.makeFolder().identifier
        let content = isFolder ? nil : context.randomBytes(9_000)
        let answered = try await KillAnyCallCases.strike(context, kind) { number in
            _ = try await context.create("made \(number)", in: folder, content: content)
        }
        let names = try await context.list(folder)
        let wanted = (0..<answered).map { "made \($0)" }
        let lost = wanted.filter { name in !names.contains { CaseContext.isSame($0.name, name) } }
        let extra = names.filter { !wanted.contains($0.name) }
        context.expect(
            lost.isEmpty && extra.count <= 1 && names.allSatisfy { $0.isFolder == isFolder },
            did: "Listing a folder after the provider was killed during \(kind)",
            expected: "the \(answered) that were answered, and at most one more",
            got: "\(names.count), without \(PlainText.names(lost)), with \(PlainText.names(extra.map(\.name)))",
            requirement: .durability)
        guard let content else { return }
        for item in extra + names.suffix(2) {
            try await context.expectBytes(
                content, of: item.identifier, after: "the provider was killed during \(kind)", requirement: .durability)
        }
    }

    private func modifying() async throws {
        let context = context
        let file = try await context.makeFile("modified.bin", count: 20_000)
        let contents = (0..<2).map { context.randomBytes(20_000 + $0) }
        let base = Latest(file.item.version)
        let answered = try await KillAnyCallCases.strike(context, "Modify") { number in
            let item = try await context.modify(
                file.identifier, base: base.value, content: contents[number % 2]
            ).item
            base.set(item.version)
        }
        let bytes = try await context.read(file.identifier)
        let last = answered == 0 ? file.content : contents[(answered - 1) % 2]
        context.expect(
            bytes == last || bytes == contents[answered % 2],
            did: "Reading a document after the provider was killed during Modify, of which \(answered) were answered",
            expected: "the last confirmed or the unfinished change, whole", got: PlainText.difference(bytes, last),
            requirement: .durability)
        let version = try await context.item(file.identifier).version
        context.expect(
            bytes != last || answered == 0 || version == base.value || bytes == contents[answered % 2],
            did: "Item of that document", expected: "the version \(PlainText.quoted(base.value ?? "")) as answered",
            got: PlainText.quoted(version ?? ""), requirement: .keeping)
    }

    private func moving() async throws {
        let context = context
        let folder = try await context.makeFolder().identifier
        let file = try await context.makeFile("moved 0", in: folder, count: 4_000)
        let answered = try await KillAnyCallCases.strike(context, "Move") { number in
            _ = try await context.move(file.identifier, to: folder, named: "moved \(number + 1)")
        }
        let item = try await context.item(file.identifier)
        let names = try await context.list(folder).map(\.name)
        context.expect(
            ["moved \(answered)", "moved \(answered + 1)"].contains(item.name) && names == [item.name],
            did: "Looking for a document after the provider was killed during Move, of which \(answered) were answered",
            expected: "it once, under the last name that was answered or under the next",
            got: "Item says \(PlainText.item(item)); in the folder is \(PlainText.names(names))",
            requirement: .durability)
        try await context.expectContent(
            of: file, after: "the provider was killed during Move", requirement: .durability)
    }

    private func deleting() async throws {
        let context = context
        let folder = try await context.makeFolder().identifier
        var files: [ModelFile] = []
        for number in 0..<12 { files.append(try await context.makeFile("doomed \(number)", in: folder, count: 600)) }
        let doomed = files.map(\.identifier)
        let answered = try await KillAnyCallCases.strike(context, "Delete") { number in
            guard number < doomed.count else { return try await Task.sleep(for: .milliseconds(1)) }
            try await context.delete(doomed[number])
        }
        let left = Set(try await context.list(folder).map(\.identifier))
        let gone = min(answered, files.count)
        let back = doomed.prefix(gone).filter(left.contains)
        let lost = doomed.dropFirst(gone + 1).filter { !left.contains($0) }
        context.expect(
            back.isEmpty && lost.isEmpty,
            did: "Listing a folder after the provider was killed during Delete, of which \(gone) were answered",
            expected: "no deleted item, and everything that had not been deleted yet",
            got: "\(back.count) that came back, and \(lost.count) that are lost", requirement: .durability)
    }

    /// A value that one task passes to another.
    private final class Latest: Sendable {
        private let state: Mutex<String?>

        init(_ value: String?) { state = Mutex(value) }

        var value: String? { state.withLock { $0 } }

        func set(_ value: String?) { state.withLock { $0 = value } }
    }
}
