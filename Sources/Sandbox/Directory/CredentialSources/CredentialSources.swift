import Policy
import WireFormats

/// The instances, tasks and clusters in which SDKs find credentials, the trust anchors and profiles with which certificates get them, and IAM
/// Identity Center. They exist only in the seed.
package struct CredentialSources: Sendable {
    /// The kinds of sources. The raw value is the name in `virga env`.
    package enum Kind: String, Sendable, CaseIterable {
        case instance = "imds"
        case task = "container"
        case pod = "pod-identity"
        case job = "actions"
        case certificate = "rolesanywhere"
        case login
        case identityCenter = "identity-center"

        /// The name of the door in the journal and in rules for errors.
        package var service: String { self == .login ? "signin" : rawValue }

        /// The names of the services in the journal and in rules for errors.
        var services: [String] {
            switch self {
            case .identityCenter: [IdentityCenter.authorizationService, IdentityCenter.portalService]
            default: [service]
            }
        }
    }

    /// The path of the credentials of tasks, before their ID.
    package static let pathOfTasks = "/v2/credentials"
    /// The path of the metadata of tasks, before their ID.
    package static let pathOfTaskMetadata = "/v4"
    /// The path of the credentials of pods.
    package static let pathOfPods = "/v1/credentials"
    /// The path of the ID tokens of jobs, before the names of issuer and job. No bucket name begins like this.
    package static let pathOfJobs = "/_actions"
    /// The end of the path of an issuer at which its jobs request ID tokens.
    package static let tokenPathOfIssuers = "/actions-token"

    /// The service that agents of EKS Pod Identity call, as scopes of signatures name it.
    package static let serviceOfPods = "eks-auth"

    private var instancesByID: TextDictionary<ComputeInstance> = [:]
    private var tasksByID: TextDictionary<ContainerTask> = [:]
    private var clustersByName: TextDictionary<KubernetesCluster> = [:]
    private var anchorsByID: TextDictionary<TrustAnchor> = [:]
    private var profilesByID: TextDictionary<AnywhereProfile> = [:]
    /// IAM Identity Center; `nil` if there is none.
    package private(set) var identityCenter: IdentityCenter?

    /// The instances, sorted by ID.
    package var instances: [ComputeInstance] { instancesByID.values.sorted { $0.id < $1.id } }
    /// The tasks, sorted by ID.
    package var tasks: [ContainerTask] { tasksByID.values.sorted { $0.id < $1.id } }
    /// The clusters, sorted by account and name.
    package var clusters: [KubernetesCluster] { clustersByName.values.sorted { $0.keyName < $1.keyName } }

    /// The trust anchors of IAM Roles Anywhere, sorted by name.
    package var trustAnchors: [TrustAnchor] { anchorsByID.values.sorted { $0.name < $1.name } }
    /// The profiles of IAM Roles Anywhere, sorted by name.
    package var anywhereProfiles: [AnywhereProfile] { profilesByID.values.sorted { $0.name < $1.name } }

    /// The names of all doors in the journal and in rules for errors.
    package static let services = Kind.allCases.flatMap(\.services) + [serviceOfPods]

    /// Whether there is an instance.
    package var hasInstances: Bool { !instancesByID.isEmpty }

    /// Returns whether a host is one of IAM Identity Center.
    package func isIdentityCenter(host: String) -> Bool { identityCenter.map { $0.hosts.contains { $0.equals(host) } } ?? false }

    /// Returns the instance of a client: the one with the client's address, or else the first one.
    package func instance(ofClientAt address: String) -> ComputeInstance? {
        let instances = instances
        return instances.first { $0.privateIP == address } ?? instances.first
    }

    /// Returns the task with an ID of credentials.
    package func task(credentialsID: String) -> ContainerTask? { tasksByID.values.first { $0.credentialsID == credentialsID } }

    /// Returns the cluster whose service accounts have tokens of an issuer.
    package func cluster(issuer: String) -> KubernetesCluster? { clustersByName.values.first { $0.issuer == issuer } }

    mutating func insert(_ record: CredentialSourceRecord) {
        switch record {
        case .instance(let instance): instancesByID[record.name] = instance
        case .task(let task): tasksByID[record.name] = task
        case .cluster(let cluster): clustersByName[record.name] = cluster
        case .trustAnchor(let anchor): anchorsByID[record.name] = anchor
        case .anywhereProfile(let profile): profilesByID[record.name] = profile
        case .identityCenter(let center): identityCenter = center
        }
    }

    mutating func forget(_ name: String) {
        instancesByID[name] = nil
        tasksByID[name] = nil
        clustersByName[name] = nil
        anchorsByID[name] = nil
        profilesByID[name] = nil
        if name == CredentialSourceRecord.nameOfIdentityCenter { identityCenter = nil }
    }
}

extension Directory {
    /// The names of the doors that are open.
    package var credentialServices: [String] {
        let sources = credentialSources
        return CredentialSources.Kind.allCases.filter { kind in
            switch kind {
            case .instance: sources.hasInstances
            case .task: !sources.tasks.isEmpty
            case .pod: !sources.clusters.isEmpty
            case .job: !jobs.isEmpty
            case .certificate: !sources.trustAnchors.isEmpty
            // Every account of AWS has a root user, who can log in.
            case .login: accounts.values.contains { Vendor(account: $0.id) == .aws }
            case .identityCenter: sources.identityCenter != nil
            }
        }.flatMap(\.services)
    }

    /// The jobs that request ID tokens, with their issuers, sorted by name.
    package var jobs: [(provider: IdentityProvider, job: WorkflowJob)] {
        providers.values.filter { $0.jobs?.isEmpty == false }.sorted { $0.name < $1.name }.flatMap { provider in
            (provider.jobs ?? []).map { (provider: provider, job: $0) }
        }
    }
}

/// One record of the credential sources.
package enum CredentialSourceRecord: Sendable, Codable {
    case instance(ComputeInstance)
    case task(ContainerTask)
    case cluster(KubernetesCluster)
    case trustAnchor(TrustAnchor)
    case anywhereProfile(AnywhereProfile)
    /// IAM Identity Center; there is at most one.
    case identityCenter(IdentityCenter)

    /// The name of IAM Identity Center.
    static let nameOfIdentityCenter = "identity-center"

    /// The name of the record among those of the credential sources.
    package var name: String {
        switch self {
        case .instance(let instance): "instance/\(instance.id)"
        case .task(let task): "task/\(task.id)"
        case .cluster(let cluster): cluster.keyName
        case .trustAnchor(let anchor): anchor.keyName
        case .anywhereProfile(let profile): "anywhere-profile/\(profile.id)"
        case .identityCenter: Self.nameOfIdentityCenter
        }
    }
}
