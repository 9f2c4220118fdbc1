import Calls
import Cryptography
import HTTPTypes
import WireFormats

/// The forms of the store. Each sends one request as the identity that acts, and shows what it returned.
struct StoreActions {
    private let scene: StoreScene
    private var visit: Visit { scene.visit }
    private var location: StoreLocation { scene.location }

    init(_ visit: Visit, bucket: String?, _ results: KeptValues<StoreResult>) async throws {
        scene = try await StoreScene(visit, Self.location(of: visit, bucket: bucket), results)
    }

    /// Returns the location that a form's hidden fields name.
    static func location(of visit: Visit, bucket: String?) -> StoreLocation {
        var location = StoreLocation(bucket: bucket, identity: visit.form.first("as") ?? "")
        location.key = visit.form.value("key").flatMap { percentDecoded($0) }
        location.prefix = percentDecoded(visit.form.first("prefix") ?? "") ?? ""
        location.version = visit.form.value("version")
        if let view = visit.form.value("view") { location = location.with("view", view) }
        return location
    }

    private func field(_ name: String) -> String { visit.form.first(name) ?? "" }

    /// Sends an order, and opens the page that shows its result: the order's own after a success, otherwise the page of the form.
    private func perform(_ order: StoreOrder, isRoot: Bool = false) async throws -> Response {
        let exchange = try await scene.send(
            order.title, order.method, order.target, headers: order.headers, body: order.body, cloud: order.cloud, isRoot: isRoot)
        let result = StoreResult(order: order, exchange: exchange)
        return exchange.isSuccess ? try scene.show(result, at: order.next, order.message) : try scene.show(result, at: location)
    }

    private func order(
        _ title: String, _ method: String, _ target: String, body: String? = nil, headers: [String: String] = [:],
        _ message: DoneMessage, next: StoreLocation? = nil, cloud: StoreCloud? = nil
    ) -> StoreOrder {
        var headers = headers
        if let body { headers["Content-MD5"] = MD5.hash(Array(body.utf8)).base64 }
        return StoreOrder(
            title: title, method: method, target: target, headers: headers, body: body, message: message, next: next ?? location,
            cloud: cloud ?? scene.cloud)
    }

    /// Sends a refused request once more as the root user.
    func repeatAsRoot() async throws -> Response {
        guard let result = scene.results.value(field("result"), generation: scene.info.generation, session: visit.session),
            let order = result.order
        else { throw ConsoleRefusal(code: "result_ended", message: "This request has expired. Send it again from its page.") }
        let target = order.next.acting(as: "")
        let root = try await StoreScene(visit, target, scene.results)
        let exchange = try await root.send(
            order.title, order.method, order.target, headers: order.headers, body: order.body, cloud: order.cloud, isRoot: true)
        return try root.show(
            StoreResult(order: order, exchange: exchange), at: target, exchange.isSuccess ? order.message : nil)
    }

    func createBucket() async throws -> Response {
        let name = field("name").trimmed
        guard !name.isEmpty else { throw ConsoleRefusal(code: "no_name", message: "Type a name for the bucket.") }
        let cloud = StoreCloud(rawValue: field("cloud")) ?? .s3
        let created = StoreLocation(bucket: name, identity: location.identity)
        let lock = field("lock") == "on" && cloud == .s3 ? ["x-amz-bucket-object-lock-enabled": "true"] : [:]
        let order = order("Create the bucket \(name)", "PUT", created.target(), headers: lock, .created, next: created, cloud: cloud)
        let exchange = try await scene.send(order.title, order.method, order.target, headers: order.headers, cloud: cloud)
        guard exchange.isSuccess else { return try scene.show(StoreResult(order: order, exchange: exchange), at: location) }
        if field("versioning") == "on", lock.isEmpty {
            let versioned = try await scene.send(
                "Turn on versioning", "PUT", created.target(subresource: "versioning"), body: Self.versioning("Enabled"), cloud: cloud)
            return try scene.show(StoreResult(exchange: versioned), at: created, versioned.isSuccess ? .created : nil)
        }
        return try scene.show(StoreResult(exchange: exchange), at: created, .created)
    }

