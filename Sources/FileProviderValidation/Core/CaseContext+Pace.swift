/// How long changes take, for cases in which something happens during one.
extension CaseContext {
    /// A size of content, and how long it took to store it.
    struct Pace: Sendable {
        /// In bytes.
        var bytes: Int
        /// The duration of one `Modify`.
        var duration: Duration
    }

    /// Finds a size of content whose change takes a while: small if the service is slow, large if it is fast.
    ///
    /// - Parameters:
    ///   - wanted: how long it should take.
    ///   - limit: the largest size that is tried.
    func pace(taking wanted: Duration, atMost limit: Int = 4 << 20) async throws -> Pace {
        var pace = Pace(bytes: 1 << 16, duration: .zero)
        var file = try await makeFile(freshName("pace") + ".bin", count: 10)
        let clock = ContinuousClock()
        while true {
            file.content = [UInt8](repeating: 7, count: pace.bytes)
            let digest = ContentDigest.hex(file.content)
            let begin = clock.now
            file.item = try await modify(file.identifier, base: nil, content: file.content, digest: digest).item
            pace.duration = clock.now - begin
            guard pace.duration < wanted, pace.bytes * 4 <= limit else { break }
            pace.bytes *= 4
        }
        if has(.delete) { try await delete(file.identifier) }
        return pace
    }

    /// A random moment within a duration.
    func moment(within duration: Duration) -> Duration {
        duration * random { Double($0.next() % 1_000) / 1_000 }
    }
}
