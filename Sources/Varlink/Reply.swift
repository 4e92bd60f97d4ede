/// The value of a reply, and the descriptors that the value refers to.
package struct Reply<Value: VarlinkMessage>: Sendable {
    /// The decoded parameters.
    package let value: Value
    /// The descriptors; their number is `value.descriptorCount`.
    package let descriptors: DescriptorList

    /// Creates a reply to send.
    package init(_ value: Value, descriptors: DescriptorList = DescriptorList()) {
        self.value = value
        self.descriptors = descriptors
    }
}
