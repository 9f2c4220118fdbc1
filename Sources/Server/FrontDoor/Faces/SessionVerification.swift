import AWSIdentityFaces
import AlibabaIdentityFaces
import Cloud
import Federation
import Policy
import WireFormats

/// Returns the checks of session tokens by the vendor that issued them.
struct SessionVerification: Sendable {
    let authenticator: Authenticator

    /// Returns the content of a session token, and the checks of STS for a call that the session's access key signs; `nil` for another text.
    func verification(of token: String) -> (content: SessionCredentials, checks: [ServiceCheck])? {
        guard let (content, checks) = authenticator.verification(ofSessionToken: token) else { return nil }
        let vendor = Vendor(account: content.holder.account)
        return (content, checks.map { ServiceCheck($0, as: vendor == .alibaba ? AlibabaRPCFace.refusal(of:) : STSFace.refusal(of:)) })
    }
}
