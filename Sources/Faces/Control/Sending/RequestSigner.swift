import Calls
import Cryptography
import Federation
import HTTPTypes
import RequestSigning
import WireFormats

/// Signs a request as a client does, and keeps the texts that were signed.
struct RequestSigner {
    /// The texts from which a signature is computed.
    struct Texts {
        var canonicalRequest: String?
        var stringToSign: String?
    }

    var credentials: SigningCredentials
    var method: SendOrder.Signature
    /// The service in the scope of a Version 4 signature.
    var service: String
    var region: String
    /// The bucket that the host names.
    var bucketOfHost: String?
    var time: Timestamp

    /// Adds the signature to a request.
    /// - Parameter body: the whole body; a form receives the parameters of an RPC signature.
    /// - Returns: the signed texts; without texts if the request cannot be signed, such as one whose path is not percent-encoded.
    func sign(_ request: inout SignableRequest, body: inout [UInt8]) throws -> Texts {
        switch method {
        case .none: return Texts()
        case .v4: return signV4(&request, body)
        case .v2: return signV2(&request)
        case .ossV1: return signOSS(&request, .v1)
        case .ossV2: return signOSS(&request, .v2)
        case .ossV4: return signOSS(&request, .v4(region: region))
        case .rpc: return try signRPC(&request, &body)
        case .acs3: return try signACS3(&request, body)
        }
    }

    private func signV4(_ request: inout SignableRequest, _ body: [UInt8]) -> Texts {
        let signer = SignatureV4.Signer(
            accessKey: credentials.accessKey, secret: credentials.secret, sessionToken: credentials.sessionToken, region: region,
            service: service)
        let declared = request.fields[.amazonContentHash].flatMap { try? PayloadHash($0) }
        let payload = declared ?? PayloadHash(of: body)
        signer.sign(&request, payload: payload, at: time)
        guard let presented = try? SignatureV4.Presented(request) else { return Texts() }
        // Verification with another secret fails, and returns the texts.
        let key = ScopedSigningKey(secret: credentials.secret + "-", scope: presented.scope)
        return texts { () throws(SignatureMismatch) in
            try presented.verify(request, payload: payload, path: service == "s3" ? .asReceived : .normalised, key: key)
        }
    }

    private func signV2(_ request: inout SignableRequest) -> Texts {
        if !request.fields.contains(.amazonDate) { request.fields[.dateSent] = time.httpDate }
        request.fields[.amazonSecurityToken] = credentials.sessionToken
        request.fields[.authorization] = "AWS \(credentials.accessKey):-"
        guard let presented = try? SignatureV2.Presented(request) else { return Texts() }
        let texts = texts { () throws(SignatureMismatch) in
            try presented.verify(request, bucket: bucketOfHost, secret: credentials.secret)
        }
        let signature = SignatureV2.signature(of: texts.stringToSign ?? "", secret: credentials.secret)
        request.fields[.authorization] = "AWS \(credentials.accessKey):\(signature)"
        return texts
    }

    private func signOSS(_ request: inout SignableRequest, _ version: OSSSignature.Signer.Method) -> Texts {
        let signer = OSSSignature.Signer(
            accessKey: credentials.accessKey, secret: credentials.secret, sessionToken: credentials.sessionToken, method: version)
        let resource = resource(of: request.path)
        signer.sign(&request, resource: resource, at: time)
        guard let presented = try? OSSSignature.Presented(request) else { return Texts() }
        let secret = credentials.secret + "-"
        return texts { () throws(SignatureMismatch) in
            try presented.verify(request, resource: resource, secret: secret) { ScopedSigningKey(secret: secret, scope: $0) }
        }
    }

    func resource(of path: String) -> OSSResource {
        let rest = path.dropFirst()
        if let bucketOfHost { return OSSResource(bucket: bucketOfHost, key: rest.isEmpty ? nil : percentDecoded(rest)) }
        let bucket = rest.prefix { $0 != "/" }
        guard !bucket.isEmpty else { return OSSResource() }
        let key = rest.dropFirst(bucket.count + 1)
        return OSSResource(bucket: percentDecoded(bucket), key: key.isEmpty ? nil : percentDecoded(key))
    }

    private func signRPC(_ request: inout SignableRequest, _ body: inout [UInt8]) throws -> Texts {
        let isForm = request.fields[.contentType]?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false
        guard let inQuery = FormFields(parsing: request.query.text), let inBody = isForm ? FormFields(parsing: body) : [:] else {
            return Texts()
        }
        var added: FormFields = [
            "AccessKeyId": credentials.accessKey, "SignatureMethod": "HMAC-SHA1", "SignatureVersion": "1.0",
            "SignatureNonce": try randomBytes(16).hex, "Timestamp": time.iso8601,
        ]
        if let token = credentials.sessionToken { added.fields.append(.init(name: "SecurityToken", value: token)) }
        let names = Set(added.fields.map(\.name))
        func without(_ fields: FormFields) -> [FormFields.Field] { fields.fields.filter { !names.contains($0.name) } }
        var signed: FormFields = [:]
        signed.fields = without(inQuery) + without(inBody) + added.fields
        RPCSignature.sign(&signed, method: request.method, secret: credentials.secret)
        var own: FormFields = [:]
        own.fields = (isForm ? without(inBody) : without(inQuery)) + added.fields + signed.fields.suffix(1)
        if isForm {
            body = Array(own.encoded.utf8)
            request.fields[.contentLength] = String(body.count)
        } else {
            request.query = RawQuery(own.encoded)
        }
        guard let presented = try? RPCSignature.Presented(signed) else { return Texts() }
        return texts { () throws(SignatureMismatch) in
            try presented.verify(method: request.method, parameters: signed, secret: credentials.secret + "-")
        }
    }

    private func signACS3(_ request: inout SignableRequest, _ body: [UInt8]) throws -> Texts {
        ACS3Signature.sign(
            &request, body: body, accessKey: credentials.accessKey, secret: credentials.secret, sessionToken: credentials.sessionToken,
            nonce: try randomBytes(16).hex, at: time)
        guard let presented = try? ACS3Signature.Presented(request, body: body) else { return Texts() }
        return texts { () throws(SignatureMismatch) in
            try presented.verify(request, body: body, secret: credentials.secret + "-")
        }
    }

    /// Returns the texts with which a verification fails.
    func texts(_ verify: () throws(SignatureMismatch) -> Void) -> Texts {
        do {
            try verify()
            return Texts()
        } catch {
            return Texts(
                canonicalRequest: error.canonicalRequest.map { String(decoding: $0, as: UTF8.self) },
                stringToSign: String(decoding: error.stringToSign, as: UTF8.self))
        }
    }
}

extension HTTPField.Name {
    static let amazonContentHash = HTTPField.Name(literal: "x-amz-content-sha256")
    static let amazonDate = HTTPField.Name(literal: "x-amz-date")
    static let amazonSecurityToken = HTTPField.Name(literal: "x-amz-security-token")
    static let dateSent = HTTPField.Name(literal: "date")
}
