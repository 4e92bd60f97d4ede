import DocentTestSupport
import Foundation

/// An imitated Flatpak: bubblewrap with its own file system and `/.flatpak-info` bound into it, as Flatpak does, and
/// the instance listed below the runtime directory.
enum FlatpakImitation {
    /// The state of the sandbox and the runtime directory; every field but the first forges one thing.
    struct Setup: Encodable {
        /// The content of `/.flatpak-info`; nil leaves it out.
        var inside: String? = text("org.example.Packed", "4711")
        /// The content of the instance's file in the runtime directory; nil lists no instance.
        var listed: String? = text("org.example.Packed", "4711")
        /// The process listed as the instance's first one: `own`, `ended`, `other` (the test's own), or none.
        var child = "own"
        /// How the file is placed in the sandbox: `bound` (from memory, as Flatpak does it), `elsewhere` (from another
        /// file system), `served` (by a program that never answers), `writable` (in the sandbox's own file system),
        /// `link`.
        var form = "bound"
        /// Whether the runtime directory has a link instead of the instance's file.
        var listedLink = false
        /// The number of additional bytes in the file inside.
        var padding = 0
    }

    /// The text of such a file.
    static func text(_ name: String, _ instance: String) -> String {
        "[Application]\nname=\(name)\nruntime=runtime/org.example.Platform\n\n[Instance]\ninstance-id=\(instance)\n"
    }

    /// The daemon's answer to OpenSession from inside, which states another identifier: the principal, or the error.
    static func open(_ installation: Installation, _ setup: Setup) async throws -> Answer {
        let script = installation.root + "/\(UUID().uuidString).py"
        try Data(program.utf8).write(to: URL(fileURLWithPath: script))
        let text = String(decoding: try JSONEncoder().encode(setup), as: UTF8.self)
        return try await installation.run(
            "/usr/bin/python3", [script, installation.socket, installation.root + "/run", text]
        ).succeeded().json(Answer.self)
    }

    /// An answer.
    struct Answer: Decodable {
        struct Parameters: Decodable {
            struct Principal: Decodable {
                var kind: String
                var identifier: String
                var strength: String?
            }
            var principal: Principal?
            var message: String?
        }
        var error: String?
        var parameters: Parameters
        /// The answer to Picker.ListProviders from inside.
        var picker: String?
    }

    private static let program = #"""
        import json, os, subprocess, sys, tempfile
        socket_path, runtime, setup = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])

        INNER = """
        import json, socket, sys
        sys.stdin.readline()
        if sys.argv[2] == "served":
            # A file system whose program never answers: every access waits forever.
            import ctypes, os
            fuse = os.open("/dev/fuse", os.O_RDWR)
            options = f"fd={fuse},rootmode=100000,user_id={os.getuid()},group_id={os.getgid()}"
            libc = ctypes.CDLL(None, use_errno=True)
            if libc.mount(b"evil", b"/.flatpak-info", b"fuse", 1, options.encode()) != 0:
                raise OSError(ctypes.get_errno(), "mount")
        one = socket.socket(socket.AF_UNIX)
        one.settimeout(60)
        one.connect(sys.argv[1])
        def call(method, **parameters):
            one.sendall(json.dumps({"method": method, "parameters": parameters}).encode() + bytes(1))
            data = b""
            while not data.endswith(bytes(1)):
                part = one.recv(65536)
                if not part: break
                data += part
            return json.loads(data[:-1]) if data else {"error": "closed", "parameters": {}}
        answer = call("org.docent.Documents.OpenSession", client="org.example.Stated")
        if "error" not in answer:
            answer["picker"] = call("org.docent.Picker.ListProviders").get("error", "answered")
        print(json.dumps(answer))
        """

        folder = tempfile.mkdtemp()
        arguments = ["bwrap", "--die-with-parent", "--unshare-pid", "--tmpfs", "/", "--ro-bind", "/usr", "/usr"]
        for name in ["bin", "sbin", "lib", "lib64"]:
            if os.path.islink("/" + name):
                arguments += ["--symlink", os.readlink("/" + name), "/" + name]
            elif os.path.isdir("/" + name):
                arguments += ["--ro-bind", "/" + name, "/" + name]
        arguments += ["--proc", "/proc", "--dev", "/dev", "--bind", socket_path, "/docent.sock"]
        if setup.get("inside") is not None:
            text = setup["inside"] + "#" * setup["padding"] + "\n"
            source = folder + "/info"
            open(source, "w").write(text)
            if setup["form"] == "bound":
                data = os.open(source, os.O_RDONLY)
                os.set_inheritable(data, True)
                arguments += ["--ro-bind-data", str(data), "/.flatpak-info"]
            elif setup["form"] == "elsewhere":
                arguments += ["--ro-bind", source, "/.flatpak-info"]
            elif setup["form"] == "served":
                arguments += ["--unshare-user", "--uid", "0", "--gid", "0", "--cap-add", "ALL", "--dev-bind", "/dev/fuse", "/dev/fuse",
                              "--ro-bind", source, "/.flatpak-info"]
            elif setup["form"] == "link":
                arguments += ["--ro-bind", source, "/info", "--symlink", "/info", "/.flatpak-info"]
            else:
                data = os.open(source, os.O_RDONLY)
                os.set_inheritable(data, True)
                arguments += ["--file", str(data), "/.flatpak-info"]
        told, telling = os.pipe()
        os.set_inheritable(telling, True)
        arguments += ["--info-fd", str(telling), "/usr/bin/python3", "-c", INNER, "/docent.sock", setup["form"]]
        inner = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, close_fds=False)
        os.close(telling)
        information = json.loads(os.fdopen(told).read())
        if setup.get("listed") is not None:
            instance = runtime + "/.flatpak/4711"
            os.makedirs(instance, exist_ok=True)
            for name in ["info", "bwrapinfo.json", "elsewhere"]:
                if os.path.lexists(instance + "/" + name):
                    os.unlink(instance + "/" + name)
            open(instance + "/elsewhere", "w").write(setup["listed"])
            if setup["listedLink"]:
                os.symlink(instance + "/elsewhere", instance + "/info")
            else:
                open(instance + "/info", "w").write(setup["listed"])
            if setup["child"] == "ended":
                process = subprocess.Popen(["true"])
                process.wait()
                information["child-pid"] = process.pid
            elif setup["child"] == "other":
                information["child-pid"] = os.getpid()
            if setup["child"] != "none":
                json.dump(information, open(instance + "/bwrapinfo.json", "w"))
        output, _ = inner.communicate(b"go\n")
        assert inner.returncode == 0, inner.returncode
        print(output.decode())
        """#
}
