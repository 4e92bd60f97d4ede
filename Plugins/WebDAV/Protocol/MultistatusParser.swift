import CXML2
import FileProvider
import Glibc
import HTTPTransport

/// Reads the answer to PROPFIND piece by piece. ``drain()`` returns each resource as soon as it is complete.
///
/// The answer is limited to 64 MiB, 64 levels and 8 KiB for each value. A document type is refused, and with it every
/// custom entity.
///
/// Unchecked because ``MultistatusSink`` uses it under a lock.
final class MultistatusParser: @unchecked Sendable {
    /// A resource with its properties, not interpreted.
    struct Response: Hashable {
        var href = ""
        /// The status of the whole resource, if the server gives one.
        var status: Int?
        var properties: [Property: String] = [:]
    }

    enum Property: Hashable {
        case isFolder, size, modified, created, entityTag, fileIdentifier, permissions, quotaAvailable, quotaUsed
        case trashedName, trashedFrom, trashedTime, versionAuthor
    }

    private enum Element {
        case multistatus, response, href, status, properties, property, value(Property), resourceType, other
    }

    static let maximumSize = 64 << 20
    private static let maximumDepth = 64
    private static let maximumText = 8 << 10

    private var ready: [Response] = []
    private let events: UnsafeMutablePointer<cxml2_events>
    private var parser: xmlParserCtxtPtr?
    private var size = 0
    private var stack: [Element] = []
    private var text: [UInt8] = []
    private var isListening = false
    private var response = Response()
    private var found: [Property: String] = [:]
    private var foundStatus: Int?
    private var failure: FileProviderError?
    private var hasMultistatus = false

    init() {
        events = .allocate(capacity: 1)
        events.initialize(
            to: cxml2_events(start: Self.start, end: Self.end, text: Self.text, doctype: Self.doctype, context: nil))
        events.pointee.context = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        if let parser { cxml2_parser_free(parser) }
        events.deallocate()
    }

    /// Reads the next bytes.
    ///
    /// - Throws: `FileProviderError` for bytes that are no such answer or exceed a limit.
    func feed(_ bytes: UnsafeRawBufferPointer) throws {
        size += bytes.count
        guard size <= Self.maximumSize else { throw Self.refusal("is longer than 64 MiB") }
        try parse(bytes.bindMemory(to: CChar.self).baseAddress, CInt(bytes.count), isLast: false)
    }

    /// The resources completed since the last call.
    func drain() -> [Response] {
        defer { ready.removeAll(keepingCapacity: true) }
        return ready
    }

    /// Marks the end of the answer.
    ///
    /// - Throws: `FileProviderError` if something is missing.
    func finish() throws {
        try parse(nil, 0, isLast: true)
        guard hasMultistatus else { throw Self.refusal("is not a multistatus") }
    }

    private func parse(_ bytes: UnsafePointer<CChar>?, _ count: CInt, isLast: Bool) throws {
        if parser == nil { parser = cxml2_parser_new(events) }
        guard let parser else { throw FileProviderError(.failed, "libxml2 cannot be initialised.") }
        let code = cxml2_parser_feed(parser, bytes, count, isLast ? 1 : 0)
        if let failure { throw failure }
        guard code == 0 else {
            throw hasMultistatus ? Self.breakdown(code) : Self.refusal("is not well-formed XML (libxml2: \(code))")
        }
    }

    /// The error for an answer that began well: the server failed in the middle, for example because a file that it was
    /// about to describe had been removed. Some servers end the answer then, others append an error page.
    private static func breakdown(_ code: CInt) -> FileProviderError {
        FileProviderError(
            .serverUnreachable, "The server failed in the middle of its answer. Try again later.",
            underlying: [ErrorDetail(domain: breakdownDomain, code: Int(code), text: "The XML is not well-formed.")])
    }

    private static let breakdownDomain = "libxml2"

    /// Whether the server failed in the middle of its answer.
    static func isBreakdown(_ error: FileProviderError) -> Bool {
        error.underlying.contains { $0.domain == breakdownDomain }
    }

    private static func refusal(_ reason: String) -> FileProviderError {
        FileProviderError(
            .failed, "The server's answer \(reason). Check that the url of the domain is a WebDAV address.")
    }

