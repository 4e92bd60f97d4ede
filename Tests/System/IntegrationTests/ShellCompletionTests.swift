import DocentTestSupport
import Foundation
import Testing

/// Tab completion in common shells, on a real terminal.
@Suite(.needs(.daemon, .programs)) struct ShellCompletionTests {
    /// The text typed before Tab, the text expected afterwards, and the command's output after Enter.
    private struct Step: Encodable {
        var typed: String
        var seen: String
        var shown: String?
    }

    private struct Shell: Sendable, CustomTestStringConvertible {
        var name: String
        /// The program and its arguments.
        var command: [String]
        /// Typed first, so that the prompt is `ready>`; `SCRIPT` stands for the completion script.
        var setUp: String
        var testDescription: String { name }
    }

    private static let shells = [
        Shell(name: "bash", command: ["bash", "--norc", "-i"], setUp: "source SCRIPT; PS1='ready> '"),
        Shell(
            name: "zsh", command: ["zsh", "-f", "-i"],
            setUp: "autoload -Uz compinit; compinit -u -D; source SCRIPT; PS1='ready> '; RPS1="),
        Shell(
            name: "fish", command: ["fish", "--no-config", "-i"],
            setUp: "source SCRIPT; set -g fish_autosuggestion_enabled 0; function fish_prompt; echo -n 'ready> '; end"),
    ]

    /// Shells that look for the script themselves, in the place where `make install` puts it; `SHARE` stands for the
    /// prefix's directory `share`.
    private static let searching = [
        (
            "/bash-completion/completions/docent",
            Shell(
                name: "bash", command: ["bash", "--norc", "-i"],
                setUp: "source /usr/share/bash-completion/bash_completion; PS1='ready> '")
        ),
        (
            "/zsh/site-functions/_docent",
            Shell(
                name: "zsh", command: ["zsh", "-f", "-i"],
                setUp: "fpath=(SHARE/zsh/site-functions $fpath); autoload -Uz compinit; compinit -u -D; "
                    + "PS1='ready> '; RPS1=")
        ),
        (
            "/fish/vendor_completions.d/docent.fish",
            Shell(
                name: "fish", command: ["fish", "-i"],
                setUp: "set -g fish_autosuggestion_enabled 0; function fish_prompt; echo -n 'ready> '; end")
        ),
    ]

    @Test(
        "locations, providers, accounts and clients complete with Tab; the name of a document is never run as a command",
        arguments: shells)
    private func completes(_ shell: Shell) async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("plain\n", to: "notes.txt")
            for (folder, name, text) in [
                ("Blank", "my doc.txt", "has blanks"), ("Colon", "a:b@c.txt", "has a colon"),
                ("Money", "$(touch pwned).txt", "costs nothing"), ("Tick", "`touch pwned`", "ticks"),
                ("Quote", "it's \"so\".txt", "is quoted"), ("Semi", "x; touch pwned #", "goes on"),
            ] {
                try FileManager.default.createDirectory(
                    atPath: "\(installation.documents)/\(folder)", withIntermediateDirectories: true)
                try installation.write(text + "\n", to: "\(folder)/\(name)")
            }
            try await installation.docent(
                "grants", "add", "org.example.Reader", "LocalFolder:/notes.txt", "--kind", "unconfined"
            ).succeeded()
            // An account; its service is never asked.
            for point in ["FileProvider", "Picker"] {
                let name = "/org.docent.WebDAV.\(point).plist"
                try FileManager.default.copyItem(
                    atPath: Repository.root + "/manifests" + name, toPath: installation.manifests + name)
            }
            try await installation.docent("provider", "enable", "org.docent.WebDAV", "--yes").succeeded()
            try await installation.docent(
                "domains", "add", "webdav", "work", "--url", "http://127.0.0.1:9/", "--unchecked"
            ).succeeded()
            let script = installation.root + "/completion"
            try await Self.writeScript(of: shell, to: script, installation)
            let steps = [
                Step(typed: "docent inf", seen: "docent info"),
                Step(typed: "docent cat Loc", seen: "LocalFolder:/"),
                Step(typed: "docent cat LocalFolder:/no", seen: "LocalFolder:/notes.txt", shown: "plain"),
                Step(typed: "docent cat LocalFolder:/Bl", seen: "LocalFolder:/Blank/"),
                Step(typed: "docent cat LocalFolder:/Blank/", seen: "doc.txt", shown: "has blanks"),
                Step(typed: "docent cat LocalFolder:/Blank/my\\ d", seen: "doc.txt", shown: "has blanks"),
                Step(typed: "docent cat LocalFolder:/Colon/", seen: "c.txt", shown: "has a colon"),
                Step(typed: "docent cat LocalFolder:/Money/", seen: "pwned", shown: "costs nothing"),
                Step(typed: "docent cat LocalFolder:/Tick/", seen: "pwned", shown: "ticks"),
                Step(typed: "docent cat LocalFolder:/Quote/", seen: "so", shown: "is quoted"),
                Step(typed: "docent cat LocalFolder:/Semi/", seen: "pwned", shown: "goes on"),
                Step(typed: "docent provider show Loc", seen: "show LocalFolder"),
                Step(typed: "docent grants list --client org.example.R", seen: "org.example.Reader"),
                Step(typed: "docent logout WebDAV@", seen: "logout WebDAV@work"),
                Step(typed: "docent domains show WebDAV@w", seen: "show WebDAV@work"),
                Step(typed: "docent domains remove WebDAV w", seen: "remove WebDAV work"),
                Step(typed: "docent transfers retry --provider WebDAV --domain w", seen: "--domain work"),
                Step(typed: "docent cat WebDAV@", seen: "WebDAV@work:/"),
            ]
            let setUp = shell.setUp.replacingOccurrences(of: "SCRIPT", with: script)
            let outcome = try await Self.perform(steps, in: shell, setUp: setUp, installation)
            #expect(outcome.status == 0, "\(outcome.text)\n\(outcome.errors)")
            let left = try FileManager.default.contentsOfDirectory(atPath: installation.home)
            #expect(!left.contains("pwned"), "the name of a document was run")
        }
    }

    @Test("each shell finds the installed script by itself", arguments: searching)
    private func found(_ place: String, _ shell: Shell) async throws {
        let installer = try String(contentsOfFile: Repository.root + "/Scripts/install.sh", encoding: .utf8)
        #expect(installer.contains("\"$prefix/share\(place)\""))
        try await Installation.withLocalFolder { installation in
            try installation.write("plain\n", to: "notes.txt")
            let share = installation.root + "/prefix/share"
            try await Self.writeScript(of: shell, to: share + place, installation)
            // Otherwise fish makes completions of all manual pages of this machine.
            try FileManager.default.createDirectory(
                atPath: installation.home + "/.local/share/fish/generated_completions",
                withIntermediateDirectories: true)
            let steps = [
                Step(typed: "docent inf", seen: "docent info"),
                Step(typed: "docent cat LocalFolder:/no", seen: "LocalFolder:/notes.txt", shown: "plain"),
            ]
            let outcome = try await Self.perform(
                steps, in: shell, setUp: shell.setUp.replacingOccurrences(of: "SHARE", with: share), installation,
                environment: ["XDG_DATA_DIRS": share + ":/usr/local/share:/usr/share"])
            #expect(outcome.status == 0, "\(outcome.text)\n\(outcome.errors)")
        }
    }

    private static func writeScript(of shell: Shell, to path: String, _ installation: Installation) async throws {
        let text = try await installation.docent("--generate-completion-script", shell.name).succeeded().text
        let place = URL(filePath: path)
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: place)
    }

    /// Runs a shell on a terminal and performs the steps.
    private static func perform(
        _ steps: [Step], in shell: Shell, setUp: String, _ installation: Installation,
        environment: [String: String] = [:]
    ) async throws -> Outcome {
        let variables = ["PATH": Installation.binaries + ":/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm"]
        return try await installation.run(
            "/usr/bin/env",
            [
                ProcessInfo.processInfo.environment["DOCENT_TEST_PYTHON"] ?? "python3", "-c", typist,
                try text(shell.command), setUp, try text(steps),
            ],
            environment: variables.merging(environment) { _, new in new })
    }

    private static func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    /// Types on a terminal, presses Tab until the text appears, and Enter if output is expected.
    ///
    /// Each step begins on an empty screen with only the prompt, and a second Tab is pressed only after the first was
    /// answered: by then the completion has ended by its own time limit, so no Tab meets the answer to another.
    private static let typist = #"""
        import json, os, pty, pyte, select, sys, time
        command, set_up, steps = json.loads(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
        process, terminal = pty.fork()
        if process == 0: os.execvp(command[0], command)

        class Screen(pyte.Screen):
            bells = 0
            def bell(self, *_): self.bells += 1
            # Some shells ask the terminal what it is.
            def write_process_input(self, text): os.write(terminal, text.encode())
        screen = Screen(200, 50)
        stream = pyte.ByteStream(screen)

        def lines(): return [line.rstrip() for line in screen.display]
        def display(): return "\n".join(lines())
        def listen(seconds, isEnough=lambda: False):
            end = time.monotonic() + seconds
            while not isEnough() and (rest := end - time.monotonic()) > 0:
                if select.select([terminal], [], [], rest)[0]: stream.feed(os.read(terminal, 65536))
            return isEnough()
        def send(text): os.write(terminal, text.encode())
        def fail(step, why):
            print(f"{why}: {step}\n" + "\n".join(line for line in lines() if line)); sys.exit(1)
        def prompt(): return lines()[screen.cursor.y] == "ready>"
        marks = 0
        def clear(step):
            global marks
            for attempt in range(20):
                # Away with what is typed, and with a list that is open. A shell may answer the interrupt late, and
                # would then drop what is typed next: a command that was run shows that it has. Then an empty screen.
                send("\x03")
                listen(0.3)
                marks += 1
                mark = f"mark-{marks}"
                send(f"\x15echo {mark}\r")
                if not listen(20, lambda: mark in lines() and prompt()): continue
                send("\x0c")
                if listen(20, lambda: prompt() and not any(lines()[1:])): return
            fail(step, "no prompt")

        listen(1)
        send(set_up + "\r")
        if not listen(300, prompt): fail(set_up, "no shell")
        for step in steps:
            clear(step)
            send(step["typed"])
            if not listen(60, lambda: lines()[0].startswith("ready> " + step["typed"])): fail(step, "not typed")
            for attempt in range(20):
                before = screen.bells
                send("\t")
                listen(30, lambda: step["seen"] in display() or screen.bells > before)
                if listen(0.3, lambda: step["seen"] in display()): break
            else: fail(step, "not completed")
            if step.get("shown"):
                send("\r")
                if not listen(120, lambda: any(line.startswith(step["shown"]) for line in lines())): fail(step, "not shown")
        """#
}
