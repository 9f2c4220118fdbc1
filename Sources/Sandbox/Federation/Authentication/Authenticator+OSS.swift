import Cloud
import Policy
package import RequestSigning
import WireFormats

extension Authenticator {
    /// Authenticates a request to OSS.
    /// - Parameter resource: the resource of the request, independent of the form of its URL.
    /// - Returns: `nil` for an anonymous request.
    package func authenticate(_ request: SignableRequest, resource: OSSResource) throws(AuthenticationError) -> Authenticated? {
        var run = DecidingRun<AuthenticationError>()
        return try authenticate(request, resource: resource, &run)
    }

    /// Returns every check of ``authenticate(_:resource:)``, without recording a use of the key.
    /// - Returns: `nil` for an anonymous request.
    package func verification(of request: SignableRequest, resource: OSSResource) -> SignatureVerification? {
        SignatureVerification { run throws(AuthenticationError) in try authenticate(request, resource: resource, &run) }
    }

    private func authenticate<Run: CheckRun>(
        _ request: SignableRequest, resource: OSSResource, _ run: inout Run
    ) throws(AuthenticationError) -> Authenticated? where Run.Failure == AuthenticationError {
        let found = try run.find("format") { () throws(AuthenticationError) in
            do throws(OSSSignatureError) {
                return try OSSSignature.Presented(request)
            } catch {
                throw .signingOSS(error)
            }
        }
        guard let presented = found else { return nil }
        try run.check("service") { () throws(AuthenticationError) in
            if case .v4(let scope) = presented.version, !["oss", "oss-cloudbox"].contains(scope.service) {
                throw .wrongService(presented: scope.service, expected: "oss")
            }
        }
        try run.check("times") { () throws(AuthenticationError) in
            switch presented.validity {
            case .signed(let time, let text): try checkSkew(of: time, text: text)
            case .until(let expires): try checkEnd(expires)
            case .lasting(let lifetime, from: let time): try checkLifetime(lifetime, from: time)
            }
        }
        let holder = try run.find("key") { () throws(AuthenticationError) in
            try self.holder(of: presented.accessKey, sessionToken: presented.sessionToken, at: .alibaba)
        }
        try run.check("signature") { () throws(AuthenticationError) in
            do throws(SignatureMismatch) {
                try presented.verify(request, resource: resource, secret: holder.secret) {
                    signingKeys.key(secret: holder.secret, scope: $0)
                }
            } catch {
                throw .signatureMismatch(error, accessKeyID: presented.accessKey)
            }
        }
        let authenticated = Authenticated(caller: holder.caller, signature: .oss(presented))
        if Run.takesEffect {
            noteUse(of: presented.accessKey, by: holder.caller, service: "oss", region: authenticated.region ?? "")
        }
        return authenticated
    }
}
