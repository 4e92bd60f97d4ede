/// The value that a call is answered with, and the descriptors that the value refers to.
package struct Reply<Value: VarlinkMessage>: Sendable {
    /// The decoded parameters.
    package let value: Value
    /// As many descriptors as `value.descriptorCount` says.
    package let descriptors: DescriptorList

    /// A reply to send.
    package init(_ value: Value, descriptors: DescriptorList = DescriptorList()) {
        self.value = value
        self.descriptors = descriptors
    }
}
