import Testing

@testable import UniformTypes

@Suite struct FileTypesTests {
    @Test("The types of many files are those of each by itself, also when their extensions have been seen before")
    func same() {
        let registry = UniformTypeRegistry.system(environment: ["XDG_DATA_DIRS": "/usr/share"])
        var types = FileTypes(registry)
        let names = [
            "report.txt", "REPORT.TXT", "a.tar.gz", "b.tar.gz", "b.gz", "Makefile", "makefile", "a.makefile", ".bashrc",
            ".hidden.txt", "..txt", "a.", "a", "", ".", "..", "folder/a.pdf", "a.b/c", "é.PDF", "x.ü", "a b.rtfd",
            "CMakeLists.txt", "x.cmakelists.txt", "a.1.2.3.4.5.6.7.8.9.txt", "photo.jpeg", "unknown.zzz",
        ]
        for _ in 0..<2 {
            for name in names + names.reversed() {
                for isDirectory in [false, true] {
                    #expect(
                        types.type(fileName: name, isDirectory: isDirectory)
                            == registry.type(fileName: name, isDirectory: isDirectory), "\(name)")
                }
            }
        }
    }

    @Test("However many extensions there are, the memory is bounded and the types are right")
    func many() {
        let registry = UniformTypeRegistry.system(environment: [:])
        var types = FileTypes(registry)
        for number in 0..<1000 {
            let name = "a.x\(number)"
            #expect(types.type(fileName: name, isDirectory: false) == registry.type(fileName: name))
        }
        #expect(types.type(fileName: "a.txt", isDirectory: false) == registry.type(fileName: "a.txt"))
    }
}
