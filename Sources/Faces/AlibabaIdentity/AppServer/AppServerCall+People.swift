import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import WireFormats

extension AppServerCall {
    /// Authenticates the caller with a password or an ID token, or as the guest of an open server. Returns the session name.
    /// - Throws: ``AppServerFailure``, or an error of the database.
    func authenticate(_ fields: FormFields, at distribution: AppServer.Distribution) async throws -> String {
        let (scheme, credentials) = authorization
        if let token = scheme == "bearer" ? credentials : fields.value("id_token") {
            return try await person(of: token, distribution)
        }
        let basic = scheme == "basic" ? Self.basic(credentials) : nil
        guard scheme == nil || basic != nil else { throw AppServerFailure.unauthenticated("The Authorization header is malformed.") }
        if let name = basic?.name ?? fields.value("user") {
            let password = basic?.password ?? fields.first("password") ?? ""
            guard let person = distribution.people.first(where: { $0.name == name }), constantTimeEquals(person.password, password) else {
                throw AppServerFailure.unauthenticated("The user name or the password is wrong.")
            }
            return person.name
        }
        guard let guest = distribution.openTo else {
            throw AppServerFailure.unauthenticated("Log in with a name and a password, or an ID token.")
        }
        return guest
    }

    /// Returns the session name of an ID token's user: the login name at one of our providers, otherwise the subject.
    private func person(of token: String, _ distribution: AppServer.Distribution) async throws -> String {
        let verified: ClientIDToken
        do {
            verified = try await ClientIDToken(
                verifying: token, for: distribution.issuers.map { ($0.provider, $0.audience) }, cloud: cloud, names: http.names)
        } catch is WebIdentityError {
            throw AppServerFailure.unauthenticated("The ID token is not valid for this server.")
        }
        let name = verified.person?.name ?? verified.subject
        guard AppServer.isName(name) else {
            throw AppServerFailure("InvalidParameter.RoleSessionName", .forbidden, "The user's name is not a valid session name.")
        }
        return name
    }

    /// The scheme in lowercase, and the rest of the `Authorization` header.
    private var authorization: (scheme: String?, credentials: String) {
        guard let field = http.headers[.authorization] else { return (nil, "") }
        let parts = field.split(separator: " ", maxSplits: 1)
        return (parts.first?.lowercased() ?? "", parts.count == 2 ? String(parts[1].drop { $0 == " " }) : "")
    }

    /// Parses basic credentials. (RFC 7617 section 2.)
    private static func basic(_ credentials: String) -> (name: String, password: String)? {
        guard let bytes = [UInt8](base64: credentials), let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
}
