/// What `org.varlink.service.GetInfo` tells about the program.
package struct ServiceInformation: Sendable {
    /// Who makes it.
    package let vendor: String
    /// What it is called.
    package let product: String
    /// Its version.
    package let version: String
    /// Where to read about it.
    package let url: String

    /// All four values.
    package init(vendor: String, product: String, version: String, url: String) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
    }
}
