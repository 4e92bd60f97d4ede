/// What signs requests to a store.
package struct S3Credential: Hashable, Sendable {
    package let accessKey: String
    package let secretKey: String

    package init(accessKey: String, secretKey: String) {
        self.accessKey = accessKey
        self.secretKey = secretKey
    }
}
