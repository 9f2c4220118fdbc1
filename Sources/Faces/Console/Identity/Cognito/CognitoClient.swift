import ControlDocuments
import WireFormats

/// Calls Amazon Cognito as the root user of an account.
struct CognitoClient: Sendable {
    /// The two services of Amazon Cognito.
    enum Service: String {
        case userPools = "cognito-idp"
        case identityPools = "cognito-identity"

        /// The text before the operation in `X-Amz-Target`.
        fileprivate var target: String {
            switch self {
            case .userPools: "AWSCognitoIdentityProviderService"
            case .identityPools: "AWSCognitoIdentityService"
            }
        }
    }

    let scene: IdentityScene
    let account: String
    let region: String
    private let root: String

    /// - Throws: ``ConsoleRefusal`` if there is no such account of AWS.
    init(_ scene: IdentityScene, _ account: String, region: String) throws {
        guard let found = scene.info.accounts.first(where: { $0.id == account && $0.vendor != "alibaba" }) else {
            throw ConsoleRefusal(code: "unknown_account", message: "There is no AWS account \(account).", status: .notFound)
        }
        (self.scene, self.account, self.region) = (scene, account, region)
        root = found.root
    }

    /// Creates the client for the region of a pool, with which the pool's identifier begins.
    init(_ scene: IdentityScene, _ account: String, pool: String) throws {
        try self.init(scene, account, region: String(pool.prefix { $0 != "_" && $0 != ":" }))
    }

    /// Calls an operation. The journal has no entry of it.
    func call(_ action: String, of service: Service, _ members: JSONObject) async throws -> Exchange {
        var sender = Sender(client: scene.visit.client)
        sender.isRecorded = false
        return try await sender.send(
            action, as: .principal(root), service: service.rawValue, region: region, "POST", "/",
            headers: ["Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": "\(service.target).\(action)"],
            body: JSONValue.object(members).serialized())
    }

    /// A time of a response, which is a number of seconds.
    static func time(_ value: JSONValue?) -> String {
        guard let seconds = value?.numberValue, seconds.magnitude < 1e11 else { return "" }
        return StoreScene.time(Timestamp(seconds: Int64(seconds)).iso8601)
    }

    /// The texts of a list.
    static func texts(_ value: JSONValue?) -> [String] { (value?.arrayValue ?? []).compactMap(\.stringValue) }
}
