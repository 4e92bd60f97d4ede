import Foundation
import Testing

/// Programs are started in one place, so that its guarantees hold for all of them.
struct OneLauncherTests {
    /// The only places that may call a function that starts a process, each with the reason.
    private static let places = [
        "Sources/ProcessLaunching/ProgramLaunch.swift": "The launcher.",
        "Sources/ProcessLaunching/ProgramReplacement.swift": "The launcher.",
        "Sources/docent-extension-host/limits.c": "Becomes bubblewrap inside a control group. Has no Swift runtime.",
        "Sources/docent-extension-host/supervisor.c": "Forks the process of the plugin. Has no Swift runtime.",
        "Sources/CLinux/ReadOnlyView.c": "Forks without exec: a thread cannot enter a user namespace.",
        "Sources/CSocketActivation/socket_activation.c": "Acts in the child between fork and exec.",
        "Plugins/Faulty/Provider/Calamity.swift": "A fault: starting a program is what the sandbox refuses.",
    ]

    @Test("only the launcher starts programs, apart from exceptions that still exist")
    func places() throws {
        let functions = "v?fork|_Fork|exec[lv][ep]*|execvpe|execveat|fexecve|popen|clone3?"
        // A comment that takes a whole line is not a call.
        let call = try NSRegularExpression(
            pattern: #"^(?!\s*//).*(\bposix_spawnp?\b|(?<![.\w])((\#(functions))\(|Process\(\)))"#,
            options: .anchorsMatchLines)
        var found: Set<String> = []
        for path in try Tree.files(below: ["Sources", "Plugins"], endings: [".swift", ".c", ".h"]) {
            let text = String(decoding: try Tree.data(path), as: UTF8.self)
            guard let match = call.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)),
                let place = Range(match.range, in: text)
            else { continue }
            found.insert(path)
            if Self.places[path] == nil {
                let line = text[..<place.lowerBound].utf8.count { $0 == UInt8(ascii: "\n") } + 1
                Issue.record("\(path):\(line) starts a process: use ProgramLaunch of ProcessLaunching")
            }
        }
        for path in Self.places.keys where !found.contains(path) {
            Issue.record("\(path) no longer starts a process: remove the exception")
        }
    }
}
