import AWSIdentityFaces
import AlibabaIdentityFaces
import Cloud
import ControlFace
import Federation
import GatewayFace
import MobileCloudFace
import OSSFace
import ObjectServing
import Policy
import S3Face
import WireFormats

/// The faces by which the control API explains what their services decide.
struct Verifiers: Sendable {
    let cloud: Cloud
    let authenticator: Authenticator
    let issuers: ForeignIssuers
    let s3: S3Face
    let oss: OSSFace
    let sts: STSFace
    let alibabaRPC: AlibabaRPCFace
    let mobileCloud: MobileCloudFace

    /// The verifiers of tokens, responses and requests.
    var inspection: InspectionServices {
        InspectionServices(
            verifyWebIdentity: { [sts, cloud] token, providerID, account, role, names in
                try await sts.webIdentity(of: token, providerID: providerID, account: account, role: role, in: cloud, names: names)
            }, checkSession: SessionVerification(authenticator: authenticator).verification(of:),
            checkIDToken: IDTokenVerification(cloud: cloud, issuers: issuers, sts: sts, alibaba: alibabaRPC).checks(of:by:_:),
            checkSAMLResponse: { [sts] in try await sts.checks(ofSAMLResponse: $0, role: $1, provider: $2, $3) },
            checkMobileToken: { [mobileCloud] in try await mobileCloud.checks(ofToken: $0, $1) },
            checkPostPolicy: { text, clock in
                [("S3", S3Face.checks(ofPostPolicy: text, by: clock)), ("OSS", OSSFace.checks(ofPostPolicy: text, by: clock))]
            },
            verifyPresigned: PresignedVerification(s3: s3, oss: oss, sts: sts).verification(of:))
    }
}

extension ControlFace {
    init(
        _ services: ControlServices, rules: ServiceRules, settleTime: @escaping @Sendable () async -> Void, verifiers: Verifiers
    ) {
        let (authenticator, s3, oss) = (verifiers.authenticator, verifiers.s3, verifiers.oss)
        self.init(
            access: services.access, version: VirgaVersion.text, authority: services.authority, servesDenied: rules.servesDenied,
            isReady: services.isReady, settleTime: settleTime, actionsOfS3: S3Face.actions,
            isForwarded: { [upstreams = rules.gateway?.upstreams] in upstreams?.service(marked: $0) != nil },
            upstreams: { [gateway = rules.gateway] in gateway?.states ?? [] },
            liveCaller: authenticator.caller(ofLiveSession:),
            ruling: { action, caller in
                guard Vendor(account: caller.account ?? Vendor.anonymous) == .aws else { return nil }
                return action.lowercased().hasPrefix("iam:") ? IAMFace.ruling(on: caller) : STSFace.ruling(on: action, by: caller)
            },
            decideS3: { s3.decide($1, on: $2, assuming: $3, for: $0) }, decideOSS: { oss.decide($1, on: $2, assuming: $3, for: $0) },
            credentials: authenticator.credentials(toSignAs:), liveSessions: authenticator.sessions.allLive,
            inspection: verifiers.inspection, sandboxKeeper: services.sandboxKeeper, process: services.process)
    }
}

extension GatewayRules {
    /// The upstreams, as the control API shows them.
    fileprivate var states: [UpstreamState] {
        upstreams.all.map { url in
            var state = UpstreamState(address: Origin(url: url)?.authority ?? url, services: upstreams.services(at: url))
            switch health.state(of: url) {
            case .unused: break
            case .answering: state.isAnswering = true
            case .unreachable(let cause): (state.isAnswering, state.error) = (false, cause)
            }
            return state
        }
    }
}
