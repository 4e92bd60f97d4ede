import CommandConsole
import DocentInterfaces
import Documents
import Varlink

/// What one client has done since a moment, and taking it back.
struct ClientChanges {
    /// What became of a change.
    enum Outcome: Equatable {
        /// Nothing was tried.
        case shown
        case takenBack
        /// It stays, for this reason.
        case refused(String)
    }

    let administrator: DocumentsClient
    /// The changes that were not taken back, newest first.
    let changes: [Wire.Change]

    /// Finds the changes.
    ///
    /// - Parameter start: seconds since 1970.
    init(by client: String, since start: Double, administrator: DocumentsClient) async throws {
        self.administrator = administrator
        var (changes, page) = ([Wire.Change](), nil as String?)
        repeat {
            let reply = try await administrator.call(
                AdministrationInterface.Changes.self, .init(client: client, since: start, page: page)
            ).value
            changes += reply.changes
            page = reply.nextPage
        } while page != nil
        self.changes = changes
    }

    /// Takes all of them back, the newest first. What is refused stays, and the others go on.
    ///
    /// - Parameter report: called after each of them.
    /// - Returns: whether none was refused.
    func takeBack(_ report: (Wire.Change, Outcome) throws -> Void) async throws -> Bool {
        var isWhole = true
        for change in changes {
            let outcome: Outcome
            do throws(DocumentsError) {
                _ = try await administrator.call(
                    AdministrationInterface.TakeBack.self, .init(identifier: change.identifier), attempts: 4)
                outcome = .takenBack
            } catch {
                guard error.code != .cancelled else { throw error }
                outcome = .refused(error.message)
                isWhole = false
            }
            try report(change, outcome)
        }
        return isWhole
    }

    /// A change and what became of it, in one line for people. Pure.
    static func line(_ change: Wire.Change, _ outcome: Outcome) -> String {
        let text = ChangeText.sentence(change)
        let line =
            switch outcome {
            case .shown: text
            case .takenBack: "taken back: \(text)"
            case .refused(let reason): "not taken back: \(text): \(reason)"
            }
        return SafeText.escaped(line)
    }

    /// The same for programs. Pure.
    static func json(_ change: Wire.Change, _ outcome: Outcome) -> JSONValue {
        let (name, reason): (String?, String?) =
            switch outcome {
            case .shown: (nil, nil)
            case .takenBack: ("takenBack", nil)
            case .refused(let reason): ("refused", reason)
            }
        return .object([
            "change": JSONValue(change: change), "outcome": JSONValue(name), "reason": JSONValue(reason),
        ])
    }
}
