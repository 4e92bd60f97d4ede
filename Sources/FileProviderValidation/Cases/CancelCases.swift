import DocentInterfaces
import Varlink

/// Callers that hang up.
enum CancelCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "cancel.fetch", level: 4, requirements: [.interface],
            "After a download is cancelled, no more of its content is written."
        ) { try await fetch($0) },
        ValidationCase(
            "cancel.create", level: 4, needs: [.write], requirements: [.interface, .wholeContent],
            "A cancelled Create leaves nothing or the whole document, and can be repeated."
        ) { try await create($0) },
        ValidationCase(
            "cancel.modify", level: 4, needs: [.write], requirements: [.interface, .wholeContent],
            "A cancelled Modify leaves the old content or the new, and can be repeated."
        ) { try await modify($0) },
        ValidationCase(
            "cancel.anyCall", level: 5, requirements: [.interface],
            "Callers that hang up at any moment of any call do not affect later callers."
        ) { try await anyCall($0) },
    ]

    /// Sends a call on a separate connection and closes it after a while.
    private static func abandon<Method: InterfaceMethod>(
        _ context: CaseContext, _ method: Method.Type, _ parameters: Method.Parameters,
        descriptors: DescriptorList = DescriptorList(), after pause: Duration, did: String
    ) async throws {
        context.step(did)
        let connection = try await context.session.taken(did: did)
        let call = Task {
            for try await _ in connection.stream(
                method.name, parameters, Method.Reply.self, descriptors: descriptors)
            {}
        }
        try await Task.sleep(for: pause)
        call.cancel()
        connection.close()
        // The outcome does not matter: the call was abandoned.
        _ = await call.result
    }

    private static func fetch(_ context: CaseContext) async throws {
        let identifier: String
        let size: Int
        if context.has(.write) {
            identifier = try await context.makeFile(count: 2 << 20).identifier
            size = 2 << 20
        } else {
            let documents = try await context.walk().filter { !$0.isFolder && $0.symbolicLinkTarget == nil }
            guard let largest = documents.max(by: { ($0.size ?? 0) < ($1.size ?? 0) }) else {
                try context.skip("there is no document")
            }
            identifier = largest.identifier
            size = largest.size ?? 0
        }
        if context.has(.classic) || context.has(.inPlace) { try context.skip("the provider does not support Fetch") }
        let file = try ContentFile()
        let did = "Fetch, cancelled after 60 ms"
        try await abandon(
            context, FileProviderInterface.Fetch.self,
            .init(domain: context.domain, identifier: identifier, destination: 0, offset: nil, version: nil),
            descriptors: DescriptorList(try file.share()), after: .milliseconds(60), did: did)
        // A part that was on its way may still arrive.
        try await Task.sleep(for: .milliseconds(700))
        let soon = file.size
        try await Task.sleep(for: .milliseconds(700))
        let later = file.size
        context.expect(
            later == soon, did: did, expected: "no more bytes 0.7 s after it was cancelled",
            got: "\(soon) of \(size) bytes then, and \(later) another 0.7 s later")
        _ = try await context.item(CaseContext.root)
    }

    private static func create(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        let content = context.randomBytes(3 << 20)
        let operation = context.newOperation()
        let did = "Create of 3 MiB, cancelled after 5 ms"
        try await abandon(
            context, FileProviderInterface.Create.self,
            .init(
                domain: context.domain, parent: folder, name: "given-up.bin", isFolder: false, contentType: nil,
                content: 0, size: content.count, digest: ContentDigest.hex(content), operation: operation,
                metadata: nil, thumbnail: nil),
            descriptors: DescriptorList(try ContentFile(content).shareForReading()), after: .milliseconds(5), did: did)
        try await Task.sleep(for: .milliseconds(300))
        if let item = try? await context.child("given-up.bin", in: folder) {
            try await context.expectBytes(content, of: item.identifier, after: did, requirement: .wholeContent)
        }
        let what = "the same operation again, after it was cancelled"
        // The abandoned call may hold a lock on the server until it expires.
        let item = try await context.whileBusy {
            try await context.create("given-up.bin", in: folder, content: content, operation: operation)
        }
        try await context.expectFound(item, name: "given-up.bin", in: folder, after: what)
        try await context.expectBytes(content, of: item.identifier, after: what, requirement: .repeating)
    }

    private static func modify(_ context: CaseContext) async throws {
        let file = try await context.makeFile("given-up.bin", count: 1_000)
        let content = context.randomBytes(3 << 20)
        let operation = context.newOperation()
        let did = "Modify with 3 MiB, cancelled after 5 ms"
        try await abandon(
            context, FileProviderInterface.Modify.self,
            .init(
                domain: context.domain, identifier: file.identifier, baseVersion: file.item.version, content: 0,
                size: content.count, digest: ContentDigest.hex(content), operation: operation, metadata: nil,
                thumbnail: nil),
            descriptors: DescriptorList(try ContentFile(content).shareForReading()), after: .milliseconds(5), did: did)
        try await Task.sleep(for: .milliseconds(300))
        let bytes = try await context.read(file.identifier)
        context.expect(
            bytes == file.content || bytes == content, did: "Reading after \(did)",
            expected: "the old content or the new one", got: PlainText.difference(bytes, content),
            requirement: .wholeContent)
        let what = "the same operation again, after it was cancelled"
        // The abandoned call may hold a lock on the server until it expires.
        let result = try await context.whileBusy {
            try await context.modify(
                file.identifier, base: file.item.version, content: content, operation: operation)
        }
        context.expect(
            result.conflict == nil, did: what, expected: "no conflict with itself",
            got: "the conflict \(PlainText.quoted(result.conflict ?? ""))", requirement: .repeating)
        try await context.expectBytes(content, of: file.identifier, after: what, requirement: .repeating)
    }

    private static func anyCall(_ context: CaseContext) async throws {
        let root = CaseContext.root
        for number in 0..<24 {
            let pause = Duration.microseconds(context.random { Int($0.next() % 3_000) })
            let did = "A call that is cancelled after \(pause)"
            switch number % 3 {
            case 0:
                try await abandon(
                    context, FileProviderInterface.Item.self, .init(domain: context.domain, identifier: root),
                    after: pause, did: did)
            case 1:
                try await abandon(
                    context, FileProviderInterface.Children.self,
                    .init(domain: context.domain, parent: root, page: nil), after: pause, did: did)
            default:
                try await abandon(
                    context, FileProviderInterface.Child.self,
                    .init(domain: context.domain, parent: root, name: "none"), after: pause, did: did)
            }
        }
        _ = try await context.item(root)
        _ = try await context.list(root)
    }
}
