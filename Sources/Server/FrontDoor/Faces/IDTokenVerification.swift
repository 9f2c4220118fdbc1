import AWSIdentityFaces
import AlibabaIdentityFaces
import Cloud
import Federation
import Policy
import WireFormats

/// Returns the checks of ID tokens by the services that decide.
struct IDTokenVerification: Sendable {
    let cloud: Cloud
    let issuers: ForeignIssuers
    let sts: STSFace
    let alibaba: AlibabaRPCFace

    /// Returns the checks of a relying party. Those of an application have the words of STS.
    /// - Throws: an error of the database.
    func checks(of token: String, by party: RelyingParty, _ names: HostNames) async throws -> [ServiceCheck] {
        switch party {
        case .account(let account): try await sts.checks(ofIDToken: token, account: account, in: cloud, names: names)
        case .provider(let trust): try await alibaba.checks(ofIDToken: token, provider: trust, in: cloud, names: names)
        case .application:
            try await WebIdentityVerifier(cloud: cloud, names: names, issuers: issuers).checks(ofIDToken: token, by: party)
                .map { ServiceCheck($0, refusal: STSFace.refusal) }
        }
    }
}
