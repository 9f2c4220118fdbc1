import Cloud
import RequestSigning
import WireFormats

extension Authenticator {
    /// Authenticates a request with a Signature V2.
    func authenticate<Run: CheckRun>(
        _ request: SignableRequest, _ presented: SignatureV2.Presented, bucket: String?, _ run: inout Run
    ) throws(AuthenticationError) -> Authenticated where Run.Failure == AuthenticationError {
        try run.check("times") { () throws(AuthenticationError) in
            switch presented.validity {
            case .signed(let time, let text): try checkSkew(of: time, text: text)
            case .until(let expires): try checkEnd(expires)
            }
        }
        let holder = try run.find("key") { () throws(AuthenticationError) in
            try self.holder(of: presented.accessKey, sessionToken: presented.sessionToken)
        }
        try run.check("signature") { () throws(AuthenticationError) in
            do throws(SignatureMismatch) {
                try presented.verify(request, bucket: bucket, secret: holder.secret)
            } catch {
                throw .signatureMismatch(error, accessKeyID: presented.accessKey)
            }
        }
        if Run.takesEffect { noteUse(of: presented.accessKey, by: holder.caller, service: "s3", region: "us-east-1") }
        return Authenticated(caller: holder.caller, signature: .v2(presented))
    }
}