    private func open(_ name: UnsafePointer<CChar>, _ space: UnsafePointer<CChar>?) {
        guard failure == nil else { return }
        guard stack.count < Self.maximumDepth else { return fail("is nested too deeply") }
        let isDAV = space.map { strcmp($0, "DAV:") == 0 } ?? false
        let isOwnCloud = !isDAV && space.map { strcmp($0, "http://owncloud.org/ns") == 0 } ?? false
        let isNextcloud = !isDAV && !isOwnCloud && space.map { strcmp($0, "http://nextcloud.org/ns") == 0 } ?? false
        let element = element(
            String(cString: name), isDAV: isDAV, isOwnCloud: isOwnCloud, isNextcloud: isNextcloud)
        switch element {
        case .multistatus: hasMultistatus = true
        case .response: response = Response()
        case .properties:
            found = [:]
            foundStatus = nil
        case .href, .status, .value: listen()
        case .property, .resourceType, .other: break
        }
        stack.append(element)
    }

    private func listen() {
        text.removeAll(keepingCapacity: true)
        isListening = true
    }

    private func element(_ name: String, isDAV: Bool, isOwnCloud: Bool, isNextcloud: Bool) -> Element {
        switch (stack.last, name) {
        case (nil, "multistatus") where isDAV: return .multistatus
        case (.multistatus, "response") where isDAV: return .response
        case (.response, "href") where isDAV: return response.href.isEmpty ? .href : .other
        case (.response, "status") where isDAV, (.properties, "status") where isDAV: return .status
        case (.response, "propstat") where isDAV: return .properties
        case (.properties, "prop") where isDAV: return .property
        case (.property, _) where isDAV:
            switch name {
            case "getcontentlength": return .value(.size)
            case "getlastmodified": return .value(.modified)
            case "creationdate": return .value(.created)
            case "getetag": return .value(.entityTag)
            case "quota-available-bytes": return .value(.quotaAvailable)
            case "quota-used-bytes": return .value(.quotaUsed)
            case "resourcetype": return .resourceType
            default: return .other
            }
        case (.property, "fileid") where isOwnCloud: return .value(.fileIdentifier)
        case (.property, "permissions") where isOwnCloud: return .value(.permissions)
        case (.property, "trashbin-filename") where isNextcloud: return .value(.trashedName)
        case (.property, "trashbin-original-location") where isNextcloud: return .value(.trashedFrom)
        case (.property, "trashbin-deletion-time") where isNextcloud: return .value(.trashedTime)
        case (.property, "version-author") where isNextcloud: return .value(.versionAuthor)
        case (.resourceType, "collection") where isDAV:
            found[.isFolder] = "1"
            return .other
        default: return .other
        }
    }

    private func close() {
        guard failure == nil, let element = stack.popLast() else { return }
        let value = isListening ? String(decoding: text, as: UTF8.self) : ""
        switch element {
        case .href: response.href = String(value.trimmed)
        case .status:
            let status = value.trimmed.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            if case .properties = stack.last { foundStatus = status } else { response.status = status }
        case .value(let property): found[property] = String(value.trimmed)
        case .properties:
            if (200...299).contains(foundStatus ?? 200) { response.properties.merge(found) { first, _ in first } }
        case .response: ready.append(response)
        case .multistatus, .property, .resourceType, .other: return
        }
        isListening = false
    }

    private func take(_ bytes: UnsafeRawBufferPointer) {
        guard isListening, failure == nil else { return }
        switch stack.last {
        case .href, .status, .value: break
        default: return
        }
        guard text.count + bytes.count <= Self.maximumText else { return fail("has a value longer than 8 KiB") }
        text.append(contentsOf: bytes)
    }

    private func fail(_ reason: String) {
        failure = failure ?? Self.refusal(reason)
        if let parser { xmlStopParser(parser) }
    }

    private static func parser(_ context: UnsafeMutableRawPointer?) -> MultistatusParser? {
        context.map { Unmanaged<MultistatusParser>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let start: cxml2_start_function = { context, name, space in
        if let name { parser(context)?.open(name, space) }
    }
    private static let end: cxml2_end_function = { context in parser(context)?.close() }
    private static let text: cxml2_text_function = { context, bytes, count in
        parser(context)?.take(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }
    private static let doctype: cxml2_doctype_function = { context in
        parser(context)?.fail("has a document type, which is not accepted")
    }
}
