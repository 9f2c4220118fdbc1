package import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Seeds
import WireFormats

/// Keycloak's Admin REST API at `/admin/realms`, as far as test suites and administration libraries call it.
///
/// A caller has an access token of the realm `master`, as a person with the role `admin`, or of the realm itself, with roles of the client
/// `realm-management`. Only seeds can declare the first administrator. (Keycloak, "Admin REST API".)
package struct KeycloakAdminFace: Sendable {
    /// Whether the API is open to a call.
    private let isOpen: @Sendable (Call) -> Bool

    /// - Parameter isOpen: returns whether the API is open to a call: on a server that only this machine can reach, or that has a control
    ///   token.
    package init(isOpen: @escaping @Sendable (Call) -> Bool) { self.isOpen = isOpen }

    private static let routes =
        AdminRoute.realms + AdminRoute.userProfile + AdminRoute.users + AdminRoute.roleMappings + AdminRoute.groups + AdminRoute.roles
        + AdminRoute.clients

    /// Responds to one request.
    /// - Parameters:
    ///   - part: `realms` or `serverinfo`.
    ///   - path: the path after it.
    package func respond(to call: Call, part: String, path: String) async -> Response {
        call.note(face: "keycloak-admin")
        do {
            guard isOpen(call) else {
                throw AdminError(
                    status: .forbidden,
                    message: "The Admin API is closed: other machines can reach this server. Start it with a control token to open it")
            }
            // A page of another site could have this machine's name at its own host name (DNS rebinding).
            if call.isFromBrowser || call.source.isForeignPage {
                guard call.isAtKnownHost, !call.source.isForeignPage else {
                    throw AdminError(status: .forbidden, message: "The Admin API does not answer pages of other sites, or at \(call.host)")
                }
            }
            guard part == "realms" else { throw AdminError.absent("/admin/\(part)") }
            return try await respond(to: call, path.split(separator: "/").map { percentDecoded($0) ?? "" })
        } catch let error as AdminError {
            call.note(errorCode: error.status.reasonPhrase, message: error.message)
            return error.response
        } catch let fault as InjectedFault {
            let (code, status, description) = fault.spelledByOAuth
            call.note(errorCode: code, message: description)
            return .json(["error": .string(code), "error_description": .string(description)], status: status)
        } catch let error as BodyTooLarge {
            return AdminError(status: .contentTooLarge, message: "The body has more than \(error.limit) bytes").response
        } catch {
            let isFull = FullStorage.isCause(of: error)
            if !isFull { call.note(failure: error) }
            let failure = AdminError(
                status: isFull ? .insufficientStorage : .internalServerError,
                message: isFull ? FullStorage.message(for: error) : "unknown_error")
            call.note(errorCode: failure.status.reasonPhrase, message: failure.message)
            return failure.response
        }
    }

    private func respond(to call: Call, _ segments: [String]) async throws -> Response {
        let directory = call.cloud.directory
        guard let name = segments.first else { return try await respondToList(call) }
        let caller = try await AdminCaller(of: call, realm: name)
        guard let realm = directory.providers[name], !realm.kind.isSocial else { throw AdminError(.noSuchRealm) }
        let rest = Array(segments.dropFirst())
        let method = call.method == .head ? .get : call.method
        var isKnown = false
        for route in Self.routes {
            guard let parameters = route.parameters(of: rest) else { continue }
            isKnown = true
            guard route.method == method else { continue }
            call.note(operation: route.operation)
            if call.cloud.faults.isArmed {
                try await call.applyFaults(
                    FaultableCall(service: name, action: route.operation, caller: caller.name, resources: [call.path]))
            }
            guard caller.may(route.permission) else { throw AdminError.forbidden }
            return try await route.perform(
                AdminCall(call: call, caller: caller, realm: realm, parameters: parameters, query: call.queryFields ?? [:]))
        }
        call.note(operation: "Unknown")
        if let part = rest.first.flatMap({ AdminRoute.absentParts[$0] }) { throw AdminError.absent(part) }
        if isKnown { throw AdminError(status: .methodNotAllowed, message: "HTTP 405 Method Not Allowed") }
        throw AdminError.absent("\(call.method.rawValue) \(call.path) of the Admin API")
    }

    /// Responds to calls that concern the list of realms.
    private func respondToList(_ call: Call) async throws -> Response {
        call.note(operation: call.method == .post ? "CreateRealm" : "GetRealms")
        let caller = try await AdminCaller(of: call, realm: KeycloakRealm.masterName)
        guard caller.may(.allRealms) else { throw AdminError.forbidden }
        switch call.method {
        case .get, .head:
            let realms = call.cloud.directory.providers.values.filter { !$0.kind.isSocial }.sorted { $0.name < $1.name }
            return .json(.array(realms.map { .object($0.keycloakRepresentation) }))
        case .post: return try await createRealm(call)
        default: throw AdminError.absent("\(call.method.rawValue) /admin/realms")
        }
    }

    private func createRealm(_ call: Call) async throws -> Response {
        let text = try await call.collectBody(upTo: Self.realmLimit)
        guard let document = try? JSONValue(parsing: text), let representation = document.objectValue else {
            throw AdminError(status: .badRequest, message: "unable to read contents from stream")
        }
        let imported: (realm: IdentityProvider, leftOut: [String])
        do throws(KeycloakRepresentation.Fault) {
            imported = try KeycloakRepresentation.realm(.object(representation))
        } catch { throw AdminError(error) }
        if !imported.leftOut.isEmpty { call.note(cause: "left out: \(imported.leftOut.joined(separator: "; "))") }
        let realm = imported.realm
        try await call.cloud.edit { directory in
            guard directory.providers[realm.name] == nil else { throw AdminError.conflict("Conflict detected. See logs for details") }
            if let issuer = realm.issuer, let other = directory.provider(canonicalIssuer: issuer) {
                throw AdminError.conflict("The realm \(other.name) has the issuer \(issuer)")
            }
            directory.put(.provider(realm))
        }
        return Response(status: .created, headers: [.location: "\(call.origin)\(call.path)/\(percentEncoded(realm.name))"])
    }

    private static let realmLimit = 64 << 20
}
