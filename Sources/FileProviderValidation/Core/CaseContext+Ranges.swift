package import DocentInterfaces
import Varlink

/// `FetchRange`, with a text for people. All throw ``CallProblem``.
extension CaseContext {
    /// `FetchRange`, read to its end.
    ///
    /// - Parameter progress: receives each reply but the last.
    /// - Returns: what arrived, at most a little more than was asked for; and the last reply.
    package func fetchRange(
        _ identifier: String, version: String, from offset: Int, count: Int,
        _ progress: (FileProviderInterface.FetchRange.Reply) throws -> Void = { _ in }
    ) async throws -> (bytes: [UInt8], reply: FileProviderInterface.FetchRange.Reply) {
        let pipe = try PartPipe(limit: min(max(count, 0), 64 << 20))
        async let reading: Void = pipe.read()
        do {
            let reply = try await fetchRange(
                identifier, version: version, from: offset, count: count, through: pipe, progress)
            pipe.end()
            await reading
            return (pipe.bytes, reply)
        } catch {
            pipe.end()
            await reading
            throw error
        }
    }

    /// `FetchRange` through a pipe that the caller reads.
    package func fetchRange(
        _ identifier: String, version: String, from offset: Int, count: Int, through pipe: PartPipe,
        _ progress: (FileProviderInterface.FetchRange.Reply) throws -> Void = { _ in }
    ) async throws -> FileProviderInterface.FetchRange.Reply {
        let did = Self.rangeText(identifier, version: version, from: offset, count: count)
        step(did)
        return try await session.callWithProgress(
            FileProviderInterface.FetchRange.self,
            .init(
                domain: domain, identifier: real(identifier), version: version, offset: offset, length: count,
                destination: 0),
            descriptors: DescriptorList(try pipe.takeWriting()), did: did, progress
        ).value
    }

    /// A call of `FetchRange`, for people.
    package static func rangeText(_ identifier: String, version: String, from offset: Int, count: Int) -> String {
        "FetchRange of \(PlainText.quoted(identifier)): \(count) bytes from byte \(offset) on, of version "
            + PlainText.quoted(version)
    }
}
