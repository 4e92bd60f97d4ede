import Glibc
import Synchronization
import Testing

@testable import MountedView

/// How long the view uses documents that programs have had open.
@Suite(.timeLimit(.minutes(1))) struct OpenDocumentsTests {
    private final class Document: SourceDocument {
        private let closed = Mutex(false)

        var version: String? { "1" }
        var isClosed: Bool { closed.withLock { $0 } }

        func takeDescriptor() -> CInt? { nil }
        func reopen() -> CInt? { isClosed ? nil : Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC) }
        func close() { closed.withLock { $0 = true } }
    }

    @Test("A document that no program has open is released after a moment")
    func releases() async throws {
        let documents = OpenDocuments(idle: .milliseconds(20)) { _ in false }
        let (first, second) = (Document(), Document())
        documents.keep(first, of: 1)
        #expect(documents.reopen(1) != nil)
        while !first.isClosed { try await Task.sleep(for: .milliseconds(5)) }
        #expect(documents.reopen(1) == nil)
        // Also one that is opened when none was left.
        documents.keep(second, of: 2)
        while !second.isClosed { try await Task.sleep(for: .milliseconds(5)) }
        #expect(documents.count == 0)
    }

    @Test("A document that a program has open is not released before it is closed")
    func keepsOpen() async throws {
        let isOpen = Mutex(true)
        let documents = OpenDocuments(idle: .milliseconds(20)) { node in node == 1 && isOpen.withLock { $0 } }
        let (open, other) = (Document(), Document())
        documents.keep(open, of: 1)
        documents.keep(other, of: 2)
        while !other.isClosed { try await Task.sleep(for: .milliseconds(5)) }
        #expect(!open.isClosed)
        #expect(documents.reopen(1) != nil)
        isOpen.withLock { $0 = false }
        while !open.isClosed { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test("What the kernel remembers of a released document stays valid while its file is the same")
    func remembersFile() async throws {
        let documents = OpenDocuments(idle: .milliseconds(20)) { _ in false }
        let file = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        let document = Document()
        documents.keep(document, of: 1)
        #expect(!documents.isUnchanged(1, file))
        while !document.isClosed { try await Task.sleep(for: .milliseconds(5)) }
        #expect(documents.isUnchanged(1, file))
    }
}
