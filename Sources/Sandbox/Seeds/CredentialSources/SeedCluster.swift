package import Directory
import Policy
import WireFormats

extension KubernetesCluster {
    /// EKS clusters in seeds.
    package static let record = SeedRecord<KubernetesCluster>(
        "EKS cluster", blank: KubernetesCluster(account: "", name: ""),
        fields: [
            .required("name", \.name, nameCodec, "The name of the cluster."),
            .defaulted("region", \.region, Codec.nonempty("a region"), "The region; us-east-1 by default."),
            .optional(
                "issuer", \.givenIssuer, Codec.form(.issuer, expecting: issuerForm, where: isIssuer),
                "The issuer of service account tokens; derived from the ARN by default."),
            .defaulted(
                "associations", \.associations, Codec.list(PodIdentityAssociation.record), "The roles of service accounts."),
            .defaulted("pods", \.pods, Codec.list(KubernetesPod.record), "Pods."),
        ])

    /// (EKS API Reference, "CreateCluster", `name`.)
    private static let nameCodec = Codec.form(
        .pattern("^[0-9A-Za-z][A-Za-z0-9_-]{0,99}$"), expecting: "the name of a cluster, 1 to 100 letters, digits and _-"
    ) { name in
        isEntityName(name, longest: 100) && !name.utf8.contains { "+=,.@".utf8.contains($0) }
            && name.utf8.first.map { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") } == true
    }

    /// Returns the cluster of a seed as a record of an account.
    func placed(in account: String) -> KubernetesCluster {
        var cluster = self
        cluster.account = account
        return cluster
    }
}

extension PodIdentityAssociation {
    fileprivate static let record = SeedRecord<PodIdentityAssociation>(
        "EKS Pod Identity association", blank: PodIdentityAssociation(namespace: "", serviceAccount: "", role: ""),
        fields: [
            .required("namespace", \.namespace, kubernetesName, "The namespace of the service account."),
            .required("serviceAccount", \.serviceAccount, kubernetesName, "The name of the service account."),
            .required("role", \.role, Codec.nonempty("the name of a role of the account"), "The name of a role of the account."),
            .optional("targetRole", \.targetRole, Codec.text, "The ARN of a role that the first role's session assumes."),
            .defaulted("disableSessionTags", \.disableSessionTags, Codec.flag, "Whether sessions have no tags."),
            .optional("externalID", \.externalID, Codec.nonempty("an external ID"), "The external ID for the target role."),
            .optional(
                "policy", \.policy, policyCodec,
                "A policy that limits the sessions."),
        ]
    ) { association, members in
        guard association.policy != nil, !association.disableSessionTags else { return }
        throw members.fault("policy", expecting: "no policy without disableSessionTags: true, which EKS requires beside it")
    }

    private static let policyCodec = Codec.policyTemplate { text throws in _ = try PolicyDocument(parsing: text, kind: .identity) }
}

extension KubernetesPod {
    fileprivate static let record = SeedRecord<KubernetesPod>(
        "Pod", blank: KubernetesPod(name: "", namespace: "", serviceAccount: ""),
        fields: [
            .required("name", \.name, kubernetesName, "The name of the pod."),
            .required("namespace", \.namespace, kubernetesName, "The namespace."),
            .required("serviceAccount", \.serviceAccount, kubernetesName, "The service account."),
        ])
}

/// A name of Kubernetes. (Kubernetes, "Object Names and IDs", "DNS Subdomain Names".)
private let kubernetesName = Codec.form(
    .pattern("^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$"), expecting: "a name of Kubernetes: lower-case letters, digits, - and ."
) { name in
    func isAlphanumeric(_ byte: UInt8?) -> Bool { byte.map { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) } == true }
    return name.utf8.count <= 253 && isAlphanumeric(name.utf8.first) && isAlphanumeric(name.utf8.last)
        && name.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
}
