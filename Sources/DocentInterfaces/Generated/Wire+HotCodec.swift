// Made from the files in Interfaces by Scripts/generate-interfaces.py; edit those.

extension Wire.ClaimAccess {
    init?(_ scanner: inout JSONScanner) {
        var place: Wire.ItemPlace?
        var writing: Bool?
        var options: [String]?
        let whole = scanner.object { key, scanner in
            if scanner.null() { return true }
            switch key {
            case "place": place = Wire.ItemPlace(&scanner); return place != nil
            case "writing": writing = scanner.boolean(); return writing != nil
            case "options": options = scanner.elements { $0.string() }; return options != nil
            default: return scanner.skip()
            }
        }
        guard whole, let place, let writing else { return nil }
        self.init(place: place, writing: writing, options: options)
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        JSONWriter.appendKey("place", to: &bytes)
        place.append(to: &bytes)
        JSONWriter.appendMember("writing", flag: writing, to: &bytes)
        JSONWriter.appendMember("options", elements: options, to: &bytes) { JSONWriter.append($0, to: &$1) }
        bytes.append(UInt8(ascii: "}"))
    }
}

extension Wire.ClaimedItem {
    init?(_ scanner: inout JSONScanner) {
        var item: Wire.Item?
        let whole = scanner.object { key, scanner in
            if scanner.null() { return true }
            switch key {
            case "item": item = Wire.Item(&scanner); return item != nil
            default: return scanner.skip()
            }
        }
        guard whole else { return nil }
        self.init(item: item)
    }
}

extension Wire.Item {
    init?(_ scanner: inout JSONScanner) {
        var reference: Wire.ItemReference?
        var parent: String?
        var name: String?
        var path: String?
        var contentType: String?
        var size: Int?
        var modificationDate: Double?
        var creationDate: Double?
        var isFolder: Bool?
        var isDownloaded: Bool?
        var isUploaded: Bool?
        var version: String?
        var uploadState: String?
        var uploadError: String?
        var isPinned: Bool?
        var isStale: Bool?
        var conflicts: Int?
        var thumbnail: String?
        var formerVersion: String?
        var symbolicLinkTarget: String?
        var ignoresCase: Bool?
        let whole = scanner.object { key, scanner in
            if scanner.null() { return true }
            switch key {
            case "reference": reference = Wire.ItemReference(&scanner); return reference != nil
            case "parent": parent = scanner.string(); return parent != nil
            case "name": name = scanner.string(); return name != nil
            case "path": path = scanner.string(); return path != nil
            case "contentType": contentType = scanner.string(); return contentType != nil
            case "size": size = scanner.integer(); return size != nil
            case "modificationDate": modificationDate = scanner.number(); return modificationDate != nil
            case "creationDate": creationDate = scanner.number(); return creationDate != nil
            case "isFolder": isFolder = scanner.boolean(); return isFolder != nil
            case "isDownloaded": isDownloaded = scanner.boolean(); return isDownloaded != nil
            case "isUploaded": isUploaded = scanner.boolean(); return isUploaded != nil
            case "version": version = scanner.string(); return version != nil
            case "uploadState": uploadState = scanner.string(); return uploadState != nil
            case "uploadError": uploadError = scanner.string(); return uploadError != nil
            case "isPinned": isPinned = scanner.boolean(); return isPinned != nil
            case "isStale": isStale = scanner.boolean(); return isStale != nil
            case "conflicts": conflicts = scanner.integer(); return conflicts != nil
            case "thumbnail": thumbnail = scanner.string(); return thumbnail != nil
            case "formerVersion": formerVersion = scanner.string(); return formerVersion != nil
            case "symbolicLinkTarget": symbolicLinkTarget = scanner.string(); return symbolicLinkTarget != nil
            case "ignoresCase": ignoresCase = scanner.boolean(); return ignoresCase != nil
            default: return scanner.skip()
            }
        }
        guard
            whole, let reference, let name, let contentType, let isFolder, let isDownloaded, let isUploaded
        else { return nil }
        self.init(
            reference: reference, parent: parent, name: name, path: path, contentType: contentType, size: size,
            modificationDate: modificationDate, creationDate: creationDate, isFolder: isFolder,
            isDownloaded: isDownloaded, isUploaded: isUploaded, version: version, uploadState: uploadState,
            uploadError: uploadError, isPinned: isPinned, isStale: isStale, conflicts: conflicts, thumbnail: thumbnail,
            formerVersion: formerVersion, symbolicLinkTarget: symbolicLinkTarget, ignoresCase: ignoresCase)
    }

    /// The value as JSON. It equals the ordinary encoder's output except for the order of the members.
    package var hotJSON: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        append(to: &bytes)
        return bytes
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        JSONWriter.appendKey("reference", to: &bytes)
        reference.append(to: &bytes)
        JSONWriter.appendMember("name", text: name, to: &bytes)
        JSONWriter.appendMember("contentType", text: contentType, to: &bytes)
        JSONWriter.appendMember("parent", text: parent, to: &bytes)
        JSONWriter.appendMember("path", text: path, to: &bytes)
        JSONWriter.appendMember("version", text: version, to: &bytes)
        JSONWriter.appendMember("formerVersion", text: formerVersion, to: &bytes)
        JSONWriter.appendMember("size", integer: size, to: &bytes)
        JSONWriter.appendMember("modificationDate", number: modificationDate, to: &bytes)
        JSONWriter.appendMember("creationDate", number: creationDate, to: &bytes)
        JSONWriter.appendMember("isFolder", flag: isFolder, to: &bytes)
        JSONWriter.appendMember("isDownloaded", flag: isDownloaded, to: &bytes)
        JSONWriter.appendMember("isUploaded", flag: isUploaded, to: &bytes)
        JSONWriter.appendMember("uploadState", text: uploadState, to: &bytes)
        JSONWriter.appendMember("uploadError", text: uploadError, to: &bytes)
        JSONWriter.appendMember("isPinned", flag: isPinned, to: &bytes)
        JSONWriter.appendMember("isStale", flag: isStale, to: &bytes)
        JSONWriter.appendMember("conflicts", integer: conflicts, to: &bytes)
        JSONWriter.appendMember("thumbnail", text: thumbnail, to: &bytes)
        JSONWriter.appendMember("symbolicLinkTarget", text: symbolicLinkTarget, to: &bytes)
        JSONWriter.appendMember("ignoresCase", flag: ignoresCase, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }
}

