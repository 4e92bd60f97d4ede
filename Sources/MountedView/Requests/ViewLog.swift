import Glibc

/// What a view reports while nobody waits for it: lines on standard error, with the date.
enum ViewLog {
    static func write(_ text: String) {
        let line = "\(Int(ViewTree.now())) docent-view: \(text)\n"
        _ = line.utf8CString.dropLast().withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
