import DriveS3
import DriveStore
import Testing

/// What is sent to a store that speaks S3.
struct S3Tests {
    @Test("the times of a listing are read, others are unknown")
    func times() {
        #expect(S3Listing.milliseconds("1970-01-01T00:00:00.000Z") == 0)
        #expect(S3Listing.milliseconds("2026-11-29T12:44:01.123Z") == 1_795_956_241_000)
        #expect(S3Listing.milliseconds("2024-02-29T23:59:59Z") == 1_709_251_199_000)
        for text in ["", "Z", "2026-13-01T00:00:00Z", "2026-11-29T12:44:01", "29 Nov 2026", "2026-11-29T25:00:00Z"] {
            #expect(S3Listing.milliseconds(text) == nil)
        }
    }

    @Test("a request is signed as version 4 says")
    func aRequestIsSignedAsVersion4Says() throws {
        // The signature was computed by another program, in Python's hmac.
        let location = try S3Location("s3://examplebucket/p q", endpoint: "https://s3.amazonaws.com/")
        let signature = S3Signature(
            location,
            S3Credential(
                accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"))
        let headers = signature.headers(
            "GET", path: "/examplebucket", query: [("prefix", "p q/"), ("list-type", "2")], body: [],
            time: 1_369_353_600)
        #expect(headers.contains { $0 == ("x-amz-date", "20130524T000000Z") })
        #expect(headers.contains { $0 == ("Host", "s3.amazonaws.com") })
        #expect(
            headers.contains {
                $0 == ("x-amz-content-sha256", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
            })
        #expect(
            headers.contains {
                $0.name == "Authorization"
                    && $0.value.hasSuffix("Signature=ff7e69b3ae89b53f969a3fafcac3ddb00883702a478b513074fb0a7612ae13f3")
            })
    }

    @Test(
        "what is no place is refused",
        arguments: [
            "http://x", "s3://", "s3://ab", "s3://bucket/../x", "s3://bucket/./x", "s3://buc ket",
        ])
    func whatIsNoPlaceIsRefused(address: String) {
        #expect(throws: DriveError.self) { try S3Location(address, endpoint: nil) }
    }

    @Test(
        "what is no endpoint is refused",
        arguments: ["ftp://x", "https://", "https://host/path", "https://a b", "https://user@host"])
    func whatIsNoEndpointIsRefused(endpoint: String) {
        #expect(throws: DriveError.self) { try S3Location("s3://bucket", endpoint: endpoint) }
    }

    @Test("a listing is read")
    func aListingIsRead() throws {
        let xml = """
            <?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>true\
            </IsTruncated><Contents><Key>p/devices/a</Key><ETag>&quot;1&quot;</ETag><Size>7</Size></Contents><Contents>\
            <Key>other</Key><Size>1</Size></Contents><NextContinuationToken>t&amp;1</NextContinuationToken>\
            </ListBucketResult>
            """
        let listing = try S3Listing(Array(xml.utf8), prefix: "p/")
        #expect(listing.objects == [ListedObject(name: "devices/a", tag: "\"1\"", size: 7)])
        #expect(listing.next == "t&1")
        #expect(throws: DriveError.self) { try S3Listing(Array("<html>".utf8), prefix: "") }
        #expect(throws: DriveError.self) {
            try S3Listing(
                Array("<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>".utf8), prefix: "")
        }
    }
}
