import Calls
import Cloud
import Federation
import HTTPTypes
import WireFormats

/// The operations that explain why a request was denied. They use IAM's signatures and permissions, but a wire protocol of their own.
/// (IAM Toolbox API, version 2018-05-10.)
struct IAMToolbox: ServiceFace {
    typealias Wire = RESTJSONProtocol
    typealias SignedCall = AccountCall

    let service: Service<RESTJSONProtocol>

    init(authenticator: Authenticator) {
        // No operation has a body.
        service = Service(
            name: "iam", wire: RESTJSONProtocol(bindings: Self.bindings), bodyLimit: 64 << 10, authenticator: authenticator)
    }

    private static let path = "/authorization-details/"

    private static let bindings = [
        RESTJSONProtocol.Binding(operation: "GetRequestAuthorizationDetails", method: .get, path: path + "{authorizationId}"),
        RESTJSONProtocol.Binding(operation: "GetRequestAuthorizationPolicy", method: .get, path: path + "{authorizationId}/policy"),
    ]

    static let operations: [String: ServiceOperation<IAMToolbox>] = [
        "GetRequestAuthorizationDetails": .authorized(members: idOfFirstPage) { try details($0, $1) },
        "GetRequestAuthorizationPolicy": .authorized(members: idAndPolicy) { try policy($0, $1) },
    ]

    /// Returns whether a path belongs to one of these operations.
    static func answers(_ path: String) -> Bool { path.hasPrefix(Self.path) }

    /// Returns the authorization ID of a call: its request ID in lowercase.
    static func authorizationID(of call: Call) -> String { call.id.text.lowercased() }

    func signed(_ call: ServiceCall, by signer: Signer) throws(ServiceError) -> AccountCall {
        try AccountCall(call, by: signer, of: service.name, quotes: false)
    }

    private static func details(_ id: String, _ call: AccountCall) throws(ServiceError) -> JSONValue? { try found(id, call).json }

    private static func policy(_ names: (id: String, uri: String), _ call: AccountCall) throws(ServiceError) -> JSONValue? {
        guard let document = try found(names.id, call).document(ofPolicy: names.uri) else { throw notFound }
        return ["policyDocument": document]
    }

    private static func id(_ parameters: inout QueryParameters) -> String {
        parameters.requiredText("authorizationId", length: 0...256, pattern: .authorizationID)
    }

    /// Reads `authorizationId`. There is only one page, so that every `nextToken` is invalid. (The message is Virga's wording.)
    private static func idOfFirstPage(_ parameters: inout QueryParameters) -> String {
        if parameters.contains("nextToken") { parameters.refuse(.validation("The pagination token is not valid.")) }
        return id(&parameters)
    }

    private static func idAndPolicy(_ parameters: inout QueryParameters) -> (id: String, uri: String) {
        (id(&parameters), parameters.requiredText("policyUri", length: 1...2048))
    }

    /// Returns the details of the denied request with an authorization ID, if the caller's account made it.
    private static func found(_ id: String, _ call: AccountCall) throws(ServiceError) -> AuthorizationDetails {
        let id = id.uppercased()
        guard let entry = call.http.cloud.journal.recent(limit: 1, where: { $0.requestID == id }).first,
            let details = AuthorizationDetails(entry, of: call.account)
        else { throw notFound }
        return details
    }

    private static let notFound = ServiceError(
        "ResourceNotFoundException", .notFound,
        "The requested policy or authorization details do not exist in this region or have expired.")
}

extension QueryParameters.Pattern {
    /// Digits and lowercase letters.
    fileprivate static let authorizationID = QueryParameters.Pattern(text: "[0123456789abcdefghijklmnopqrstuvwxyz]+") {
        ("0"..."9").contains($0) || ("a"..."z").contains($0)
    }
}
