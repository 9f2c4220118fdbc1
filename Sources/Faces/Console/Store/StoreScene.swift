import Calls
import ControlDocuments
import WireFormats

/// What all pages of the store need: the location, the identity that acts, and the sandbox.
struct StoreScene: Sendable {
    let visit: Visit
    let info: CloudInfo
    let principals: [Principal]
    let buckets: [StoredBucket]
    let location: StoreLocation
    let results: KeptValues<StoreResult>

    /// Reads the sandbox.
    init(_ visit: Visit, _ location: StoreLocation, _ results: KeptValues<StoreResult>) async throws {
        self.visit = visit
        self.location = location
        self.results = results
        info = try await CloudInfo(visit.client)
        principals = await Principal.all(visit.client)
        buckets = await visit.client.get("/buckets").document(BucketListMembers.self).buckets
    }

    var isAnonymous: Bool { location.identity == "anonymous" }
    /// Whether the root user acts because the URL names no identity.
    var isRoot: Bool { location.identity.isEmpty }

    /// The principal that the URL names.
    var chosen: Principal? { principals.first { $0.id == location.identity } }

    /// The bucket of the location.
    var bucket: StoredBucket? { buckets.first { $0.name == location.bucket } }

    /// The store whose API is used: that of the chosen principal, otherwise that of the bucket.
    var cloud: StoreCloud {
        if let chosen { return StoreCloud(vendor: chosen.vendor) }
        if location.identity.hasPrefix("acs:") || location.identity.hasPrefix("STS.") { return .oss }
        return bucket?.cloud ?? .s3
    }

    /// The root user that owns the bucket, or the first one of the cloud.
    func root(of cloud: StoreCloud) -> Principal? {
        let roots = principals.filter { $0.kind == "root" && $0.vendor == cloud.vendor }
        return roots.first { $0.account == bucket?.account } ?? roots.first
    }

    /// Who signs requests.
    func signer(of cloud: StoreCloud) -> Sender.Signer {
        if isAnonymous { return .anonymous }
        if isRoot { return root(of: cloud).map { .principal($0.arn) } ?? .anonymous }
        return .principal(location.identity)
    }

    /// The identity as `POST /_virga/presign` accepts it; `nil` for anonymous requests.
    func signingName(of cloud: StoreCloud) -> String? {
        if case .principal(let name) = signer(of: cloud) { name } else { nil }
    }

    /// The identity in words.
    var actor: String {
        if isAnonymous { return "anonymous" }
        if let chosen { return chosen.kind == "session" ? chosen.arn : chosen.name }
        return isRoot ? "root user" : location.identity
    }

    /// Sends a request as the identity.
    func send(
        _ title: String, _ method: String, _ target: String, headers: [String: String] = [:], body: String? = nil,
        cloud: StoreCloud? = nil, isRoot: Bool = false
    ) async throws -> Exchange {
        let cloud = cloud ?? self.cloud
        let signer: Sender.Signer =
            isRoot ? root(of: cloud).map { .principal($0.arn) } ?? .anonymous : signer(of: cloud)
        return try await Sender(client: visit.client).send(
            title, as: signer, service: cloud.rawValue, method, target, headers: headers, body: body)
    }

    /// Keeps a result, and returns the URL of the page that shows it.
    func show(_ result: StoreResult, at location: StoreLocation, _ message: DoneMessage? = nil) throws -> Response {
        let id = try results.keep(result, generation: info.generation, session: visit.session)
        var query = location.query
        query.fields.append(.init(name: "result", value: id))
        if let message { query.fields.append(.init(name: "done", value: message.rawValue)) }
        let path = location.path.prefix { $0 != "?" }
        return Visit.seeOther("\(path)?\(query.queryEncoded)#result")
    }

    /// The result of the last action.
    var result: (id: String, value: StoreResult)? {
        guard let id = visit.query.value("result"),
            let value = results.value(id, generation: info.generation, session: visit.session)
        else { return nil }
        return (id, value)
    }
}

/// What an action of the store returned.
struct StoreResult: Sendable {
    /// The request, which can be repeated as the root user.
    var order: StoreOrder?
    var exchange: Exchange?
    /// The object that an upload stored.
    var uploaded: StoreLocation?
    /// A presigned URL, and the method that it is for.
    var presigned: (url: String, method: String, expires: String)?
}

/// A request that the console can send again.
struct StoreOrder: Sendable {
    var title: String
    var method: String
    var target: String
    var headers: [String: String] = [:]
    var body: String?
    var message = DoneMessage.saved
    /// The location of the page after a success.
    var next: StoreLocation
    var cloud: StoreCloud
}
