package import WireFormats

extension OSSSignature {
    /// Signs requests as a client does.
    package struct Signer: Sendable {
        /// How a request is signed.
        package enum Method: Hashable, Sendable {
            case v1
            case v2
            case v4(region: String)
        }

        /// The identifier of the access key.
        package var accessKey: String
        /// The secret of the access key.
        package var secret: String
        /// The session token, sent with the signature and covered by it.
        package var sessionToken: String?
        /// How requests are signed.
        package var method: Method
        /// The headers to cover in addition to the mandatory ones; ignored in Version 1.
        package var additionalHeaders: [String]

        package init(
            accessKey: String, secret: String, sessionToken: String? = nil, method: Method, additionalHeaders: [String] = []
        ) {
            self.accessKey = accessKey
            self.secret = secret
            self.sessionToken = sessionToken
            self.method = method
            self.additionalHeaders = method == .v1 ? [] : additionalHeaders.map { $0.lowercased() }.sorted()
        }

        /// Adds the headers that sign `request` as it is: the date, the session token and `Authorization`.
        package func sign(_ request: inout SignableRequest, resource: OSSResource, at time: Timestamp) {
            request.fields.set("Authorization", nil)
            request.fields.set("x-oss-security-token", sessionToken)
            let text: String
            if case .v4 = method {
                text = time.basic
                request.fields.set("x-oss-date", text)
                request.fields.set("x-oss-content-sha256", OSSSignature.unsignedPayload)
            } else {
                text = time.httpDate
                request.fields.set("Date", text)
            }
            let presented = presented(.signed(time, text: text), at: time)
            let signature = signature(of: request, resource, presented)
            let names = additionalHeaders.joined(separator: ";")
            let authorization =
                switch presented.version {
                case .v1: "OSS \(accessKey):\(signature)"
                case .v2: "OSS2 AccessKeyId:\(accessKey),\(names.isEmpty ? "" : "AdditionalHeaders:\(names),")Signature:\(signature)"
                case .v4(let scope):
                    "\(OSSSignature.algorithmV4) Credential=\(accessKey)/\(scope.text),"
                        + "\(names.isEmpty ? "" : "AdditionalHeaders=\(names),")Signature=\(signature)"
                }
            request.fields.set("Authorization", authorization)
        }

        /// Returns the target (path and query) of a presigned form of `request`. Any client that has it may send the request, with the same
        /// headers, until it expires.
        package func presign(_ request: SignableRequest, resource: OSSResource, expires: Duration, at time: Timestamp) -> String {
            let end = time + expires
            let presented: Presented
            var parameters: FormFields
            let signatureName: String
            switch method {
            case .v1:
                presented = self.presented(.until(end), at: time)
                parameters = ["OSSAccessKeyId": accessKey, "Expires": String(end.seconds)]
                if let sessionToken { parameters.fields.append(.init(name: "security-token", value: sessionToken)) }
                signatureName = "Signature"
            case .v2:
                presented = self.presented(.until(end), at: time)
                parameters = [
                    "x-oss-signature-version": OSSSignature.algorithmV2, "x-oss-access-key-id": accessKey,
                    "x-oss-expires": String(end.seconds),
                ]
                if let sessionToken { parameters.fields.append(.init(name: "security-token", value: sessionToken)) }
                signatureName = "x-oss-signature"
            case .v4(let region):
                presented = self.presented(.lasting(expires, from: time), at: time)
                parameters = [
                    "x-oss-signature-version": OSSSignature.algorithmV4,
                    "x-oss-credential": "\(accessKey)/\(Self.scope(region, time).text)", "x-oss-date": time.basic,
                    "x-oss-expires": String(expires.components.seconds),
                ]
                if let sessionToken { parameters.fields.append(.init(name: "x-oss-security-token", value: sessionToken)) }
                signatureName = "x-oss-signature"
            }
            if !additionalHeaders.isEmpty {
                parameters.fields.append(.init(name: "x-oss-additional-headers", value: additionalHeaders.joined(separator: ";")))
            }
            var presigned = request
            presigned.query.items += RawQuery(parameters.encoded).items
            let signature = signature(of: presigned, resource, presented)
            return "\(presigned.path)?\(presigned.query.text)&\(signatureName)=\(percentEncoded(signature))"
        }

        private func presented(_ validity: Validity, at time: Timestamp) -> Presented {
            let version: Version =
                switch method {
                case .v1: .v1
                case .v2: .v2
                case .v4(let region): .v4(Self.scope(region, time))
                }
            return Presented(
                version: version, accessKey: accessKey, validity: validity, additionalHeaders: additionalHeaders, signature: "",
                sessionToken: sessionToken)
        }

        private func signature(of request: SignableRequest, _ resource: OSSResource, _ presented: Presented) -> String {
            presented.computation(request, resource, emptyFields: true).signature(secret: secret) {
                ScopedSigningKey(secret: secret, scope: $0)
            }
        }

        private static func scope(_ region: String, _ time: Timestamp) -> CredentialScope {
            CredentialScope(date: time.dateStamp, region: region, service: "oss", scheme: .alibabaCloud)
        }
    }
}
