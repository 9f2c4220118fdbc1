package import WireFormats

/// The parsed body of a request in AWS's Query protocol or Alibaba Cloud's RPC. It is parsed once, to find the service and the action.
package struct QueryForm: Sendable {
    /// The bytes as received, which a signature covers.
    package let bytes: [UInt8]
    /// The fields; `nil` if the body is not a well-formed form.
    package let fields: FormFields?

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        fields = FormFields(parsing: bytes)
    }
}
