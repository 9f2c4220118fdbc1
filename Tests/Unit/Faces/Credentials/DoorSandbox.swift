import Calls
import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import NIOCore
import WireFormats

@testable import CredentialsFace

/// A sandbox for one test with an instance, a task and a cluster, and a client for its doors.
struct DoorSandbox {
    let cloud: Cloud
    let sessions: SessionTokens
    private let face: CredentialsFace

    static let account = "111122223333"
    static let instance = "i-0123456789abcdef0"
    static let task = "/v2/credentials/9781c248-6b7a-4e2f-8f0a-1c2d3e4f5a6b"
    static let token = "X-aws-ec2-metadata-token"
    static let lifetime = "X-aws-ec2-metadata-token-ttl-seconds"

    /// - Parameters:
    ///   - - instance: Further members of the instance.
    ///   - - task: Further members of the task.
    ///   - - association: Further members of the association.
    ///   - - services: The services that the role trusts, without their domain.
    ///   - - actions: The actions that its trust policy allows.
    ///   - - condition: The condition of that statement.
    ///   - - jobs: The jobs of GitHub Actions.
    static func seed(
        instance: String = "", task: String = "", association: String = "", services: String = "ec2 ecs-tasks pods.eks",
        actions: String = "'sts:AssumeRole', 'sts:TagSession'", condition: String = "{}", jobs: String = ""
    ) -> String {
        let principals = services.split(separator: " ").map { "'\($0).amazonaws.com'" }.joined(separator: ", ")
        let trust = """
            trustPolicy: {Version: '2012-10-17', Statement: [
              {Effect: 'Allow', Principal: {Service: [\(principals)]}, Action: [\(actions)], Condition: \(condition)}]}
            """
        return """
            {accounts: [
               {id: "\(account)", rootKeys: [{id: "test", secret: "test"}],
                roles: [
                  {name: "app", \(trust), policies: {own: {Version: "2012-10-17", Statement: [
                    {Effect: "Allow", Action: ["sts:AssumeRole", "sts:TagSession"], Resource: "*"}]}}},
                  {name: "data", trustPolicy: {Version: "2012-10-17", Statement: [
                    {Effect: "Allow", Principal: {AWS: "arn:aws:iam::\(account):role/app"}, Action: ["sts:AssumeRole", "sts:TagSession"],
                     Condition: {StringEquals: {"sts:ExternalId": "e", "aws:RequestTag/kubernetes-namespace": "pay"}}}]}}],
                instanceProfiles: [{name: "web", role: "app"}, {name: "none"}],
                instances: [{id: "\(Self.instance)", \(instance.contains("profile") ? "" : "profile: 'web',") \(instance)}],
                tasks: [{id: "9781c2486b7a4e2f8f0a1c2d3e4f5a6b", role: "app", cluster: "shop", \(task)}],
                clusters: [
                  {name: "shop", associations: [{namespace: "pay", serviceAccount: "processor", role: "app", \(association)}],
                   pods: [{name: "processor-0", namespace: "pay", serviceAccount: "processor"},
                          {name: "idle-0", namespace: "pay", serviceAccount: "idle"}]},
                  {name: "other"}]}],
             identityProviders: [{name: "github-actions", issuer: "https://token.actions.githubusercontent.com", jobs: [\(jobs)]}]}
            """
    }

    /// - Parameter members: The members of a job besides its name and token.
    static func job(_ members: String) -> String { seed(jobs: "{name: 'deploy', requestToken: 'bearer', \(members)}") }

    /// - Parameter folder: The folder of the database; `nil` for an ephemeral sandbox.
    static func run(
        _ seed: String = Self.seed(), folder: String? = nil, _ test: (DoorSandbox) async throws -> Void
    ) async throws {
        try await withCloud(seed, folder: folder) { cloud async throws in
            let authenticator = Authenticator(cloud: cloud)
            try await test(
                DoorSandbox(cloud: cloud, sessions: authenticator.sessions, face: CredentialsFace(authenticator: authenticator)))
        }
    }

    func send(
        _ method: HTTPRequest.Method = .get, _ target: String, _ fields: [String: String] = [:], body: String = "",
        authority: String = "127.0.0.1:4566"
    ) async throws -> FaceAnswer {
        var headers = HTTPFields()
        for (name, value) in fields { if let name = HTTPField.Name(name) { headers[name] = value } }
        let call = Call(method, target, headers, body: ByteBuffer(string: body), authority: authority, cloud: cloud)
        let response = await face.respond(to: call)
        return try await FaceAnswer(response, call.entry(status: Int(response.status.code)))
    }

    /// The headers with a new token of the metadata service.
    func metadataToken(lifetime: String = "60") async throws -> [String: String] {
        [Self.token: try await send(.put, "/latest/api/token", [Self.lifetime: lifetime]).text]
    }

    /// Sends a GET for an item of the metadata with a token.
    func metadata(_ item: String) async throws -> FaceAnswer { try await send(.get, "/latest/\(item)", metadataToken()) }

    /// A token of a service account.
    func serviceAccountToken(
        _ serviceAccount: String = "processor", cluster: String = "shop", audience: String = ServiceAccountToken.podIdentityAudience,
        lifetime: Int = 600
    ) async throws -> String {
        guard let found = cloud.directory.credentialSources.clusters.first(where: { $0.name == cluster }) else { return "" }
        let pod = KubernetesPod(name: "\(serviceAccount)-0", namespace: "pay", serviceAccount: serviceAccount)
        return try await ServiceAccountToken.make(for: pod, of: found, audience: audience, lifetime: lifetime, in: cloud)
    }

    /// Sends a GET to the agent of EKS Pod Identity.
    func pod(_ token: String?, authority: String = "127.0.0.1:4566") async throws -> FaceAnswer {
        try await send(.get, "/v1/credentials", token.map { ["Authorization": $0] } ?? [:], authority: authority)
    }
}

extension FaceAnswer {
    var json: JSONObject { (try? JSONValue(parsing: body))?.objectValue ?? [:] }

    /// Returns a member of a document in JSON.
    func member(_ name: String) -> String? { json[name]?.stringValue }

    /// Returns the session of the credentials in a response.
    func session(in sandbox: DoorSandbox) throws -> Session {
        try sandbox.sessions.open(member("Token") ?? "", accessKeyID: member("AccessKeyId") ?? "")
    }
}
