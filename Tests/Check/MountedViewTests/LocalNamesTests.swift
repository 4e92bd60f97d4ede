import MountedView
import Testing

@Suite struct LocalNamesTests {
    @Test(
        "locks, copies and intermediate files of programs stay on this machine",
        arguments: [
            ".~lock.report.odt#", "~$report.docx", ".a.txt.swp", ".swp", "4913", "a.txt~", "#a.txt#", ".#a.txt",
            ".goutputstream-ABC123", "film.mkv.part", "sedaB3dE6", ".a.txt.aB3dE6", "a.tmp", ".DS_Store", "._a.txt",
        ])
    func local(name: String) { #expect(LocalNames().contains(name)) }

    @Test(
        "ordinary names do not",
        arguments: [
            "a.txt", "4914", "sediment", "sed", "report~.odt.txt", "tmp", ".config", "a.part.txt", "partly",
            ".a.txt.abc",
            "lock", "#channel", "a.sqlite",
        ])
    func ordinary(name: String) { #expect(!LocalNames().contains(name)) }

    @Test("the name of a document with six characters more is that of its next content")
    func siblings() {
        let names = LocalNames()
        #expect(names.contains("a.txt.Xy12Zz") { $0 == "a.txt" })
        #expect(!names.contains("a.txt.Xy12Zz") { _ in false })
        #expect(!names.contains("a.txt.Xy12Z") { $0 == "a.txt" })
    }

    @Test("a pattern with many stars takes no time to speak of")
    func stars() {
        let names = LocalNames(["*a*a*a*a*a*a*a*b"])
        #expect(!names.contains(String(repeating: "a", count: 255)))
    }
}
