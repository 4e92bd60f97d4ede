import DocentTestSupport
import FileProvider
import Foundation
import Glibc
import Testing

@testable import Rclone

/// A document that changes while it is fetched.
@Suite(.needs(.programs)) struct ContentReceiverTests {
    @Test("the errors for a document that changes while it is fetched are busy, and promise no further attempt")
    func changed() throws {
        let path = FileManager.default.temporaryDirectory.path + "/rclone-receiver-" + UUID().uuidString
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        unlink(path)
        let receiver = ContentReceiver(
            ContentWriter(owning: file), from: 0, total: 3, progress: TransferProgress())
        try receiver.begin(status: 200)
        let longer = #expect(throws: FileProviderError.self) {
            try Array("four".utf8).withUnsafeBytes { try receiver.take($0) }
        }
        let place = try #require(RemotePlace(ItemIdentifier("/a.txt")))
        for error in [longer, RcloneProvider.changedMeanwhile(place)] {
            #expect(error?.code == .busy)
            #expect(error?.message.hasSuffix(" while it was being fetched.") == true, "\(String(describing: error))")
        }
    }
}
