import Calls
import Cloud
import ControlDocuments
import Directory
import Federation
import WireFormats

extension ControlFace {
    /// `GET /_virga/credentials`: lists the doors at which SDKs find credentials, with what stands there.
    func listCredentials(_ call: Call) -> Response {
        let directory = call.cloud.directory
        let sources = directory.credentialSources
        var doors: [Door] = []
        for instance in sources.instances {
            let profile = instance.profile.flatMap { directory.instanceProfile($0, in: instance.account) }
            let role = profile?.role.flatMap { directory.role($0, in: instance.account) }
            doors.append(
                Door(
                    kind: .instance, name: instance.id, path: "/latest/meta-data/iam/security-credentials/\(role?.role.name ?? "")",
                    trusted: "ec2.amazonaws.com", role: role?.arn))
        }
        for task in sources.tasks {
            doors.append(
                Door(
                    kind: .task, name: task.id, path: "\(CredentialSources.pathOfTasks)/\(task.credentialsID)",
                    trusted: "ecs-tasks.amazonaws.com", role: directory.role(task.role, in: task.account)?.arn))
        }
        for cluster in sources.clusters {
            for association in cluster.associations {
                doors.append(
                    Door(
                        kind: .pod, name: association.fullName, path: CredentialSources.pathOfPods, trusted: "pods.eks.amazonaws.com",
                        role: association.targetRole ?? directory.role(association.role, in: cluster.account)?.arn))
            }
        }
        for (provider, job) in directory.jobs {
            let base = "\(CredentialSources.pathOfJobs)/\(provider.name)/\(job.name)"
            let path: String? =
                switch job.service.descriptor.delivery {
                case .url: "\(base)/token"
                case .agent: "\(base)/v3"
                case .variables, .file: nil
                }
            doors.append(
                Door(
                    kind: .job, name: "\(provider.name)/\(job.name)", path: path, trusted: provider.issuer ?? provider.name, role: job.role)
            )
        }
        for profile in sources.anywhereProfiles {
            for role in profile.roles {
                doors.append(
                    Door(
                        kind: .certificate, name: "\(profile.name)/\(role)", path: "/sessions", trusted: "rolesanywhere.amazonaws.com",
                        role: directory.role(role, in: profile.account)?.arn))
            }
        }
        return .json(Document<DoorListMembers> { [$0.doors(doors.map(\.document))] }.json)
    }

    /// A place where a client finds credentials.
    private struct Door {
        let kind: CredentialSources.Kind
        let name: String
        /// `nil` for tokens that are in variables or files.
        let path: String?
        /// The service or issuer that the trust policy must name.
        let trusted: String
        let role: String?

        var document: Document<DoorMembers> {
            Document { [$0.kind(kind.rawValue), $0.name(name), $0.path(path), $0.trusted(trusted), $0.role(role)] }
        }
    }
}
