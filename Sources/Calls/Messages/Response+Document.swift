package import HTTPTypes
import NIOCore
package import WireFormats

extension Response {
    /// An answer whose body is an XML document, with its declaration. The type is without a character set: the SDK of OSS for iOS compares
    /// the whole value.
    /// - Parameters:
    ///   - headers: all others.
    ///   - namespace: of the root; `nil` for none.
    ///   - capacity: bytes that the document will have, roughly.
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
