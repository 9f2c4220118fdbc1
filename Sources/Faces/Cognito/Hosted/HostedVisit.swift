import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// A request to the hosted pages of a user pool, or to the endpoints beside them.
struct HostedVisit: Sendable {
    let call: Call
    let pool: UserPool
    /// The path before that of the pages; empty at the host of the pool's domain.
    let basePath: String
    /// The path of the page or endpoint.
    let path: String
    /// How the functions of triggers are called.
    let functions: UserPoolFunctions
    /// Sends requests to identity providers; `nil` if there is no way to them.
    let outbound: Outbound?

    var cloud: Cloud { call.cloud }
    var pools: UserPools { call.cloud.directory.userPools }
    var logins: UserPoolLoginStore { UserPoolLoginStore(cloud: call.cloud) }

    /// The method. HEAD is handled as GET; the front door removes the body.
    var method: HTTPRequest.Method { call.method == .head ? .get : call.method }

    /// The scheme and authority of the pages. The public URL of this process does not replace the host of a domain.
    var origin: String { basePath.isEmpty ? "\(call.isSecure ? "https" : "http")://\(call.authority)" : call.origin }

    /// Records the operation and applies errors on demand, before the operation does anything.
    /// - Throws: `InjectedFault`.
    func enter(_ operation: String) async throws {
        call.note(operation: operation)
        guard cloud.faults.isArmed else { return }
        try await call.applyFaults(
            FaultableCall(service: UserPoolsFace.service, action: operation, resources: [pool.arn, call.path]))
    }

    /// Returns the client of the pool with an identifier; `nil` if there is none.
    func client(_ id: String?) -> UserPoolClient? {
        guard let id, let client = pools.client(id), client.pool == pool.id else { return nil }
        return client
    }

    /// Returns a sign-in to an app.
    /// - Parameter browser: the browser that the sessions of challenges are bound to; `nil` for endpoints for apps.
    func signIn(to client: UserPoolClient, browser: String? = nil) -> UserPoolSignIn {
        UserPoolSignIn(http: call, pool: pool, client: client, functions: functions, browser: browser)
    }

    /// Returns what a function changes in the tokens of a login that began at the pages.
    func tokenChanges(
        for user: UserPoolUser, at client: UserPoolClient, scopes: [String]
    ) async throws -> (user: UserPoolUser, changes: UserPoolTokenChanges) {
        let signIn = signIn(to: client)
        let changes = try await signIn.triggers.tokenChanges(for: user, "HostedAuth", scopes: scopes)
        return (try signIn.present(user), changes)
    }

    /// Returns the parameters of the query.
    /// - Throws: `FormFault.malformed`.
    func query() throws(FormFault) -> FormFields {
        guard let fields = call.queryFields else { throw .malformed }
        return fields
    }

    /// Returns the URL of a page.
    func url(_ path: String, _ query: FormFields = [:]) -> String {
        origin + basePath + path + (query.fields.isEmpty ? "" : "?" + query.encoded)
    }
}
