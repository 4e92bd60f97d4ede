import FileProvider
import Foundation

/// The same in a picker, which has its own manifest: selected by the name of an exported document, beginning with
/// `pk~`.
final class KeychainProbePicker: DocumentPickerExtension {
    override func userDidChoose(_ path: String, name: String?) async throws {
        guard let name, name.hasPrefix("pk~") else { throw FileProviderError(.notSupported, "Nothing to do.") }
        throw FileProviderError(
            .failed, await ProbeWork(keychain: keychain, host: nil).perform(String(name.dropFirst(3))))
    }
}
