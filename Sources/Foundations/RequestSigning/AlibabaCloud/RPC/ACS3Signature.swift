import Cryptography
import HTTPTypes
package import WireFormats

/// The signature of Alibaba Cloud's OpenAPI, version 3: HMAC-SHA-256 over a canonical request, with the secret itself as the key.
///
/// The specification is "Request syntax and signature method V3" in the Alibaba Cloud SDK documentation.
package enum ACS3Signature {
    /// The name of the algorithm, with which the `Authorization` header begins.
    package static let algorithm = "ACS3-HMAC-SHA256"

    /// The signature of a call, well-formed but not verified.
    package struct Presented: Hashable, Sendable {
        /// The access key identifier; not empty.
        package var accessKey: String
        /// The names of the headers covered, in lowercase, sorted.
        package var signedHeaders: [String]
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

extension ACS3Signature.Presented {
    /// Reads the signature of a call; `nil` if its `Authorization` header is not of this version.
    /// - Parameter body: the whole body, whose hash `x-acs-content-sha256` must be.
    package init?(_ request: SignableRequest, body: [UInt8]) throws(RPCSignatureError) {
        func field(_ name: String) -> String? {
            request.fields.first { $0.name.canonicalName == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
        }
        func require(_ name: String) throws(RPCSignatureError) -> String {
            guard let value = field(name) else { throw .missing(name) }
            return value
        }
        guard let authorization = field("authorization"), authorization.hasPrefix(ACS3Signature.algorithm) else { return nil }
        let parts = try Self.components(of: authorization)
        guard let accessKey = parts["Credential"], let headers = parts["SignedHeaders"], let signature = parts["Signature"] else {
            throw .malformedAuthorization(authorization)
        }
        let text = try require("x-acs-date")
        guard let timestamp = Timestamp(rpc: text) else { throw .malformedTimestamp(text) }
        let nonce = try require("x-acs-signature-nonce")
        let hash = try require("x-acs-content-sha256")
        guard hash.lowercased() == SHA256.hash(body).hex else { throw .payloadHash(hash) }
        let signedHeaders = headers.lowercased().utf8.split(separator: 0x3B).map { String(Substring($0)) }.sorted(by: utf8Precedes)
        for name in Self.mandatoryHeaders where !signedHeaders.contains(name) && (name == "host" || field(name) != nil) {
            throw .notSigned(name)
        }
        self.init(
            accessKey: accessKey, signedHeaders: signedHeaders,
            signature: signature, nonce: nonce, timestamp: timestamp, sessionToken: field("x-acs-security-token"))
    }

    /// The headers that a signature must cover if they are sent. Otherwise an attacker could replay or alter the call.
    /// ("Request syntax and signature method V3", `SignedHeaders`.)
    private static let mandatoryHeaders = [
        "host", "x-acs-action", "x-acs-content-sha256", "x-acs-date", "x-acs-security-token", "x-acs-signature-nonce", "x-acs-version",
    ]

    private static func components(of authorization: String) throws(RPCSignatureError) -> [String: String] {
        let rest = authorization.utf8.dropFirst(ACS3Signature.algorithm.utf8.count)
        guard rest.first == 0x20 else { throw .malformedAuthorization(authorization) }
        var found: [String: String] = [:]
        for part in rest.split(separator: 0x2C, omittingEmptySubsequences: false) {
            let part = part.trimmingSpace()
            guard let equals = part.firstIndex(of: 0x3D) else { throw .malformedAuthorization(authorization) }
            let name = String(Substring(part[..<equals]))
            let value = String(Substring(part[equals...].dropFirst()))
            guard found[name] == nil, !value.isEmpty else { throw .malformedAuthorization(authorization) }
            found[name] = value
        }
        return found
    }

    /// Verifies that the presented signature equals the one that `secret` gives for `request`.
    package func verify(_ request: SignableRequest, body: [UInt8], secret: String) throws(SignatureMismatch) {
        let canonical = ACS3Signature.canonicalRequest(request, signedHeaders: signedHeaders, body: body)
        let stringToSign = ACS3Signature.stringToSign(canonical)
        guard constantTimeEquals(ACS3Signature.signature(of: stringToSign, secret: secret), signature) else {
            throw SignatureMismatch(canonicalRequest: canonical, stringToSign: Array(stringToSign.utf8), signatureProvided: signature)
        }
    }
}

extension ACS3Signature {
    /// Adds the headers that sign `request` as it is, as a client does. The headers `x-acs-…`, `host` and `content-type` are covered.
    package static func sign(
        _ request: inout SignableRequest, body: [UInt8], accessKey: String, secret: String, sessionToken: String?, nonce: String,
        at time: Timestamp
    ) {
        request.fields.set("Authorization", nil)
        request.fields.set("x-acs-date", time.iso8601)
        request.fields.set("x-acs-signature-nonce", nonce)
        request.fields.set("x-acs-content-sha256", SHA256.hash(body).hex)
        if let sessionToken {
            request.fields.set("x-acs-security-token", sessionToken)
            request.fields.set("x-acs-accesskey-id", accessKey)
        }
        var names: Set = ["host"]
        for field in request.fields {
            let name = field.name.canonicalName
            if name.hasPrefix("x-acs-") || name == "content-type" { names.insert(name) }
        }
        let signedHeaders = names.sorted(by: utf8Precedes)
        let canonical = canonicalRequest(request, signedHeaders: signedHeaders, body: body)
        let signature = signature(of: stringToSign(canonical), secret: secret)
        request.fields.set(
            "Authorization",
            "\(algorithm) Credential=\(accessKey),SignedHeaders=\(signedHeaders.joined(separator: ";")),Signature=\(signature)")
    }

    fileprivate static func canonicalRequest(_ request: SignableRequest, signedHeaders: [String], body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(line: request.method)
        var path: [UInt8] = []
        bytes.append(contentsOf: path.append(normalisingPath: request.path) && !path.isEmpty ? path : [0x2F])
        bytes.append(0x0A)
        var parameters = request.query.items.map { item in
            (percentEncoded(item.decodedName ?? String(item.name)), percentEncoded(item.decodedValue ?? String(item.value ?? "")))
        }
        parameters.sort { $0.0 == $1.0 ? utf8Precedes($0.1, $1.1) : utf8Precedes($0.0, $1.0) }
        bytes.append(line: parameters.map { "\($0.0)=\($0.1)" }.joined(separator: "&"))
        for (index, name) in signedHeaders.enumerated() {
            // The names are sorted. A repeated one is empty, because repetitions of a long value would make a short request very long.
            let isRepeated = index > 0 && signedHeaders[index - 1] == name
            bytes.append(line: "\(name):\(isRepeated ? "" : value(of: name, in: request))")
        }
        bytes.append(0x0A)
        bytes.append(line: signedHeaders.joined(separator: ";"))
        bytes.append(hexOf: SHA256.hash(body))
        return bytes
    }

    /// Returns the values of all headers of that name, trimmed, sorted and joined by commas.
    fileprivate static func value(of name: String, in request: SignableRequest) -> String {
        if name == "host" { return request.authority }
        let values = request.fields.filter { $0.name.canonicalName == name }.map { field in
            String(Substring(field.value[...].utf8.trimmingSpace()))
        }
        return values.sorted(by: utf8Precedes).joined(separator: ",")
    }

    fileprivate static func stringToSign(_ canonicalRequest: [UInt8]) -> String {
        "\(algorithm)\n\(SHA256.hash(canonicalRequest).hex)"
    }

    fileprivate static func signature(of stringToSign: String, secret: String) -> String {
        hmacSHA256(key: Array(secret.utf8), stringToSign).hex
    }
}
