package import Calls
import Cloud
import Directory
package import Federation
import HTTPTypes
import WireFormats

/// AWS Account Management: an account about itself, and its regions. (AWS Account Management API Reference, version 2021-02-01.)
package struct AccountManagementFace: ServiceFace {
    typealias Wire = RESTJSONProtocol
    typealias SignedCall = AccountCall

    let service: Service<RESTJSONProtocol>

    /// - Parameter authenticator: verifies signatures.
    package init(authenticator: Authenticator) {
        service = Service(
            name: "account", wire: RESTJSONProtocol(bindings: Self.bindings), bodyLimit: 1 << 20, authenticator: authenticator)
    }

    /// Responds to one call.
    package func respond(to call: Call) async -> Response { await answer(call) }

    private static let bindings = [
        RESTJSONProtocol.Binding(operation: "GetAccountInformation", method: .post, path: "/getAccountInformation"),
        RESTJSONProtocol.Binding(operation: "GetRegionOptStatus", method: .post, path: "/getRegionOptStatus"),
        RESTJSONProtocol.Binding(operation: "ListRegions", method: .post, path: "/listRegions"),
    ]

    /// Only accounts of an organization name another account.
    private static let membersOfOrganizations = ["AccountId"]

    static let operations: [String: ServiceOperation<AccountManagementFace>] = [
        "GetAccountInformation": .authorized(
            refusing: membersOfOrganizations, members: { _ in }, on: { _, call in own(call) }
        ) { _, _, call in information(call) },
        "GetRegionOptStatus": .authorized(
            refusing: membersOfOrganizations, members: { $0.requiredText("RegionName", length: 1...50) }, on: { _, call in own(call) }
        ) { region, _, _ in try status(of: region) },
        "ListRegions": .authorized(
            refusing: membersOfOrganizations, members: { try RegionQuery(&$0) }, on: { _, call in own(call) }
        ) { query, _, _ in try regions(query) },
    ]

    func signed(_ call: ServiceCall, by signer: Signer) throws(ServiceError) -> AccountCall {
        try AccountCall(call, by: signer, of: service.name, quotes: true)
    }

    /// Returns the caller's account as a resource. (Service Authorization Reference, "Resource types defined by AWS Account Management".)
    private static func own(_ call: AccountCall) -> UntaggedResource {
        UntaggedResource(arn: "arn:aws:account::\(call.account):account")
    }

    /// Accounts have no date of creation here.
    private static func information(_ call: AccountCall) -> JSONValue? {
        [
            "AccountId": .string(call.account), "AccountName": .string(call.http.cloud.directory.accounts[call.account]?.name ?? ""),
            "AccountState": "ACTIVE",
        ]
    }

    private static func status(of region: String) throws(ServiceError) -> JSONValue? {
        guard AWSRegion.ofAccounts.contains(region) else { throw .validation("The region \(region) does not exist.") }
        return document(region)
    }

    private static func regions(_ query: RegionQuery) throws(ServiceError) -> JSONValue? {
        let fitting = AWSRegion.ofAccounts.filter { query.statuses.isEmpty || query.statuses.contains(optStatus(of: $0)) }
        var rest = fitting[...]
        if let token = query.token {
            guard let last = fitting.firstIndex(of: token) else { throw .validation("The pagination token is not valid.") }
            rest = fitting[(last + 1)...]
        }
        let page = rest.prefix(query.limit)
        var result: JSONObject = ["Regions": .array(page.map { document($0) })]
        if page.count < rest.count, let last = page.last { result["NextToken"] = .string(last) }
        return .object(result)
    }

    private static func document(_ region: String) -> JSONValue {
        ["RegionName": .string(region), "RegionOptStatus": .string(optStatus(of: region))]
    }

    /// Every region is enabled here.
    private static func optStatus(of region: String) -> String { AWSRegion.isOptIn(region) ? "ENABLED" : "ENABLED_BY_DEFAULT" }
}

/// The members of ListRegions.
private struct RegionQuery: Sendable {
    let limit: Int
    /// The last region of the page before.
    let token: String?
    let statuses: [String]

    private static let mostRegions = 50
    private static let statuses = ["ENABLED", "ENABLING", "DISABLING", "DISABLED", "ENABLED_BY_DEFAULT"]

    init(_ parameters: inout QueryParameters) throws(ServiceError) {
        limit = try parameters.integer("MaxResults", range: 1...Self.mostRegions) ?? Self.mostRegions
        token = parameters.text("NextToken", length: 0...1000).flatMap { $0.isEmpty ? nil : $0 }
        statuses = parameters.list("RegionOptStatusContains", of: Self.statuses)
    }
}
