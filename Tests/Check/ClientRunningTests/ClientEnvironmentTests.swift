import Testing

@testable import ClientRunning

@Suite struct ClientEnvironmentTests {
    private static func make(
        _ own: [String: String] = [:], allowances: Set<ClientAllowance> = [], given: [String: String] = [:]
    ) -> [String: String] {
        ClientEnvironment.make(
            own: own, home: "/home/ada", runtime: "/run/user/1000", allowances: allowances, given: given)
    }

    @Test("S6: only listed variables are passed in", arguments: ["LANG", "LC_ALL", "LC_TIME", "TERM", "TZ", "USER"])
    func inherited(name: String) { #expect(Self.make([name: "x"])[name] == "x") }

    @Test(
        "S6: variables that lead out of the sandbox, or may hold a secret, are not passed in",
        arguments: [
            "DBUS_SESSION_BUS_ADDRESS", "SSH_AUTH_SOCK", "AWS_SECRET_ACCESS_KEY", "LD_PRELOAD", "LD_LIBRARY_PATH",
            "DOCENT_DAEMON", "DOCENT_MANIFEST_PATH", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "DISPLAY", "WAYLAND_DISPLAY",
            "XAUTHORITY", "GPG_AGENT_INFO", "BASH_ENV",
        ])
    func notInherited(name: String) { #expect(Self.make([name: "x"])[name] == nil) }

    @Test("The programs beside docent are found, wherever it is installed; directories on PATH keep their order")
    func search() {
        func path(_ folder: String) -> String? {
            ClientEnvironment.make(own: [:], home: "/h", runtime: "/r", search: [folder])["PATH"]
        }
        #expect(path("/opt/docent/bin")?.hasPrefix("/opt/docent/bin:/usr/local/bin:") == true)
        #expect(path("/usr/bin") == Self.make()["PATH"])
    }

    @Test("The home, the runtime directory and the socket are the sandbox's, whatever they are outside")
    func places() {
        let result = Self.make(["HOME": "/x", "XDG_RUNTIME_DIR": "/x", "DOCENT_SOCKET": "/x", "PATH": "/x"])
        #expect(result["HOME"] == "/home/ada")
        #expect(result["XDG_RUNTIME_DIR"] == "/run/user/1000")
        #expect(result["DOCENT_SOCKET"] == "/run/user/1000/docent/docent.sock")
        #expect(result["PATH"]?.contains("/x") == false)
    }

    @Test("--setenv wins, except over the socket")
    func given() {
        let result = Self.make(["TERM": "x"], given: ["TERM": "y", "DOCENT_SOCKET": "/x", "MORE": "1"])
        #expect(result["TERM"] == "y")
        #expect(result["MORE"] == "1")
        #expect(result["DOCENT_SOCKET"] == "/run/user/1000/docent/docent.sock")
    }

    @Test("the folder with what was granted is named if there is one, whatever --setenv says")
    func view() {
        func folder(_ view: String?) -> String? {
            ClientEnvironment.make(
                own: ["DOCENT_VIEW_FOLDER": "/own"], home: "/h", runtime: "/r", view: view,
                given: ["DOCENT_VIEW_FOLDER": "/x"])["DOCENT_VIEW_FOLDER"]
        }
        #expect(folder("/r/documents") == "/r/documents")
        #expect(folder(nil) == nil)
    }

    @Test("The variables of a display are set only with the display")
    func display() {
        #expect(Self.make(["DISPLAY": ":0"], allowances: [.network, .sessionBus])["DISPLAY"] == nil)
        #expect(Self.make(["DISPLAY": ":0"], allowances: [.display])["DISPLAY"] == ":0")
    }
}
