import DocentInterfaces
import Documents
import Varlink

/// The requests that wait, as the daemon reports them. Programs can ask as long as it lives.
struct PickWatch: Sendable {
    /// The latest list; one reader at a time.
    let lists: AsyncStream<[Wire.PickRequest]>
    private let following: Task<Void, any Error>

    init(_ administrator: DocumentsClient) {
        let (lists, received) = AsyncStream.makeStream(
            of: [Wire.PickRequest].self, bufferingPolicy: .bufferingNewest(1))
        self.lists = lists
        following = Task {
            defer { received.finish() }
            _ = try await administrator.follow(AdministrationInterface.PickRequests.self, .init(), attempts: 1) {
                received.yield($0.requests)
            }
        }
    }

    func end() { following.cancel() }

    /// Throws what ended the reports.
    func failure() async throws { try await following.value }
}
