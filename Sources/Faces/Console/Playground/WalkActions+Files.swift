import RequestSigning
import WireFormats

/// The requests to the object store, under the credentials of the walk.
extension WalkActions {
    /// Finds the person's folder, lists it, and finds objects of other people.
    func browse(_ walk: inout Walk) async throws {
        if let scope = try await walk.course.scope(of: walk, by: self) {
            (walk.files.bucket, walk.files.prefix) = (scope.bucket, scope.prefix)
        }
        guard !walk.files.bucket.isEmpty else { return }
        try await refresh(&walk)
    }

    /// Lists the folder under the credentials, and the others as root.
    private func refresh(_ walk: inout Walk) async throws {
        let course = walk.course
        let listing = try await course.send(Self.listing(walk.files.prefix, in: walk), by: self, in: &walk)
        walk.files.own = Self.keys(in: listing)
        walk.files.refusal = listing.refusal.map { "\($0.code): \($0.message)" }
        if let root = walk.course.root(info) {
            let all = try await send(Self.listing("", in: walk), as: .principal(root), to: walk.files.store, isRecorded: false)
            walk.files.others = Self.keys(in: all).filter { !$0.hasPrefix(walk.files.prefix) || walk.files.prefix.isEmpty }
            if walk.files.prefix.isEmpty { walk.files.others.removeAll(where: walk.files.own.contains) }
            let providers = try await WalkProvider.all(visit.client)
            walk.files.owners = walk.files.others.prefix(1_000).reduce(into: [:]) { owners, key in
                owners[key] = providers.lazy.compactMap { provider in provider.owner(of: key).map { "\($0) at \(provider.name)" } }.first
            }
        }
    }

    /// Sends a request to the object store.
    /// - Parameter isRecorded: whether the journal has the request.
    func send(
        _ request: FileRequest, as signer: Sender.Signer, to store: WalkStorage, isRecorded: Bool = true
    ) async throws -> Exchange {
        var sender = sender
        sender.isRecorded = isRecorded
        return try await sender.send(
            request.title, as: signer, service: store.service, signature: store.signature, request.method, request.target,
            headers: request.type.map { ["Content-Type": $0] } ?? [:], body: request.body)
    }

    /// A request that lists a folder. `list-type=2` is the same in both services.
    static func listing(_ prefix: String, in walk: Walk) -> FileRequest {
        let query: FormFields = ["list-type": "2", "max-keys": "50", "prefix": prefix]
        return FileRequest(title: "List \(prefix)", method: "GET", target: "/\(walk.files.bucket)?\(query.queryEncoded)")
    }

    /// A request that reads an object.
    static func reading(_ key: String, in walk: Walk) -> FileRequest {
        FileRequest(title: "Read \(key)", method: "GET", target: target(key, in: walk))
    }

    /// The path of an object.
    static func target(_ key: String, in walk: Walk) -> String {
        "/\(walk.files.bucket)/\(percentEncoded(key, keepingSlash: true))"
    }

    private static func keys(in listing: Exchange) -> [String] {
        listing.xml?.children(named: "Contents").compactMap { $0.child("Key")?.text } ?? []
    }

    /// Lists another bucket or prefix.
    func list(in walk: inout Walk) async throws -> String {
        (walk.files.bucket, walk.files.prefix) = (field("bucket"), field("prefix"))
        let course = walk.course
        walk.access = try await course.send(Self.listing(walk.files.prefix, in: walk), by: self, in: &walk)
        try await refresh(&walk)
        return "#result"
    }

    /// Reads an object.
    func read(in walk: inout Walk) async throws -> String {
        let course = walk.course
        walk.access = try await course.send(Self.reading(field("key"), in: walk), by: self, in: &walk)
        return "#result"
    }

    /// Writes an object.
    func write(in walk: inout Walk) async throws -> String {
        let request = FileRequest(
            title: "Write \(field("key"))", method: "PUT", target: Self.target(field("key"), in: walk), type: "text/plain; charset=utf-8",
            body: field("text"))
        let course = walk.course
        walk.access = try await course.send(request, by: self, in: &walk)
        try await refresh(&walk)
        return "#result"
    }

    /// Deletes an object.
    func delete(in walk: inout Walk) async throws -> String {
        let request = FileRequest(title: "Delete \(field("key"))", method: "DELETE", target: Self.target(field("key"), in: walk))
        let course = walk.course
        walk.access = try await course.send(request, by: self, in: &walk)
        try await refresh(&walk)
        return "#result"
    }

    /// Signs a URL with which anyone may read an object for fifteen minutes.
    func presign(in walk: inout Walk) async throws -> String {
        let course = walk.course
        walk.presignedURL = try await course.presign(field("key"), by: self, in: &walk)
        return "#presigned"
    }

    /// Returns a presigned URL. Like an SDK, it sends no request.
    func presign(_ key: String, in walk: Walk, with credentials: WalkCredentials) -> String {
        let origin = visit.place.services
        let authority = origin.split(separator: "/").last.map { String($0) } ?? ""
        let request = SignableRequest(method: "GET", target: Self.target(key, in: walk), authority: authority)
        let lifetime = Duration.seconds(900)
        let method: OSSSignature.Signer.Method
        switch walk.files.store {
        case .s3:
            let signer = SignatureV4.Signer(
                accessKey: credentials.accessKeyID, secret: credentials.secretAccessKey, sessionToken: credentials.sessionToken,
                region: "us-east-1", service: "s3")
            return origin + signer.presign(request, expires: lifetime, at: .now())
        case .ossV1: method = .v1
        case .ossV4: method = .v4(region: "cn-hangzhou")
        }
        let signer = OSSSignature.Signer(
            accessKey: credentials.accessKeyID, secret: credentials.secretAccessKey, sessionToken: credentials.sessionToken,
            method: method)
        let resource = OSSResource(bucket: walk.files.bucket, key: key)
        return origin + signer.presign(request, resource: resource, expires: lifetime, at: .now())
    }

    /// Sends any request to the object store.
    func request(in walk: inout Walk) async throws -> String {
        let (method, target) = (field("method"), field("target"))
        guard ["GET", "HEAD", "PUT", "POST", "DELETE"].contains(method), target.hasPrefix("/") else {
            throw ConsoleRefusal(code: "malformed_request", message: "Choose a method, and begin the path with a slash.")
        }
        let body = field("text")
        let request = FileRequest(title: "\(method) \(target)", method: method, target: target, body: body.isEmpty ? nil : body)
        let course = walk.course
        walk.access = try await course.send(request, by: self, in: &walk)
        return "#result"
    }
}

extension FormFields {
    /// The fields for a query that is signed: a space is `%20`.
    var queryEncoded: String { fields.map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }.joined(separator: "&") }
}
