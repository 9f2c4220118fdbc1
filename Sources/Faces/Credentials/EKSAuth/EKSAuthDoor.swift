import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

/// The service EKS Auth, which the agents of EKS Pod Identity call. (EKS API Reference, "AssumeRoleForPodIdentity"; the messages are Virga's.)
struct EKSAuthDoor: CredentialDoor {
    let kind = CredentialSources.Kind.pod
    let authenticator: Authenticator
    /// The name of the cluster; `nil` for paths that the service does not have.
    private let clusterName: String?

    var service: String { CredentialSources.serviceOfPods }

    private static let operation = "AssumeRoleForPodIdentity"
    private static let action = "\(CredentialSources.serviceOfPods):\(operation)"

    init(_ path: String, authenticator: Authenticator) {
        self.authenticator = authenticator
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let isCall = parts.count == 4 && parts[0].isEmpty && parts[1] == "clusters" && parts[3] == "assume-role-for-pod-identity"
        clusterName = isCall ? percentDecoded(parts[2]) : nil
    }

    func operation(of call: CredentialCall) -> String { Self.operation }

    func respond(to call: CredentialCall) async throws -> Response {
        guard call.http.method == .post, let clusterName else {
            throw DoorFailure("UnknownOperationException", .notFound, "There is no such operation.")
        }
        let body = try await call.http.collectBody(upTo: 1 << 16)
        let (caller, region) = try caller(of: call, body: body)
        guard Self.isName(clusterName) else { throw Self.invalid("The cluster name is not valid.") }
        let token = try Self.token(in: body)
        guard let account = caller.account else { throw Self.denied(caller, clusterName) }
        let arn = "arn:aws:eks:\(region):\(account):cluster/\(clusterName)"
        try await call.applyFaults(at: self, caller: caller.arn, resources: [arn])
        guard call.http.authorize(caller, Self.action, on: arn, ownedBy: account, region: region).decision.isAllowed else {
            throw Self.denied(caller, arn)
        }
        guard let cluster = call.directory.credentialSources.clusters.first(where: { $0.arn == arn }) else {
            throw DoorFailure("ResourceNotFoundException", .notFound, "No cluster found for name: \(clusterName).")
        }
        let holder = try await Self.holder(of: token, in: cluster, call)
        let pod = holder.pod
        guard let association = cluster.association(namespace: pod.namespace, serviceAccount: pod.serviceAccount) else {
            throw DoorFailure(
                "ResourceNotFoundException", .notFound,
                "No associations found for service account \(pod.serviceAccount) in namespace \(pod.namespace).")
        }
        let issued = try PodSession(holder: holder, association: association).issue(call)
        return .json(Self.answer(issued, holder, association), headers: Self.headers(of: call))
    }

    /// Authenticates the agent.
    private func caller(of call: CredentialCall, body: [UInt8]) throws(DoorFailure) -> (Caller, region: String) {
        let authenticated: Authenticated?
        do throws(AuthenticationError) {
            authenticated = try authenticator.authenticate(call.http.signable, service: service, body: body)
        } catch {
            switch error {
            case .unknownAccessKey, .inactiveAccessKey, .invalidSessionToken, .sessionTokenOfAnotherKey:
                throw DoorFailure("UnrecognizedClientException", .forbidden, "The security token included in the request is invalid.")
            case .expiredSessionToken:
                throw DoorFailure("ExpiredTokenException", .forbidden, "The security token included in the request is expired")
            default:
                throw DoorFailure(
                    "InvalidSignatureException", .forbidden,
                    "The request signature we calculated does not match the signature you provided.", cause: "\(error)")
            }
        }
        guard let authenticated else {
            throw DoorFailure("MissingAuthenticationTokenException", .forbidden, "Missing Authentication Token")
        }
        if let refusal = call.http.refusal(ofKey: authenticated.accessKey, by: authenticator, .call) {
            throw DoorFailure("AccessDeniedException", .forbidden, refusal)
        }
        if let arn = authenticated.caller.arn { call.http.note(caller: arn) }
        return (authenticated.caller, authenticated.region ?? "us-east-1")
    }

    private static func denied(_ caller: Caller, _ resource: String) -> DoorFailure {
        DoorFailure(
            "AccessDeniedException", .badRequest,
            "User: \(caller.arn ?? "anonymous") is not authorized to perform: \(action) on resource: \(resource)")
    }

