import DocentTestSupport
import Foundation
import Testing

/// Real programs save in a mounted folder, each in its own way. A document stays the same one, and what programs make
/// only for themselves does not reach its provider.
@Suite(.needs(.daemon)) struct ViewEditorTests {
    // By default vim keeps no copies of what is below /tmp.
    private static let vim = "vim -N -u NONE -i NONE -es -c 'set backupskip='"

    @Test(
        "a program saves a document",
        arguments: [
            "\(vim) -c 's/hello/saved/' -c wq a.txt",
            "\(vim) -c 'set backup backupcopy=no' -c 's/hello/saved/' -c wq a.txt",
            "\(vim) -c 'set writebackup backupcopy=no' -c 's/hello/saved/' -c wq a.txt",
            "\(vim) -c 'set backup backupcopy=yes' -c 's/hello/saved/' -c wq a.txt",
            "sed -i s/hello/saved/ a.txt",
            "printf 'saved\\n' | gio save a.txt",
            "printf 'saved\\n' | gio save --backup a.txt",
            "printf 'saved\\n' > ~/a.txt && rsync -c ~/a.txt a.txt",
            "printf 'saved\\n' > ~/a.txt && rsync -c --inplace ~/a.txt a.txt",
            // Qt, and Emacs.
            "printf 'saved\\n' > a.txt.Ab12Cd && mv a.txt.Ab12Cd a.txt",
            "mv a.txt a.txt~ && printf 'saved\\n' > a.txt",
            "printf lock > .~lock.a.txt# && printf 'saved\\n' > a.txt && rm .~lock.a.txt#",
        ])
    func saves(script: String) async throws {
        try await ViewWorld.with { world in
            let before = try await world.identifier("a.txt")
            try await world.run(script).succeeded()
            #expect(world.stored("a.txt") == "saved\n")
            #expect(try await world.run("cat a.txt").succeeded().text == "saved\n")
            #expect(try await world.identifier("a.txt") == before)
            #expect(try world.names() == ["a.txt"], "what only this machine needs is not at the provider")
        }
    }

    @Test("a document that a program has emptied and closed is replaced by another file, and no conflict is kept")
    func replacesEmptied() async throws {
        try await ViewWorld.with { world in
            let before = try await world.identifier("a.txt")
            try await world.run(
                "for i in $(seq 30); do printf $i > new.txt && : > a.txt && mv new.txt a.txt || exit 1; done"
            ).succeeded()
            #expect(world.stored("a.txt") == "30")
            #expect(try await world.identifier("a.txt") == before)
            #expect(try world.names() == ["a.txt"])
        }
    }

    @Test("a copy that an editor keeps is there for the user, in this view and the next")
    func backup() async throws {
        try await ViewWorld.with { world in
            try await world.run("\(Self.vim) -c 'set backup backupcopy=no' -c 's/hello/new/' -c wq a.txt").succeeded()
            let both = try await world.run("cat a.txt~ a.txt; ls")
            #expect(both.text == "hello\nnew\na.txt\na.txt~\n", "\(both.errors)")
            try await world.view.installation.docent("unmount", world.view.folder).succeeded()
            try await world.view.installation.docent("mount").succeeded()
            #expect(try await world.run("cat a.txt~ && rm a.txt~ && ls").succeeded().text == "hello\na.txt\n")
        }
    }

    @Test("a document that is only renamed to such a name is renamed at its provider, a moment later")
    func renamed() async throws {
        try await ViewWorld.with(departure: 1) { world in
            let before = try await world.identifier("a.txt")
            try await world.run("mv a.txt a.txt~").succeeded()
            #expect(try await world.run("ls; cat a.txt~").succeeded().text == "a.txt~\nhello\n")
            try await world.view.installation.eventually("the new name") { try world.names() == ["a.txt~"] }
            try await world.view.installation.eventually("the identifier") {
                try await world.run("getfattr --only-values -n user.docent.identifier a.txt~").text == before
            }
            #expect(try await world.run("mv a.txt~ b.txt && cat b.txt").succeeded().text == "hello\n")
            #expect(try world.names() == ["b.txt"])
        }
    }

    @Test("a document that is renamed to such a name and removed is removed")
    func removed() async throws {
        try await ViewWorld.with { world in
            try await world.run("mv a.txt a.txt~ && rm a.txt~").succeeded()
            #expect(try world.names().isEmpty)
            #expect(try await world.run("ls").succeeded().text.isEmpty)
        }
    }

    @Test("a document that is removed goes to the trash, but not what was only made a moment before")
    func trash() async throws {
        try await ViewWorld.with { world in
            try await world.run("printf x > new.txt && rm new.txt && mkdir d && rmdir d && rm a.txt").succeeded()
            #expect(try world.names().isEmpty)
            let listed = try await TrashLocalTests.entries(world.view.installation)
            #expect(listed.map(\.name) == ["a.txt"])
            try await world.view.installation.docent("undo", "--yes").succeeded()
            #expect(try await world.run("cat a.txt").succeeded().text == "hello\n")
        }
    }

    @Test("git works in a mounted folder")
    func git() async throws {
        try await ViewWorld.with { world in
            let git = "git -c user.name=A -c user.email=a@example.org -c safe.directory='*'"
            try await world.run(
                "git init -q repository && cd repository && cp ../a.txt . && \(git) add a.txt && \(git) commit -q -m one && echo two >> a.txt && \(git) commit -q -am two && \(git) fsck --strict"
            ).succeeded()
            try await world.run(
                "git clone -q repository clone && cat clone/a.txt && git -C clone log --oneline | wc -l"
            )
            .succeeded()
            #expect(world.stored("clone/a.txt") == "hello\ntwo\n")
        }
    }

    @Test("a database is written in each of its modes", arguments: ["delete", "truncate", "persist", "wal"])
    func sqlite(mode: String) async throws {
        try await ViewWorld.with { world in
            let outcome = try await world.run(
                "sqlite3 x.db \"pragma journal_mode=\(mode); create table t(a); insert into t values (1); insert into t values (2);\" && sqlite3 x.db 'select count(*) from t; pragma integrity_check'"
            )
            if outcome.status == 0 {
                #expect(outcome.text.hasSuffix("2\nok\n"), "\(outcome.text)")
                let stored = try await world.view.installation.run(
                    "/usr/bin/sqlite3",
                    [world.view.installation.documents + "/x.db", "pragma integrity_check; select count(*) from t"])
                #expect(stored.text == "ok\n2\n", "what the provider has: \(stored.text) \(stored.errors)")
            } else {
                #expect(mode == "wal" && !outcome.errors.isEmpty, "\(outcome.errors)")
            }
        }
    }
}
