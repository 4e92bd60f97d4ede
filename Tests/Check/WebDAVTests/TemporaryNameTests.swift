import FileProvider
import Testing

@testable import WebDAV

@Suite struct TemporaryNameTests {
    @Test("each attempt has its own name, and a server's altered form of it is recognised")
    func attempts() throws {
        let operation = ChangeOperation(identifier: "op")
        let names = (0..<3).compactMap { TemporaryUpload.name(operation, attempt: $0) }
        #expect(Set(names).count == 3)
        #expect(names.allSatisfy { TemporaryUpload.isUpload($0, of: operation) && TemporaryUpload.isOne($0) })
        for text in [
            ".docent-upload-op-1795487583.459321-HQCjmDKw", ".docent-upload-op~2-1795-x", ".docent-upload-op (1)",
        ] {
            #expect(TemporaryUpload.isUpload(try #require(LocalName(text)), of: operation), "\(text)")
        }
        for text in [".docent-upload-op.old", ".docent-upload-operation", ".docent-upload-o", "op"] {
            #expect(!TemporaryUpload.isUpload(try #require(LocalName(text)), of: operation), "\(text)")
        }
    }

    @Test(
        "characters that servers misread in destinations are found in all names of a path",
        arguments: [
            ("a;b", 1), ("a?b#c%d&e+f", 5), ("a\tb\nc", 2), ("\u{FEFF}a\u{202E}b", 2), ("a b-c_d.é日'()!,=@", 0),
            ("a\\b", 1),
        ])
    func risky(_ name: String, _ count: Int) throws {
        let local = try #require(LocalName(name))
        let characters = RiskyCharacters(in: RemotePath([local, try #require(LocalName("plain"))]))
        #expect(characters.scalars.count == count)
        #expect(try #require(characters.name).bytes.count > count)
    }

    @Test(
        "characters at which a server might cut the address of an account are never tried there",
        arguments: [
            ("a;b", true), ("a?b", true), ("a#b", true), ("a\\b", true), ("a\tb", true), ("a\u{202E}b", true),
            ("R&D", false), ("100%", false), ("a+b", false), ("plain", false),
        ])
    func addresses(_ name: String, _ mayEndPath: Bool) throws {
        let characters = RiskyCharacters(in: RemotePath([try #require(LocalName(name))]))
        #expect(characters.mayEndPath == mayEndPath)
    }

    @Test("characters that worked together are known one by one; those that failed together are not")
    func trials() {
        let trials = DestinationTrials()
        let (both, one) = (RiskyCharacters(in: ";?"), RiskyCharacters(in: "?"))
        #expect(trials.areKept(one) == nil)
        trials.note(both, areKept: false)
        #expect(trials.areKept(both) == false && trials.areKept(one) == nil)
        trials.note(RiskyCharacters(in: "?#"), areKept: true)
        #expect(trials.areKept(one) == true && trials.areKept(both) == false)
    }
}
