import Calls
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

/// The service of the access portal of IAM Identity Center, which lists the accounts and permission sets of a person and issues credentials
/// of their roles. (IAM Identity Center Portal API Reference; the texts of `UnauthorizedException` and `ForbiddenException` are from users'
/// reports.)
struct CenterPortalDoor: CredentialDoor {
    let kind = CredentialSources.Kind.identityCenter
    /// `nil` for a path that the service does not have.
    private let action: Action?

    private enum Action: String {
        case listAccounts = "ListAccounts"
        case listAccountRoles = "ListAccountRoles"
        case getRoleCredentials = "GetRoleCredentials"
        case logout = "Logout"

        static let paths: [String: Action] = [
            "/assignment/accounts": .listAccounts, "/assignment/roles": .listAccountRoles, "/federation/credentials": .getRoleCredentials,
            "/logout": .logout,
        ]
    }

    /// The sizes of pages that clients can request.
    private static let pageSizes = 1...100

    /// - Returns: `nil` for other requests.
    init?(_ call: Call) {
        action = Action.paths[call.path]
        guard action != nil || call.headers.has(.portalToken) else { return nil }
    }

    var service: String { IdentityCenter.portalService }

    func operation(of call: CredentialCall) -> String { action?.rawValue ?? "Unknown" }

    func respond(to call: CredentialCall) async throws -> Response {
        try call.refusePages()
        guard let action else { throw DoorFailure.unknownOperation("The access portal has no such path.") }
        guard call.http.method == (action == .logout ? .post : .get) else {
            throw DoorFailure("MethodNotAllowed", .methodNotAllowed, action == .logout ? "Use POST." : "Use GET.")
        }
        let tokens = try call.centerTokens()
        guard let token = call.http.headers.value(of: .portalToken), let holder = try tokens.holder(ofAccessToken: token) else {
            throw DoorFailure("UnauthorizedException", .unauthorized, "Session token not found or invalid")
        }
        let person = holder.person
        guard let query = call.http.queryFields else { throw Self.invalid("The query is malformed.") }
        try await call.applyFaults(at: self, caller: person.name)
        call.http.note(caller: person.name)
        let access = tokens.center.access(of: person)
        switch action {
        case .listAccounts: return try accounts(access, query, call)
        case .listAccountRoles:
            let account = try Self.required("account_id", query)
            guard let own = access.first(where: { $0.account.equals(account) }) else {
                throw Self.noAccess("No permission set of the account \(account) is assigned to \(person.name).")
            }
            return try page(of: own.permissionSets, key: { $0 }, query, in: "roleList") {
                ["roleName": .string($0), "accountId": .string(account)]
            }
        case .getRoleCredentials:
            let (name, account) = (try Self.required("role_name", query), try Self.required("account_id", query))
            let isAssigned = access.contains { $0.account.equals(account) && $0.permissionSets.contains { $0.equals(name) } }
            guard isAssigned, let set = tokens.center.permissionSet(name) else {
                throw Self.noAccess("The permission set \(name) of the account \(account) is not assigned to \(person.name).")
            }
            return try credentials(of: set, in: account, for: person, tokens.center, call)
        case .logout:
            try await tokens.logOut(family: holder.family)
            return Response(status: .ok, headers: .unstored)
        }
    }

    // MARK: Lists

    private func accounts(
        _ access: [(account: String, permissionSets: [String])], _ query: FormFields, _ call: CredentialCall
    ) throws -> Response {
        try page(of: access.map(\.account), key: { $0 }, query, in: "accountList") { id in
            var members: JSONObject = ["accountId": .string(id)]
            if let account = call.directory.accounts[id] {
                members["accountName"] = .string(account.name)
                members["emailAddress"] = .string(account.mailAddress)
            }
            return .object(members)
        }
    }

    /// Returns one page of a sorted list. The token of the next page contains the last key of this one.
    private func page<Item>(
        of items: [Item], key: (Item) -> String, _ query: FormFields, in member: String, _ json: (Item) -> JSONValue
    ) throws(DoorFailure) -> Response {
        var size = Self.pageSizes.upperBound
        if let text = query.first("max_result"), !text.isEmpty {
            guard let number = Int(digits: text), Self.pageSizes.contains(number) else {
                throw Self.invalid("max_result must be a number from 1 to 100.")
            }
            size = number
        }
        var rest = items[...]
        if let text = query.first("next_token"), !text.isEmpty {
            guard let last = [UInt8](base64url: text).map({ String(decoding: $0, as: UTF8.self) }) else {
                throw Self.invalid("next_token is not valid.")
            }
            rest = rest.drop { !(last < key($0)) }
        }
        let shown = rest.prefix(size)
        var members: JSONObject = [member: .array(shown.map(json))]
        if shown.count < rest.count, let last = shown.last { members["nextToken"] = .string(Array(key(last).utf8).base64url) }
        return .json(.object(members), headers: .unstored)
    }

    // MARK: Credentials

    private func credentials(
        of set: IdentityCenter.PermissionSet, in account: String, for person: Person, _ center: IdentityCenter, _ call: CredentialCall
    ) throws -> Response {
        let directory = call.directory
        guard directory.samlTrusts[center.samlProviderARN(in: account)] != nil else {
            throw Self.noAccess("The SAML provider \(center.samlProviderName(in: account)) was deleted.")
        }
        guard let role = directory.role(center.roleName(of: set.name, in: account), in: account) else {
            throw Self.noAccess("The role of the permission set does not exist.")
        }
        let identity = CenterIdentity(of: person, in: account, by: center)
        guard call.http.authorize(assumption: identity, of: role, sessionName: identity.sessionName).isAllowed else {
            throw Self.noAccess("The trust policy of \(role.role.name) does not allow the session.")
        }
        let (credentials, token) = try call.sessions.session(
            of: role, named: identity.sessionName, for: identity, duration: set.sessionDuration, leastSize: 0,
            policies: SessionPolicies(documents: [], arns: [], size: nil))
        return .json(
            [
                "roleCredentials": [
                    "accessKeyId": .string(credentials.accessKeyID), "secretAccessKey": .string(credentials.secretAccessKey),
                    "sessionToken": .string(token), "expiration": .integer(credentials.expires.milliseconds),
                ]
            ], headers: .unstored)
    }

    // MARK: Errors

    private static func required(_ name: String, _ query: FormFields) throws(DoorFailure) -> String {
        guard let value = query.first(name), !value.isEmpty else { throw invalid("\(name) is missing.") }
        return value
    }

    private static func invalid(_ message: String) -> DoorFailure { DoorFailure("InvalidRequestException", .badRequest, message) }

    private static func noAccess(_ cause: String) -> DoorFailure {
        DoorFailure("ForbiddenException", .forbidden, "No access", cause: cause)
    }

    func response(to failure: DoorFailure, of call: CredentialCall) -> Response {
        failure.inREST(["message": .string(failure.message)], requestID: call.http.id.uuid)
    }
}

extension HTTPField.Name {
    /// The access token of a call to the access portal.
    static let portalToken = HTTPField.Name(literal: "x-amz-sso_bearer_token")
}
