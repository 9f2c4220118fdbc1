package import HTTPTypes
import NIOCore
package import WireFormats

extension Response {
    /// Creates a response with an XML document, including its declaration.
    /// `Content-Type` has no charset: the OSS SDK for iOS compares the whole value.
    /// - Parameters:
    ///   - headers: all other headers.
    ///   - namespace: the namespace of the root; `nil` for none.
    ///   - capacity: the approximate size of the document in bytes.
    package init(
        status: HTTPResponse.Status, headers: HTTPFields, root: String, namespace: String? = nil, capacity: Int,
        _ content: (inout XMLWriter) -> Void
    ) {
        var xml = XMLWriter(capacity: capacity)
        xml.declaration()
        xml.element(root, namespace: namespace, content)
        var headers = headers
        headers.append(HTTPField(name: .contentType, value: "application/xml"))
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: xml.withBytes { ByteBuffer(bytes: $0) }))
    }
}