    func deleteBucket() async throws -> Response {
        try await perform(
            order("Delete the bucket", "DELETE", location.target(), .deleted, next: StoreLocation(identity: location.identity)))
    }

    func deleteObject() async throws -> Response {
        var next = location.folder(location.parent)
        if let key = location.key, location.version != nil { next = location.object(key) }
        let title = location.version == nil ? "Delete \(location.key ?? "")" : "Delete a version of \(location.key ?? "")"
        return try await perform(order(title, "DELETE", location.target(location.versionQuery), .deleted, next: next))
    }

    /// Copies an old version over the current one.
    func restoreVersion() async throws -> Response {
        guard let key = location.key, let version = location.version else { throw ConsoleRefusal.noSuchAction }
        let current = location.object(key)
        let source = "\(current.target())?versionId=\(percentEncoded(version))"
        return try await perform(
            order(
                "Restore a version of \(key)", "PUT", current.target(), headers: [scene.cloud.header + "copy-source": source], .saved,
                next: current))
    }

    func saveTags() async throws -> Response {
        let pairs = zip(visit.form.all(named: "tag"), visit.form.all(named: "value")).filter { !$0.0.isEmpty }
        let target = location.target(subresource: "tagging", location.versionQuery)
        guard !pairs.isEmpty else { return try await perform(order("Remove the tags", "DELETE", target, .saved)) }
        // The escapes of HTML that are used are those of XML.
        let tags = pairs.map { key, value -> HTML in "<Tag><Key>\(key)</Key><Value>\(value)</Value></Tag>" }
        let document: HTML = "<Tagging><TagSet>\(tags)</TagSet></Tagging>"
        return try await perform(order("Save the tags", "PUT", target, body: document.text, .saved))
    }

    func presign() async throws -> Response {
        let method = field("method") == "PUT" ? "PUT" : "GET"
        guard let name = scene.signingName(of: scene.cloud) else {
            throw ConsoleRefusal(code: "anonymous", message: "An anonymous caller has no key to sign with. Choose another identity.")
        }
        let signature = scene.cloud.signatures.map(\.id).first { $0 == field("signature") } ?? scene.cloud.signatures[0].id
        var headers: [(String, JSONValue)] = []
        // The URL is for the services, which are at another port if the console has its own.
        if let host = visit.place.services.split(separator: "/").last { headers.append(("Host", .string(String(host)))) }
        let answer = await visit.client.post(
            "/presign",
            [
                "as": .string(name), "service": .string(scene.cloud.rawValue), "method": .string(method),
                "target": .string(location.target(method == "GET" ? location.versionQuery : [:])),
                "headers": .object(JSONObject(headers)), "signature": .string(signature),
                "expires": .integer(Int64(field("lifetime")) ?? 900),
            ])
        if let refusal = answer.refusal { throw refusal }
        let url = visit.place.services + (answer.json["target"]?.stringValue ?? "")
        let expires = StoreScene.time(answer.json["expires"]?.stringValue ?? "")
        return try scene.show(StoreResult(presigned: (url, method, "\(expires) UTC")), at: location)
    }

    func setVersioning() async throws -> Response {
        let status = field("status") == "Enabled" ? "Enabled" : "Suspended"
        return try await perform(
            order(
                "Set versioning to \(status.lowercased())", "PUT", location.target(subresource: "versioning"),
                body: Self.versioning(status),
                .saved))
    }

    private static func versioning(_ status: String) -> String {
        "<VersioningConfiguration><Status>\(status)</Status></VersioningConfiguration>"
    }

    func saveDocument() async throws -> Response {
        guard let document = BucketDocument(rawValue: field("kind")) else { throw ConsoleRefusal.noSuchAction }
        let target = location.target(subresource: document.rawValue)
        if field("remove") == "yes" { return try await perform(order("Delete the \(document.title)", "DELETE", target, .deleted)) }
        let text = field("text").replacing("\r\n", with: "\n")
        return try await perform(order("Save the \(document.title)", "PUT", target, body: text, .saved))
    }
}
