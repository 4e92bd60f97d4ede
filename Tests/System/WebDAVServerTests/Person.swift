import FileProvider
import Synchronization

/// A user who signs in: keeps the interaction with which the reported steps are answered.
final class Person: Sendable {
    private let known = Mutex<SignInInteraction?>(nil)

    var interaction: SignInInteraction? {
        get { known.withLock { $0 } }
        set { known.withLock { $0 = newValue } }
    }
}
