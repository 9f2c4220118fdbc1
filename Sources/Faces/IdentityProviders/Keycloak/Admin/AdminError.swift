import Calls
import Directory
import HTTPTypes
import Seeds
import WireFormats

/// An error of the Admin API in one of the two forms that Keycloak uses.
struct AdminError: Error {
    let status: HTTPResponse.Status
    let message: String
    /// Whether the message is in `errorMessage`, as for conflicts and invalid values, and not in `error`.
    var isOfValue = false

    /// What is missing: `User not found`.
    static func notFound(_ message: String) -> AdminError { AdminError(status: .notFound, message: message) }

    /// A value that is in use.
    static func conflict(_ message: String) -> AdminError { AdminError(status: .conflict, message: message, isOfValue: true) }

    /// A value that is not valid.
    static func invalid(_ message: String) -> AdminError { AdminError(status: .badRequest, message: message, isOfValue: true) }

    /// A call or a part of one that is not implemented.
    static func absent(_ part: String) -> AdminError {
        AdminError(status: .notImplemented, message: "Virga does not implement \(part)")
    }

    static let unauthorized = AdminError(status: .unauthorized, message: "HTTP 401 Unauthorized")
    static let forbidden = AdminError(status: .forbidden, message: "HTTP 403 Forbidden")

    var response: Response {
        if isOfValue { return .json(["errorMessage": .string(message)], status: status) }
        return .json(
            ["error": .string(message), "error_description": "For more on this error consult the server log."], status: status)
    }

    /// Keycloak's words for a refusal.
    init(_ refusal: KeycloakRefusal) {
        switch refusal {
        case .noSuchRealm: self = .notFound("Realm not found.")
        case .noSuchPerson: self = .notFound("User not found")
        case .noSuchClient: self = .notFound("Could not find client")
        case .noSuchRole: self = .notFound("Could not find role")
        case .noSuchGroup: self = .notFound("Could not find group by id")
        case .userNameTaken: self = .conflict("User exists with same username")
        case .mailTaken: self = .conflict("User exists with same email")
        case .clientTaken(let id): self = .conflict("Client \(id) already exists")
        case .roleTaken(let name): self = .conflict("Role with name \(name) already exists")
        case .groupTaken(let name, isTopLevel: true): self = .conflict("Top level group named '\(name)' already exists.")
        case .groupTaken(let name, isTopLevel: false): self = .conflict("Sibling group named '\(name)' already exists.")
        case .builtIn(let name): self = .absent("changes of '\(name)', which every realm has")
        }
    }

    init(_ fault: KeycloakRepresentation.Fault) {
        switch fault {
        case .leftOut(let parts): self = .absent(parts.joined(separator: "; "))
        case .malformed(let message): self = .invalid(message)
        }
    }

    init(status: HTTPResponse.Status, message: String, isOfValue: Bool = false) {
        self.status = status
        self.message = message
        self.isOfValue = isOfValue
    }
}
