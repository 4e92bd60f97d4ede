import DocentTestSupport
import FileProvider
import Foundation
import Testing

@testable import Faulty

/// The scripts of the fault-injecting provider.
@Suite(.needs(.programs)) struct FaultScriptTests {
    private func script(_ text: String, storage: String = NSTemporaryDirectory() + "faulty-\(UUID().uuidString)") throws
        -> FaultScript
    {
        try FaultScript(text, storage: storage)
    }

    @Test(
        "a rule applies to the calls that it names, and to no other",
        arguments: [
            ("item.hang", "111111"), ("item.hang@2", "010000"), ("item.hang@3+", "001111"), ("item.hang@2-4", "011100"),
            ("item.hang@/2", "010101"), ("item.hang@once", "100000"), ("fetch.hang", "000000"),
            ("item.hang@1;item.hang@4", "100100"),
        ])
    func occasions(_ text: String, _ expected: String) throws {
        let script = try script(text)
        let struck = (1...6).map { _ in script.strikes("item.hang") ? "1" : "0" }.joined()
        #expect(struck == expected)
    }

    @Test("a rule with an item applies only to that item, by identifier or name")
    func items() throws {
        let script = try script("fetch.short@2:a@b: c.txt")
        #expect(!script.strikes("fetch.short", "i7", "other.txt"))
        #expect(!script.strikes("fetch.short", "i7", "a@b: c.txt"))
        #expect(script.strikes("fetch.short", "a@b: c.txt", nil))
        #expect(!script.strikes("fetch.short", "i7", "a@b: c.txt"))
    }

    @Test("a value comes from the rule, or is the default")
    func values() throws {
        let script = try script("fetch.delay=2.5@1; fetch.delay")
        #expect(script.number("fetch.delay", otherwise: 1) == 2.5)
        #expect(script.number("fetch.delay", otherwise: 1) == 1)
        #expect(script.number("create.delay", otherwise: 1) == nil)
        #expect(try self.script("create.error=Busy").text("create.error", otherwise: "Failed") == "Busy")
    }

    @Test("a fault that occurred once does not occur in the next process on that storage")
    func onceForEver() throws {
        let storage = NSTemporaryDirectory() + "faulty-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: storage) }
        #expect(try script("item.crash@once", storage: storage).strikes("item.crash"))
        #expect(try !script("item.crash@once", storage: storage).strikes("item.crash"))
    }

    @Test("a fault that occurred leaves its name next to the documents, and one that did not leaves none")
    func fired() throws {
        let storage = NSTemporaryDirectory() + "faulty-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: storage) }
        let script = try script("item.hang@2;fetch.short:a.txt", storage: storage)
        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: storage + "/fired") }
        #expect(!script.strikes("item.hang"))
        #expect(!script.strikes("fetch.short", "i1", "b.txt"))
        #expect(try names() == [])
        #expect(script.strikes("item.hang"))
        #expect(try names() == ["item.hang"])
    }

    @Test("other devices' changes are made once, before the call that they are bound to")
    func others() throws {
        let storage = NSTemporaryDirectory() + "faulty-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: storage) }
        let tree = try DocumentTree(storage: storage)
        let others = OtherDevices(storage: storage)
        let before = try tree.read { $0.sequence }
        try Data("change Notes.txt\ndelete Letter 9.txt\nmake a b.txt".utf8).write(
            to: URL(filePath: storage + "/others.move"))
        #expect(try others.act(before: "fetch", on: tree).isEmpty)
        #expect(try tree.read { $0.sequence } == before)
        #expect(try others.act(before: "move", on: tree).map(\.name) == ["Letter 9.txt"])
        #expect(try tree.read { $0.sequence } == before + 3)
        #expect(try tree.read { $0.child("a b.txt", of: TreeState.root)?.size } == 15)
        #expect(try others.act(before: "move", on: tree).isEmpty)
        try Data("burn all".utf8).write(to: URL(filePath: storage + "/others"))
        #expect(throws: FileProviderError.self) { try others.act(before: "item", on: tree) }
    }

    @Test(
        "an invalid script is refused, with the wrong rule",
        arguments: [
            "nonsense", "item.hang@", "item.hang@0", "item.hang@3-2", "item.hang@/0", "item.hang@x", "item.hang=3",
            "item.hang;;fetch.", "item .hang", "item.hang@1-2-3", "item.hang@-1",
        ])
    func refused(_ text: String) {
        let error = #expect(throws: FileProviderError.self) { try script(text) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains("\"") == true)
    }

    @Test("every fault has a unique name, a call or subject before the dot, and a description")
    func table() {
        #expect(Set(Fault.all.map(\.name)).count == Fault.all.count)
        #expect(Fault.all.count >= 80)
        for fault in Fault.all {
            #expect(fault.name.wholeMatch(of: /[a-z][A-Za-z]*\.[a-z][A-Za-z]*/) != nil, "\(fault.name)")
            #expect(fault.summary.hasSuffix("."), "\(fault.name)")
        }
    }
}
