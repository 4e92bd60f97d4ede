import DocentInterfaces

/// Pictures of documents.
enum ThumbnailCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "thumbnails.picture", level: 2, needs: [.thumbnails], abilities: [.direct], requirements: [.interface],
            "A picture of a document is a whole PNG or JPEG of bounded size, of the document's version."
        ) { try await picture($0) }
    ]

    /// How many documents are asked for.
    private static let most = 20

    private static func picture(_ context: CaseContext) async throws {
        let documents = try await context.walk().filter { !$0.isFolder && $0.symbolicLinkTarget == nil }
        for document in documents.prefix(most) {
            let did = "Thumbnail of \(PlainText.quoted(document.name))"
            let picture: CaseContext.Picture
            do {
                picture = try await context.thumbnail(document.identifier, version: document.version, size: 256)
            } catch let problem as CallProblem {
                // There need not be a picture of every document.
                guard problem.code == .notSupported else { throw problem }
                continue
            }
            let (reply, bytes) = (picture.reply, picture.bytes)
            context.expect(
                bytes.count == reply.completedBytes && (1...CaseContext.mostOfPicture).contains(bytes.count), did: did,
                expected: "as many bytes in the destination as the reply says, at most 4 MiB",
                got: "\(bytes.count) bytes, and \(reply.completedBytes) in the reply")
            let isPNG = bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            let isJPEG = bytes.starts(with: [0xFF, 0xD8, 0xFF])
            context.expect(
                (isPNG && reply.contentType == "public.png") || (isJPEG && reply.contentType == "public.jpeg"),
                did: did, expected: "a PNG with the type public.png, or a JPEG with public.jpeg",
                got: PlainText.quoted(reply.contentType) + (isPNG || isJPEG ? "" : " and other bytes"))
            if let version = reply.version, let known = document.version {
                context.expect(
                    CaseContext.isSame(version, known), did: did,
                    expected: "the version \(PlainText.quoted(known)), or none", got: PlainText.quoted(version))
            }
        }
    }
}
