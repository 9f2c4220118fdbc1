import Calls
import Cloud
import Directory
import Federation
import RequestSigning
import WireFormats

extension Inspector {
    /// The parts of a presigned URL that its signature determines.
    private struct Presented {
        var version: String
        var accessKey: String
        var sessionToken: String?
        /// The signed headers that a URL does not contain.
        var otherHeaders: [String] = []
        /// Returns whether the signature is that of a request with a secret.
        var verify: (SignableRequest, _ secret: String) -> Bool
    }

    /// Inspects a presigned URL of S3 or OSS, with the bucket in the path or in the host; `nil` for another text.
    func presignedURL(_ text: String) -> Inspection? {
        guard text.hasPrefix("/") || text.hasPrefix("http://") || text.hasPrefix("https://") else { return nil }
        let url = String(text.filter { !$0.isWhitespace }.prefix { $0 != "#" })
        guard let mark = url.firstIndex(of: "?"), let fields = FormFields(parsing: String(url[url.index(after: mark)...])) else { return nil }
        let origin = Origin(url: url)
        var target = origin.map { String($0.path) } ?? url
        if target.hasPrefix("?") { target = "/" + target }
        let authority = origin?.authority ?? call.authority
        let example = SignableRequest(method: "GET", target: target, authority: authority)
        var found = Inspection("presigned_url")
        guard let presented = presented(example, &found, fields) else { return nil }
        found.decoded["signature"] = .string(presented.version)
        found.decoded["target"] = .string(target)
        found.decoded["host"] = .string(authority)
        if let bucket = ControlFace.bucket(ofHost: authority, call) { found.decoded["bucketOfHost"] = .string(bucket) }
        found.decoded["parameters"] = .array(
            fields.fields.map { field in
                let isSecret = field.name.lowercased().hasSuffix("security-token")
                return ["name": .string(field.name), "value": .string(isSecret ? "…" : field.value)]
            })
        let key = secret(of: presented.accessKey, presented.sessionToken)
        found.check(
            "key", key.secret != nil, "the access key \(presented.accessKey) is \(key.holder.map { "of \($0)" } ?? "not known here").")
        if key.isInactive { found.check("key status", false, "the access key \(presented.accessKey) is inactive.") }
        if let secret = key.secret { check(presented, example, secret, &found) }
        found.subject = key.holder.map { ["arn": .string($0)] }
        found.conclude("A valid presigned URL.")
        return found
    }

    /// Checks the signature of a URL for each method that can be presigned.
    private func check(_ presented: Presented, _ example: SignableRequest, _ secret: String, _ found: inout Inspection) {
        // Clients do not send the default port of a scheme, but people may paste it.
        let authorities = [example.authority] + [":80", ":443"].filter(example.authority.hasSuffix).map { example.authority.dropLast($0.count) }.map(String.init)
        let methods = ["GET", "PUT", "DELETE", "HEAD", "POST"].filter { method in
            authorities.contains { authority in
                var request = example
                (request.method, request.authority) = (method, authority)
                return presented.verify(request, secret)
            }
        }
        found.decoded["methods"] = .array(methods.map(JSONValue.string))
        if let method = methods.first {
            found.check("signature", true, "the signature is for \(method), by the secret of \(presented.accessKey).")
        } else if !presented.otherHeaders.isEmpty {
            found.check(
                "signature", nil,
                "the signature also covers the headers \(presented.otherHeaders.joined(separator: ", ")), which are not part of a URL.")
        } else {
            found.check(
                "signature", false,
                "the signature does not match: the URL was changed, another secret signed it, or it was signed for another host or with more headers.")
        }
    }

