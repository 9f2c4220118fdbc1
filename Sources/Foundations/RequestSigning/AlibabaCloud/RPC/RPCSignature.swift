import Cryptography
package import WireFormats

/// The signature of Alibaba Cloud's RPC APIs, version 1.0: HMAC-SHA-1 over all parameters of a call, in query or body.
///
/// The specification is "Sign requests" in the RAM and STS API References ("request syntax and signature method of RPC API operations").
package enum RPCSignature {
    /// The only signature algorithm.
    static let method = "HMAC-SHA1"
    /// The only signature version.
    static let version = "1.0"

    /// The signature of a call, well-formed but not verified.
    package struct Presented: Hashable, Sendable {
        /// The access key identifier; not empty.
        package var accessKey: String
        /// The signature as sent; not validated.
        package var signature: String
        /// The nonce, unique for each call; not empty.
        package var nonce: String
        /// When the call says it was signed.
        package var timestamp: Timestamp
        /// The session token sent with the signature; not empty.
        package var sessionToken: String?
    }
}

/// Why the signature of a call cannot be read. The face chooses code, status and message.
package enum RPCSignatureError: Error, Hashable, Sendable {
    /// A parameter, or for `ACS3-HMAC-SHA256` a header, that is missing or empty.
    case missing(String)
    /// `SignatureMethod` is not `HMAC-SHA1`, as sent.
    case unsupportedMethod(String)
    /// `SignatureVersion` is not `1.0`, as sent.
    case unsupportedVersion(String)
    /// The time does not have the form `2026-11-21T08:00:00Z`, as sent.
    case malformedTimestamp(String)
    /// The `Authorization` header is not `ACS3-HMAC-SHA256 Credential=…,SignedHeaders=…,Signature=…`, as sent.
    case malformedAuthorization(String)
    /// `x-acs-content-sha256` is not the hash of the body, as sent.
    case payloadHash(String)
    /// A header that `ACS3-HMAC-SHA256` must cover but does not.
    case notSigned(String)
}

extension RPCSignature.Presented {
    /// Reads the signature of a call; `nil` if none of its parameters belongs to a signature.
    /// - Parameter parameters: the parameters of the query and of the form, together.
    package init?(_ parameters: FormFields) throws(RPCSignatureError) {
        guard ["AccessKeyId", "Signature", "SignatureMethod"].contains(where: { parameters.value($0) != nil }) else { return nil }
        func require(_ name: String) throws(RPCSignatureError) -> String {
            guard let value = parameters.value(name) else { throw .missing(name) }
            return value
        }
        let accessKey = try require("AccessKeyId")
        let signature = try require("Signature")
        let method = try require("SignatureMethod")
        guard method == RPCSignature.method else { throw .unsupportedMethod(method) }
        let version = try require("SignatureVersion")
        guard version == RPCSignature.version else { throw .unsupportedVersion(version) }
        let nonce = try require("SignatureNonce")
        let text = try require("Timestamp")
        guard let timestamp = Timestamp(rpc: text) else { throw .malformedTimestamp(text) }
        self.init(
            accessKey: accessKey, signature: signature, nonce: nonce, timestamp: timestamp,
            sessionToken: parameters.value("SecurityToken"))
    }

    /// Verifies that the presented signature equals the one that `secret` gives for the call.
    /// - Parameter method: the HTTP method.
    package func verify(method: String, parameters: FormFields, secret: String) throws(SignatureMismatch) {
        let stringToSign = RPCSignature.stringToSign(method: method, parameters)
        guard constantTimeEquals(RPCSignature.signature(of: stringToSign, secret: secret), signature) else {
            throw SignatureMismatch(canonicalRequest: nil, stringToSign: Array(stringToSign.utf8), signatureProvided: signature)
        }
    }
}

extension RPCSignature {
    /// Adds the signature to the parameters of a call, as a client does.
    package static func sign(_ parameters: inout FormFields, method: String, secret: String) {
        parameters.fields.removeAll { $0.name == "Signature" }
        let signature = signature(of: stringToSign(method: method, parameters), secret: secret)
        parameters.fields.append(.init(name: "Signature", value: signature))
    }

    /// Returns the string to sign: the method, the path, which is always `/`, and the parameters decoded, encoded again and sorted, with
    /// `=` also for those without a value.
    static func stringToSign(method: String, _ parameters: FormFields) -> String {
        var encoded = parameters.fields.filter { $0.name != "Signature" }.map { (percentEncoded($0.name), percentEncoded($0.value)) }
        encoded.sort { $0.0 == $1.0 ? utf8Precedes($0.1, $1.1) : utf8Precedes($0.0, $1.0) }
        return "\(method)&%2F&" + percentEncoded(encoded.map { "\($0.0)=\($0.1)" }.joined(separator: "&"))
    }

    fileprivate static func signature(of stringToSign: String, secret: String) -> String {
        hmacSHA1(key: Array("\(secret)&".utf8), stringToSign).base64
    }
}

extension Timestamp {
    /// Parses the only form of a time that RPC APIs accept: seconds in UTC.
    init?(rpc text: String) {
        guard text.utf8.count == 20, text.hasSuffix("Z"), let time = Timestamp(iso8601: text) else { return nil }
        self = time
    }
}

func utf8Precedes(_ left: String, _ right: String) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }
