import FileSystemMessages
import Testing

@testable import MountedView

/// The answers to calls that change nothing and let the kernel tell programs.
@Suite struct WakingCallTests {
    private static func request(_ operation: KernelRequest.Operation, _ node: UInt64) -> KernelRequest {
        KernelRequest(unique: 2, node: node, caller: .init(user: 1, group: 1, process: 9), operation: operation)
    }

    private static func tree() throws -> (tree: ViewTree, folder: UInt64, file: UInt64) {
        let tree = ViewTree(user: 1, group: 2, validity: .seconds(10))
        _ = tree.replace(
            accounts: [ViewAccount(provider: "org.example.p", domain: "", displayName: "Work")], at: .now)
        guard case .found(let folder) = tree.lookUp("Work", in: KernelRequest.root) else { throw Missing() }
        _ = tree.replace(
            items: [ViewItem(identifier: "1", name: "a", kind: .file, version: "1")], of: folder.node, at: .now)
        guard case .found(let file) = tree.lookUp("a", in: folder.node) else { throw Missing() }
        return (tree, folder.node, file.node)
    }

    private struct Missing: Error {}

    @Test("a name that has appeared is not found first, and is the node afterwards")
    func create() throws {
        let (tree, folder, file) = try Self.tree()
        let call = WakingCall.create(folder: folder, name: EntryName("a"), node: file)
        #expect(call.answer(to: Self.request(.lookUp("a"), folder), tree) == .missing(validity: .zero))
        #expect(call.answer(to: Self.request(.lookUp("b"), folder), tree) == nil)
        guard case .found(let node)? = call.answer(to: Self.request(.makeNode("a", mode: 0o100600), folder), tree)
        else {
            throw Missing()
        }
        #expect(node.node == file)
    }

    @Test("a name that has gone is found as something else, which is removed")
    func remove() throws {
        let (tree, folder, file) = try Self.tree()
        let attributes = try #require(tree.attributes(of: file))
        let call = WakingCall.remove(folder: folder, name: EntryName("a"), phantom: 77, attributes: attributes)
        guard case .found(let node)? = call.answer(to: Self.request(.lookUp("a"), folder), tree) else {
            throw Missing()
        }
        #expect(node.node == 77 && node.validity == .zero)
        #expect(call.answer(to: Self.request(.remove("a"), folder), tree) == .done)
        #expect(tree.attributes(of: file) != nil, "the document is still there")
    }

    @Test("the thread that makes these calls can change nothing else")
    func nothingElse() throws {
        let (tree, folder, file) = try Self.tree()
        let call = WakingCall.change(folder: folder, name: EntryName("a"), node: file, old: nil)
        let operations: [KernelRequest.Operation] = [
            .makeNode("x", mode: 0o100600), .makeFolder("x", permissions: 0o700), .remove("a"), .removeFolder("a"),
            .rename("a", newParent: folder, newName: "b", flags: 0), .create("x", flags: 0, permissions: 0o600),
            .makeSymbolicLink("x"),
        ]
        for operation in operations {
            guard case .error? = call.answer(to: Self.request(operation, folder), tree) else {
                Issue.record("\(operation) is carried out")
                continue
            }
        }
        guard case .opened(let opened)? = call.answer(to: Self.request(.open(flags: 1), file), tree) else {
            throw Missing()
        }
        #expect(opened.handle == WakingCall.handle && opened.keepsContent)
    }
}
