// Made from the files in Interfaces by Scripts/generate-interfaces.py; edit those.

package import FoundationEssentials

/// Encoding and decoding of `org.docent.Documents.Coordinate` without the ordinary coders.
package enum CoordinateCodec {
    /// Encodes a complete call with `more`.
    package static func call(_ parameters: DocumentsInterface.Coordinate.Parameters) -> [UInt8] {
        var bytes = Array(#"{"method":"org.docent.Documents.Coordinate","more":true,"parameters":"#.utf8)
        parameters.append(to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// Decodes the parameters of a call.
    ///
    /// - Throws: the error reply `InvalidParameter` when they do not match the interface.
    package static func parameters(_ data: Data) throws -> DocumentsInterface.Coordinate.Parameters {
        try HotEnvelope.parameters(data) { DocumentsInterface.Coordinate.Parameters(&$0) }
    }

    /// Decodes one complete reply, and whether more replies follow.
    ///
    /// - Throws: `VarlinkCallError` for an error reply, `DecodingError` for an invalid reply.
    package static func readReply(
        _ message: UnsafeBufferPointer<UInt8>
    ) throws -> (reply: DocumentsInterface.Coordinate.Reply, continues: Bool) {
        try HotEnvelope.readReply(message) { DocumentsInterface.Coordinate.Reply(&$0) }
    }
}

extension DocumentsInterface.Coordinate.Parameters {
    init?(_ scanner: inout JSONScanner) {
        var accesses: [Wire.ClaimAccess]?
        var operation: String?
        var purpose: String?
        var presenter: String?
        var within: [String]?
        var answering: [String]?
        var thread: String?
        var open: Bool?
        var prepares: Bool?
        var deadline: Double?
        var knownVersion: String?
        let whole = scanner.object { key, scanner in
            if scanner.null() { return true }
            switch key {
            case "accesses": accesses = scanner.elements { Wire.ClaimAccess(&$0) }; return accesses != nil
            case "operation": operation = scanner.string(); return operation != nil
            case "purpose": purpose = scanner.string(); return purpose != nil
            case "presenter": presenter = scanner.string(); return presenter != nil
            case "within": within = scanner.elements { $0.string() }; return within != nil
            case "answering": answering = scanner.elements { $0.string() }; return answering != nil
            case "thread": thread = scanner.string(); return thread != nil
            case "open": open = scanner.boolean(); return open != nil
            case "prepares": prepares = scanner.boolean(); return prepares != nil
            case "deadline": deadline = scanner.number(); return deadline != nil
            case "knownVersion": knownVersion = scanner.string(); return knownVersion != nil
            default: return scanner.skip()
            }
        }
        guard whole, let accesses, let operation else { return nil }
        self.init(
            accesses: accesses, operation: operation, purpose: purpose, presenter: presenter, within: within,
            answering: answering, thread: thread, open: open, prepares: prepares, deadline: deadline,
            knownVersion: knownVersion)
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        JSONWriter.appendMember("operation", text: operation, to: &bytes)
        JSONWriter.appendMember("accesses", elements: accesses, to: &bytes) { $0.append(to: &$1) }
        JSONWriter.appendMember("purpose", text: purpose, to: &bytes)
        JSONWriter.appendMember("presenter", text: presenter, to: &bytes)
        JSONWriter.appendMember("within", elements: within, to: &bytes) { JSONWriter.append($0, to: &$1) }
        JSONWriter.appendMember("answering", elements: answering, to: &bytes) { JSONWriter.append($0, to: &$1) }
        JSONWriter.appendMember("thread", text: thread, to: &bytes)
        JSONWriter.appendMember("open", flag: open, to: &bytes)
        JSONWriter.appendMember("prepares", flag: prepares, to: &bytes)
        JSONWriter.appendMember("deadline", number: deadline, to: &bytes)
        JSONWriter.appendMember("knownVersion", text: knownVersion, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }
}

extension DocumentsInterface.Coordinate.Reply {
    init?(_ scanner: inout JSONScanner) {
        var state: String?
        var items: [Wire.ClaimedItem]?
        var file: Int?
        var waitsFor: [String]?
        var completedBytes: Int?
        var totalBytes: Int?
        let whole = scanner.object { key, scanner in
            if scanner.null() { return true }
            switch key {
            case "state": state = scanner.string(); return state != nil
            case "items": items = scanner.elements { Wire.ClaimedItem(&$0) }; return items != nil
            case "file": file = scanner.integer(); return file != nil
            case "waitsFor": waitsFor = scanner.elements { $0.string() }; return waitsFor != nil
            case "completedBytes": completedBytes = scanner.integer(); return completedBytes != nil
            case "totalBytes": totalBytes = scanner.integer(); return totalBytes != nil
            default: return scanner.skip()
            }
        }
        guard whole, let state else { return nil }
        self.init(
            state: state, items: items, file: file, waitsFor: waitsFor, completedBytes: completedBytes,
            totalBytes: totalBytes)
    }
}

extension DocumentsInterface.List.Reply {
    init?(_ scanner: inout JSONScanner) {
        var items: [Wire.Item]?
        var nextPage: String?
        let whole = scanner.object { key, scanner in
            if scanner.null() { return true }
            switch key {
            case "items": items = scanner.elements { Wire.Item(&$0) }; return items != nil
            case "nextPage": nextPage = scanner.string(); return nextPage != nil
            // Left to the ordinary decoder.
            case "remembered": return false
            default: return scanner.skip()
            }
        }
        guard whole, let items else { return nil }
        self.init(items: items, nextPage: nextPage)
    }

    package var quickJSON: [UInt8]? {
        guard remembered == nil else { return nil }
        var bytes = [UInt8(ascii: "{")]
        bytes.reserveCapacity(items.count * 400 + 600)
        JSONWriter.appendMember("items", elements: items, to: &bytes) { $0.append(to: &$1) }
        JSONWriter.appendMember("nextPage", text: nextPage, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    package static func quickValue(_ json: UnsafeBufferPointer<UInt8>) -> Self? {
        var scanner = JSONScanner(json)
        return Self(&scanner)
    }
}

/// Encoding and decoding of `org.docent.Documents.Open` without the ordinary coders.
package enum OpenCodec {
    /// Encodes a complete call.
    package static func call(_ parameters: DocumentsInterface.Open.Parameters) -> [UInt8] {
        var bytes = Array(#"{"method":"org.docent.Documents.Open","parameters":"#.utf8)
        parameters.append(to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// Decodes the parameters of a call.
    ///
    /// - Throws: the error reply `InvalidParameter` when they do not match the interface.
    package static func parameters(_ data: Data) throws -> DocumentsInterface.Open.Parameters {
        try HotEnvelope.parameters(data) { DocumentsInterface.Open.Parameters(&$0) }
    }

    /// Encodes the parameters of a reply. `item`: its ``Wire/Item/hotJSON``.
    package static func reply(
        item: [UInt8], file: Int, lease: Int?, slot: Int?, generation: Int?, reading: Int?
    ) -> [UInt8] {
        var bytes = [UInt8(ascii: "{")]
        bytes.reserveCapacity(item.count + 600)
        JSONWriter.appendKey("item", to: &bytes)
        bytes += item
        JSONWriter.appendMember("file", integer: file, to: &bytes)
        JSONWriter.appendMember("lease", integer: lease, to: &bytes)
        JSONWriter.appendMember("slot", integer: slot, to: &bytes)
        JSONWriter.appendMember("generation", integer: generation, to: &bytes)
        JSONWriter.appendMember("reading", integer: reading, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// Decodes one complete reply, and whether more replies follow.
    ///
    /// - Throws: `VarlinkCallError` for an error reply, `DecodingError` for an invalid reply.
    package static func readReply(
        _ message: UnsafeBufferPointer<UInt8>
    ) throws -> (reply: DocumentsInterface.Open.Reply, continues: Bool) {
        try HotEnvelope.readReply(message) { DocumentsInterface.Open.Reply(&$0) }
    }
}

extension DocumentsInterface.Open.Parameters {
    init?(_ scanner: inout JSONScanner) {
        var reference: Wire.ItemReference?
        var lease: Bool?
        var program: String?
        var process: Int?
        var partial: Bool?
        let whole = scanner.object { key, scanner in
            if scanner.null() { return true }
            switch key {
            case "reference": reference = Wire.ItemReference(&scanner); return reference != nil
            case "lease": lease = scanner.boolean(); return lease != nil
            case "program": program = scanner.string(); return program != nil
            case "process": process = scanner.integer(); return process != nil
            case "partial": partial = scanner.boolean(); return partial != nil
            default: return scanner.skip()
            }
        }
        guard whole, let reference else { return nil }
        self.init(reference: reference, lease: lease, program: program, process: process, partial: partial)
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        JSONWriter.appendKey("reference", to: &bytes)
        reference.append(to: &bytes)
        JSONWriter.appendMember("lease", flag: lease, to: &bytes)
        JSONWriter.appendMember("program", text: program, to: &bytes)
        JSONWriter.appendMember("process", integer: process, to: &bytes)
        JSONWriter.appendMember("partial", flag: partial, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }
}

extension DocumentsInterface.Open.Reply {
    init?(_ scanner: inout JSONScanner) {
        var item: Wire.Item?
        var file: Int?
        var lease: Int?
        var slot: Int?
        var generation: Int?
        var reading: Int?
        let whole = scanner.object { key, scanner in
            if scanner.null() { return true }
            switch key {
            case "item": item = Wire.Item(&scanner); return item != nil
            case "file": file = scanner.integer(); return file != nil
            case "lease": lease = scanner.integer(); return lease != nil
            case "slot": slot = scanner.integer(); return slot != nil
            case "generation": generation = scanner.integer(); return generation != nil
            case "reading": reading = scanner.integer(); return reading != nil
            default: return scanner.skip()
            }
        }
        guard whole, let item, let file else { return nil }
        self.init(item: item, file: file, lease: lease, slot: slot, generation: generation, reading: reading)
    }
}

extension FileProviderInterface.Children.Reply {
    init?(_ scanner: inout JSONScanner) {
        var items: [Wire.ProviderItem]?
        var nextPage: String?
        let whole = scanner.object { key, scanner in
            if scanner.null() { return true }
            switch key {
            case "items": items = scanner.elements { Wire.ProviderItem(&$0) }; return items != nil
            case "nextPage": nextPage = scanner.string(); return nextPage != nil
            default: return scanner.skip()
            }
        }
        guard whole, let items else { return nil }
        self.init(items: items, nextPage: nextPage)
    }

    package var quickJSON: [UInt8]? {
        var bytes = [UInt8(ascii: "{")]
        bytes.reserveCapacity(items.count * 400 + 600)
        JSONWriter.appendMember("items", elements: items, to: &bytes) { $0.append(to: &$1) }
        JSONWriter.appendMember("nextPage", text: nextPage, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    package static func quickValue(_ json: UnsafeBufferPointer<UInt8>) -> Self? {
        var scanner = JSONScanner(json)
        return Self(&scanner)
    }
}

extension PickerInterface.ListFolder.Reply {
    init?(_ scanner: inout JSONScanner) {
        var items: [Wire.Item]?
        var nextPage: String?
        let whole = scanner.object { key, scanner in
            if scanner.null() { return true }
            switch key {
            case "items": items = scanner.elements { Wire.Item(&$0) }; return items != nil
            case "nextPage": nextPage = scanner.string(); return nextPage != nil
            // Left to the ordinary decoder.
            case "remembered": return false
            default: return scanner.skip()
            }
        }
        guard whole, let items else { return nil }
        self.init(items: items, nextPage: nextPage)
    }

    package var quickJSON: [UInt8]? {
        guard remembered == nil else { return nil }
        var bytes = [UInt8(ascii: "{")]
        bytes.reserveCapacity(items.count * 400 + 600)
        JSONWriter.appendMember("items", elements: items, to: &bytes) { $0.append(to: &$1) }
        JSONWriter.appendMember("nextPage", text: nextPage, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    package static func quickValue(_ json: UnsafeBufferPointer<UInt8>) -> Self? {
        var scanner = JSONScanner(json)
        return Self(&scanner)
    }
}