extension Wire.ItemPlace {
    init?(_ scanner: inout JSONScanner) {
        var reference: Wire.ItemReference?
        var name: String?
        let whole = scanner.object { key, scanner in
            if scanner.null() { return true }
            switch key {
            case "reference": reference = Wire.ItemReference(&scanner); return reference != nil
            case "name": name = scanner.string(); return name != nil
            default: return scanner.skip()
            }
        }
        guard whole, let reference else { return nil }
        self.init(reference: reference, name: name)
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        JSONWriter.appendKey("reference", to: &bytes)
        reference.append(to: &bytes)
        JSONWriter.appendMember("name", text: name, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }
}

extension Wire.ItemReference {
    init?(_ scanner: inout JSONScanner) {
        var provider: String?
        var domain: String?
        var identifier: String?
        let whole = scanner.object { key, scanner in
            switch key {
            case "provider": provider = scanner.string(); return provider != nil
            case "domain": domain = scanner.string(); return domain != nil
            case "identifier": identifier = scanner.string(); return identifier != nil
            default: return scanner.skip()
            }
        }
        guard whole, let provider, let domain, let identifier else { return nil }
        self.init(provider: provider, domain: domain, identifier: identifier)
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        JSONWriter.appendMember("provider", text: provider, to: &bytes)
        JSONWriter.appendMember("domain", text: domain, to: &bytes)
        JSONWriter.appendMember("identifier", text: identifier, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }
}

extension Wire.ProviderItem {
    init?(_ scanner: inout JSONScanner) {
        var identifier: String?
        var parent: String?
        var name: String?
        var contentType: String?
        var size: Int?
        var modificationDate: Double?
        var creationDate: Double?
        var isFolder: Bool?
        var version: String?
        var capabilities: [String]?
        var isDownloaded: Bool?
        var isUploaded: Bool?
        var thumbnail: String?
        var symbolicLinkTarget: String?
        var ignoresCase: Bool?
        let whole = scanner.object { key, scanner in
            if scanner.null() { return true }
            switch key {
            case "identifier": identifier = scanner.string(); return identifier != nil
            case "parent": parent = scanner.string(); return parent != nil
            case "name": name = scanner.string(); return name != nil
            case "contentType": contentType = scanner.string(); return contentType != nil
            case "size": size = scanner.integer(); return size != nil
            case "modificationDate": modificationDate = scanner.number(); return modificationDate != nil
            case "creationDate": creationDate = scanner.number(); return creationDate != nil
            case "isFolder": isFolder = scanner.boolean(); return isFolder != nil
            case "version": version = scanner.string(); return version != nil
            case "capabilities": capabilities = scanner.elements { $0.string() }; return capabilities != nil
            case "isDownloaded": isDownloaded = scanner.boolean(); return isDownloaded != nil
            case "isUploaded": isUploaded = scanner.boolean(); return isUploaded != nil
            case "thumbnail": thumbnail = scanner.string(); return thumbnail != nil
            case "symbolicLinkTarget": symbolicLinkTarget = scanner.string(); return symbolicLinkTarget != nil
            case "ignoresCase": ignoresCase = scanner.boolean(); return ignoresCase != nil
            default: return scanner.skip()
            }
        }
        guard whole, let identifier, let parent, let name, let isFolder else { return nil }
        self.init(
            identifier: identifier, parent: parent, name: name, contentType: contentType, size: size,
            modificationDate: modificationDate, creationDate: creationDate, isFolder: isFolder, version: version,
            capabilities: capabilities, isDownloaded: isDownloaded, isUploaded: isUploaded, thumbnail: thumbnail,
            symbolicLinkTarget: symbolicLinkTarget, ignoresCase: ignoresCase)
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        JSONWriter.appendMember("identifier", text: identifier, to: &bytes)
        JSONWriter.appendMember("parent", text: parent, to: &bytes)
        JSONWriter.appendMember("name", text: name, to: &bytes)
        JSONWriter.appendMember("contentType", text: contentType, to: &bytes)
        JSONWriter.appendMember("size", integer: size, to: &bytes)
        JSONWriter.appendMember("modificationDate", number: modificationDate, to: &bytes)
        JSONWriter.appendMember("creationDate", number: creationDate, to: &bytes)
        JSONWriter.appendMember("isFolder", flag: isFolder, to: &bytes)
        JSONWriter.appendMember("version", text: version, to: &bytes)
        JSONWriter.appendMember("isDownloaded", flag: isDownloaded, to: &bytes)
        JSONWriter.appendMember("isUploaded", flag: isUploaded, to: &bytes)
        JSONWriter.appendMember("thumbnail", text: thumbnail, to: &bytes)
        JSONWriter.appendMember("symbolicLinkTarget", text: symbolicLinkTarget, to: &bytes)
        JSONWriter.appendMember("ignoresCase", flag: ignoresCase, to: &bytes)
        JSONWriter.appendMember("capabilities", elements: capabilities, to: &bytes) { JSONWriter.append($0, to: &$1) }
        bytes.append(UInt8(ascii: "}"))
    }
}
