import HTTPTransport

/// The bodies of requests.
enum RequestBody {
    /// The properties that PROPFIND asks for.
    static let properties = properties(and: "")

    /// The same properties and the locks.
    static let propertiesAndLocks = properties(and: "<d:lockdiscovery/>")

    private static func properties(and more: String) -> [UInt8] {
        Array(
            """
            <?xml version="1.0" encoding="utf-8"?>
            <d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><d:resourcetype/><d:getcontentlength/>\
            <d:getlastmodified/><d:creationdate/><d:getetag/>\(more)<oc:fileid/><oc:permissions/></d:prop></d:propfind>
            """.utf8)
    }

    /// A request for a write lock.
    ///
    /// - Parameter owner: Identifies the client; must not need escaping.
    static func lock(owner: String) -> [UInt8] {
        Array(
            """
            <?xml version="1.0" encoding="utf-8"?>
            <d:lockinfo xmlns:d="DAV:"><d:lockscope><d:exclusive/></d:lockscope><d:locktype><d:write/></d:locktype>\
            <d:owner>\(owner)</d:owner></d:lockinfo>
            """.utf8)
    }

    /// A request for the locks on a resource.
    static let locks = Array(
        """
        <?xml version="1.0" encoding="utf-8"?>
        <d:propfind xmlns:d="DAV:"><d:prop><d:lockdiscovery/></d:prop></d:propfind>
        """.utf8)

    /// A request for the space of a folder (RFC 4331).
    static let quota = Array(
        """
        <?xml version="1.0" encoding="utf-8"?>
        <d:propfind xmlns:d="DAV:"><d:prop><d:quota-available-bytes/><d:quota-used-bytes/></d:prop></d:propfind>
        """.utf8)

    /// A request for what is in the trash bin of a Nextcloud.
    static let trash = Array(
        """
        <?xml version="1.0" encoding="utf-8"?>
        <d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns"><d:prop>\
        <d:resourcetype/><d:getcontentlength/><oc:fileid/><nc:trashbin-filename/><nc:trashbin-original-location/>\
        <nc:trashbin-deletion-time/></d:prop></d:propfind>
        """.utf8)

    /// A request for the versions of a document in a Nextcloud.
    static let versions = Array(
        """
        <?xml version="1.0" encoding="utf-8"?>
        <d:propfind xmlns:d="DAV:" xmlns:nc="http://nextcloud.org/ns"><d:prop><d:resourcetype/><d:getcontentlength/>\
        <d:getlastmodified/><nc:version-author/></d:prop></d:propfind>
        """.utf8)

    /// A search for the file with a number, in Nextcloud.
    ///
    /// - Parameters:
    ///   - number: Digits, which need no escaping.
    ///   - scope: `/files/USER`, percent-encoded.
    static func search(number: String, scope: String) -> [UInt8] {
        Array(
            """
            <?xml version="1.0" encoding="utf-8"?>
            <d:searchrequest xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:basicsearch><d:select><d:prop>\
            <d:resourcetype/><d:getcontentlength/><d:getlastmodified/><d:creationdate/><d:getetag/><oc:fileid/>\
            <oc:permissions/></d:prop></d:select><d:from><d:scope><d:href>\(scope)</d:href><d:depth>infinity</d:depth>\
            </d:scope></d:from><d:where><d:eq><d:prop><oc:fileid/></d:prop><d:literal>\(number)</d:literal></d:eq>\
            </d:where></d:basicsearch></d:searchrequest>
            """.utf8)
    }
}
