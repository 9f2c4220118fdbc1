import Cloud
import RequestSigning
import WireFormats

extension Authenticator {
    /// Authenticates a request with a Signature V4.
    func authenticate<Run: CheckRun>(
        _ request: SignableRequest, _ presented: SignatureV4.Presented, service: String, region: String?, body: [UInt8]?,
        _ run: inout Run
    ) throws(AuthenticationError) -> Authenticated where Run.Failure == AuthenticationError {
        let isS3 = service == "s3"
        try run.check("service") { () throws(AuthenticationError) in
            guard presented.scope.service == service || !isS3 && presented.scope.isNameless(at: request.authority) else {
                throw .wrongService(presented: presented.scope.service, expected: service)
            }
        }
        try run.check("region") { () throws(AuthenticationError) in
            if let region, presented.scope.region != region { throw .wrongRegion(presented: presented.scope.region, expected: region) }
        }
        let payload = try run.find("payload") { () throws(AuthenticationError) in
            try self.payload(of: presented, in: request, isS3: isS3, body: body)
        }
        try run.check("expiry") { () throws(AuthenticationError) in
            if isS3, presented.place == .query, presented.expires == nil { throw .missingExpires }
        }
        let holder = try run.find("key") { () throws(AuthenticationError) in
            try self.holder(of: presented.accessKey, sessionToken: presented.sessionToken)
        }
        try run.check("times") { () throws(AuthenticationError) in
            if isS3 { try checkTime(of: presented) } else { try checkTimeOutsideS3(of: presented) }
        }
        try run.check("headers") { () throws(AuthenticationError) in
            guard isS3 else { return }
            let unsigned = presented.headersNotSigned(in: request)
            guard unsigned.isEmpty else { throw .headersNotSigned(unsigned) }
        }
        let key = signingKeys.key(secret: holder.secret, scope: presented.scope)
        try run.check("signature") { () throws(AuthenticationError) in
            do throws(SignatureMismatch) {
                try presented.verify(request, payload: payload, path: isS3 ? .asReceived : .normalised, key: key)
            } catch {
                throw .signatureMismatch(error, accessKeyID: presented.accessKey)
            }
        }
        if Run.takesEffect {
            noteUse(of: presented.accessKey, by: holder.caller, service: service, region: presented.scope.region)
        }
        return Authenticated(caller: holder.caller, signature: .v4(presented, payload, key))
    }

    /// Returns the hash of the body that the signature covers.
    @inline(__always)
    private func payload(
        of presented: SignatureV4.Presented, in request: SignableRequest, isS3: Bool, body: [UInt8]?
    ) throws(AuthenticationError) -> PayloadHash {
        let declared: PayloadHash?
        do {
            declared = try presented.payloadHash(of: request)
        } catch {
            throw .signing(error)
        }
        guard isS3 else { return PayloadHash(of: body ?? []) }
        guard let declared else { throw .missingPayloadHash }
        return declared
    }

    /// Checks the time of a signature; headers are checked against the wall clock.
    private func checkTime(of presented: SignatureV4.Presented) throws(AuthenticationError) {
        if let lifetime = presented.expires {
            try checkLifetime(lifetime, from: presented.timestamp)
        } else {
            try checkSkew(of: presented.timestamp, text: presented.timestamp.basic)
        }
    }

    /// Checks the time of a signature for a service other than S3: a presigned call is valid for 15 minutes, whatever its `X-Amz-Expires`.
    /// (Observed of AWS; the tokens of Amazon EKS rely on it.)
    private func checkTimeOutsideS3(of presented: SignatureV4.Presented) throws(AuthenticationError) {
        guard presented.place == .query else { return try checkTime(of: presented) }
        try checkAge(of: presented.timestamp)
    }
}

extension CredentialScope {
    /// Whether the scope names no service, so that the parameters of the call determine it.
    fileprivate func isNameless(at authority: String) -> Bool {
        service == Self.namelessService || Self.isLabel(service, ofHost: authority)
    }
}
