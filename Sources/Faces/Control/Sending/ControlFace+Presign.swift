import Calls
import Cloud
import Federation
import HTTPTypes
import RequestSigning
import WireFormats

extension ControlFace {
    private static let presignMembers = ["as", "service", "method", "target", "headers", "region", "signature", "expires"]
    /// How long a URL is valid if the call does not say, in seconds.
    private static let usualLifetime: Int64 = 900
    /// The longest lifetime of Signature Version 4, in seconds.
    private static let longestLifetime: Int64 = 604_800

    /// `POST /_virga/presign`: returns a URL with which anyone may send a request of S3 or OSS as a principal until it expires. Nothing is
    /// sent.
    func presign(_ call: Call, _ body: JSONObject) throws -> Response {
        try body.expect(only: Self.presignMembers)
        var lifetime = Self.usualLifetime
        if let value = body["expires"] {
            guard let seconds = value.integerValue, 1...Self.longestLifetime ~= seconds else {
                throw Self.malformedMember("'expires' must be a whole number of seconds from 1 to \(Self.longestLifetime).")
            }
            lifetime = seconds
        }
        var members = body
        members["expires"] = nil
        let order = try SendOrder(members)
        let keys: SigningCredentials
        switch order.sender {
        case .keys(let own): keys = own
        case .principal(let name):
            guard let known = try credentials(name) else { throw ControlError.unknownCaller(name, in: call.cloud.directory) }
            keys = known
        default: throw Self.malformedMember("'as' must be an ARN, an access key, or an object with accessKeyId and secretAccessKey.")
        }
        var fields = order.fields
        fields[.contentLength] = nil
        let authority = order.authority ?? call.authority
        let request = SignableRequest(method: order.method.rawValue, target: order.target, authority: authority, fields: fields)
        let signer = Self.signer(keys, order, authority, call)
        guard let target = signer.presign(request, for: .seconds(lifetime)) else {
            throw Self.malformedMember("'signature' must be v4, v2, oss-v1, oss-v2 or oss-v4: others sign no URLs.")
        }
        let scheme = call.isSecure ? "https" : "http"
        return .json([
            "url": .string(authority == call.authority ? call.origin + target : "\(scheme)://\(authority)\(target)"),
            "target": .string(target), "signature": .string(signer.method.rawValue),
            "expires": .string((signer.time + .seconds(lifetime)).iso8601),
        ])
    }
}

extension RequestSigner {
    /// Returns the path and query of a presigned request; `nil` for a signature that cannot be in a URL.
    func presign(_ request: SignableRequest, for lifetime: Duration) -> String? {
        switch method {
        case .v4:
            return SignatureV4.Signer(
                accessKey: credentials.accessKey, secret: credentials.secret, sessionToken: credentials.sessionToken, region: region,
                service: service
            ).presign(request, expires: lifetime, at: time)
        case .v2: return presignV2(request, until: time + lifetime)
        case .ossV1: return presignOSS(request, .v1, lifetime)
        case .ossV2: return presignOSS(request, .v2, lifetime)
        case .ossV4: return presignOSS(request, .v4(region: region), lifetime)
        case .rpc, .acs3, .none: return nil
        }
    }

    private func presignOSS(_ request: SignableRequest, _ version: OSSSignature.Signer.Method, _ lifetime: Duration) -> String {
        OSSSignature.Signer(
            accessKey: credentials.accessKey, secret: credentials.secret, sessionToken: credentials.sessionToken, method: version
        ).presign(request, resource: resource(of: request.path), expires: lifetime, at: time)
    }

    /// S3 User Guide, "Signing and authenticating REST requests (AWS signature version 2)", "Query string request authentication".
    private func presignV2(_ request: SignableRequest, until end: Timestamp) -> String? {
        var parameters: FormFields = ["AWSAccessKeyId": credentials.accessKey, "Expires": String(end.seconds)]
        if let token = credentials.sessionToken { parameters.fields.append(.init(name: "x-amz-security-token", value: token)) }
        var presigned = request
        presigned.query.items += RawQuery(parameters.encoded).items
        var unsigned = presigned
        unsigned.query.items += RawQuery("Signature=-").items
        guard let presented = try? SignatureV2.Presented(unsigned),
            let text = texts({ () throws(SignatureMismatch) in
                try presented.verify(unsigned, bucket: bucketOfHost, secret: credentials.secret)
            }).stringToSign
        else { return nil }
        let signature = SignatureV2.signature(of: text, secret: credentials.secret)
        return "\(presigned.path)?\(presigned.query.text)&Signature=\(percentEncoded(signature))"
    }
}
