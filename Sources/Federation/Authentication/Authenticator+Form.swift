import Cloud
package import RequestSigning
import WireFormats

extension Authenticator {
    /// Who signed the policy of a form. When it ends is in the policy, which is for the caller to read.
    package func authenticate(_ form: FormSignature, service: String) throws(AuthenticationError) -> Authenticated {
        if case .v4(let scope, _) = form.version, scope.service != service {
            throw .wrongService(presented: scope.service, expected: service)
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
