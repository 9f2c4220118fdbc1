import Directory
import WireFormats

extension WorkflowJob {
    /// Jobs of GitHub Actions and other services in seeds.
    static let record = SeedRecord<WorkflowJob>(
        "Job that gets ID tokens", blank: WorkflowJob(name: "", requestToken: ""),
        fields: [
            .required("name", \.name, nameCodec, "The name of the job."),
            .optional("service", \.givenService, Codec.word(JobService.self), "The service of the job; github by default."),
            .defaulted(
                "requestToken", \.requestToken, Codec.nonempty("a token"), "The token of its requests; required for github and buildkite."),
            .defaulted("immutableSubject", \.immutableSubject, Codec.flag, "Whether sub contains the IDs of owner and repository."),
            .defaulted("subjectClaims", \.subjectClaims, Codec.texts, "The claims that sub is made of, such as repo and context."),
            .defaulted("claims", \.claims, Codec.object, "The claims that differ from the usual ones, and repository or the like."),
            .optional(
                "audiences", \.audiences, Codec.someTexts("a list of audiences"),
                "The audiences of tokens that the job does not request itself."),
            .optional(
                "lifetime", \.lifetime, Codec.integer(1...86_400, "seconds"), "Seconds that tokens live; as at the service by default."),
            .optional("variable", \.variable, variableCodec, "The environment variable with the token of a job of GitLab."),
            .optional("role", \.role, Codec.nonempty("the ARN of a role"), "The ARN of the role that a Kubernetes pod assumes."),
        ]
    ) { job, members in try job.check(members) }

    /// Rejects members that are not of the job's service, rather than ignoring them.
    private func check(_ members: SeedMembers) throws {
        let row = service.descriptor
        let requests = [.url, .agent].contains(row.delivery)
        if requests != !requestToken.isEmpty {
            guard requests else {
                throw members.fault("requestToken", expecting: "nothing, since jobs of \(row.title) do not request tokens")
            }
            throw members.fault("requestToken", expecting: "a token")
        }
        for (name, services) in Self.special where members.has(name) && !services.contains(service) {
            throw members.fault(name, expecting: "nothing, since it is for \(services.map(\.rawValue).joined(separator: ", "))")
        }
        for (name, value) in claims.members where !row.accepts(value, as: name) {
            throw members.fault("claims", expecting: "the type that the claim \(name) has at \(row.title)")
        }
        if service == .github {
            let parts = repository.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts.contains(where: \.isEmpty) else {
                throw members.fault("claims", expecting: "claims with the repository, such as {repository: 'octo-org/octo-repo'}")
            }
        }
        for name in row.required where claims[name]?.stringValue?.isEmpty ?? (claims[name] == nil) {
            throw members.fault("claims", expecting: "claims with \(row.required.joined(separator: " and "))")
        }
        guard service == .kubernetes else { return }
        let holder = claims["kubernetes.io"]
        guard holder?["namespace"]?.stringValue != nil, holder?["serviceaccount"]?["name"]?.stringValue != nil else {
            throw members.fault("claims", expecting: "{'kubernetes.io': {namespace: 'NAME', serviceaccount: {name: 'NAME'}}}")
        }
    }

    /// The members that only some services have.
    private static let special: [(String, [JobService])] = [
        ("immutableSubject", [.github]), ("subjectClaims", [.github]), ("variable", [.gitlab]), ("role", [.kubernetes]),
        ("audiences", [.gitlab, .circleci, .bitbucket, .terraform, .kubernetes]),
    ]

    private static let nameCodec = Codec.form(
        .pattern("^[A-Za-z0-9._-]+$"), expecting: "a job name of letters, digits and -._"
    ) { name in isEntityName(name, longest: 128) && !name.utf8.contains { "+=,@".utf8.contains($0) } }

    private static let variableCodec = Codec.form(
        .pattern("^[A-Z][A-Z0-9_]*$"), expecting: "the name of an environment variable that ends with TOKEN, such as AWS_ID_TOKEN"
    ) { name in
        JobService.isVariable(name)
    }
}
