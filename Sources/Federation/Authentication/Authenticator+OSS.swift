import Cloud
import Policy
package import RequestSigning
import WireFormats

extension Authenticator {
    /// Authenticates a request to OSS.
    /// - Parameter resource: the resource of the request, independent of the form of its URL.
    /// - Returns: `nil` for an anonymous request.
    package func authenticate(_ request: SignableRequest, resource: OSSResource) throws(AuthenticationError) -> Authenticated? {
        let presented: OSSSignature.Presented?
        do {
            presented = try OSSSignature.Presented(request)
        } catch {
            throw .signingOSS(error)
        }
        guard let presented else { return nil }
        if case .v4(let scope) = presented.version, !["oss", "oss-cloudbox"].contains(scope.service) {
            throw .wrongService(presented: scope.service, expected: "oss")
        }
        switch presented.validity {
        case .signed(let time, let text): try checkSkew(of: time, text: text)
        case .until(let expires): try checkEnd(expires)
        case .lasting(let lifetime, from: let time): try checkLifetime(lifetime, from: time)
        }
        let holder = try holder(of: presented.accessKey, sessionToken: presented.sessionToken, at: .alibaba)
        do {
            try presented.verify(request, resource: resource, secret: holder.secret) {
                signingKeys.key(secret: holder.secret, scope: $0)
            }
        } catch {
            throw .signatureMismatch(error, accessKeyID: presented.accessKey)
        }
        let authenticated = Authenticated(caller: holder.caller, signature: .oss(presented))
        noteUse(of: presented.accessKey, by: holder.caller, service: "oss", region: authenticated.region ?? "")
        return authenticated
    }
}
