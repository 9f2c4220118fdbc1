package import Calls
package import Federation
import HTTPTypes
import WireFormats

/// AWS Organizations, as accounts see it that belong to no organization. (AWS Organizations API Reference, version 2016-11-28.)
package struct OrganizationsFace: ServiceFace {
    typealias Wire = JSONProtocol
    typealias SignedCall = AccountCall

    /// The text before the operation in `X-Amz-Target`.
    package static let target = "AWSOrganizationsV20161128"

    let service: Service<JSONProtocol>

    /// - Parameter authenticator: verifies signatures.
    package init(authenticator: Authenticator) {
        service = Service(
            name: "organizations", wire: JSONProtocol(target: Self.target, messageMember: "Message"), bodyLimit: 1 << 20,
            authenticator: authenticator)
    }

    /// Responds to one call.
    package func respond(to call: Call) async -> Response { await answer(call) }

    static let operations: [String: ServiceOperation<OrganizationsFace>] = [
        "DescribeOrganization": .authorized(members: { _ in }) { try hasNoOrganization($0, $1) },
        "ListAccounts": .authorized(members: { try page(&$0) }) { try hasNoOrganization($0, $1) },
        "ListRoots": .authorized(members: { try page(&$0) }) { try hasNoOrganization($0, $1) },
    ]

    func signed(_ call: ServiceCall, by signer: Signer) throws(ServiceError) -> AccountCall {
        try AccountCall(call, by: signer, of: service.name, quotes: true)
    }

    /// Reads the members of lists, which must be valid, although there is no list.
    private static func page(_ parameters: inout QueryParameters) throws(ServiceError) {
        _ = parameters.text("NextToken", length: 0...100_000)
        _ = try parameters.integer("MaxResults", range: 1...20)
    }

    private static func hasNoOrganization(_: Void, _: AccountCall) throws(ServiceError) -> JSONValue? {
        throw ServiceError("AWSOrganizationsNotInUseException", .badRequest, "Your account is not a member of an organization.")
    }
}
