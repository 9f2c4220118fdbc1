import HTTPTypes
import RequestSigning
import WireFormats

/// What experiments of several walks do.
extension WalkActions {
    /// Ages what was issued.
    func age(_ duration: String, _ walk: inout Walk) async throws {
        let answer = await visit.client.post("/clock", ["age": .string(duration)])
        if let refusal = answer.refusal { throw refusal }
        walk.hasAged = true
    }

    /// Returns a request for an object, signed as by a client whose clock is wrong.
    /// - Parameter difference: how far the client's clock is ahead.
    func signedLate(
        _ key: String, in walk: Walk, by difference: Duration
    ) throws -> (target: String, headers: [String: String]) {
        let credentials = try credentials(of: walk)
        let authority = visit.client.authority
        var request = SignableRequest(method: "GET", target: Self.target(key, in: walk), authority: authority)
        let time = Timestamp.now() + difference
        let method: OSSSignature.Signer.Method?
        switch walk.files.store {
        case .s3: method = nil
        case .ossV1: method = .v1
        case .ossV4: method = .v4(region: "cn-hangzhou")
        }
        if let method {
            let signer = OSSSignature.Signer(
                accessKey: credentials.accessKeyID, secret: credentials.secretAccessKey, sessionToken: credentials.sessionToken,
                method: method)
            signer.sign(&request, resource: OSSResource(bucket: walk.files.bucket, key: key), at: time)
        } else {
            let signer = SignatureV4.Signer(
                accessKey: credentials.accessKeyID, secret: credentials.secretAccessKey, sessionToken: credentials.sessionToken,
                region: "us-east-1", service: "s3")
            signer.sign(&request, payload: PayloadHash(of: []), at: time)
        }
        let headers = request.fields.map { ($0.name.rawName, $0.value) }.filter { !["host", "content-length"].contains($0.0.lowercased()) }
        return (Self.target(key, in: walk), Dictionary(headers) { first, _ in first })
    }

    /// Puts a policy in place of another, sends a request, and restores the policy.
    func withPolicy(
        _ change: (JSONValue) -> JSONValue, of role: WalkRole, _ keeper: any PolicyKeeper, _ body: () async throws -> Exchange
    ) async throws -> Exchange {
        guard let policy = try? JSONValue(parsing: role.trustPolicy) else {
            throw ConsoleRefusal(code: "no_policy", message: "The trust policy of \(role.name) is not JSON.")
        }
        let place = Walk.PolicyPlace(role: role.name, policy: nil)
        try await keeper.put(change(policy).serialized(), at: place)
        do {
            let exchange = try await body()
            try await keeper.put(role.trustPolicy, at: place)
            return exchange
        } catch {
            try await keeper.put(role.trustPolicy, at: place)
            throw error
        }
    }

    /// Replaces the values of condition keys that end in one of the names.
    static func replacingValues(in value: JSONValue, named names: [String]) -> JSONValue {
        switch value {
        case .object(let object):
            .object(
                JSONObject(
                    object.members.map { member in
                        let isNamed = names.contains { member.name.hasSuffix(":\($0)") }
                        return (member.name, isNamed ? "another-application" : replacingValues(in: member.value, named: names))
                    }))
        case .array(let elements): .array(elements.map { replacingValues(in: $0, named: names) })
        default: value
        }
    }
}
