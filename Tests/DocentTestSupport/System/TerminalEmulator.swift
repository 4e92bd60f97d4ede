import Foundation

/// Third-party terminals, to see the effect of output: tmux, and pyte, which has no alternate screen and supports
/// little.
package enum TerminalEmulator {
    /// The contents of a terminal with 80 columns and 24 rows.
    package struct View: Decodable, Equatable, Sendable {
        /// Without trailing spaces; with escape sequences for attributes, if the terminal reports them.
        package let lines: [String]
        /// Modes by name.
        package let modes: [String: String]
    }

    /// What tmux shows after each of these.
    package static func tmux(_ samples: [[UInt8]]) async throws -> [View] {
        try await run("python3", tmuxProgram, samples)
    }

    /// What pyte shows after each of these.
    package static func pyte(_ samples: [[UInt8]]) async throws -> [View] {
        let python = ProcessInfo.processInfo.environment["DOCENT_TEST_PYTHON"] ?? "/var/tmp/docent-test-venv/bin/python"
        return try await run(python, pyteProgram, samples)
    }

    private static func run(_ python: String, _ program: String, _ samples: [[UInt8]]) async throws -> [View] {
        let input = try JSONEncoder().encode(samples.map { Data($0) })
        var environment = ProcessInfo.processInfo.environment
        environment["TMUX"] = nil
        environment["LC_ALL"] = "C.UTF-8"
        return try await Outcome.run(
            "/usr/bin/env", [python, "-c", program], input: input, environment: environment, folder: "/"
        ).succeeded().json([View].self)
    }

    private static let pyteProgram = """
        import base64, json, pyte, sys
        # It also lists modes that it does not support.
        known = {pyte.modes.IRM, pyte.modes.LNM, pyte.modes.DECAWM, pyte.modes.DECOM, pyte.modes.DECSCNM, pyte.modes.DECTCEM}
        views = []
        for sample in json.load(sys.stdin):
            screen = pyte.Screen(80, 24)
            pyte.ByteStream(screen).feed(base64.b64decode(sample))
            drawn = [screen.buffer[y][x] for y in range(24) for x in range(80)]
            views.append({"lines": [line.rstrip() for line in screen.display], "modes": {
                "cursor": f"{screen.cursor.x} {screen.cursor.y} {screen.cursor.hidden}",
                "margins": str(screen.margins and tuple(screen.margins)), "set": str(sorted(screen.mode & known)),
                "colours": str(sorted({c.fg for c in drawn} | {c.bg for c in drawn})),
                "attributes": str(any(c.reverse or c.bold or c.blink or c.underscore for c in drawn))}})
        print(json.dumps(views))
        """

    /// Writes a sample to a terminal of tmux, and waits until tmux has answered the query at its end.
    private static let tmuxProgram = #"""
        import base64, json, os, shutil, subprocess, sys, tempfile, time
        folder = tempfile.mkdtemp()
        feed = r'''
        import os, sys, time, tty
        data = open(sys.argv[1], "rb").read()
        tty.setraw(0)
        rest = data + b"\x1b[5n"
        while rest: rest = rest[os.write(1, rest):]
        seen = b""
        while seen.count(b"\x1b[0n") < data.count(b"\x1b[5n") + 1: seen += os.read(0, 100)
        open(sys.argv[1] + ".done", "w").close()
        time.sleep(600)
        '''
        open(folder + "/feed", "w").write(feed)
        open(folder + "/conf", "w").write("set -g status off\nset -g default-size 80x24\nset -g default-terminal screen-256color\n")
        def tmux(*arguments):
            return subprocess.run(["tmux", "-S", folder + "/socket", "-f", folder + "/conf", *arguments],
                                  capture_output=True, text=True, check=True).stdout
        names = ["alternate_on", "cursor_x", "cursor_y", "cursor_flag", "insert_flag", "keypad_flag", "keypad_cursor_flag",
                 "mouse_all_flag", "mouse_any_flag", "mouse_button_flag", "mouse_standard_flag", "mouse_sgr_flag", "mouse_utf8_flag",
                 "origin_flag", "scroll_region_upper", "scroll_region_lower", "wrap_flag"]
        views = []
        try:
            tmux("new-session", "-d", "-x", "80", "-y", "24", "sleep 600")
            for number, sample in enumerate(json.load(sys.stdin)):
                path = f"{folder}/{number}"
                open(path, "wb").write(base64.b64decode(sample))
                pane = tmux("new-window", "-d", "-P", "-F", "#{pane_id}", f"exec python3 {folder}/feed {path}").strip()
                deadline = time.time() + 60
                while not os.path.exists(path + ".done"):
                    if time.time() > deadline: sys.exit(f"tmux does not answer after sample {number}")
                    time.sleep(0.01)
                lines = tmux("capture-pane", "-p", "-e", "-t", pane).split("\n")
                values = tmux("display-message", "-p", "-t", pane, " ".join("#{%s}" % name for name in names)).split()
                views.append({"lines": [line.rstrip() for line in lines][:24], "modes": dict(zip(names, values))})
                tmux("kill-pane", "-t", pane)
        finally:
            subprocess.run(["tmux", "-S", folder + "/socket", "kill-server"], capture_output=True)
            shutil.rmtree(folder, ignore_errors=True)
        print(json.dumps(views))
        """#
}
