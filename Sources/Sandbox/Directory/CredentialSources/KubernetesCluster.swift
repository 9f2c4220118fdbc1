import Cryptography
import WireFormats

/// An EKS cluster, whose pods get the credentials of roles by EKS Pod Identity. (EKS User Guide, "Learn how EKS Pod Identity grants pods
/// access to AWS services".)
package struct KubernetesCluster: Sendable, Codable {
    /// The number of the account.
    package var account: String
    /// The name, unique in the account.
    package var name: String
    /// The region.
    package var region = "us-east-1"
    /// The issuer of the service accounts' tokens, if the seed names one.
    package var givenIssuer: String?
    /// Which roles the service accounts have.
    package var associations: [PodIdentityAssociation] = []
    /// The pods.
    package var pods: [KubernetesPod] = []

    package init(account: String, name: String) {
        self.account = account
        self.name = name
    }

    /// The ARN.
    package var arn: String { "arn:aws:eks:\(region):\(account):cluster/\(name)" }

    /// The issuer of the service accounts' tokens.
    package var issuer: String {
        givenIssuer ?? "https://oidc.eks.\(region).amazonaws.com/id/\(Array(SHA256.hash(arn).prefix(16)).hex.uppercased())"
    }

    /// The name of its node, as EC2 names the machines of the region. (EC2 User Guide, "EC2 instance hostnames and domains".)
    package var nodeName: String {
        let domain = region.equals("us-east-1") ? "ec2.internal" : "\(region).compute.internal"
        return "ip-10-0-0-10.\(domain)"
    }

    /// The name of its keys, unless an identity provider has the same issuer.
    package var keyName: String { "cluster/\(account)/\(name)" }

    /// Returns the association of a service account.
    package func association(namespace: String, serviceAccount: String) -> PodIdentityAssociation? {
        associations.first { $0.namespace == namespace && $0.serviceAccount == serviceAccount }
    }

    /// Returns the first pod of a service account; for a service account without pods, one that is named after it.
    package func pod(of association: PodIdentityAssociation) -> KubernetesPod {
        let (namespace, account) = (association.namespace, association.serviceAccount)
        return pods.first { $0.namespace == namespace && $0.serviceAccount == account }
            ?? KubernetesPod(name: "\(account)-0", namespace: namespace, serviceAccount: account)
    }
}

/// The role of a service account of a cluster. (EKS API Reference, "PodIdentityAssociation".)
package struct PodIdentityAssociation: Sendable, Codable {
    /// The namespace of the service account.
    package var namespace: String
    /// The service account.
    package var serviceAccount: String
    /// The name of a role of the cluster's account.
    package var role: String
    /// The ARN of a role that a session of ``role`` assumes for the pods; `nil` for none.
    package var targetRole: String?
    /// Whether sessions have no tags.
    package var disableSessionTags = false
    /// The external ID for the target role.
    package var externalID: String?
    /// A policy that limits the sessions; `nil` for none.
    package var policy: String?

    package init(namespace: String, serviceAccount: String, role: String) {
        self.namespace = namespace
        self.serviceAccount = serviceAccount
        self.role = role
    }

    /// The namespace and the service account: `NAMESPACE/ACCOUNT`.
    package var fullName: String { "\(namespace)/\(serviceAccount)" }
}

/// A pod of a cluster.
package struct KubernetesPod: Sendable, Codable {
    /// The name, unique in the namespace.
    package var name: String
    /// The namespace.
    package var namespace: String
    /// The service account of the pod.
    package var serviceAccount: String

    package init(name: String, namespace: String, serviceAccount: String) {
        self.name = name
        self.namespace = namespace
        self.serviceAccount = serviceAccount
    }
}
