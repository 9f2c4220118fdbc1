import Directory
import WireFormats

extension WorkflowJob {
    /// Jobs of GitHub Actions in seeds.
    static let record = SeedRecord<WorkflowJob>(
        "Job of GitHub Actions", blank: WorkflowJob(name: "", requestToken: ""),
        fields: [
            .required("name", \.name, nameCodec, "The name of the job."),
            .required("requestToken", \.requestToken, Codec.nonempty("a token"), "The bearer token of its requests."),
            .defaulted("immutableSubject", \.immutableSubject, Codec.flag, "Whether sub contains the IDs of owner and repository."),
            .defaulted("subjectClaims", \.subjectClaims, Codec.texts, "The claims that sub is made of, such as repo and context."),
            .defaulted("claims", \.claims, claimsCodec, "The claims that differ from the usual ones, and repository."),
        ]
    ) { job, members in
        let parts = job.repository.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count != 2 || parts.contains(where: \.isEmpty) else { return }
        throw members.fault("claims", expecting: "claims with the repository, such as {repository: 'octo-org/octo-repo'}")
    }

    private static let nameCodec = Codec.form(
        .pattern("^[A-Za-z0-9._-]+$"), expecting: "a job name of letters, digits and -._"
    ) { name in isEntityName(name, longest: 128) && !name.utf8.contains { "+=,@".utf8.contains($0) } }

    private static let claimsCodec: FieldCodec<JSONObject> = Codec.checked(
        .map(.text), expecting: "claims whose values are strings"
    ) { claims in
        claims.members.allSatisfy { $0.value.stringValue != nil }
    } write: { claims in
        JSONValue.object(claims)
    }
}
