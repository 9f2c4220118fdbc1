import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// An error response in the format of the Graph API (Meta for Developers, "Handling Errors").
struct GraphError: Error, Equatable {
    var message: String
    var type = "OAuthException"
    var code: Int
    var subcode: Int?
    /// The title that an application may show to users.
    var userTitle: String?
    var userMessage: String?
    /// Whether the error is marked as transient.
    var isTransient = false
    var status: HTTPResponse.Status = .badRequest

    /// The token is not one of this provider's.
    static let invalidToken = GraphError(message: "Invalid OAuth access token - Cannot parse access token", code: 190)

    static let unknownApp = GraphError(
        message: "Error validating application. Cannot get application info due to a system error.", code: 101)

    static let noToken = GraphError(
        message: "An active access token must be used to query information about the current user.", code: 2500)

    static let wrongProof = GraphError(
        message: "Invalid appsecret_proof provided in the API argument", type: "GraphMethodException", code: 100)

    static let wrongSecret = GraphError(message: "Error validating client secret.", code: 1)

    static let internalError = GraphError(
        message: "An unknown error has occurred.", code: 1, status: .internalServerError)

    /// Our own: the service reports no such error. Clients repeat what has the code 1 or 2.
    static func fullStorage(_ error: any Error) -> GraphError {
        GraphError(message: FullStorage.message(for: error), code: 100, status: .insufficientStorage)
    }

    static let noProof = GraphError(
        message: "API calls from the server require an appsecret_proof argument", type: "GraphMethodException", code: 100)

    /// Returns the error with the wording of ``FaultCatalogue``, which is also used for injected errors.
    fileprivate static func known(_ code: String) -> GraphError {
        guard let entry = FaultCatalogue.graphEntry(code) else { return invalidToken }
        return GraphError(message: entry.message, code: entry.code, subcode: entry.subcode)
    }

    /// The node of a path, or an edge of it, does not exist for the caller.
    static func unknownAlias(_ name: String) -> GraphError {
        GraphError(message: "(#803) Some of the aliases you requested do not exist: \(name)", code: 803, status: .notFound)
    }

    /// The path after the node is unknown.
    /// - Parameter rest: the rest of the path, without a leading slash.
    static func unknownPath(_ rest: String) -> GraphError {
        GraphError(message: "Unknown path components: /\(rest)", code: 2500)
    }

    /// The error without a token, for every path except `/me`.
    static let tokenRequired = GraphError(message: "An access token is required to request this resource.", code: 104)

    /// The user has revoked the app's permissions.
    static func notAuthorized(_ client: Client) -> GraphError {
        GraphError(
            message: "Error validating access token: The user has not authorized application \(client.id).", code: 190,
            subcode: 458)
    }

    static func expired(_ expiry: Timestamp, now: Timestamp) -> GraphError {
        GraphError(
            message: "Error validating access token: Session has expired on \(date(expiry)). The current time is \(date(now)).",
            code: 190, subcode: 463)
    }

    /// Returns a date in the form `Saturday, 21-Nov-26 08:00:00 GMT`, converted from the HTTP form.
    private static func date(_ moment: Timestamp) -> String {
        let parts = moment.httpDate.split(whereSeparator: { $0 == " " || $0 == "," })
        guard parts.count == 6 else { return moment.httpDate }
        let names = ["Sun": "Sun", "Mon": "Mon", "Tue": "Tues", "Wed": "Wednes", "Thu": "Thurs", "Fri": "Fri", "Sat": "Satur"]
        return "\(names[String(parts[0])] ?? "")day, \(parts[1])-\(parts[2])-\(parts[3].suffix(2)) \(parts[4]) \(parts[5])"
    }

    /// Returns the members of the error object.
    /// - Parameter traceID: `nil` for versions without trace IDs.
    private func members(traceID: String?) -> JSONObject {
        var members: JSONObject = ["message": .string(message), "type": .string(type), "code": .integer(Int64(code))]
        if let subcode { members["error_subcode"] = .integer(Int64(subcode)) }
        if isTransient { members["is_transient"] = true }
        if let userTitle { members["error_user_title"] = .string(userTitle) }
        if let userMessage { members["error_user_msg"] = .string(userMessage) }
        if let traceID { members["fbtrace_id"] = .string(traceID) }
        return members
    }

    func response(traceID: String?) -> Response {
        var headers = HTTPFields.unstored
        let kind = code == 190 ? "invalid_token" : "invalid_request"
        headers[.wwwAuthenticate] = "OAuth \"Facebook Platform\" \"\(kind)\" \"\(message.replacing("\"", with: "'"))\""
        return .json(["error": .object(members(traceID: traceID))], status: status, headers: headers)
    }
}

extension GraphError {
    /// Creates the error for an invalid user access token.
    init(_ fault: FacebookToken.Fault, clock: SandboxClock) {
        self =
            switch fault {
            case .unknown: .invalidToken
            case .notAuthorized(let client): .notAuthorized(client)
            case .expired(let grant): .expired(clock.effectiveExpiry(grant.expires, issuedAt: grant.issued), now: clock.now)
            case .checkpoint: .known("190/459")
            case .passwordChanged: .known("190/460")
            case .unconfirmed: .known("190/464")
            }
    }
}

extension GraphError {
    /// Creates the error for a failure that is not one of the Graph API's own.
    init(_ failure: EndpointFailure) {
        self =
            switch failure {
            case .injected(let fault): GraphError(fault)
            case .form(let fault): GraphError(message: "(#100) \(fault.explanation)", code: 100)
            case .removed(let refusal): GraphError(refusal) ?? .invalidToken
            case .unexpected(let error): FullStorage.isCause(of: error) ? .fullStorage(error) : .internalError
            }
    }

    /// Creates the error for a member that was removed while the request was handled; `nil` for the provider itself.
    /// - Parameter client: the app that a person has no access to any more, if the request has one.
    init?(_ refusal: GrantRefusal, of client: Client? = nil) {
        switch refusal {
        case .provider: return nil
        case .client: self = .unknownApp
        case .person, .access: self = client.map(Self.notAuthorized) ?? .invalidToken
        }
    }
}

extension Visit {
    /// Performs a call for an app, and throws the errors for the app or a person who was removed in the meantime.
    func refusing<T>(app client: Client, _ body: () async throws -> T) async throws -> T {
        do {
            return try await body()
        } catch let refusal as GrantRefusal {
            guard let error = GraphError(refusal, of: client) else { throw refusal }
            throw error
        }
    }
}
