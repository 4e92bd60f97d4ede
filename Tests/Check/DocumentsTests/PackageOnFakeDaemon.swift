import DocentInterfaces
import FoundationEssentials
import Glibc
import Synchronization
import Varlink

@testable import Documents

/// A package on a fake daemon, which applies the staged steps and records each.
final class PackageOnFakeDaemon: Sendable {
    private typealias Interface = DocumentsInterface

    /// An element; nil content for a folder.
    struct Element: Equatable {
        var content: String?
        var version = 1
    }

    private struct State {
        var elements: [String: Element] = [:]
        var staged: [String: Element]?
        var version = 1
    }

    static let reference = DocumentReference(FakeDaemon.reference)
    private let movesElements: Bool
    private let state: Mutex<State>
    private let daemon: Mutex<FakeDaemon?> = Mutex(nil)

    /// - Parameters:
    ///   - files: contents of files by their paths; folders on the way are created.
    ///   - hasVersions: whether elements have versions of their own.
    ///   - movesElements: whether an element can be kept at another path.
    ///   - link: the path of an element that is a symbolic link.
    init(
        _ files: [String: String], folders: [String] = [], hasVersions: Bool = true, movesElements: Bool = true,
        link: String? = nil
    ) throws {
        self.movesElements = movesElements
        var elements = files.mapValues { Element(content: $0) }
        for folder in folders { elements[folder] = Element() }
        for path in Array(elements.keys) { Self.makeFolders(on: path, &elements) }
        state = Mutex(State(elements: elements))
        let made = try FakeDaemon { [unowned self] table, daemon in
            define(&table, daemon, hasVersions: hasVersions, link: link)
        }
        daemon.withLock { $0 = made }
    }

    func client() -> DocumentsClient? { daemon.withLock { $0?.client() } }
    var log: [String] { daemon.withLock { $0?.log ?? [] } }
    /// The contents of the package.
    var files: [String: String] { state.withLock { $0.elements.compactMapValues(\.content) } }
    var folders: [String] { state.withLock { $0.elements.filter { $0.value.content == nil }.keys.sorted() } }
    var version: String { state.withLock { "\($0.version)" } }

    /// Another program replaces an element.
    func change(_ path: String, _ content: String) {
        state.withLock { state in
            state.version += 1
            state.elements[path] = Element(content: content, version: (state.elements[path]?.version ?? 0) + 1)
        }
    }

    private static func makeFolders(on path: String, _ elements: inout [String: Element]) {
        for index in path.indices where path[index] == "/" { elements[String(path[..<index])] = Element() }
    }

    private func define(_ table: inout MethodTable, _ daemon: FakeDaemon, hasVersions: Bool, link: String?) {
        table.call(Interface.List.shortName, Interface.List.Parameters.self) { [unowned self] parameters, _ in
            let folder = parameters.reference.identifier == "id-1" ? "" : parameters.reference.identifier + "/"
            let items = state.withLock(\.elements).filter { path, _ in
                path.hasPrefix(folder) && !path.dropFirst(folder.count).contains("/")
            }
            let wires = items.sorted { $0.key < $1.key }.map { path, element in
                var wire = FakeDaemon.item()
                wire.reference.identifier = path
                wire.name = String(path.dropFirst(folder.count))
                wire.isFolder = element.content == nil
                wire.size = element.content?.utf8.count
                wire.version = hasVersions ? "\(element.version)" : nil
                if path == link { wire.contentType = "public.symlink" }
                return wire
            }
            // Two pages, so that the second is asked for.
            let half = wires.count / 2
            return Reply(
                parameters.page == nil
                    ? Interface.List.Reply(items: Array(wires[..<half]), nextPage: "2")
                    : Interface.List.Reply(items: Array(wires[half...])))
        }
        table.call(Interface.Open.shortName, Interface.Open.Parameters.self) { [unowned self] parameters, _ in
            daemon.note("open \(parameters.reference.identifier)")
            guard let content = state.withLock({ $0.elements[parameters.reference.identifier]?.content }) else {
                throw Failure(.notFound, "No such element.")
            }
            return Reply(
                Interface.Open.Reply(item: FakeDaemon.item(), file: 0),
                descriptors: DescriptorList(try FakeDaemon.file(content)))
        }
        table.call(Interface.BeginPackage.shortName, Interface.BeginPackage.Parameters.self) {
            [unowned self] parameters, _ in
            state.withLock { state in
                state.staged = parameters.replacing ? [:] : state.elements
                let elements = (state.staged ?? [:]).map { path, element in
                    Wire.PackageElement(
                        path: path, isFolder: element.content == nil, size: element.content?.utf8.count,
                        version: hasVersions ? "\(element.version)" : nil)
                }
                return Reply(Interface.BeginPackage.Reply(elements: elements, baseVersion: "\(state.version)"))
            }
        }
        table.call(Interface.StageElement.shortName, Interface.StageElement.Parameters.self) {
            [unowned self] parameters, call in
            let content = try parameters.file.map { index in
                let file = try call.descriptors.take(index)
                guard fcntl(file.raw, F_GETFL) & O_ACCMODE == O_RDONLY else {
                    throw Failure(.invalidArgument, "The descriptor is refused: it can be written.")
                }
                return String(decoding: try ElementContent.read(file.raw), as: UTF8.self)
            }
            daemon.note(Self.describe(parameters, content))
            if let from = parameters.from, from != parameters.path, !movesElements {
                throw Failure(.notSupported, "An element stays where it is.")
            }
            stage(parameters, content)
            return Reply(Interface.StageElement.Reply())
        }
        table.call(Interface.CommitWrite.shortName, Interface.CommitWrite.Parameters.self) {
            [unowned self] parameters, _ in
            daemon.note("commit" + (parameters.claim.map { " in \($0)" } ?? ""))
            return state.withLock { state in
                state.version += 1
                state.elements = state.staged ?? [:]
                var wire = FakeDaemon.item()
                wire.version = "\(state.version)"
                return Reply(Interface.CommitWrite.Reply(item: wire))
            }
        }
        table.call(Interface.AbandonWrite.shortName, Interface.AbandonWrite.Parameters.self) { _, _ in
            daemon.note("abandon")
            return Reply(Interface.AbandonWrite.Reply())
        }
    }

    private static func describe(_ step: Interface.StageElement.Parameters, _ content: String?) -> String {
        if let content { return "file \(step.path)=\(content.prefix(20))" }
        if let from = step.from { return "keep \(from) at \(step.path)" }
        return (step.removed == true ? "remove " : "folder ") + step.path
    }

    private func stage(_ step: Interface.StageElement.Parameters, _ content: String?) {
        state.withLock { state in
            var staged = state.staged ?? [:]
            Self.makeFolders(on: step.path, &staged)
            if step.removed == true {
                staged = staged.filter { $0.key != step.path && !$0.key.hasPrefix(step.path + "/") }
            } else if let from = step.from {
                staged[step.path] = state.elements[from]
            } else {
                staged[step.path] = Element(content: content, version: (staged[step.path]?.version ?? 0) + 1)
            }
            state.staged = staged
        }
    }
}
