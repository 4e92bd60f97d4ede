import CLinux
import Dispatch
import Glibc

extension PresenterThread {
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the calling thread runs the main actor: the program's first thread or, after an asynchronous `main` has
    /// given that up, whichever thread runs the main queue.
    static var isMain: Bool { clinux_gettid() == getpid() || DispatchQueue.getSpecific(key: mark) == true }
}
