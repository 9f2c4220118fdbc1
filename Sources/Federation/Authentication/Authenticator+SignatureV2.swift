import Cloud
import RequestSigning
import WireFormats

extension Authenticator {
    /// Authenticates a request with a Signature V2.
    func authenticate(
        _ request: SignableRequest, _ presented: SignatureV2.Presented, bucket: String?
    ) throws(AuthenticationError) -> Authenticated {
        switch presented.validity {
        case .signed(let time, let text): try checkSkew(of: time, text: text)
        case .until(let expires): try checkEnd(expires)
        }
        let holder = try holder(of: presented.accessKey, sessionToken: presented.sessionToken)
        do {
            try presented.verify(request, bucket: bucket, secret: holder.secret)
        } catch {
            throw .signatureMismatch(error, accessKeyID: presented.accessKey)
        }
        noteUse(of: presented.accessKey, by: holder.caller, service: "s3", region: "us-east-1")
        return Authenticated(caller: holder.caller, signature: .v2(presented))
    }
}
