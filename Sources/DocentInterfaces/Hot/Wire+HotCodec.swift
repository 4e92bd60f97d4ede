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
        JSONWriter.appendKey("provider", first: true, to: &bytes)
        JSONWriter.append(provider, to: &bytes)
        JSONWriter.appendKey("domain", to: &bytes)
        JSONWriter.append(domain, to: &bytes)
        JSONWriter.appendKey("identifier", to: &bytes)
        JSONWriter.append(identifier, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }
}

extension Wire.Item {
    init?(_ scanner: inout JSONScanner) {
        var reference: Wire.ItemReference?
        var (name, contentType): (String?, String?)
        var (isFolder, isDownloaded, isUploaded): (Bool?, Bool?, Bool?)
        var (parent, path, version): (String?, String?, String?)
        var (uploadState, uploadError, thumbnail): (String?, String?, String?)
        var (formerVersion, symbolicLinkTarget): (String?, String?)
        var (isPinned, isStale, ignoresCase): (Bool?, Bool?, Bool?)
        var (size, conflicts): (Int?, Int?)
        var (modificationDate, creationDate): (Double?, Double?)
        let whole = scanner.object { key, scanner in
            if scanner.null() { return true }
            switch key {
            case "reference": reference = Wire.ItemReference(&scanner); return reference != nil
            case "name": name = scanner.string(); return name != nil
            case "contentType": contentType = scanner.string(); return contentType != nil
            case "isFolder": isFolder = scanner.boolean(); return isFolder != nil
            case "isDownloaded": isDownloaded = scanner.boolean(); return isDownloaded != nil
            case "isUploaded": isUploaded = scanner.boolean(); return isUploaded != nil
            case "parent": parent = scanner.string(); return parent != nil
            case "path": path = scanner.string(); return path != nil
            case "version": version = scanner.string(); return version != nil
            case "uploadState": uploadState = scanner.string(); return uploadState != nil
            case "uploadError": uploadError = scanner.string(); return uploadError != nil
            case "formerVersion": formerVersion = scanner.string(); return formerVersion != nil
            case "symbolicLinkTarget": symbolicLinkTarget = scanner.string(); return symbolicLinkTarget != nil
            case "ignoresCase": ignoresCase = scanner.boolean(); return ignoresCase != nil
            case "thumbnail": thumbnail = scanner.string(); return thumbnail != nil
            case "isPinned": isPinned = scanner.boolean(); return isPinned != nil
            case "isStale": isStale = scanner.boolean(); return isStale != nil
            case "conflicts": conflicts = scanner.integer(); return conflicts != nil
            case "size": size = scanner.integer(); return size != nil
            case "modificationDate": modificationDate = scanner.number(); return modificationDate != nil
            case "creationDate": creationDate = scanner.number(); return creationDate != nil
            default: return scanner.skip()
            }
        }
        guard whole, let reference, let name, let contentType, let isFolder, let isDownloaded, let isUploaded else {
            return nil
        }
        self.init(
            reference: reference, parent: parent, name: name, path: path, contentType: contentType, size: size,
            modificationDate: modificationDate, creationDate: creationDate, isFolder: isFolder,
            isDownloaded: isDownloaded, isUploaded: isUploaded, version: version, uploadState: uploadState,
            uploadError: uploadError, isPinned: isPinned, isStale: isStale, conflicts: conflicts, thumbnail: thumbnail,
            formerVersion: formerVersion, symbolicLinkTarget: symbolicLinkTarget, ignoresCase: ignoresCase)
    }

    /// The item as JSON. It equals the ordinary encoder's output except for the order of the members.
    package var hotJSON: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        append(to: &bytes)
        return bytes
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        JSONWriter.appendKey("reference", first: true, to: &bytes)
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
