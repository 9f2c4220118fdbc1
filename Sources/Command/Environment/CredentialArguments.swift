import ArgumentParser
import ClientEnvironment
import ControlDocuments
import Directory
import WireFormats

/// `--credentials KIND[:NAME]`: a source of credentials in place of the root keys.
struct CredentialArguments: ParsableArguments {
    /// A kind of sources, and the name of one.
    struct Source: ExpressibleByArgument, Sendable {
        let kind: CredentialSources.Kind
        /// `nil` for the first one.
        let name: String?

        init?(argument: String) {
            let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let kind = CredentialSources.Kind(rawValue: String(parts[0])) else { return nil }
            self.kind = kind
            name = parts.count == 2 ? String(parts[1]) : nil
        }

        static let allValueStrings = CredentialSources.Kind.allCases.map(\.rawValue)
    }

    @Option(
        name: .customLong("credentials"),
        help: ArgumentHelp(
            """
            Let SDKs find the credentials of a role in the seed instead of keys: of an instance (imds), a task (container), a pod \
            (pod-identity), a certificate (rolesanywhere) or a person of IAM Identity Center (identity-center); or use those of an IAM \
            user after aws login (login); or give a job of GitHub Actions, GitLab and the like its ID tokens (actions). The name is the \
            ID of a task, NAMESPACE/ACCOUNT of a pod, ISSUER/JOB, PROFILE/ROLE of IAM Roles Anywhere, PERSON/PERMISSIONSET, or a user.
            """,
            valueName: "kind[:name]"))
    var source: Source?

    /// Rejects the combination with another identity.
    func check(beside webIdentity: WebIdentityArguments) throws {
        guard source != nil, webIdentity.person != nil else { return }
        throw ValidationError("Use either --credentials or --as.")
    }
}

/// What the control API returns about a source of credentials.
struct CredentialOffer: Sendable {
    /// The ARN of the role; `nil` for a job, which chooses its role itself.
    let role: String?
    private let kind: CredentialSources.Kind
    private let path: String
    private let authorizationToken: String?
    private let token: String?
    /// The region of a cluster.
    private let region: String?
    private let claims: [String: String]
    private let certificate: CertificateOffer?
    private let login: LoginOffer?
    /// The service of a job.
    private let service: JobService
    private let variables: [String: String]
    private let files: [String: String]

    fileprivate init(_ offer: Document<CredentialOfferMembers>, kind: CredentialSources.Kind) {
        self.kind = kind
        (role, path) = (offer.role, offer.path ?? "")
        (authorizationToken, token) = (offer.authorizationToken, offer.token)
        region = offer.region
        certificate = kind == .certificate ? CertificateOffer(offer) : nil
        login = kind == .login ? LoginOffer(offer) : nil
        claims = Self.texts(offer.claims)
        service = offer.service.flatMap { JobService(rawValue: $0) } ?? .github
        variables = Self.texts(offer.variables)
        files = Self.texts(offer.files)
    }

    private static func texts(_ value: JSONValue?) -> [String: String] {
        (value?.objectValue?.members ?? []).reduce(into: [:]) { $0[$1.name] = $1.value.stringValue }
    }

    /// Returns the source for the variables of clients.
    /// - Parameters:
    ///   - endpoint: the origin of the cloud.
    ///   - write: writes a file of a kind, such as `token`, and returns its path.
    ///   - writeHome: writes files to a home folder, by their paths in it, and returns the path of the folder.
    func source(
        at endpoint: OriginArgument, _ write: (_ text: String, _ kind: String) throws -> String,
        writeHome: (_ files: [String: String]) throws -> String
    ) rethrows -> ClientVariables.Source {
        switch kind {
        case .instance: .instanceMetadata
        case .task: .container(path: path, token: authorizationToken)
        // SDKs send the file as it is; a line feed at its end would be an error.
        case .pod: .pod(path: path, tokenFile: try write(token ?? "", "token"), region: region ?? "us-east-1")
        case .job: try job(write)
        case .certificate: .process(configurationFile: try certificate?.configurationFile(role: role ?? "", at: endpoint, write) ?? "")
        case .login:
            switch try login?.files(write) {
            case let (configuration, cacheFolder)?: .login(configurationFile: configuration, cacheFolder: cacheFolder)
            case nil: .login(configurationFile: "", cacheFolder: "")
            }
        case .identityCenter: .identityCenter(home: try writeHome(files))
        }
    }

    /// The variables of a job, by the way in which its service delivers tokens.
    private func job(_ write: (_ text: String, _ kind: String) throws -> String) rethrows -> ClientVariables.Source {
        var variables = variables
        switch service.descriptor.delivery {
        case .url: return .job(path: path, token: authorizationToken ?? "", claims: claims)
        case .agent:
            variables["BUILDKITE_AGENT_ACCESS_TOKEN"] = authorizationToken ?? ""
            return .environment(variables, paths: ["BUILDKITE_AGENT_ENDPOINT": path])
        case .variables: break
        case .file:
            variables["AWS_WEB_IDENTITY_TOKEN_FILE"] = try write(token ?? "", "token")
            if let role { variables["AWS_ROLE_ARN"] = role }
        }
        return .environment(variables, paths: [:])
    }
}

extension CloudClient {
    /// Returns how a client finds the credentials of a source.
    func offer(of source: CredentialArguments.Source, controlToken: String?) async throws -> CredentialOffer {
        let fields = controlToken.map { [("authorization", "Bearer \($0)")] } ?? []
        var order: JSONObject = ["kind": .string(source.kind.rawValue)]
        if let name = source.name { order["name"] = .string(name) }
        let answer = try await post(json: .object(order), to: "/_virga/credentials", fields: fields)
        guard answer.status == 200, let json = answer.json?.objectValue else {
            throw Failure(description: answer.json?["message"]?.stringValue ?? "\(endpoint) answered \(answer.status)")
        }
        try OfferCheck.check(json)
        return CredentialOffer(Document(json), kind: source.kind)
    }
}
