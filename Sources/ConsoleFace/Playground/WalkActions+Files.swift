import RequestSigning
import WireFormats

/// The requests of step 3, under the credentials of the walk.
extension WalkActions {
    private func credentials(of walk: Walk) throws -> WalkCredentials {
        guard let credentials = walk.credentials else {
            throw ConsoleRefusal(code: "no_credentials", message: "Get credentials first.")
        }
        return credentials
    }

    /// Finds the person's folder by the role's policies, lists it, and finds objects of other people.
    func browse(_ walk: inout Walk) async throws {
        guard let credentials = walk.credentials, let role = try await roles.roles().first(where: { $0.arn == walk.order.roleARN }) else {
            return
        }
        let policies = try await roles.complete(role).policies.map(\.document)
        if let scope = PolicyScope(policies: policies, claims: credentials.claims) {
            (walk.files.bucket, walk.files.prefix) = (scope.bucket, scope.prefix)
        }
        guard !walk.files.bucket.isEmpty else { return }
        try await refresh(&walk)
    }

    /// Lists the folder under the credentials, and the others as root.
    private func refresh(_ walk: inout Walk) async throws {
        let listing = try await list(walk.files.prefix, of: walk, as: .credentials(try credentials(of: walk)))
        walk.files.own = Self.keys(in: listing)
        walk.files.refusal = listing.refusal.map { "\($0.code): \($0.message)" }
        if let root = info.root {
            let all = try await list("", of: walk, as: .principal(root))
            walk.files.others = Self.keys(in: all).filter { !$0.hasPrefix(walk.files.prefix) || walk.files.prefix.isEmpty }
        }
    }

    func list(_ prefix: String, of walk: Walk, as signer: Sender.Signer) async throws -> Exchange {
        let query: FormFields = ["list-type": "2", "max-keys": "50", "prefix": prefix]
        return try await sender.send(
            "List \(prefix)", as: signer, service: "s3", "GET", "/\(walk.files.bucket)?\(query.queryEncoded)")
    }

    private static func keys(in listing: Exchange) -> [String] {
        listing.xml?.children(named: "Contents").compactMap { $0.child("Key")?.text } ?? []
    }

    /// The target of an object.
    func target(_ key: String, in walk: Walk) -> String { "/\(walk.files.bucket)/\(percentEncoded(key, keepingSlash: true))" }

    /// Lists another bucket or prefix.
    func list(in walk: inout Walk) async throws -> String {
        (walk.files.bucket, walk.files.prefix) = (field("bucket"), field("prefix"))
        walk.access = try await list(walk.files.prefix, of: walk, as: .credentials(try credentials(of: walk)))
        try await refresh(&walk)
        return "#result"
    }

    /// Reads an object.
    func read(in walk: inout Walk) async throws -> String {
        walk.access = try await sender.send(
            "Read \(field("key"))", as: .credentials(try credentials(of: walk)), service: "s3", "GET", target(field("key"), in: walk))
        return "#result"
    }

    /// Signs a URL with which anyone may read an object for fifteen minutes. Like an SDK, it sends no request.
    func presign(in walk: inout Walk) throws -> String {
        let credentials = try credentials(of: walk)
        let signer = SignatureV4.Signer(
            accessKey: credentials.accessKeyID, secret: credentials.secretAccessKey, sessionToken: credentials.sessionToken,
            region: "us-east-1", service: "s3")
        let origin = visit.place.services
        let authority = origin.split(separator: "/").last.map { String($0) } ?? ""
        let request = SignableRequest(method: "GET", target: target(field("key"), in: walk), authority: authority)
        walk.presignedURL = origin + signer.presign(request, expires: .seconds(900), at: .now())
        return "#presigned"
    }

    /// Writes an object.
    func write(in walk: inout Walk) async throws -> String {
        walk.access = try await sender.send(
            "Write \(field("key"))", as: .credentials(try credentials(of: walk)), service: "s3", "PUT", target(field("key"), in: walk),
            headers: ["Content-Type": "text/plain; charset=utf-8"], body: field("text"))
        try await refresh(&walk)
        return "#result"
    }

    /// Deletes an object.
    func delete(in walk: inout Walk) async throws -> String {
        walk.access = try await sender.send(
            "Delete \(field("key"))", as: .credentials(try credentials(of: walk)), service: "s3", "DELETE", target(field("key"), in: walk))
        try await refresh(&walk)
        return "#result"
    }

    /// Sends any request to S3.
    func request(in walk: inout Walk) async throws -> String {
        let (method, target) = (field("method"), field("target"))
        guard ["GET", "HEAD", "PUT", "POST", "DELETE"].contains(method), target.hasPrefix("/") else {
            throw ConsoleRefusal(code: "malformed_request", message: "Choose a method, and begin the path with a slash.")
        }
        let body = field("text")
        walk.access = try await sender.send(
            "\(method) \(target)", as: .credentials(try credentials(of: walk)), service: "s3", method, target,
            body: body.isEmpty ? nil : body)
        return "#result"
    }
}

extension FormFields {
    /// The fields for a query that is signed: a space is `%20`.
    var queryEncoded: String { fields.map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }.joined(separator: "&") }
}
