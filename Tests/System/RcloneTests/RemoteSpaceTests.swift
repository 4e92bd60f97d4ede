import FileProvider
import Foundation
import Testing

@testable import Rclone

@Suite struct RemoteSpaceTests {
    @Test(
        "what rclone reports is read; what is missing, negative or too large is not known",
        arguments: [
            (#"{"total": 100, "used": 40, "free": 60, "trashed": 1}"#, StorageUsage(100, 40, 60)),
            (#"{"used": 40}"#, StorageUsage(nil, 40, nil)), ("{}", StorageUsage(nil, nil, nil)),
            (#"{"total": null, "used": -1, "free": 1e30}"#, StorageUsage(nil, nil, nil)),
            (#"{"total": "100", "free": 7}"#, StorageUsage(nil, nil, 7)),
        ])
    func read(answer: String, expected: StorageUsage) throws {
        #expect(try JSONDecoder().decode(RemoteSpace.self, from: Data(answer.utf8)).usage == expected)
    }
}

extension StorageUsage {
    fileprivate init(_ total: Int?, _ used: Int?, _ available: Int?) {
        self.init(totalBytes: total, usedBytes: used, availableBytes: available)
    }
}
