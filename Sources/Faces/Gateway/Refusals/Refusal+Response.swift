package import Calls
import HTTPTypes
package import ServiceModels
import WireFormats

extension Refusal {
    /// Returns the response in the protocol of the call. (Smithy, "AWS protocols", sections "Operation error serialization".)
    /// - Parameters:
    ///   - service: the prefix of the service's actions in policies.
    ///   - wire: the protocol of the call.
    package func response(of service: String, in wire: ServiceProtocol, requestID: String) -> Response {
        let wording = ServiceWording(of: service, in: wire)
        var headers: HTTPFields = [.amazonRequestID: requestID]
        switch wire {
        case .json10, .json11:
            let document: JSONValue = ["__type": .string(wording.namespace + code), member(wording): .string(message)]
            let body = document.serializedBytes()
            if wording.isQueryCompatible { headers[.amazonQueryError] = queryError }
            if wording.hasChecksum { headers[.amazonChecksum] = Self.checksum(of: body) }
            let contentType = wire == .json10 ? "application/x-amz-json-1.0" : "application/x-amz-json-1.1"
            return Response(status: status, contentType: contentType, headers: headers, body: body)
        case .cbor:
            headers[.smithyProtocol] = "rpc-v2-cbor"
            if wording.isQueryCompatible { headers[.amazonQueryError] = queryError }
            return Response(status: status, contentType: "application/cbor", headers: headers, body: cbor)
        case .restJSON:
            headers[.amazonErrorType] = code
            let document: JSONValue = [member(wording): .string(message)]
            return Response(status: status, contentType: "application/json", headers: headers, body: document.serializedBytes())
        case .query, .restXML:
            return Response(
                status: status, contentType: "text/xml", headers: headers,
                xml: document(namespace: wording.xmlNamespace, hasDetail: service == "sqs", requestID: requestID))
        case .ec2:
            var xml = XMLWriter()
            xml.element("Response") { xml in
                xml.element("Errors") { xml in
                    xml.element("Error") { xml in
                        xml.element("Code", code)
                        xml.element("Message", wellFormed)
                    }
                }
                xml.element("RequestID", requestID)
            }
            return Response(status: status, contentType: "text/xml", headers: headers, xml: xml)
        }
    }

    /// The party at fault.
    private var type: String { status.code < 500 ? "Sender" : "Receiver" }

    /// The code and the party at fault for clients that know the codes of the Query protocol.
    private var queryError: String { "\(queryCode);\(type)" }

    /// The member with the message.
    private func member(_ wording: ServiceWording) -> String { isCommon ? "message" : wording.messageMember }

    /// The message without characters that XML documents cannot contain, because it quotes the request. (XML 1.0 section 2.2.)
    private var wellFormed: String {
        let scalars = message.unicodeScalars.map { scalar -> Unicode.Scalar in
            scalar.value < 0x20 && !"\t\n\r".unicodeScalars.contains(scalar) ? "\u{FFFD}" : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }

    private func document(namespace: String, hasDetail: Bool, requestID: String) -> XMLWriter {
        var xml = XMLWriter()
        xml.element("ErrorResponse", namespace: namespace.isEmpty ? nil : namespace) { xml in
            xml.element("Error") { xml in
                xml.element("Type", type)
                xml.element("Code", code)
                xml.element("Message", wellFormed)
                if hasDetail { xml.element("Detail", "") }
            }
            xml.element("RequestId", requestID)
        }
        return xml
    }

    /// The CRC-32 of a body, which clients of DynamoDB compare.
    private static func checksum(of body: [UInt8]) -> String {
        var checksum = CRC32()
        body.withUnsafeBytes { checksum.update($0) }
        return String(checksum.value)
    }

    /// A map of two texts. (RFC 8949 section 3.1, major types 3 and 5.)
    private var cbor: [UInt8] {
        func text(_ text: String) -> [UInt8] {
            let bytes = Array(text.utf8.prefix(0xFFFF))
            return [0x79, UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
        }
        return [0xA2] + text("__type") + text(code) + text("message") + text(message)
    }
}

extension HTTPField.Name {
    /// The ID of the request, which SDKs display.
    fileprivate static let amazonRequestID = HTTPField.Name(literal: "x-amzn-RequestId")
    /// The error code in the REST JSON protocol.
    fileprivate static let amazonErrorType = HTTPField.Name(literal: "x-amzn-ErrorType")
    /// The error code of the Query protocol in the protocols that replaced it. (Smithy, "awsQueryCompatible trait".)
    fileprivate static let amazonQueryError = HTTPField.Name(literal: "x-amzn-query-error")
    /// The CRC-32 of the body, in decimal.
    fileprivate static let amazonChecksum = HTTPField.Name(literal: "x-amz-crc32")
}
