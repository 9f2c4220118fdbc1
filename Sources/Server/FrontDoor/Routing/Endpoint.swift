import WireFormats

/// The destinations of requests: the faces, and the parts of them that have an address of their own.
enum Endpoint: Int, CaseIterable, Sendable {
    /// The control API.
    case control
    /// The pages of the web console.
    case consolePages
    /// A browser that opens the root of this process, which is sent to the web console.
    case consoleEntrance
    case s3
    /// The website of a bucket that the host names.
    case website
    /// A part of S3 that is not implemented, recognized by the host or the scope of the signature.
    case s3Unavailable
    case sts
    case iam
    /// AWS Organizations.
    case organizations
    /// AWS Account Management.
    case accountManagement
    /// Identity pools of Amazon Cognito.
    case identityPools
    /// User pools of Amazon Cognito, and the documents of their issuers.
    case userPools
    case oss
    /// Alibaba Cloud's STS, RAM or IMS.
    case alibabaRPC
    case appServer
    /// A service whose requests are recognized but which is not implemented.
    case unavailable
    /// A service of AWS whose calls go to another server.
    case forwarded
    case identityProvider
    /// The Admin API of Keycloak's realms.
    case keycloakAdmin
    /// WebFinger, which returns the issuer of a user.
    case webFinger
    /// The issuer of an account's tokens for external services.
    case outboundIssuer
    /// Oracle Mobile Cloud Service.
    case mobileCloud
    case anonymousVendingMachine
    case identityVendingMachine
    /// The doors at which SDKs find credentials without keys.
    case credentials
    /// An unsigned form at `/`, whose body determines the service, see ``Route/init(action:version:)``.
    case form
    /// The icon that browsers request from every host; there is none.
    case icon
    /// The health path of LocalStack.
    case localStackHealth

    /// The service that metrics count the requests for.
    var service: MeteredService {
        switch self {
        case .control, .icon, .localStackHealth: .control
        case .consolePages, .consoleEntrance: .console
        case .s3, .website: .s3
        case .sts: .sts
        case .iam: .iam
        case .organizations: .organizations
        case .accountManagement: .account
        case .identityPools: .cognito
        case .userPools: .cognito
        case .oss: .oss
        case .alibabaRPC: .alibaba
        case .appServer: .application
        case .identityProvider, .keycloakAdmin, .webFinger, .outboundIssuer: .identity
        case .mobileCloud: .mobile
        case .anonymousVendingMachine, .identityVendingMachine: .vending
        case .credentials: .credentials
        case .forwarded: .forwarded
        // A form has the endpoint of its service once it is read.
        case .s3Unavailable, .unavailable, .form: .unavailable
        }
    }

    /// Whether the endpoint is the control API or the web console, whose requests policies do not concern.
    var isOfControl: Bool { self == .control || self == .consolePages }
}
