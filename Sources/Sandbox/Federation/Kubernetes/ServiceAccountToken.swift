package import Cloud
import Cryptography
package import Directory
package import Tokens
import WireFormats

/// A token of a Kubernetes service account that is bound to a pod. (Kubernetes, "Managing Service Accounts", "Schema for service account
/// private claims".)
package struct ServiceAccountToken: Sendable {
    /// The audience of tokens for EKS Pod Identity.
    package static let podIdentityAudience = "pods.eks.amazonaws.com"
    /// The lifetime in seconds of the tokens that EKS mounts.
    package static let usualLifetime = 86_400

    /// The token, which is not verified yet.
    private let token: JSONWebToken
    /// The issuer.
    private let issuer: String

    /// The reason why a token is not accepted.
    package enum Refusal: Error, Equatable, Sendable {
        /// The text is not a token.
        case malformed(JSONWebTokenError)
        /// A claim is missing or malformed.
        case claim(String)
        case expired
        case notYetValid
        /// No cluster has the issuer.
        case issuer(String)
        /// No key of the cluster made the signature.
        case signature
        /// The token is for other audiences.
        case audience([String])
        /// The token is not bound to a pod of a service account.
        case unbound

        /// The reason as a sentence, for the journal.
        package var explanation: String {
            switch self {
            case .malformed: "The text is not a token of a service account."
            case .claim(let name): "The claim \(name) is missing or malformed."
            case .expired: "The token has expired."
            case .notYetValid: "The token is not valid yet."
            case .issuer(let issuer): "No cluster of the seed has the issuer \(issuer)."
            case .signature: "No key of the cluster made the signature."
            case .audience(let audiences): "The token is for \(audiences.joined(separator: ", "))."
            case .unbound: "The token is not bound to a pod of a service account."
            }
        }
    }

    /// The pod that a token proves, with its cluster.
    package struct Holder: Sendable {
        /// The cluster.
        package var cluster: KubernetesCluster
        /// The pod.
        package var pod: KubernetesPod
        /// The UID of the pod.
        package var podUID: String
    }

    /// Parses a token and checks its times by the sandbox's clock, like a client that cannot verify it.
    package init(parsing text: String, at clock: SandboxClock) throws(Refusal) {
        do throws(JSONWebTokenError) { token = try JSONWebToken(parsing: text) } catch { throw .malformed(error) }
        let claims = token.claims
        guard let issuer = claims["iss"]?.stringValue else { throw .claim("iss") }
        guard let issued = claims["iat"]?.integerValue, Self.seconds.contains(issued) else { throw .claim("iat") }
        guard let expiry = claims["exp"]?.integerValue, Self.seconds.contains(expiry) else { throw .claim("exp") }
        self.issuer = issuer
        let (now, aging) = (clock.now.seconds, clock.aging(since: Timestamp(seconds: issued)))
        guard now < expiry - aging else { throw .expired }
        if let notBefore = claims["nbf"]?.integerValue, Self.seconds.contains(notBefore), now < notBefore - aging {
            throw .notYetValid
        }
    }

    /// The times that are accepted, so that no sum overflows.
    private static let seconds: ClosedRange<Int64> = -1 << 40...1 << 40

    /// Verifies the token with the keys of its cluster.
    /// - Parameter audience: the audience that the token must have.
    /// - Throws: ``Refusal``, or an error of the database.
    package func verify(for audience: String, in cloud: Cloud) async throws -> Holder {
        let directory = cloud.directory
        guard let cluster = directory.credentialSources.cluster(issuer: issuer) else { throw Refusal.issuer(issuer) }
        guard let keyID = token.keyID, let key = try await cloud.verificationKey(keyID, of: directory.keyRing(of: cluster)) else {
            throw Refusal.signature
        }
        do throws(JSONWebTokenError) { try token.verify(with: key) } catch { throw Refusal.signature }
        let audiences = token.claims.audiences
        guard audiences.contains(where: { $0 == audience }) else { throw Refusal.audience(audiences) }
        guard let binding = token.claims["kubernetes.io"], let namespace = binding["namespace"]?.stringValue,
            let account = binding["serviceaccount"]?["name"]?.stringValue, let pod = binding["pod"]?["name"]?.stringValue,
            let uid = binding["pod"]?["uid"]?.stringValue,
            token.claims["sub"]?.stringValue?.equals("system:serviceaccount:\(namespace):\(account)") == true
        else { throw Refusal.unbound }
        return Holder(
            cluster: cluster, pod: KubernetesPod(name: pod, namespace: namespace, serviceAccount: account), podUID: uid)
    }

    /// Returns a new token for a pod, as the API server of a cluster issues it.
    /// - Parameter lifetime: the lifetime in seconds.
    /// - Throws: an error of the keys, or of the random generator.
    package static func make(
        for pod: KubernetesPod, of cluster: KubernetesCluster, audience: String, lifetime: Int, in cloud: Cloud
    ) async throws -> String {
        let now = cloud.clock.now.seconds
        let key = try await cloud.signingKey(for: cloud.directory.keyRing(of: cluster))
        func object(_ kind: String, _ name: String) -> JSONValue {
            ["name": .string(name), "uid": .string(uid(of: "\(cluster.arn)/\(kind)/\(pod.namespace)/\(name)"))]
        }
        return try JSONWebToken.sign(
            claims: [
                "aud": [.string(audience)], "exp": .integer(now + Int64(lifetime)), "iat": .integer(now),
                "iss": .string(cluster.issuer), "jti": .string(SignedAccess.identifier(try randomBytes(16))),
                "kubernetes.io": [
                    "namespace": .string(pod.namespace), "node": object("node", cluster.nodeName),
                    "pod": object("pod", pod.name), "serviceaccount": object("serviceaccount", pod.serviceAccount),
                ],
                "nbf": .integer(now), "sub": .string("system:serviceaccount:\(pod.namespace):\(pod.serviceAccount)"),
            ], key: key)
    }

    /// Returns a UID that depends only on the name.
    private static func uid(of name: String) -> String { SignedAccess.identifier(Array(SHA256.hash(name).prefix(16))) }
}

extension Directory {
    /// Returns the name of the keys that sign the service account tokens of a cluster: those of the identity provider with the same issuer,
    /// so that its trusts accept the tokens, or else those of the cluster.
    package func keyRing(of cluster: KubernetesCluster) -> String {
        provider(canonicalIssuer: cluster.issuer)?.name ?? cluster.keyName
    }
}
