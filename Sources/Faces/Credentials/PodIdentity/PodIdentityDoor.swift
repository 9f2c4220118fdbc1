import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Tokens
import WireFormats

/// The agent of EKS Pod Identity, with the decisions of EKS Auth. (EKS User Guide, "Learn how EKS Pod Identity grants pods access to AWS
/// services"; the texts of the agent are its own, those of EKS Auth are Virga's unless users have reported them.)
struct PodIdentityDoor: CredentialDoor {
    let kind = CredentialSources.Kind.pod

    func operation(of call: CredentialCall) -> String { "GetCredentials" }

    func respond(to call: CredentialCall) async throws -> Response {
        guard call.http.isAtKnownHost else {
            throw DoorFailure(
                "AccessDenied", .forbidden,
                "Access Denied. Called agent through invalid address, please use either [169.254.170.23 fd00:ec2::23] address not \(call.http.host)"
            )
        }
        try call.refusePages()
        guard let text = call.http.headers.value(of: .authorization), !text.isEmpty else {
            throw DoorFailure("ValidationError", .badRequest, "Service account token cannot be empty")
        }
        let token: ServiceAccountToken
        do throws(ServiceAccountToken.Refusal) {
            token = try ServiceAccountToken(parsing: text, at: call.cloud.clock)
        } catch {
            throw DoorFailure(error)
        }
        let holder: ServiceAccountToken.Holder
        do {
            holder = try await token.verify(for: ServiceAccountToken.podIdentityAudience, in: call.cloud)
        } catch let refusal as ServiceAccountToken.Refusal {
            throw DoorFailure(refusal)
        }
        let pod = holder.pod
        let caller = "system:serviceaccount:\(pod.namespace):\(pod.serviceAccount)"
        try await call.applyFaults(at: self, caller: caller, resources: [holder.cluster.arn])
        guard let association = holder.cluster.association(namespace: pod.namespace, serviceAccount: pod.serviceAccount) else {
            throw DoorFailure(
                "ResourceNotFoundException", .notFound,
                "No associations found for service account \(pod.serviceAccount) in namespace \(pod.namespace).")
        }
        let issued = try PodSession(holder: holder, association: association).issue(call)
        let account = JSONValue.string(issued.credentials.holder.account)
        return .json(.object(JSONObject(issued.members + [("AccountId", account)])), headers: .unstored)
    }

    /// The agent's own errors are text. It repeats those of EKS Auth with the ID of its request.
    func response(to failure: DoorFailure, of call: CredentialCall) -> Response {
        let isOfAgent = ["AccessDenied", "ValidationError"].contains(failure.code)
        let fault = failure.status.code >= 500 ? "server" : "client"
        let text = isOfAgent ? failure.message : "[\(call.http.id.uuid)]: (\(failure.code)): \(failure.message), fault: \(fault)"
        return Response(
            status: failure.status, contentType: "text/plain; charset=utf-8", headers: .unstored, text: text + "\n")
    }
}

extension DoorFailure {
    /// The error for a token that the agent or EKS Auth does not accept.
    fileprivate init(_ refusal: ServiceAccountToken.Refusal) {
        func ofAgent(_ text: String) -> DoorFailure { DoorFailure("ValidationError", .badRequest, "Service account token \(text)") }
        self =
            switch refusal {
            case .malformed(.notThreeParts):
                ofAgent("cannot be parsed: token is malformed: token contains an invalid number of segments")
            case .malformed(.unsupportedAlgorithm):
                ofAgent("cannot be parsed: token is unverifiable: signing method (alg) is unavailable")
            case .malformed: ofAgent("cannot be parsed: token is malformed")
            case .expired: ofAgent("failed basic claim validations: token is expired")
            case .notYetValid: ofAgent("failed basic claim validations: token is not valid yet")
            case .claim, .issuer, .signature, .audience, .unbound:
                DoorFailure("InvalidTokenException", .badRequest, "The token is not valid.", cause: refusal.explanation)
            }
    }
}
