import ClientEnvironment
import Fixtures
import FoundationEssentials
import Testing
import VirgaTesting

@Suite("The environment of child processes")
struct EnvironmentTests {
    @Test("is that of virga run: the same variables from the same source")
    func keys() async throws {
        try await withCloud(seed: .personalFileStore) { cloud in
            let current = ProcessInfo.processInfo.environment
            var expected = ClientVariables(endpoint: cloud.endpoint, identity: ClientVariables.builtInKeys, environment: current)
            expected.hideOtherClouds()
            let environment = try await cloud.environment
            #expect(environment == expected.applied(to: current))
            #expect(environment["AWS_SECRET_ACCESS_KEY"] == "test")
            #expect(environment["PATH"] == current["PATH"])
        }
    }

    @Test("lets SDKs find credentials: one variable of each source, without keys and files of the user (K39)")
    func sources() {
        let mine = [
            "AWS_ACCESS_KEY_ID": "mine", "AWS_EC2_METADATA_DISABLED": "true", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/mine",
            "AWS_SHARED_CREDENTIALS_FILE": "/mine", "GITHUB_ACTIONS": "true",
        ]
        func environment(_ source: ClientVariables.Source) -> [String: String] {
            var variables = ClientVariables(endpoint: "http://127.0.0.1:1", identity: .source(source), environment: mine)
            #expect(Set(variables.set.map { $0.name }).isDisjoint(with: variables.unset))
            variables.hideOtherClouds()
            #expect(Set(variables.set.map { $0.name }).count == variables.set.count)
            let environment = variables.applied(to: mine)
            #expect(environment["AWS_ACCESS_KEY_ID"] == nil)
            #expect(environment["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] == nil)
            #expect(environment["AWS_SHARED_CREDENTIALS_FILE"] == "/dev/null")
            return environment
        }
        let instance = environment(.instanceMetadata)
        #expect(instance["AWS_EC2_METADATA_SERVICE_ENDPOINT"] == "http://127.0.0.1:1")
        #expect(instance["AWS_EC2_METADATA_DISABLED"] == nil)
        let task = environment(.container(path: "/v2/credentials/x", token: "secret"))
        #expect(task["AWS_CONTAINER_CREDENTIALS_FULL_URI"] == "http://127.0.0.1:1/v2/credentials/x")
        #expect(task["AWS_CONTAINER_AUTHORIZATION_TOKEN"] == "secret")
        #expect(task["AWS_EC2_METADATA_DISABLED"] == "true")
        let pod = environment(.pod(path: "/v1/credentials", tokenFile: "/token", region: "eu-west-1"))
        #expect(pod["AWS_REGION"] == "eu-west-1")
        #expect(pod["AWS_DEFAULT_REGION"] == "eu-west-1")
        #expect(pod["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] == "/token")
        #expect(pod["AWS_CONTAINER_AUTHORIZATION_TOKEN"] == nil)
        #expect(environment(.process(configurationFile: "/config"))["AWS_CONFIG_FILE"] == "/config")
        let login = environment(.login(configurationFile: "/config", cacheFolder: "/cache"))
        #expect(login["AWS_CONFIG_FILE"] == "/config")
        #expect(login["AWS_LOGIN_CACHE_DIRECTORY"] == "/cache")
        let job = environment(.environment(["BUILDKITE_JOB_ID": "j"], paths: ["BUILDKITE_AGENT_ENDPOINT": "/_actions/a/b/v3"]))
        #expect(job["BUILDKITE_JOB_ID"] == "j")
        #expect(job["BUILDKITE_AGENT_ENDPOINT"] == "http://127.0.0.1:1/_actions/a/b/v3")
        #expect(job["GITHUB_ACTIONS"] == nil)
        let person = environment(.identityCenter(home: "/home/folder"))
        #expect(person["HOME"] == "/home/folder")
        #expect(person["AWS_CONFIG_FILE"] == "/home/folder/.aws/config")
        #expect(person["AWS_SHARED_CREDENTIALS_FILE"] == "/dev/null")
    }

    @Test("has a user's token in a private file in place of keys")
    func webIdentity() async throws {
        try await withCloud(seed: .personalFileStore) { cloud in
            try await withTemporaryFolder { folder in
                let file = folder + "/token"
                let environment = try await cloud.environment(user: "alice", at: "company", role: "personal-files-company", tokenFile: file)
                #expect(environment["AWS_ACCESS_KEY_ID"] == nil)
                #expect(environment["AWS_ROLE_ARN"] == "arn:aws:iam::000000000000:role/personal-files-company")
                let token = try String(contentsOfFile: file, encoding: .utf8)
                try await FileStore(endpoint: cloud.endpoint, token: token).upload("hello", as: "notes.txt")
                #expect(permissions(of: file) == 0o600)
                await #expect(throws: CloudError.self) {
                    try await cloud.environment(user: "alice", at: "company", role: "unknown", tokenFile: file)
                }
                await #expect(throws: CloudError.self) {
                    try await cloud.environment(user: "alice", at: "company", role: "personal-files-company", tokenFile: "/does/not/exist")
                }
            }
        }
    }

    @Test("comes with access keys for clients in the test itself")
    func credentials() async throws {
        try await withCloud(seed: .personalFileStore) { cloud async throws in
            #expect(try await cloud.credentials.accessKeyID == "test")
            #expect(try await cloud.alibabaCredentials.accessKeyID == "LTAI5tVirgaRoot000000001")
            #expect(try await cloud.credentials(ofUser: "developer").accessKeyID == "AKIAVIRGADEVELOPER00")
            let error = await #expect(throws: CloudError.self) { try await cloud.credentials(ofUser: "unknown") }
            #expect(error?.message == "No account has a user 'unknown'; expected one of developer.")
        }
        try await withCloud { cloud in
            let error = await #expect(throws: CloudError.self) { try await cloud.credentials }
            #expect(error?.code == .noAccessKey)
        }
    }
}
