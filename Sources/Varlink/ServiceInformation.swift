/// The information that `org.varlink.service.GetInfo` returns.
package struct ServiceInformation: Sendable {
    /// The vendor.
    package let vendor: String
    /// The product's name.
    package let product: String
    /// The product's version.
    package let version: String
    /// The product's web page.
    package let url: String

    /// Creates the information from its parts.
    package init(vendor: String, product: String, version: String, url: String) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
    }
}
