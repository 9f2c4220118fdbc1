import HTTPTypes
package import WireFormats

extension SignatureV4 {
    /// Signs requests as a client does.
    package struct Signer: Sendable {
        /// The identifier of the access key.
        package var accessKey: String
        /// The secret of the access key.
        package var secret: String
        /// The session token, sent with the signature and covered by it.
        package var sessionToken: String?
        /// The region of the credential scope.
        package var region: String
        /// The service of the credential scope.
        package var service: String

        package init(accessKey: String, secret: String, sessionToken: String? = nil, region: String, service: String) {
            self.accessKey = accessKey
            self.secret = secret
            self.sessionToken = sessionToken
            self.region = region
            self.service = service
        }

        /// The path rule of the service.
        private var path: PathRule { service == "s3" ? .asReceived : .normalised }

        /// Adds the headers that sign `request` as it is: `X-Amz-Date`, for S3 `X-Amz-Content-Sha256`, the session token
        /// and `Authorization`. Every header of the request is covered, except those that a transport may change.
        package func sign(_ request: inout SignableRequest, payload: PayloadHash, at timestamp: Timestamp) {
            request.fields.set("Authorization", nil)
            request.fields.set("X-Amz-Date", timestamp.basic)
            if service == "s3" { request.fields.set("X-Amz-Content-Sha256", payload.text) }
            request.fields.set("X-Amz-Security-Token", sessionToken)
            let scope = CredentialScope(date: timestamp.dateStamp, region: region, service: service)
            let names = Self.names(toSign: request)
            let signature = signature(of: request, names, payload, timestamp, scope)
            request.fields.set(
                "Authorization",
                "\(SignatureV4.algorithm) Credential=\(accessKey)/\(scope.text), "
                    + "SignedHeaders=\(names.joined(separator: ";")), Signature=\(signature)")
        }

        /// Returns the target (path and query) of a presigned form of `request`. Any client that has it may send the request, with the
        /// same headers, until it expires. For S3, an `X-Amz-Content-Sha256` of the request is signed; without it, the payload is not.
        package func presign(_ request: SignableRequest, expires: Duration, at timestamp: Timestamp) -> String {
            let scope = CredentialScope(date: timestamp.dateStamp, region: region, service: service)
            let names = Self.names(toSign: request)
            var parameters: FormFields = [
                "X-Amz-Algorithm": SignatureV4.algorithm, "X-Amz-Credential": "\(accessKey)/\(scope.text)",
                "X-Amz-Date": timestamp.basic, "X-Amz-Expires": String(expires.components.seconds),
                "X-Amz-SignedHeaders": names.joined(separator: ";"),
            ]
            if let sessionToken { parameters.fields.append(.init(name: "X-Amz-Security-Token", value: sessionToken)) }
            var presigned = request
            presigned.query.items += RawQuery(parameters.encoded).items
            let declared = request.fields.first { $0.name.canonicalName.isSame(as: PayloadHash.fieldName) }?.value
            let payload =
                service == "s3" ? declared.map(PayloadHash.init(outsideHeaderSignature:)) ?? .unsigned : PayloadHash(of: [])
            let signature = signature(of: presigned, names, payload, timestamp, scope)
            return "\(presigned.path)?\(presigned.query.text)&X-Amz-Signature=\(signature)"
        }

        private func signature(
            of request: SignableRequest, _ names: [String], _ payload: PayloadHash, _ timestamp: Timestamp,
            _ scope: CredentialScope
        ) -> String {
            let canonical = CanonicalRequest(request, signedHeaders: names, payload: payload, path: path).bytes
            let stringToSign = SignatureV4.stringToSign(canonicalRequest: canonical, timestamp: timestamp, scope: scope)
            return ScopedSigningKey(secret: secret, scope: scope).signature(of: stringToSign)
        }

        private static func names(toSign request: SignableRequest) -> [String] {
            var names: Set = ["host"]
            for field in request.fields where !unsigned.contains(field.name.canonicalName) {
                names.insert(field.name.canonicalName)
            }
            return names.sorted()
        }

        private static let unsigned: Set = [
            "authorization", "connection", "content-length", "expect", "transfer-encoding", "user-agent",
        ]
    }
}
