package import DriveStore
import FileProvider
import Glibc
import HTTPTransport

/// A store that speaks S3: one request for each method, and one for each thousand names of a listing.
package final class S3Store: ObjectStore {
    private static let maximumObject = 64 << 20

    private let location: S3Location
    private let signature: S3Signature
    private let certificateAuthority: String?
    private let handles = HandlePool(limit: 8)

    /// - Parameter certificateAuthority: Certificates in PEM that are trusted instead of the system's.
    package init(_ location: S3Location, _ credential: S3Credential, certificateAuthority: String? = nil) {
        self.location = location
        self.certificateAuthority = certificateAuthority
        signature = S3Signature(location, credential)
    }

    package func get(_ key: StoreKey, range: Range<Int>?) async throws(DriveError) -> StoredObject? {
        if let range, range.isEmpty { return StoredObject(bytes: [], tag: "") }
        var headers: [(name: String, value: String)] = []
        if let range { headers.append(("Range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)")) }
        let (reply, body) = try await send("GET", key.name, headers: headers)
        switch reply.status {
        case 200, 206:
            // A server may ignore the range.
            let bytes =
                reply.status == 200 && range != nil
                ? Array(body[(range ?? 0..<0).clamped(to: body.indices)]) : body
            return StoredObject(bytes: bytes, tag: reply["etag"].map(Self.quoted) ?? "")
        case 404 where Self.code(body) != "NoSuchBucket": return nil
        case 416: return StoredObject(bytes: [], tag: "")
        default: throw failure(reply, body, key.name)
        }
    }

    package func create(_ key: StoreKey, _ bytes: [UInt8]) async throws(DriveError) -> StoreWrite {
        try await put(key, bytes, condition: ("If-None-Match", "*"))
    }

    package func replace(_ key: StoreKey, _ bytes: [UInt8], tag: String) async throws(DriveError) -> StoreWrite {
        try await put(key, bytes, condition: ("If-Match", tag))
    }

    private func put(
        _ key: StoreKey, _ bytes: [UInt8], condition: (name: String, value: String)
    ) async throws(DriveError) -> StoreWrite {
        let (reply, body) = try await send("PUT", key.name, body: bytes, headers: [condition])
        switch reply.status {
        case 200, 201, 204: return .written(tag: reply["etag"].map(Self.quoted))
        case 412: return .refused
        // A change of an object that is not there.
        case 404 where Self.code(body) == "NoSuchKey": return .refused
        default: throw failure(reply, body, key.name)
        }
    }

    package func delete(_ key: StoreKey) async throws(DriveError) {
        let (reply, body) = try await send("DELETE", key.name)
        guard reply.isSuccess || (reply.status == 404 && Self.code(body) != "NoSuchBucket") else {
            throw failure(reply, body, key.name)
        }
    }

    package func list(_ prefix: String) async throws(DriveError) -> [ListedObject] {
        var objects: [ListedObject] = []
        var next: String?
        repeat {
            let page = try await page(of: prefix, from: next)
            objects += page.objects
            next = page.next
        } while next != nil
        return objects
    }

    private func page(of prefix: String, from token: String?) async throws(DriveError) -> S3Listing {
        var query = [(name: "list-type", value: "2"), (name: "prefix", value: location.prefix + prefix)]
        if let token { query.append((name: "continuation-token", value: token)) }
        let (reply, body) = try await send("GET", nil, query: query)
        guard reply.status == 200 else { throw failure(reply, body, prefix) }
        return try S3Listing(body, prefix: location.prefix)
    }

    /// Looks at the first page: a full one has more than a creation that was cut off leaves.
    package var isEmpty: Bool {
        get async throws(DriveError) {
            let page = try await page(of: "", from: nil)
            return page.next == nil && page.objects.allSatisfy { StoreNames.isLeftover($0.name) }
        }
    }

    /// Entity tags are compared as they stand in headers, with their quotes.
    static func quoted(_ tag: String) -> String { tag.hasPrefix("\"") || tag.hasPrefix("W/") ? tag : "\"\(tag)\"" }

    private func send(
        _ method: String, _ name: String?, query: [(name: String, value: String)] = [], body: [UInt8] = [],
        headers: [(name: String, value: String)] = []
    ) async throws(DriveError) -> (HTTPReply, [UInt8]) {
        let path = name.map { location.path($0) } ?? "/" + S3Encoding.encode(location.bucket)
        let canonical = S3Signature.canonical(query)
        var request = HTTPRequest(method, location.endpoint + path + (canonical.isEmpty ? "" : "?" + canonical))
        request.headers =
            signature.headers(method, path: path, query: query, body: body, time: time(nil)) + headers
        if method == "PUT" { request.body = .bytes(body) }
        // A write that is sent twice meets its own first try; the caller compares then.
        request.repetition = .automatic
        request.userAgent = "docent-drive/1"
        request.wantsErrorBody = true
        request.isTransfer = body.count > 1 << 20
        let sink = BytesSink(limit: Self.maximumObject)
        do {
            let authorization = HTTPAuthorization(.none, certificateAuthority: certificateAuthority)
            let sent = request
            let reply = try await handles.with { handle in
                try await HTTPExchange.perform(
                    sent, on: handle, as: authorization, control: HTTPControl(), into: sink
                ).reply
            }
            return (reply, sink.bytes)
        } catch let error as HTTPTransportError {
            throw .unreachable(
                "\(location.host) cannot be reached: \(error.text.isEmpty ? "no answer" : error.text).")
        } catch let error as FileProviderError {
            throw .unreachable(error.message)
        } catch {
            throw .unreachable("The request to \(location.host) was given up.")
        }
    }

    private static func code(_ body: [UInt8]) -> String? {
        let text = String(decoding: body.prefix(4096), as: UTF8.self)
        guard let start = text.firstRange(of: "<Code>"),
            let end = text[start.upperBound...].firstRange(of: "</Code>")
        else { return nil }
        return String(text[start.upperBound..<end.lowerBound])
    }

    private func failure(_ reply: HTTPReply, _ body: [UInt8], _ name: String) -> DriveError {
        let code = Self.code(body).map { String($0.filter { $0.isLetter || $0.isNumber }.prefix(60)) } ?? ""
        switch (reply.status, code) {
        case (403, "RequestTimeTooSkewed"):
            return .denied("The clock of this machine is wrong: \(location.host) refuses it.")
        case (401, _), (403, _): return .denied("\(location.host) refuses the access key (\(reply.status) \(code)).")
        case (404, _): return .invalid("\(location.host) has no bucket \(location.bucket).")
        case (301, _), (307, _):
            return .invalid("The bucket \(location.bucket) is in another region or at another endpoint.")
        default: return .unreachable("\(location.host) answered \(reply.status) \(code) for \(name).")
        }
    }
}
