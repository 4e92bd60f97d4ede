import DocentTestSupport
import Foundation
import Glibc
import Testing

/// Programs that know nothing of Docent change documents, in all the ways in which programs write.
@Suite(.needs(.daemon)) struct ViewWritingTests {
    @Test(
        "a document is written in each way that the system offers, and stays the same document",
        arguments: [
            ("printf new > a.txt", "new"),
            ("printf more >> a.txt", "hello\nmore"),
            ("truncate -s 2 a.txt", "he"),
            ("printf J | dd of=a.txt conv=notrunc status=none", "Jello\n"),
            ("printf XY | dd of=a.txt bs=1 seek=3 conv=notrunc,fsync status=none", "helXY\n"),
            ("sed -i s/hello/goodbye/ a.txt", "goodbye\n"),
            ("printf b > b.txt && mv b.txt a.txt", "b"),
            (
                "cp a.txt /tmp/docent-x$$ && echo 2 >> /tmp/docent-x$$ && cp /tmp/docent-x$$ a.txt && rm /tmp/docent-x$$",
                "hello\n2\n"
            ),
            (
                "python3 -c \"import mmap; f = open('a.txt', 'r+b'); m = mmap.mmap(f.fileno(), 0); m[0:1] = b'M'; m.flush(); m.close(); f.close()\"",
                "Mello\n"
            ),
            (
                "python3 -c \"import mmap; f = open('a.txt', 'r+b'); m = mmap.mmap(f.fileno(), 0); f.close(); m[0:1] = b'N'; m.close()\"",
                "Nello\n"
            ),
            (
                "python3 -c \"f = open('a.txt', 'r+b'); f.write(b'1'); f.flush(); f.seek(0); assert f.read() == b'1ello\\n'; g = open('a.txt', 'rb'); assert g.read() == b'1ello\\n'; f.write(b'2')\"",
                "1ello\n2"
            ),
        ])
    func writes(script: String, content: String) async throws {
        try await ViewWorld.with { world in
            let before = try await world.identifier("a.txt")
            try await world.run(script).succeeded()
            #expect(try await world.run("cat a.txt").succeeded().text == content)
            #expect(world.stored("a.txt") == content)
            #expect(try await world.identifier("a.txt") == before)
            #expect(try await world.run("ls").succeeded().text == "a.txt\n")
        }
    }

    @Test("a shell that sends the output of a program to a document saves it once")
    func redirected() async throws {
        try await ViewWorld.with { world in
            try await world.run("/bin/echo once > a.txt").succeeded()
            #expect(world.stored("a.txt") == "once\n")
            struct Version: Decodable { var size: Int? }
            let history = try await world.view.installation.docent("history", "--json", "LocalFolder:/a.txt")
            #expect(try history.succeeded().json([Version].self).map(\.size) == [5, 6])
            try await world.run(": > a.txt").succeeded()
            try await world.view.installation.eventually("an emptied document is saved") { world.stored("a.txt") == "" }
        }
    }

    @Test("documents and folders are made, renamed, moved and removed")
    func names() async throws {
        try await ViewWorld.with { world in
            try await world.run("mkdir sub && printf n > sub/n.txt && mv a.txt sub/m.txt && mv sub/n.txt n2.txt")
                .succeeded()
            #expect(world.stored("sub/m.txt") == "hello\n" && world.stored("n2.txt") == "n")
            #expect(world.stored("a.txt") == nil && world.stored("sub/n.txt") == nil)
            let full = try await world.run("rmdir sub")
            #expect(full.status != 0 && full.errors.contains("not empty"), "\(full.errors)")
            try await world.run("rm sub/m.txt && rmdir sub && mv n2.txt n3.txt && rm n3.txt && touch empty").succeeded()
            #expect(try await world.run("ls -A").succeeded().text == "empty\n")
            #expect(world.stored("empty") == "")
            let taken = try await world.run("mkdir empty")
            #expect(taken.status != 0 && taken.errors.contains("exists"), "\(taken.errors)")
        }
    }

    @Test("what cannot be is refused with its own error")
    func refused() async throws {
        try await ViewWorld.with { world in
            for (script, error) in [
                ("ln a.txt b.txt", "not permitted"), ("ln -s a.txt b.txt", "not permitted"),
                ("mkfifo f", "not permitted"),
                ("mkdir ../Other", "denied"), ("chown 0 a.txt", "not permitted"),
                ("setfattr -n user.docent.version -v 1 a.txt", "not permitted"),
                ("truncate -s 999999999999999 a.txt", "too large"),
            ] {
                let outcome = try await world.run(script)
                #expect(outcome.status != 0 && outcome.errors.contains(error), "\(script): \(outcome.errors)")
            }
            try await world.run("chmod 644 a.txt && touch -d 2020-01-01 a.txt").succeeded()
            #expect(world.stored("a.txt") == "hello\n")
        }
    }

    @Test("a large file arrives whole, and is durable when it is synchronised")
    func large() async throws {
        try await ViewWorld.with { world in
            try await world.run(
                "head -c 30000000 /dev/urandom > /tmp/docent-large-$$ && cp /tmp/docent-large-$$ big && cmp /tmp/docent-large-$$ big; s=$?; rm /tmp/docent-large-$$; exit $s"
            ).succeeded()
            let stored = try FileManager.default.attributesOfItem(atPath: world.view.installation.documents + "/big")
            #expect(stored[.size] as? Int == 30_000_000)
        }
    }

    @Test("many programs that append to one document lose nothing")
    func appended() async throws {
        try await ViewWorld.with { world in
            try await world.run("for i in 1 2 3 4 5; do (for j in 1 2 3 4; do echo $i$j >> a.txt; done) & done; wait")
                .succeeded()
            let lines = Set((world.stored("a.txt") ?? "").split(separator: "\n"))
            #expect(lines.count == 21, "\(lines.sorted())")
        }
    }

    @Test("a document that is renamed to a name of a local file, and then over another document, is only there")
    func renamedOver() async throws {
        try await ViewWorld.with { world in
            try await world.run("printf other > b.txt && mv a.txt a.txt~ && mv a.txt~ b.txt").succeeded()
            #expect(try world.names() == ["b.txt"] && world.stored("b.txt") == "hello\n")
            #expect(try await world.run("ls").succeeded().text == "b.txt\n")
        }
    }

    @Test("a file that was removed can be used by those who have it open")
    func orphan() async throws {
        try await ViewWorld.with { world in
            let script = """
                import os
                for name in ["new", "a.txt"]:
                    f = open(name, "w+")
                    f.write("one")
                    f.flush()
                    os.unlink(name)
                    assert os.fstat(f.fileno()).st_nlink == 0
                    f.write("two")
                    f.flush()
                    f.seek(0)
                    assert f.read() == "onetwo"
                    f.close()
                """
            try Data(script.utf8).write(to: URL(filePath: world.view.installation.home + "/orphan.py"))
            try await world.run("python3 ~/orphan.py").succeeded()
            #expect(try world.names().isEmpty)
        }
    }

    @Test("what is written to a file while it gets another name is in that file")
    func renamedWhileOpen() async throws {
        try await ViewWorld.with { world in
            for name in ["t.tmp", "t.txt"] {
                let script = """
                    import os
                    f = open("\(name)", "w")
                    f.write("one")
                    f.flush()
                    os.rename("\(name)", "a.txt")
                    f.write("two")
                    f.close()
                    """
                try Data(script.utf8).write(to: URL(filePath: world.view.installation.home + "/rename.py"))
                try await world.run("python3 ~/rename.py").succeeded()
                #expect(world.stored("a.txt") == "onetwo", "\(name)")
                #expect(try world.names() == ["a.txt"], "\(name)")
                #expect(try await world.run("cat a.txt").succeeded().text == "onetwo")
            }
        }
    }
}
