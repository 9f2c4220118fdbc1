import Cloud
import Policy
package import RequestSigning
import WireFormats

extension Authenticator {
    /// Returns the caller that signed the policy of a form. The policy contains its expiry, which the caller of this method must check.
    /// - Parameter region: the only accepted region of a Version 4 signature; `nil` to accept every region.
    package func authenticate(
        _ form: FormSignature, service: String, region: String? = nil
    ) throws(AuthenticationError) -> Authenticated {
        if case .v4(let scope, _) = form.version {
            guard scope.service == service else { throw .wrongService(presented: scope.service, expected: service) }
            if let region, scope.region != region { throw .wrongRegion(presented: scope.region, expected: region) }
        }
        let holder = try holder(
            of: form.accessKey, sessionToken: form.sessionToken, at: form.scheme == .aws ? .aws : .alibaba)
        do {
            try form.verify(secret: holder.secret) { signingKeys.key(secret: holder.secret, scope: $0) }
        } catch {
            throw .signatureMismatch(error, accessKeyID: form.accessKey)
        }
        let authenticated = Authenticated(caller: holder.caller, signature: .form(form))
        noteUse(of: form.accessKey, by: holder.caller, service: service, region: authenticated.region ?? "us-east-1")
        return authenticated
    }
}
