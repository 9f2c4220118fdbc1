import Calls
import Cloud
import ControlDocuments
import Directory
import Federation
import HTTPTypes
import WireFormats

extension ControlFace {
    /// `POST /_virga/credentials` with `{"kind":"imds"}`, and `name` for another source than the first: returns what a client needs to find
    /// the credentials of a role, or the ID tokens of a job, at one of the doors. For pods, this includes a new token of their service account,
    /// and for IAM Roles Anywhere a new certificate.
    func offerCredentials(_ call: Call, _ body: JSONObject) async throws -> Response {
        try body.expect(only: ["kind", "name", "audience", "lifetime"])
        guard let kind = try body.choice("kind", of: CredentialSources.Kind.allCases) else {
            throw ControlError(.badRequest, "missing_member", "Send {\"kind\":\"imds\"}.")
        }
        let name = try body.text("name")
        if kind != .pod, let member = ["audience", "lifetime"].first(where: { body[$0] != nil }) {
            throw Self.malformedMember("'\(member)' is only for \(CredentialSources.Kind.pod.rawValue).")
        }
        switch kind {
        case .instance: return try offer(instance: name, call)
        case .task: return try offer(task: name, call)
        case .pod: return try await offer(pod: name, body, call)
        case .job: return try await offer(job: name, call)
        case .certificate: return try await offer(profile: name, call)
        case .login: return try offer(login: name, call)
        case .identityCenter: return try await offer(centerUser: name, call)
        }
    }

    private func offer(instance name: String?, _ call: Call) throws(ControlError) -> Response {
        let directory = call.cloud.directory
        // Requests name no instance, so that only the one of this client can be offered.
        guard let instance = directory.credentialSources.instance(ofClientAt: call.sourceIP),
            name.map({ $0 == instance.id }) ?? true
        else { throw Self.unknownSource(name, directory.credentialSources.instances.prefix(1).map(\.id)) }
        let profile = instance.profile.flatMap { directory.instanceProfile($0, in: instance.account) }
        guard let role = profile?.role.flatMap({ directory.role($0, in: instance.account) }) else {
            throw ControlError(.notFound, "no_role", "The instance \(instance.id) has no profile with a role.")
        }
        return Self.response(to: .instance, instance.id, role: role.arn)
    }

    private func offer(task name: String?, _ call: Call) throws(ControlError) -> Response {
        let tasks = call.cloud.directory.credentialSources.tasks
        guard let task = name.map({ name in tasks.first { $0.id == name } }) ?? tasks.first else {
            throw Self.unknownSource(name, tasks.map(\.id))
        }
        return Self.response(to: .task, task.id, role: Self.role(task.role, in: task.account, call)) {
            [$0.path("\(CredentialSources.pathOfTasks)/\(task.credentialsID)"), $0.authorizationToken(task.authorizationToken)]
        }
    }

    private func offer(pod name: String?, _ body: JSONObject, _ call: Call) async throws -> Response {
        let accounts = call.cloud.directory.credentialSources.clusters.flatMap { cluster in
            cluster.associations.map { (cluster: cluster, association: $0) }
        }
        guard let (cluster, association) = name.map({ name in accounts.first { $0.association.fullName == name } }) ?? accounts.first else {
            throw Self.unknownSource(name, accounts.map { $0.association.fullName })
        }
        let audience = try body.text("audience") ?? ServiceAccountToken.podIdentityAudience
        var lifetime = ServiceAccountToken.usualLifetime
        if let value = body["lifetime"] {
            guard let seconds = value.integerValue, (600...Int64(ServiceAccountToken.usualLifetime)).contains(seconds) else {
                throw Self.malformedMember("'lifetime' must be a number of seconds from 600 to \(ServiceAccountToken.usualLifetime).")
            }
            lifetime = Int(seconds)
        }
        let pod = cluster.pod(of: association)
        let token = try await ServiceAccountToken.make(for: pod, of: cluster, audience: audience, lifetime: lifetime, in: call.cloud)
        let role = association.targetRole ?? Self.role(association.role, in: cluster.account, call)
        return Self.response(to: .pod, association.fullName, role: role) {
            [$0.path(CredentialSources.pathOfPods), $0.token(token), $0.lifetime(Int64(lifetime)), $0.region(cluster.region)]
        }
    }

    private func offer(job name: String?, _ call: Call) async throws -> Response {
        let jobs = call.cloud.directory.jobs
        guard let (provider, job) = name.map({ name in jobs.first { "\($0.provider.name)/\($0.job.name)" == name } }) ?? jobs.first else {
            throw Self.unknownSource(name, jobs.map { "\($0.provider.name)/\($0.job.name)" })
        }
        let base = "\(CredentialSources.pathOfJobs)/\(provider.name)/\(job.name)"
        var (path, requestToken, token): (String?, String?, String?) = (nil, nil, nil)
        var claims: JSONValue?
        switch job.service.descriptor.delivery {
        case .url:
            let known = WorkflowClaims(of: job, issuer: provider.issuer ?? "")
            let shown = WorkflowClaims.shownToJobs.map { ($0, JSONValue.string(known[$0] ?? "")) }
            (path, requestToken) = ("\(base)/token?api-version=2.0", job.requestToken)
            claims = .object(JSONObject(shown))
        case .agent: (path, requestToken) = ("\(base)/v3", job.requestToken)
        case .variables: break
        case .file: token = try await WorkflowToken.make(for: job, of: provider, in: call.cloud)
        }
        let known = try await WorkflowToken.variables(of: job, provider, in: call.cloud)
        let variables = known.isEmpty ? nil : JSONValue.object(JSONObject(known.map { ($0.name, JSONValue.string($0.value)) }))
        return Self.response(to: .job, "\(provider.name)/\(job.name)", role: job.role) {
            [
                $0.service(job.service.rawValue), $0.path(path), $0.authorizationToken(requestToken), $0.claims(claims), $0.token(token),
                $0.variables(variables),
            ]
        }
    }

    /// Returns the ARN of a role, also of one that does not exist.
    static func role(_ name: String, in account: String, _ call: Call) -> String {
        call.cloud.directory.role(name, in: account)?.arn ?? "arn:aws:iam::\(account):role/\(name)"
    }

    /// Returns the error for the name of a source that does not exist.
    static func unknownSource(_ name: String?, _ known: [String]) -> ControlError {
        guard let first = known.first else {
            return ControlError(.notFound, "unknown_source", "The seed has no source of this kind; see seed/credentials.json5.")
        }
        let names = ([first] + known.dropFirst()).joined(separator: ", ")
        return ControlError(.notFound, "unknown_source", "There is no '\(name ?? "")'; expected one of \(names).")
    }

    /// Returns the response that every kind has.
    static func response(
        to kind: CredentialSources.Kind, _ name: String, role: String?,
        _ members: (CredentialOfferMembers) -> [JSONObject] = { _ in [] }
    ) -> Response {
        let offer = Document<CredentialOfferMembers> { [$0.kind(kind.rawValue), $0.name(name), $0.role(role)] + members($0) }
        return .json(offer.json, headers: .unstored)
    }
}
