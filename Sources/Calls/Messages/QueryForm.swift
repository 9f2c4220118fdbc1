package import WireFormats

/// The body of a call whose parameters travel in a form, by the Query protocol of AWS or as RPC of Alibaba Cloud: read once, to see
/// whom it is for and what it asks.
package struct QueryForm: Sendable {
    /// As received; what a signature covers.
    package let bytes: [UInt8]
    /// Nothing if the body is no well-encoded form.
    package let fields: FormFields?

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        fields = FormFields(parsing: bytes)
    }
}