    private static func invalid(_ message: String) -> DoorFailure { DoorFailure("InvalidParameterException", .badRequest, message) }

    /// (EKS API Reference, "AssumeRoleForPodIdentity", `clusterName`.)
    private static func isName(_ name: String) -> Bool {
        func isAlphanumeric(_ byte: UInt8) -> Bool {
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
        return (1...100).contains(name.utf8.count) && name.utf8.first.map(isAlphanumeric) == true
            && name.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }

    /// Returns the service account's token in a request.
    private static func token(in body: [UInt8]) throws(DoorFailure) -> String {
        guard let json = (try? JSONValue(parsing: body))?.objectValue else {
            throw DoorFailure("InvalidRequestException", .badRequest, "The request body is not a JSON object.")
        }
        for (name, value) in json.members {
            // Where the pod runs; no decision depends on it.
            guard ["token", "eksNodeName", "instanceId", "zone"].contains(name) else { throw invalid("The member \(name) is not known.") }
            guard value.stringValue != nil else { throw invalid("The member \(name) must be a string.") }
        }
        guard let token = json["token"]?.stringValue, !token.isEmpty else { throw invalid("Service account token cannot be empty.") }
        return token
    }

    /// Verifies the token of a service account.
    private static func holder(
        of text: String, in cluster: KubernetesCluster, _ call: CredentialCall
    ) async throws -> ServiceAccountToken.Holder {
        func invalid(_ cause: String) -> DoorFailure {
            DoorFailure("InvalidTokenException", .badRequest, "The token is not valid.", cause: cause)
        }
        do {
            let token = try ServiceAccountToken(parsing: text, at: call.cloud.clock)
            let holder = try await token.verify(for: ServiceAccountToken.podIdentityAudience, in: call.cloud)
            guard holder.cluster.arn == cluster.arn else { throw invalid("The token is of the cluster \(holder.cluster.arn).") }
            return holder
        } catch let refusal as ServiceAccountToken.Refusal {
            if case .expired = refusal { throw DoorFailure("ExpiredTokenException", .badRequest, "The token has expired.") }
            throw invalid(refusal.explanation)
        }
    }

    private static func answer(
        _ issued: IssuedCredentials, _ holder: ServiceAccountToken.Holder, _ association: PodIdentityAssociation
    ) -> JSONValue {
        let (cluster, pod, credentials) = (holder.cluster, holder.pod, issued.credentials)
        let name = "\(cluster.arn)/\(association.fullName)"
        let id = "a-\(SHA256.hash(name).hex.prefix(17))"
        var user: JSONObject = [:]
        if case .role(_, let roleID, let session) = credentials.holder {
            user["arn"] = .string(credentials.holder.sessionARNs.first ?? "")
            user["assumeRoleId"] = .string("\(roleID):\(session)")
        }
        return [
            "subject": ["namespace": .string(pod.namespace), "serviceAccount": .string(pod.serviceAccount)],
            "audience": .string(ServiceAccountToken.podIdentityAudience),
            "podIdentityAssociation": [
                "associationArn": .string("arn:aws:eks:\(cluster.region):\(cluster.account):podidentityassociation/\(cluster.name)/\(id)"),
                "associationId": .string(id),
            ],
            "assumedRoleUser": .object(user),
            "credentials": [
                "sessionToken": .string(issued.token), "secretAccessKey": .string(credentials.secretAccessKey),
                "accessKeyId": .string(credentials.accessKeyID), "expiration": .integer(credentials.expires.seconds),
            ],
        ]
    }

    private static func headers(of call: CredentialCall) -> HTTPFields {
        var headers = HTTPFields.unstored
        headers[.requestIDOfAWS] = call.http.id.uuid
        return headers
    }

    /// (Smithy, "AWS restJson1 protocol", "Operation error serialization".)
    func response(to failure: DoorFailure, of call: CredentialCall) -> Response {
        var headers = Self.headers(of: call)
        headers[.errorTypeOfAWS] = failure.code
        return .json(["message": .string(failure.message)], status: failure.status, headers: headers)
    }
}

extension HTTPField.Name {
    fileprivate static let requestIDOfAWS = HTTPField.Name(literal: "x-amzn-RequestId")
    fileprivate static let errorTypeOfAWS = HTTPField.Name(literal: "x-amzn-ErrorType")
}
