import Documents
import Foundation
import Testing

@testable import TerminalPicker

@Suite struct PickerMemoryTests {
    private static func withMemory(_ body: (PickerMemory, String) throws -> Void) rethrows {
        let root = "/tmp/docent-picker-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: root) }
        try body(PickerMemory(environment: ["XDG_STATE_HOME": root]), root + "/docent/picker.json")
    }

    @Test("Each program has its own last folder; the file is private")
    func folders() throws {
        try Self.withMemory { memory, path in
            #expect(memory.folder(of: "a") == nil)
            memory.remember(PickerSamples.folder, for: "a")
            memory.remember(PickerSamples.folder.parent, for: "b")
            #expect(memory.folder(of: "a") == PickerSamples.folder)
            #expect(memory.folder(of: "b") == PickerSamples.folder.parent)
            memory.remember(nil, for: "a")
            #expect(memory.folder(of: "a") == nil && memory.folder(of: "b") != nil)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test(
        "Rubbish is no folder, and is replaced by the next one", arguments: ["", "{", "[]", "{\"folders\":3}", "\u{0}"])
    func rubbish(_ text: String) throws {
        try Self.withMemory { memory, path in
            memory.remember(PickerSamples.folder, for: "a")
            try Data(text.utf8).write(to: URL(filePath: path))
            #expect(memory.folder(of: "a") == nil)
            memory.remember(PickerSamples.folder, for: "a")
            #expect(memory.folder(of: "a") == PickerSamples.folder)
        }
    }

    @Test("A link, a pipe or a directory in its place is not read, and nothing is written through it")
    func places() throws {
        try Self.withMemory { memory, path in
            memory.remember(PickerSamples.folder, for: "a")
            let other = path + ".other"
            try FileManager.default.moveItem(atPath: path, toPath: other)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
            #expect(memory.folder(of: "a") == nil)
            memory.remember(PickerSamples.folder.parent, for: "b")
            #expect(try String(contentsOfFile: other, encoding: .utf8).contains("Papers"))
            try FileManager.default.removeItem(atPath: path)
            #expect(mkfifo(path, 0o600) == 0)
            #expect(memory.folder(of: "b") == nil)
        }
    }

    @Test("At most a hundred programs are remembered, the latest ones")
    func many() {
        Self.withMemory { memory, _ in
            for number in 0..<120 { memory.remember(PickerSamples.folder, for: "client \(number)") }
            #expect(memory.folder(of: "client 119") != nil && memory.folder(of: "client 20") != nil)
            #expect(memory.folder(of: "client 19") == nil)
        }
    }
}
