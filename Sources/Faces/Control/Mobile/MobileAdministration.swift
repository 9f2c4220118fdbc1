import Calls
import Cloud
import Directory
import HTTPTypes
import ObjectStore
import Seeds
import WireFormats

/// `/_virga/mobile/…`: the administrator's operations of the mobile cloud's console. Documents have the format of seeds.
struct MobileAdministration {
    let call: Call
    /// The path after `/mobile`, percent-decoded.
    let path: [String]

    private static let bodyLimit = 4 << 20

    /// - Throws: ``ControlError`` for a path that is not valid text.
    init(_ call: Call, path: String) throws(ControlError) {
        self.call = call
        var segments: [String] = []
        for segment in path.split(separator: "/").dropFirst() {
            guard let text = percentDecoded(segment) else {
                throw ControlError(.badRequest, "malformed_path", "The path is not well-formed.")
            }
            segments.append(text)
        }
        self.path = segments
    }

    var cloud: Cloud { call.cloud }
    var mobile: MobileCloud { cloud.directory.mobile }
    var method: HTTPRequest.Method { call.method == .head ? .get : call.method }

    func respond() async throws -> Response {
        switch path.first {
        case "backends" where path.count == 3 && path[2] == "regenerate": try await regenerate(path[1])
        case "backends" where path.count == 4 && path[2] == "sdk": try downloadConfiguration(path[1], path[3])
        case "backends": try await answer(.backends(at: call.origin))
        case "realms" where path.count >= 3 && path[2] == "users": try await answerUsers(of: path[1])
        case "realms": try await answer(.realms)
        case "apis": try await answer(.customAPIs)
        case "roles": try await answerRoles()
        case "policies": try await answerPolicies()
        case "certificates": try await answer(.certificates)
        case "saml-issuers": try await answer(.samlIssuers)
        case "team-members": try await answer(.teamMembers)
        case "collections": try await answer(.collections)
        case "locations": try await answerLocations()
        case "events": try listEvents()
        case "devices": try listDevices()
        case "notifications": try await listNotifications()
        default: throw unknownPath
        }
    }

    var unknownPath: ControlError {
        ControlError(.notFound, "unknown_path", "There is no \(call.path). GET /_virga/ lists all calls.")
    }

    func body() async throws -> [UInt8] { try await call.collectBody(upTo: Self.bodyLimit) }

    /// Returns the JSON object in the body of the call.
    func object() async throws -> JSONObject {
        do {
            guard let object = try JSONValue(parsing: try await body()).objectValue else {
                throw ControlError(.badRequest, "malformed_body", "The body must be a JSON object.")
            }
            return object
        } catch let error as JSONSyntaxError {
            throw ControlError(.badRequest, "malformed_body", "The body must be a JSON object: \(error).")
        }
    }

    /// Changes the mobile cloud. Rejects a change that would add a reference to something missing, or a duplicate of a unique value.
    func edit<Result: Sendable>(_ change: @escaping @Sendable (inout Directory) throws -> Result) async throws -> Result {
        let buckets = Set(cloud.objects.allBuckets.map(\.name))
        return try await cloud.edit { directory in
            // Earlier faults, such as a deleted bucket, do not block the change.
            let before = Set(directory.mobileFaults(buckets: buckets))
            let result = try change(&directory)
            if let fault = directory.mobileFaults(buckets: buckets).first(where: { !before.contains($0) }) {
                throw ControlError(.conflict, "inconsistent", "Expected at \(fault.place) \(fault.expected).")
            }
            return result
        }
    }

    func editEnvironment<Result: Sendable>(
        _ change: @escaping @Sendable (inout MobileEnvironment) throws -> Result
    ) async throws -> Result {
        try await edit { directory in
            var environment = directory.mobile.environment
            let result = try change(&environment)
            directory.put(.mobile(.environment(environment)))
            return result
        }
    }

    /// Returns the error for an invalid document.
    static func malformed(_ error: any Error, _ kind: String) -> any Error {
        guard let error = error as? SeedError else { return error }
        let place = error.place.isEmpty ? "" : " at \(error.place)"
        return ControlError(.badRequest, "malformed_\(kind)", "Expected\(place) \(error.expected).")
    }
}

extension Directory {
    /// Returns the references to missing things, and the unique values that two backends share.
    fileprivate func mobileFaults(buckets: Set<String>) -> [MobileCloudFault] {
        let rules = MobileCloudRules(
            environment: mobile.environment, realms: mobile.realms.keys, apis: mobile.customAPIs.values, buckets: buckets,
            providers: Array(providers.values))
        func prefixed(_ faults: [MobileCloudFault], _ prefix: String) -> [MobileCloudFault] {
            faults.map { MobileCloudFault(place: "\(prefix).\($0.place)", expected: $0.expected) }
        }
        var faults = rules.faults(of: mobile.environment)
        for (key, realm) in mobile.realms.sorted(by: { $0.key < $1.key }) { faults += prefixed(rules.faults(of: realm), "realms/\(key)") }
        var owners: [String: String] = [:]
        for (key, backend) in mobile.backends.sorted(by: { $0.key < $1.key }) {
            faults += prefixed(rules.faults(of: backend), "backends/\(key)")
            for (member, value) in backend.identifiers {
                guard let owner = owners.updateValue(key, forKey: "\(member) \(value)") else { continue }
                faults.append(
                    MobileCloudFault(
                        place: "backends/\(key).\(member)", expected: "a unique value, not '\(value)', which the backend \(owner) has"))
            }
        }
        for (key, api) in mobile.customAPIs.sorted(by: { $0.key < $1.key }) { faults += prefixed(rules.faults(of: api), "apis/\(key)") }
        return faults
    }
}
