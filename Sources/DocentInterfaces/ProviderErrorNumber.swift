/// Numbers of errors of an extension for which its interface has no code of their own: they stand in the causes of a
/// failure, under ``domain``.
package enum ProviderErrorNumber {
    /// The domain of the errors that the SDK for providers adds to Apple's.
    package static let domain = "org.docent.FileProvider"
    /// The provider's coordinator would have waited for ever, for somebody who waits for this provider.
    package static let deadlock = -3006
}
