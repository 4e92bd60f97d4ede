import DriveStore
import FileProvider

extension DriveProvider {
    /// Takes a machine out of the drive.
    func remove(_ device: DriveDevice, _ arguments: [String: String]) async throws -> [[String: String]] {
        guard let machine = DriveIdentifier(hexadecimal: arguments["machine"] ?? "") else {
            throw FileProviderError(.invalidArgument, "There is no identifier of a machine.")
        }
        var phrase: RecoveryPhrase?
        do throws(DriveError) {
            if let text = arguments["phrase"] { phrase = try RecoveryPhrase(text) }
            if phrase == nil, await device.needsPhrase { return [["state": "phrase"]] }
            try await device.remove(machine, phrase: phrase)
        } catch {
            if case .invalid(let text) = error { throw FileProviderError(.invalidArgument, text) }
            throw Self.error(error)
        }
        return [["state": "removed"]]
    }
}
