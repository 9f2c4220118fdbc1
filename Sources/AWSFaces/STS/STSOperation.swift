import HTTPTypes
import WireFormats

/// One call to the Security Token Service, its inputs checked.
/// (STS API Reference, version 2011-06-15.)
enum STSOperation: Equatable {
    case assumeRoleWithWebIdentity(AssumeRoleWithWebIdentityInput)
    case getCallerIdentity

    static let version = "2011-06-15"
    static let namespace = "https://sts.amazonaws.com/doc/2011-06-15/"

    /// Every operation of the service's model; those that have no case above answer that they are not here.
    static let modelled: Set<String> = [
        "AssumeRole", "AssumeRoleWithSAML", "AssumeRoleWithWebIdentity", "AssumeRoot", "DecodeAuthorizationMessage",
        "GetAccessKeyInfo", "GetCallerIdentity", "GetDelegatedAccessToken", "GetFederationToken", "GetSessionToken",
        "GetWebIdentityToken",
    ]

    /// Chooses by `Action` and `Version`. Touches no state.
    init(_ fields: FormFields) throws(QueryError) {
        guard let action = fields.first("Action"), !action.isEmpty else {
            throw QueryError("MissingAction", .badRequest, "Request is missing an Action")
        }
        guard let version = fields.first("Version"), version == Self.version, Self.modelled.contains(action) else {
            throw QueryError(
                "InvalidAction", .badRequest,
                "Could not find operation \(action) for version \(fields.first("Version") ?? "NO_VERSION_SPECIFIED")")
        }
        switch action {
        case "AssumeRoleWithWebIdentity": self = .assumeRoleWithWebIdentity(try AssumeRoleWithWebIdentityInput(fields))
        case "GetCallerIdentity": self = .getCallerIdentity
        default:
            throw QueryError("NotImplemented", .notImplemented, "The action \(action) is not implemented by this sandbox.")
        }
    }

    var name: String {
        switch self {
        case .assumeRoleWithWebIdentity: "AssumeRoleWithWebIdentity"
        case .getCallerIdentity: "GetCallerIdentity"
        }
    }
}