    /// Reads the signature in the query, in any version, and checks its times.
    private func presented(_ request: SignableRequest, _ found: inout Inspection, _ fields: FormFields) -> Presented? {
        if let presented = try? SignatureV4.Presented(request) {
            check(start: presented.timestamp, lifetime: presented.expires, &found)
            return Presented(
                version: "v4", accessKey: presented.accessKey, sessionToken: presented.sessionToken,
                otherHeaders: presented.signedHeaders.filter { $0 != "host" }
            ) { request, secret in
                guard let payload = try? presented.payloadHash(of: request) else { return false }
                let key = ScopedSigningKey(secret: secret, scope: presented.scope)
                return (try? presented.verify(request, payload: payload, path: .asReceived, key: key)) != nil
            }
        }
        let buckets = Self.buckets(ofHost: request.authority) + [ControlFace.bucket(ofHost: request.authority, call)].compactMap(\.self)
        if let presented = try? SignatureV2.Presented(request), presented.isPresigned {
            check(end: fields.first("Expires").flatMap { Int64(digits: $0) }, &found)
            let candidates = [nil] + buckets.map(Optional.some)
            return Presented(version: "v2", accessKey: presented.accessKey, sessionToken: presented.sessionToken) { request, secret in
                candidates.contains { bucket in (try? presented.verify(request, bucket: bucket, secret: secret)) != nil }
            }
        }
        guard let presented = try? OSSSignature.Presented(request), presented.isPresigned else { return nil }
        if case .lasting(let lifetime, from: let start) = presented.validity { check(start: start, lifetime: lifetime, &found) }
        if case .until(let end) = presented.validity { check(end: end.seconds, &found) }
        let resources = Self.resources(of: request.path, buckets: buckets)
        let version =
            switch presented.version {
            case .v1: "oss-v1"
            case .v2: "oss-v2"
            case .v4: "oss-v4"
            }
        return Presented(
            version: version, accessKey: presented.accessKey, sessionToken: presented.sessionToken,
            otherHeaders: presented.additionalHeaders.filter { $0 != "host" }
        ) { request, secret in
            resources.contains { resource in
                let isVerified: Void? = try? presented.verify(request, resource: resource, secret: secret) {
                    ScopedSigningKey(secret: secret, scope: $0)
                }
                return isVerified != nil
            }
        }
    }

    /// Returns every bucket that the first labels of a host can name, such as `box` and `box.s3` for `box.s3.localhost`.
    private static func buckets(ofHost authority: String) -> [String] {
        let host = Origin.host(ofAuthority: authority)
        guard host.contains("."), !HostNames.isAddress(host) else { return [] }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false).prefix(16)
        return (1...labels.count).map { labels.prefix($0).joined(separator: ".") }
    }

    /// Returns the resources of OSS that a path can mean: with the bucket in the path, or in the host.
    private static func resources(of path: String, buckets: [String]) -> [OSSResource] {
        let rest = path.dropFirst()
        let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        func key(_ text: Substring?) -> String? { text.flatMap { $0.isEmpty ? nil : percentDecoded($0) } }
        let inPath = OSSResource(bucket: key(parts.first), key: key(parts.dropFirst().first))
        return [inPath] + buckets.map { OSSResource(bucket: $0, key: key(rest)) }
    }

    private func check(start: Timestamp, lifetime: Duration?, _ found: inout Inspection) {
        guard let lifetime else { return found.check("times", nil, "the URL has no lifetime.") }
        let end = cloud.clock.effective(cloud.clock.moment(ofWall: start)) + lifetime
        let isOver = end <= cloud.clock.now
        found.check("times", !isOver, "the URL \(isOver ? "expired" : "expires") at \(end.iso8601); it is \(now).")
    }

    private func check(end seconds: Int64?, _ found: inout Inspection) {
        guard let seconds, (0...253_402_300_799).contains(seconds) else { return found.check("times", false, "the URL has no valid expiry.") }
        let end = Timestamp(seconds: seconds)
        let isOver = end < cloud.clock.wall
        found.check("times", !isOver, "the URL \(isOver ? "expired" : "expires") at \(end.iso8601) in real time.")
    }

    /// Returns the secret of an access key, the ARN of its holder, and whether the key is inactive.
    private func secret(of key: String, _ token: String?) -> (secret: String?, holder: String?, isInactive: Bool) {
        if let token {
            guard let session = services?.session(token), session.accessKeyID == key else { return (nil, nil, false) }
            switch session.holder {
            case .role(let arn, _, _), .user(let arn, _): return (session.secretAccessKey, arn, false)
            case .root(let account), .federatedUser(_, let account, _): return (session.secretAccessKey, account, false)
            }
        }
        switch cloud.directory.keys[key] {
        case .root(let account, let key): return (key.secret, account.rootARN, key.isInactive ?? false)
        case .user(let user, let key): return (key.secret, user.arn, key.isInactive ?? false)
        case nil: return (nil, nil, false)
        }
    }
}
