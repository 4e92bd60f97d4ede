import DocentTestSupport
import Foundation
import Testing

/// Extended attributes and space of a mounted folder.
@Suite(.needs(.daemon)) struct ViewAttributeTests {
    @Test("attributes that programs set are read again, listed, changed and removed")
    func own() async throws {
        try await ViewWorld.with { world in
            try await world.run("setfattr -n user.note -v one a.txt && setfattr -n user.note -v two a.txt").succeeded()
            #expect(try await world.run("getfattr --only-values -n user.note a.txt").succeeded().text == "two")
            let all = try await world.run("getfattr a.txt").succeeded().text
            #expect(all.contains("user.note\n") && all.contains("user.docent.identifier\n"), "\(all)")
            try await world.run("setfattr -x user.note a.txt").succeeded()
            let again = try await world.run("setfattr -x user.note a.txt")
            #expect(again.status != 0 && again.errors.contains("No such attribute"), "\(again.errors)")
        }
    }

    @Test("attributes go with the document when it is renamed, and to its provider with its next content")
    func followed() async throws {
        try await ViewWorld.with { world in
            try await world.run("setfattr -n user.note -v kept a.txt && mv a.txt b.txt && echo more >> b.txt")
                .succeeded()
            #expect(try await world.run("getfattr --only-values -n user.note b.txt").succeeded().text == "kept")
            let stored = try await world.run(
                "getfattr --only-values -n user.note '\(world.view.installation.documents)/b.txt'")
            #expect(stored.text == "kept", "\(stored.errors)")
        }
    }

    @Test("a copy with attributes has them, also when it is made under another name first")
    func copied() async throws {
        try await ViewWorld.with { world in
            try await world.run(
                """
                echo new > ~/source && setfattr -n user.origin -v here ~/source &&
                cp --preserve=xattr ~/source copied.txt && cp --preserve=xattr ~/source .x.tmp && mv .x.tmp moved.txt
                """
            ).succeeded()
            for name in ["copied.txt", "moved.txt"] {
                let value = try await world.run("getfattr --only-values -n user.origin \(name)")
                #expect(value.text == "here", "\(name): \(value.errors)")
            }
        }
    }

    @Test("what cannot be set is refused, and changes nothing")
    func refused() async throws {
        try await ViewWorld.with { world in
            let script = """
                import errno, os
                def refused(number, name, value, flags=0, path="a.txt"):
                    try: os.setxattr(path, name, value, flags)
                    except OSError as error: assert error.errno == number, (name, error)
                    else: raise AssertionError(name)
                refused(errno.EPERM, "user.docent.identifier", b"other")
                refused(errno.EPERM, "user.docent.invented", b"1")
                refused(errno.EINVAL, "user.docent.pinned", b"2")
                refused(errno.EINVAL, "user.docent.pinned", b"")
                refused(errno.EEXIST, "user.docent.pinned", b"1", os.XATTR_CREATE)
                refused(errno.ENODATA, "user.none", b"1", os.XATTR_REPLACE)
                os.setxattr("a.txt", "user.some", b"1", os.XATTR_CREATE)
                refused(errno.EEXIST, "user.some", b"2", os.XATTR_CREATE)
                os.setxattr("a.txt", "user.some", b"3", os.XATTR_REPLACE)
                assert os.getxattr("a.txt", "user.some") == b"3"
                refused(errno.ENOSPC, "user.large", bytes(65536))
                refused(errno.EOPNOTSUPP, "user.some", b"1", path=".")
                os.removexattr("a.txt", "user.some")
                for number in range(64): os.setxattr("a.txt", f"user.{number}", b"1")
                refused(errno.ENOSPC, "user.more", b"1")
                """
            try Data(script.utf8).write(to: URL(filePath: world.view.installation.home + "/refused.py"))
            try await world.run("python3 ~/refused.py").succeeded()
            #expect(try await world.identifier("a.txt") != "other")
        }
    }

    @Test("the space of a LocalFolder is that of its file system")
    func space() async throws {
        try await ViewWorld.with { world in
            let documents = world.view.installation.documents
            let expected = try await world.run("stat -f -c '%S %b' '\(documents)'").succeeded().text
                .split(separator: " ").compactMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
            try #require(expected.count == 2)
            try await world.view.installation.eventually("the space of the account") {
                let shown = try await world.run("stat -f -c '%S %b' .").text
                    .split(separator: " ").compactMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
                guard shown.count == 2 else { return false }
                return abs(shown[0] * shown[1] - expected[0] * expected[1]) < 8_192
            }
        }
    }
}

/// The same for remote documents.
@Suite(.needs(.daemon, .server)) struct RemoteViewAttributeTests {
    @Test("a program pins a document, which is fetched then, and takes it back")
    func pinned() async throws {
        try await RemoteInstallation.with(prepare: { try await $0.put("from far away", "a.txt") }) { remote in
            try await ViewedInstallation.with(remote.installation) { view in
                let account = try #require(try await view.run("ls").succeeded().text.split(separator: "\n").first)
                let path = String(account) + "/a.txt"
                func pinned() async throws -> String {
                    try await view.run("getfattr", "--only-values", "-n", "user.docent.pinned", path).text
                }
                #expect(try await pinned() == "0")
                try await view.run("setfattr", "-n", "user.docent.pinned", "-v", "1", path).succeeded()
                #expect(try await pinned() == "1")
                try await remote.installation.eventually("the content") {
                    try await view.run("getfattr", "--only-values", "-n", "user.docent.state", path).text == "local"
                }
                try await view.run("setfattr", "-x", "user.docent.pinned", path).succeeded()
                #expect(try await pinned() == "0")
            }
        }
    }
}
