package import DocentInterfaces
import Varlink

/// The calls of the history of documents, with a text for people. All throw ``CallProblem``.
extension CaseContext {
    /// The most pages that are read.
    private static let mostPages = 1_000

    /// All earlier versions of a document.
    ///
    /// - Throws: the case's end as skipped if this document has no history.
    package func listVersions(_ identifier: String) async throws -> [Wire.EarlierVersion] {
        var versions: [Wire.EarlierVersion] = []
        var page: String?
        let did = "ListVersions of \(PlainText.quoted(identifier))"
        for _ in 0..<Self.mostPages {
            let reply: FileProviderInterface.ListVersions.Reply
            do {
                reply = try await call(
                    FileProviderInterface.ListVersions.self,
                    .init(domain: domain, identifier: real(identifier), page: page), did)
            } catch let problem as CallProblem where problem.code == .notSupported && page == nil {
                try skip("this document has no history")
            }
            versions += reply.versions
            page = reply.nextPage
            if page == nil { return versions }
        }
        throw CallProblem(
            did: did, kind: .brokenProtocol("there are more than \(Self.mostPages) pages of earlier versions"))
    }

    /// `FetchVersion` into a new file.
    package func fetchVersion(_ version: String, of identifier: String) async throws -> [UInt8] {
        let file = try ContentFile()
        let did = "FetchVersion of version \(PlainText.quoted(version)) of \(PlainText.quoted(identifier))"
        step(did)
        let growth = GrowthLimit(file)
        defer { growth.end() }
        do {
            let reply = try await session.callWithProgress(
                FileProviderInterface.FetchVersion.self,
                .init(domain: domain, identifier: real(identifier), version: version, destination: 0),
                descriptors: DescriptorList(try file.share()), did: did
            ) { _ in }.value
            let bytes = file.contents()
            expect(
                reply.completedBytes == bytes.count, did: did, expected: "completedBytes of \(bytes.count)",
                got: "\(reply.completedBytes)")
            return bytes
        } catch let problem as CallProblem where growth.isExceeded {
            throw CallProblem(
                did: problem.did, kind: .brokenProtocol("it wrote more than \(GrowthLimit.bytes >> 20) MiB"))
        }
    }

    /// `RestoreVersion`.
    package func restoreVersion(
        _ version: String, of identifier: String, base: String?
    ) async throws -> Wire.ProviderItem {
        told(
            try await call(
                FileProviderInterface.RestoreVersion.self,
                .init(
                    domain: domain, identifier: real(identifier), version: version, baseVersion: base,
                    operation: newOperation()),
                "RestoreVersion of \(PlainText.quoted(identifier))"
                    + (base.map { " at version " + PlainText.quoted($0) } ?? "")
            ).item)
    }
}
