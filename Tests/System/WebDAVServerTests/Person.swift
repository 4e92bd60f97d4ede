import FileProvider
import Synchronization

/// Who signs in: knows the interaction whose steps it is told.
final class Person: Sendable {
    private let known = Mutex<SignInInteraction?>(nil)

    var interaction: SignInInteraction? {
        get { known.withLock { $0 } }
        set { known.withLock { $0 = newValue } }
    }
}
