import CLinux
import Dispatch
import Glibc

extension PresenterThread {
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the calling thread does the work of the main actor: the program's first thread or, where an asynchronous `main` gave that
    /// one up, whichever runs the main queue.
    static var isMain: Bool { clinux_gettid() == getpid() || DispatchQueue.getSpecific(key: mark) == true }
}
