import AWSIdentityFaces
import AlibabaIdentityFaces
import Cloud
import CognitoFaces
import ControlFace
import CredentialsFace
import Directory
import Federation
import GatewayFace
import IdentityProviders
import MobileCloudFace
import OSSFace
import S3Face
import WireFormats

/// The faces of a sandbox.
struct Faces: Sendable {
    let s3: S3Face
    let oss: OSSFace
    let identityProviders: IdentityProviderFace
    /// The faces by the number of the endpoint.
    private let all: [any Face]

    init(cloud: Cloud, services: SandboxServices, control: ControlServices, rules: ServiceRules) {
        let authenticator = Authenticator(cloud: cloud, admitsForeignPages: rules.admitsForeignPages)
        let s3 = S3Face(
            authenticator: authenticator, events: services.events, accessLog: services.accessLog, dialect: rules.dialect,
            regions: rules.regions, keys: KeyService(rules, cloud: cloud, services: services), logger: services.logger)
        let oss = OSSFace(
            authenticator: authenticator, outbound: services.outbound, events: services.events, accessLog: services.accessLog,
            logger: services.logger)
        let sts = STSFace(authenticator: authenticator, issuers: services.issuers, dialect: rules.dialect)
        let iam = IAMFace(authenticator: authenticator, dialect: rules.dialect)
        let alibabaRPC = AlibabaRPCFace(authenticator: authenticator, issuers: services.issuers)
        let identityProviders = IdentityProviderFace(applications: services.applications)
        let mobileCloud = MobileCloudFace(outbound: services.outbound, events: services.events, logger: services.logger)
        let vendingMachines = TokenVendingMachineFace(authenticator: authenticator)
        let verifiers = Verifiers(
            cloud: cloud, authenticator: authenticator, issuers: services.issuers, s3: s3, oss: oss, sts: sts, alibabaRPC: alibabaRPC,
            mobileCloud: mobileCloud)
        let controlFace = ControlFace(control, rules: rules, settleTime: services.settleTime, verifiers: verifiers)
        let gateway = rules.gateway.map { GatewayFace(authenticator: authenticator, rules: $0, send: services.forward) }
        self.s3 = s3
        self.oss = oss
        self.identityProviders = identityProviders
        all = Endpoint.allCases.map { endpoint -> any Face in
            switch endpoint {
            case .control: controlFace
            case .consolePages: ConsolePagesFace(console: control.console, control: controlFace)
            case .consoleEntrance: ConsoleEntranceFace()
            // A form for no other service is for S3, as is every other request.
            case .s3, .form: s3
            case .website: WebsiteFace(s3: s3)
            case .s3Unavailable: UnavailableS3Face(s3: s3)
            case .sts: sts
            case .iam: iam
            case .organizations: OrganizationsFace(authenticator: authenticator)
            case .accountManagement: AccountManagementFace(authenticator: authenticator)
            case .identityPools: IdentityPoolsFace(authenticator: authenticator, issuers: services.issuers, userPools: OwnUserPools())
            case .userPools:
                UserPoolsFace(
                    authenticator: authenticator,
                    functions: UserPoolFunctions(send: services.outbound, url: { [events = services.events] in events.url(of: $0) }),
                    outbound: services.outbound)
            case .oss: oss
            case .alibabaRPC: alibabaRPC
            case .appServer: AppServerFace(authenticator: authenticator)
            case .unavailable: UnavailableServiceFace()
            case .forwarded: gateway ?? UnavailableServiceFace()
            case .identityProvider: identityProviders
            case .keycloakAdmin: KeycloakAdminFace { [access = control.access] in access.admitsAdministration(by: $0) }
            case .webFinger: WebFingerFace(identityProviders: identityProviders)
            case .outboundIssuer: OutboundIssuerFace()
            case .mobileCloud: mobileCloud
            case .anonymousVendingMachine: VendingMachineFace(face: vendingMachines, kind: .anonymous)
            case .identityVendingMachine: VendingMachineFace(face: vendingMachines, kind: .identity)
            case .credentials: CredentialsFace(authenticator: authenticator)
            case .icon: IconFace()
            case .localStackHealth: LocalStackHealthFace(control: controlFace)
            }
        }
    }

    /// The face of an endpoint.
    subscript(endpoint: Endpoint) -> any Face { all[endpoint.rawValue] }
}
