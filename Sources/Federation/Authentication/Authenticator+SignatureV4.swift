import Cloud
import RequestSigning
import WireFormats

extension Authenticator {
    /// Who made a request with a Signature V4.
    func authenticate(
        _ request: SignableRequest, _ presented: SignatureV4.Presented, service: String, body: [UInt8]?
    ) throws(AuthenticationError) -> Authenticated {
        let isS3 = service == "s3"
        guard presented.scope.service == service || !isS3 && presented.scope.service == CredentialScope.namelessService else {
            throw .wrongService(presented: presented.scope.service, expected: service)
        }
        let declared: PayloadHash?
        do {
            declared = try presented.payloadHash(of: request)
        } catch {
            throw .signing(error)
        }
        let payload: PayloadHash
        if isS3 {
            guard let declared else { throw .missingPayloadHash }
            payload = declared
        } else {
            payload = PayloadHash(of: body ?? [])
        }
        if isS3, presented.place == .query, presented.expires == nil { throw .missingExpires }

        let holder = try holder(of: presented.accessKey, sessionToken: presented.sessionToken)
        try checkTime(of: presented)
        if isS3 {
            let unsigned = presented.headersNotSigned(in: request)
            guard unsigned.isEmpty else { throw .headersNotSigned(unsigned) }
        }
        let key = signingKeys.key(secret: holder.secret, scope: presented.scope)
        do {
            try presented.verify(request, payload: payload, path: isS3 ? .asReceived : .normalised, key: key)
        } catch {
            throw .signatureMismatch(error, accessKeyID: presented.accessKey)
        }
        noteUse(of: presented.accessKey, by: holder.caller, service: service, region: presented.scope.region)
        return Authenticated(caller: holder.caller, signature: .v4(presented, payload, key))
    }

    /// A header's freshness is a matter of the wall clock; a presigned request lives and ages in the sandbox's time, from what
    /// that was when the client signed by the wall clock.
    private func checkTime(of presented: SignatureV4.Presented) throws(AuthenticationError) {
        guard let lifetime = presented.expires else {
            return try checkSkew(of: presented.timestamp, text: presented.timestamp.basic)
        }
        let (now, wall) = cloud.clock.reading
        let signed = cloud.clock.moment(ofWall: presented.timestamp)
        let expires = cloud.clock.effective(signed) + lifetime
        guard now < expires else { throw .presignedExpired(expires: expires, serverTime: now, lifetime: lifetime) }
        guard presented.timestamp <= wall + Self.allowedSkew, signed <= now + Self.allowedSkew else {
            throw .presignedNotYetValid(from: signed, serverTime: now)
        }
    }
}
