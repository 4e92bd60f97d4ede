import Synchronization

/// The running tests, for reports.
enum RunningTests {
    private static let names = Mutex<[String]>([])

    static func begin(_ name: String) { names.withLock { $0.append(name) } }

    static func end(_ name: String) {
        names.withLock { names in
            if let index = names.firstIndex(of: name) { names.remove(at: index) }
        }
    }

    static var all: [String] { names.withLock(\.self) }
}
