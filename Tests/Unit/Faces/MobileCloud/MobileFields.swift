import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

@testable import MobileCloudFace

extension HTTPFields {
    /// HTTP Basic with the backend's identifier.
    static func basic(_ pair: String, _ backend: MobileBackend) -> HTTPFields {
        [.authorization: "Basic \(Array(pair.utf8).base64)", .backendID: backend.id]
    }

    /// The anonymous key with its backend's identifier.
    static func anonymous(_ backend: MobileBackend) -> HTTPFields {
        [.authorization: "Basic \(backend.anonymousKey)", .backendID: backend.id]
    }

    static func bearer(_ token: String) -> HTTPFields { [.authorization: "Bearer \(token)"] }

    /// The four headers of Facebook Login.
    static func facebook(_ token: String, _ backend: MobileBackend) -> HTTPFields {
        var fields = anonymous(backend)
        fields[.socialIdentityProvider] = "facebook"
        fields[.socialAccessToken] = token
        return fields
    }
}

extension MobileSandbox {
    /// A realm with two users, two properties and a role, and the backends `app` and `other` of the realm.
    static let staff = """
        roles: ["Technician"], realms: [{name: "Default", properties: ["office", "badge"], users: [
            {username: "joe", password: "pass:word", email: "joe@example.com", firstName: "Joe", lastName: "Doe", roles: ["Technician"],
             properties: {office: "4.12"}},
            {username: "jörg", password: "straße"}, {username: "remote", email: "remote@example.com"}]}],
        backends: [{name: "app", appPolicies: {welcome: "Hello", timeout: 100000}}, {name: "other"}]
        """

    /// Changes a backend.
    func change(_ name: String = "app", _ change: (inout MobileBackend) -> Void) async throws {
        var backend = try backend(name)
        change(&backend)
        let changed = backend
        try await cloud.edit { $0.put(.mobile(.backend(changed))) }
    }

    func setPolicy(_ name: String, _ value: String?) async throws {
        var environment = cloud.directory.mobile.environment
        environment.policies[name] = value
        let changed = environment
        try await cloud.edit { $0.put(.mobile(.environment(changed))) }
    }

    /// A token of the mobile cloud, as its endpoints issue it.
    func token(
        _ username: String?, method: MobileCaller.Method = .oauth, virtual: MobileTokens.Virtual? = nil, backend name: String = "app",
        furtherRoles: [String] = [], lifetime: Int = 3600
    ) async throws -> String {
        let now = cloud.clock.now
        return try await MobileTokens(cloud: cloud).issue(
            .init(
                backendID: try backend(name).id, username: username, virtual: virtual, method: method, furtherRoles: furtherRoles,
                issued: now, expires: now + .seconds(lifetime)), in: cloud.directory.mobile)
    }

    /// Returns the caller of a request with these headers.
    func caller(_ fields: HTTPFields) async throws -> MobileCaller {
        let head = HTTPRequest(
            method: .get, scheme: "http", authority: "localhost:4566", path: "/mobile/platform/users/~", headerFields: fields)
        let call = Call(request: Request(head: head, body: RequestBody()), peer: nil, isSecure: false, cloud: cloud, names: names)
        return try await MobileCall(http: call, outbound: outbound, events: events, relay: relay).authenticate()
    }
}
