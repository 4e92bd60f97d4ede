/// The part of a holder's allowance for messages that one connection uses, for its reader's buffer and descriptors.
///
/// Used only by the connection's thread.
struct MessageAllowance: ~Copyable {
    private let shares: ServerShares
    private var held: [Int] = [0, 0, 0]
    private var holder: ShareHolder?

    private static let resources: [SharedResource] = [.unfinishedMessages, .messageBytes, .receivedDescriptors]

    init(shares: ServerShares) { self.shares = shares }

    deinit {
        guard let holder else { return }
        for (index, resource) in Self.resources.enumerated() { shares[resource].give(held[index], of: holder) }
    }

    /// Adjusts the allowance to what the reader has now or needs next.
    ///
    /// - Throws: the resource that is used up, and why; what was held of it stays.
    mutating func hold(
        messages: Int, bytes: Int, descriptors: Int, holder: ShareHolder
    ) throws(ServerShares.Exhaustion) {
        // The usual case: a message that arrived in one piece.
        if messages == 0, bytes == 0, descriptors == 0, self.holder == nil { return }
        self.holder = self.holder ?? holder
        guard let holder = self.holder else { return }
        for (index, wanted) in [messages, bytes, descriptors].enumerated() where wanted != held[index] {
            let counter = shares[Self.resources[index]]
            if wanted < held[index] {
                counter.give(held[index] - wanted, of: holder)
            } else {
                do throws(PrincipalShares.Refusal) {
                    try counter.take(wanted - held[index], for: holder)
                } catch {
                    throw ServerShares.Exhaustion(resource: Self.resources[index], refusal: error, holder: holder)
                }
            }
            held[index] = wanted
        }
        if held == [0, 0, 0] { self.holder = nil }
    }

    /// Called when the message is complete. Its bytes stay as long as the reader's buffer.
    mutating func complete() {
        guard let holder, held[0] > 0 else { return }
        shares[.unfinishedMessages].give(held[0], of: holder)
        held[0] = 0
    }
}
