import Cryptography
package import WireFormats

/// Signature Version 2 of the Query protocol. Its string to sign differs from S3's and covers all parameters of a call.
/// (AWS General Reference, "Signature Version 2 signing process".)
package struct QuerySignature: Hashable, Sendable {
    /// The identifier of the access key.
    package var accessKey: String
    /// The signature as sent; not validated.
    package var signature: String
    /// When the signature is valid.
    package var validity: SignatureV2.Validity
    /// The session token sent with the signature; not empty.
    package var sessionToken: String?
    private let method: HashAlgorithm
    private let parameters: FormFields

    /// Reads the signature from the parameters of a call; `nil` if they contain no such signature.
    /// - Parameter parameters: the parameters of query and body.
    package init?(_ parameters: FormFields) throws(QuerySignatureError) {
        guard ["Signature", "SignatureVersion", "AWSAccessKeyId"].contains(where: { parameters.first($0) != nil }) else { return nil }
        func required(_ name: String) throws(QuerySignatureError) -> String {
            guard let value = parameters.value(name) else { throw .missing(name) }
            return value
        }
        let version = try required("SignatureVersion")
        guard version == "2" else { throw .unsupported("SignatureVersion", version) }
        switch try required("SignatureMethod") {
        case "HmacSHA256": method = .sha256
        case "HmacSHA1": method = .sha1
        case let other: throw .unsupported("SignatureMethod", other)
        }
        accessKey = try required("AWSAccessKeyId")
        signature = try required("Signature")
        if let expires = parameters.value("Expires") {
            guard parameters.value("Timestamp") == nil else { throw .severalTimes }
            validity = .until(try Self.time(expires, "Expires"))
        } else {
            let text = try required("Timestamp")
            validity = .signed(try Self.time(text, "Timestamp"), text: text)
        }
        sessionToken = parameters.value("SecurityToken")
        self.parameters = parameters
    }

    private static func time(_ text: String, _ name: String) throws(QuerySignatureError) -> Timestamp {
        // A time without a zone is UTC, as in the guide's own example.
        guard let time = Timestamp(iso8601: text) ?? Timestamp(iso8601: text + "Z") else { throw .unsupported(name, text) }
        return time
    }

    /// Verifies that the presented signature equals the one that `secret` gives for `request`.
    package func verify(_ request: SignableRequest, secret: String) throws(SignatureMismatch) {
        let authority = request.authority.lowercased()
        // Clients of that era sign the host of their endpoint, some with its port and some without.
        let colon = authority.lastIndex(of: ":").flatMap { authority[$0...].contains("]") ? nil : $0 }
        let hosts = [authority] + (colon.map { [String(authority[..<$0])] } ?? [])
        let strings = hosts.map { stringToSign(request, host: $0) }
        for text in strings {
            guard let code = try? method.authenticationCode(key: Array(secret.utf8), of: Array(text.utf8)) else { continue }
            if constantTimeEquals(code.base64, signature) { return }
        }
        throw SignatureMismatch(canonicalRequest: nil, stringToSign: Array((strings.first ?? "").utf8), signatureProvided: signature)
    }

    /// Returns method, host, path, and the parameters except the signature, encoded and sorted by the bytes of their names.
    private func stringToSign(_ request: SignableRequest, host: String) -> String {
        let pairs = parameters.fields.filter { $0.name != "Signature" }.map { (percentEncoded($0.name), percentEncoded($0.value)) }
        let query = pairs.sorted { left, right in
            left.0 == right.0 ? left.1.utf8.lexicographicallyPrecedes(right.1.utf8) : left.0.utf8.lexicographicallyPrecedes(right.0.utf8)
        }.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        return "\(request.method)\n\(host)\n\(request.path.isEmpty ? "/" : request.path)\n\(query)"
    }
}

/// Why Signature Version 2 of the Query protocol cannot be read. The face chooses code and message.
package enum QuerySignatureError: Error, Hashable, Sendable {
    /// A parameter is missing or empty.
    case missing(String)
    /// A parameter has an unsupported value: its name and the value as sent.
    case unsupported(String, String)
    /// Both `Timestamp` and `Expires` are present.
    case severalTimes
}
