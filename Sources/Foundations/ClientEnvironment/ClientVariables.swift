/// The environment variables that configure clients for a cloud and an identity: those to set, and overriding ones to unset.
///
/// (AWS SDKs and Tools Reference Guide, "Environment variables list"; Alibaba Cloud SDK documentation, "Manage access credentials".)
package struct ClientVariables: Equatable, Sendable {
    /// The identity of the client.
    package enum Identity: Equatable, Sendable {
        /// Long-term access keys; those of Alibaba Cloud only if the cloud has such an account.
        case keys(aws: KeyPair?, alibaba: KeyPair?)
        /// A place where SDKs of AWS find credentials without keys.
        case source(Source)
        /// A user with a provider's token, for a role of AWS (`arn:…`) or of Alibaba Cloud (`acs:…`).
        case token(Person, role: String, file: String)
    }

    /// A place where SDKs of AWS find credentials without keys.
    package enum Source: Equatable, Sendable {
        /// The metadata service of an EC2 instance.
        case instanceMetadata
        /// The credentials of an ECS task: a path of the cloud, and the value of `Authorization` if the task has one.
        case container(path: String, token: String?)
        /// The agent of EKS Pod Identity: a path of the cloud, the file with the token of the service account, and the region of the cluster.
        case pod(path: String, tokenFile: String, region: String)
        /// The endpoint for ID tokens of a job of GitHub Actions, with its bearer token and claims of the job.
        case job(path: String, token: String, claims: [String: String])
        /// A configuration file of AWS with a process that returns credentials.
        case process(configurationFile: String)
        /// A configuration file of AWS with a login, and the folder of its cache.
        case login(configurationFile: String, cacheFolder: String)
        /// The variables of a job of another service. The value of a name in `paths` is a path of the cloud.
        case environment([String: String], paths: [String: String])
        /// A login to IAM Identity Center: the home folder with its files, which nothing but `HOME` can move.
        case identityCenter(home: String)
    }

    /// An access key.
    package struct KeyPair: Equatable, Sendable {
        /// The ID of the access key.
        package var id: String
        /// The secret access key.
        package var secret: String

        package init(id: String, secret: String) {
            self.id = id
            self.secret = secret
        }
    }

    /// A user at a provider: `USER@PROVIDER`.
    package struct Person: Equatable, Sendable {
        /// The user's login.
        package var user: String
        /// The name of the provider.
        package var provider: String

        package init(user: String, provider: String) {
            self.user = user
            self.provider = provider
        }
    }

    /// The variables to set, in output order; each name occurs once.
    package private(set) var set: [(name: String, value: String)] = []
    /// The names of the variables to unset.
    package private(set) var unset: [String] = []

    package static func == (one: ClientVariables, other: ClientVariables) -> Bool {
        one.set.elementsEqual(other.set, by: ==) && one.unset == other.unset
    }

    /// The root keys of the built-in seed.
    package static let builtInKeys = Identity.keys(
        aws: KeyPair(id: "test", secret: "test"),
        alibaba: KeyPair(id: "LTAI5tVirgaRoot000000001", secret: "VirgaRootSecret0123456789abcdef"))

    /// Creates the variables of an identity.
    /// - Parameters:
    ///   - endpoint: the origin of the cloud.
    ///   - environment: the existing variables. Endpoint variables of single services are unset, and lists of hosts without proxy are
    ///     extended.
    package init(endpoint: String, identity: Identity, environment: [String: String] = [:]) {
        set = [
            ("VIRGA_ENDPOINT", endpoint), ("AWS_ENDPOINT_URL", endpoint), ("AWS_REGION", "us-east-1"), ("AWS_DEFAULT_REGION", "us-east-1"),
            ("AWS_EC2_METADATA_DISABLED", "true"), ("OSS_ENDPOINT", endpoint), ("OSS_REGION", "cn-hangzhou"),
            ("ALIBABA_CLOUD_REGION_ID", "cn-hangzhou"),
        ]
        unset = Self.overriding
        unset += environment.keys.filter { name in
            Self.overridingPrefixes.contains(where: name.hasPrefix) && Self.isName(name) && !unset.contains(name)
        }.sorted()
        switch identity {
        case .keys(let aws, let alibaba):
            unset += Self.webIdentity
            add(aws, ["AWS_ACCESS_KEY_ID"], ["AWS_SECRET_ACCESS_KEY"])
            add(
                alibaba, ["ALIBABA_CLOUD_ACCESS_KEY_ID", "OSS_ACCESS_KEY_ID"],
                ["ALIBABA_CLOUD_ACCESS_KEY_SECRET", "OSS_ACCESS_KEY_SECRET"])
        case .token(let person, let role, let file):
            unset += Self.keys
            if role.hasPrefix("acs:") {
                let account = role.split(separator: ":", omittingEmptySubsequences: false).dropFirst(3).first ?? ""
                unset += Self.webIdentity.filter { $0.hasPrefix("AWS_") }
                set += [
                    ("ALIBABA_CLOUD_ROLE_ARN", role), ("ALIBABA_CLOUD_OIDC_TOKEN_FILE", file),
                    ("ALIBABA_CLOUD_OIDC_PROVIDER_ARN", "acs:ram::\(account):oidc-provider/\(person.provider)"),
                    ("ALIBABA_CLOUD_ROLE_SESSION_NAME", person.user),
                ]
            } else {
                unset += Self.webIdentity.filter { !$0.hasPrefix("AWS_") }
                set += [("AWS_ROLE_ARN", role), ("AWS_WEB_IDENTITY_TOKEN_FILE", file), ("AWS_ROLE_SESSION_NAME", person.user)]
            }
        case .source(let source):
            unset += Self.keys + Self.webIdentity
            find(source, at: endpoint)
        }
        let names = set.map { $0.name }
        unset.removeAll { names.contains($0) }
        let known = environment["NO_PROXY"] ?? environment["no_proxy"] ?? ""
        let hosts = Self.withoutProxy(known, host: Self.host(of: endpoint))
        set += [("NO_PROXY", hosts), ("no_proxy", hosts)]
    }

    /// Hides what the user who runs a command has configured for other clouds: the configuration files of SDKs, and the variables with which
    /// Virga's own commands mean the sandbox, the control token or the data of another server.
    package mutating func hideOtherClouds() {
        hideFiles()
        set += [
            ("ALIBABA_CLOUD_CREDENTIALS_FILE", "/dev/null"), ("ALIBABA_CLOUD_CLI_PROFILE_DISABLED", "true"),
        ]
        unset += ["VIRGA_SANDBOX", "VIRGA_CONTROL_TOKEN", "VIRGA_CONTROL_TOKEN_FILE", "VIRGA_DATA"]
    }

    /// Returns an environment with these variables.
    package func applied(to environment: [String: String]) -> [String: String] {
        var environment = environment
        for name in unset { environment[name] = nil }
        for (name, value) in set { environment[name] = value }
        return environment
    }

    /// Hides the configuration files of AWS, if they are not hidden yet.
    private mutating func hideFiles() {
        for name in ["AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"] where !set.contains(where: { $0.name == name }) {
            set.append((name, "/dev/null"))
        }
    }

    /// Sets the variables of a source. SDKs look into the files of the user before they ask a container or an instance.
    private mutating func find(_ source: Source, at endpoint: String) {
        if case .identityCenter(let home) = source { set += [("AWS_CONFIG_FILE", "\(home)/.aws/config"), ("HOME", home)] }
        hideFiles()
        switch source {
        case .instanceMetadata:
            set.removeAll { $0.name == "AWS_EC2_METADATA_DISABLED" }
            unset.append("AWS_EC2_METADATA_DISABLED")
            set.append(("AWS_EC2_METADATA_SERVICE_ENDPOINT", endpoint))
        case .container(let path, let token):
            set.append(("AWS_CONTAINER_CREDENTIALS_FULL_URI", endpoint + path))
            if let token { set.append(("AWS_CONTAINER_AUTHORIZATION_TOKEN", token)) }
        case .pod(let path, let file, let region):
            let regions = ["AWS_REGION", "AWS_DEFAULT_REGION"]
            set = set.map { (name: $0.name, value: regions.contains($0.name) ? region : $0.value) }
            set += [("AWS_CONTAINER_CREDENTIALS_FULL_URI", endpoint + path), ("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", file)]
        case .process(let file):
            set.removeAll { $0.name == "AWS_CONFIG_FILE" }
            set.append(("AWS_CONFIG_FILE", file))
        case .login(let file, let folder):
            set.removeAll { $0.name == "AWS_CONFIG_FILE" }
            set += [("AWS_CONFIG_FILE", file), ("AWS_LOGIN_CACHE_DIRECTORY", folder)]
        case .environment(let variables, let paths):
            unset += Self.jobs
            set += variables.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            set += paths.sorted { $0.key < $1.key }.map { ($0.key, endpoint + $0.value) }
        case .identityCenter: break
        case .job(let path, let token, let claims):
            unset += Self.jobs
            set += [
                ("ACTIONS_ID_TOKEN_REQUEST_URL", endpoint + path), ("ACTIONS_ID_TOKEN_REQUEST_TOKEN", token), ("GITHUB_ACTIONS", "true"),
                ("GITHUB_ACTION", "virga"), ("GITHUB_WORKSPACE", "."),
            ]
            set += claims.sorted { $0.key < $1.key }.map { ("GITHUB_\($0.key.uppercased())", $0.value) }
            if let name = claims["ref"]?.split(separator: "/").dropFirst(2).joined(separator: "/") { set.append(("GITHUB_REF_NAME", name)) }
        }
    }

    private mutating func add(_ keys: KeyPair?, _ ids: [String], _ secrets: [String]) {
        guard let keys else { return unset += ids + secrets }
        set += ids.map { ($0, keys.id) } + secrets.map { ($0, keys.secret) }
    }

    /// Returns whether a text is a valid variable name in a shell.
    private static func isName(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "_") || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
                || (0x30...0x39).contains(byte)
        }
    }

    private static func host(of endpoint: String) -> String {
        let authority = endpoint.split(separator: "/").last.map(String.init) ?? ""
        guard !authority.hasSuffix("]"), let colon = authority.lastIndex(of: ":") else { return authority }
        return String(authority[..<colon])
    }

    private static func withoutProxy(_ known: String, host: String) -> String {
        var hosts = known.split(separator: ",").map { $0.trimmingSpaces }
        if hosts.contains("*") { return "*" }
        for name in ["127.0.0.1", "localhost", host] where !hosts.contains(name) { hosts.append(name) }
        return hosts.joined(separator: ",")
    }

    /// Profiles, sessions, sources of credentials and switches that override the variables in ``set``.
    private static let overriding = [
        "AWS_PROFILE", "AWS_DEFAULT_PROFILE", "AWS_SESSION_TOKEN", "AWS_SECURITY_TOKEN", "AWS_CREDENTIAL_EXPIRATION", "AWS_ACCESS_KEY",
        "AWS_SECRET_KEY", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI",
        "AWS_CONTAINER_AUTHORIZATION_TOKEN", "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", "AWS_EC2_METADATA_SERVICE_ENDPOINT",
        "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE", "AWS_EC2_METADATA_V1_DISABLED", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS",
        "AWS_LOGIN_CACHE_DIRECTORY", "AWS_USE_FIPS_ENDPOINT", "AWS_USE_DUALSTACK_ENDPOINT", "AWS_CA_BUNDLE", "AWS_ENDPOINT_URL_IAM",
        "AWS_ENDPOINT_URL_S3",
        "AWS_ENDPOINT_URL_STS", "ALIBABA_CLOUD_SECURITY_TOKEN", "ALIBABA_CLOUD_PROFILE", "ALIBABA_CLOUD_CREDENTIALS_FILE",
        "ALIBABA_CLOUD_CREDENTIALS_URI", "ALIBABA_CLOUD_ECS_METADATA", "OSS_SESSION_TOKEN", "OSS_SECURITY_TOKEN",
        "AWS_AUTH_SCHEME_PREFERENCE", "AWS_SIGV4A_SIGNING_REGION_SET", "ALIBABA_CLOUD_CONFIG_FILE", "OSSUTIL_CONFIG_FILE", "OSS_ROLE_ARN",
    ]
    /// Endpoints of single services, and what older tools for Alibaba Cloud and its Terraform provider read.
    private static let overridingPrefixes = ["AWS_ENDPOINT_URL_", "ALICLOUD_", "ALIYUN_"]
    private static let webIdentity = [
        "AWS_ROLE_ARN", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_ROLE_SESSION_NAME", "ALIBABA_CLOUD_ROLE_ARN", "ALIBABA_CLOUD_OIDC_TOKEN_FILE",
        "ALIBABA_CLOUD_OIDC_PROVIDER_ARN", "ALIBABA_CLOUD_ROLE_SESSION_NAME",
    ]
    /// What tells programs which service runs them, and where its tokens are.
    private static let jobs = [
        "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_URL", "BITBUCKET_STEP_OIDC_TOKEN", "BUILDKITE",
        "BUILDKITE_AGENT_ACCESS_TOKEN", "BUILDKITE_AGENT_ENDPOINT", "BUILDKITE_JOB_ID", "CIRCLECI", "CIRCLE_OIDC_TOKEN",
        "CIRCLE_OIDC_TOKEN_V2", "GITHUB_ACTIONS", "GITLAB_CI", "TFC_WORKLOAD_IDENTITY_TOKEN",
    ]
    /// Access keys; every SDK silently prefers them to a web identity.
    private static let keys = [
        "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "ALIBABA_CLOUD_ACCESS_KEY_ID", "ALIBABA_CLOUD_ACCESS_KEY_SECRET",
        "OSS_ACCESS_KEY_ID", "OSS_ACCESS_KEY_SECRET",
    ]
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        let start = drop { $0 == " " }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }
}
