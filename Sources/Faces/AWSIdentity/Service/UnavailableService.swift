package import Calls
package import HTTPTypes
import WireFormats

/// Responds to calls of AWS services that Virga does not have, with an error in the service's own protocol.
package struct UnavailableService {
    private let name: String

    /// What Virga serves of AWS, as the message says it.
    static let served = "STS, IAM, S3, Cognito, and parts of Account Management and Organizations"

    /// The services of IAM Identity Center, which a seed opens.
    private static let ofIdentityCenter: Set<String> = ["awsssoportal", "sso-oauth"]

    /// - Parameter name: the service's name in the credential scope, the host or the target of the call, such as `dynamodb`.
    package init(name: String) { self.name = name }

    /// Returns the error response.
    package func respond(to call: Call) -> Response {
        let message =
            Self.ofIdentityCenter.contains(name)
            ? "Virga does not serve \(name) without identityCenter in the seed."
            : "Virga does not serve \(name). Of AWS, it serves \(Self.served)."
        let form = ErrorForm(of: call, service: name)
        call.note(face: name)
        call.note(errorCode: form.code, message: message)
        return form.refusal(message, requestID: call.id.uuid)
    }
}

/// The form in which an AWS service writes its errors, according to its protocol. (Smithy, "AWS protocols".)
private enum ErrorForm {
    /// JSON with the content type of the request.
    case json(contentType: String)
    case restJSON
    case restXML
    case query(service: String)
    case ec2
    case cbor

    /// Detects the protocol of a request. Without a sign of another, it is REST, for most services with JSON.
    init(of call: Call, service: String) {
        let contentType = call.headers[.contentType] ?? ""
        if call.headers[.smithyProtocol] == "rpc-v2-cbor" {
            self = .cbor
        } else if call.headers.contains(.amazonTarget) || contentType.hasPrefix("application/x-amz-json-") {
            self = .json(contentType: contentType.hasPrefix("application/x-amz-json-") ? contentType : "application/x-amz-json-1.1")
        } else if Self.xmlServices.contains(service) {
            self = .restXML
        } else if call.path == "/" || service == "sqs",
            contentType.hasPrefix("application/x-www-form-urlencoded") || call.query.contains("Action=")
        {
            // Older SDKs send calls of SQS to the path of a queue.
            self = service == "ec2" ? .ec2 : .query(service: service)
        } else {
            self = .restJSON
        }
    }

    /// The services with XML, by their names in credential scopes.
    private static let xmlServices: Set<String> = ["cloudfront", "route53", "s3-control"]

    /// The protocol's error code for unknown operations.
    var code: String {
        switch self {
        case .json, .restJSON, .cbor: "UnknownOperationException"
        case .query, .ec2, .restXML: "InvalidAction"
        }
    }

    func refusal(_ message: String, requestID: String) -> Response {
        switch self {
        case .json(let contentType):
            return ServiceError(code, .badRequest, message).response(inJSON: contentType, requestID: requestID)
        case .restJSON:
            return ServiceError(code, .notFound, message).responseInREST(requestID: requestID)
        case .query(let service):
            return ServiceError(code, .badRequest, message)
                .response(namespace: "https://\(service).amazonaws.com/doc/", requestID: requestID)
        case .restXML:
            return ServiceError(code, .badRequest, message).response(namespace: "", requestID: requestID)
        case .ec2:
            var xml = XMLWriter()
            xml.element("Response") { xml in
                xml.element("Errors") { xml in
                    xml.element("Error") { xml in
                        xml.element("Code", code)
                        xml.element("Message", message)
                    }
                }
                xml.element("RequestID", requestID)
            }
            return Response(
                status: .badRequest, contentType: "text/xml", headers: [.amazonRequestID: requestID], body: xml.bytes)
        case .cbor:
            return Response(
                status: .notFound, contentType: "application/cbor",
                headers: [.amazonRequestID: requestID, .smithyProtocol: "rpc-v2-cbor"],
                body: Self.cbor(["__type": code, "message": message]))
        }
    }

    /// Encodes a map of texts. (RFC 8949 section 3.1, major types 3 and 5.)
    private static func cbor(_ map: KeyValuePairs<String, String>) -> [UInt8] {
        func text(_ text: String) -> [UInt8] {
            let bytes = Array(text.utf8)
            return [0x79, UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
        }
        return [0xA0 | UInt8(map.count)] + map.flatMap { text($0.key) + text($0.value) }
    }
}

extension HTTPField.Name {
    /// The header with service and operation of a call in JSON.
    package static let amazonTarget = HTTPField.Name(literal: "x-amz-target")
    fileprivate static let smithyProtocol = HTTPField.Name(literal: "smithy-protocol")
}
