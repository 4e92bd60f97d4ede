import Glibc

/// Signals in words, as their manual names them.
package enum SignalText {
    private static let names: [CInt: String] = [
        SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
        SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV",
        SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM", SIGTERM: "SIGTERM", SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ",
        SIGSYS: "SIGSYS",
    ]

    /// How a signal ended a process, to follow a subject: "was killed by SIGSEGV (signal 11, Segmentation fault)".
    package static func killed(by number: CInt) -> String {
        let meaning = strsignal(number).map { ", " + String(cString: $0) } ?? ""
        return names[number].map { "was killed by \($0) (signal \(number)\(meaning))" }
            ?? "was killed by the signal \(number)\(meaning)"
    }
}
