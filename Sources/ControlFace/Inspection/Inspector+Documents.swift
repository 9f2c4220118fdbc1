import Calls
import Cloud
import Cryptography
import Directory
import Federation
import Policy
import RequestSigning
import WireFormats

extension Inspector {
    /// Inspects a JSON document: a policy of IAM or RAM, or the policy of a form.
    func inspect(document: JSONObject) -> Inspection {
        if document["conditions"] != nil, document["expiration"] != nil { return inspect(form: document) }
        guard document["Statement"] != nil else {
            var found = Inspection("json")
            found.decoded = ["document": .object(document)]
            found.verdict = "A JSON object that is not a policy."
            return found
        }
        var found = Inspection("policy")
        found.decoded = ["document": .object(document)]
        let dialect: PolicyDialect = document["Version"] == "1" ? .ram : .aws
        let kinds: [(PolicyDocument.Kind, String)] = [(.identity, "identity-based"), (.resource, "resource-based"), (.trust, "trust")]
        var accepted: [String] = []
        var refusals: [String] = []
        for (kind, name) in kinds {
            do throws(PolicySyntaxError) {
                _ = try PolicyDocument(json: .object(document), kind: kind, dialect: dialect)
                accepted.append(name)
            } catch { refusals.append("as \(name) policy: \(error)") }
        }
        found.decoded["kinds"] = .array(accepted.map(JSONValue.string))
        found.check(
            "syntax", !accepted.isEmpty,
            accepted.isEmpty ? refusals.joined(separator: "; ") : "valid as \(accepted.joined(separator: ", ")) policy.")
        found.conclude("A valid policy document (\(accepted.joined(separator: ", "))).")
        return found
    }

    /// Inspects the base64 of a form's policy; `nil` for another text.
    func inspect(postPolicy text: String) -> Inspection? {
        guard let bytes = [UInt8](base64: text), let document = (try? JSONValue(parsing: bytes))?.objectValue,
            document["conditions"] != nil, document["expiration"] != nil
        else { return nil }
        return inspect(form: document)
    }

    private func inspect(form document: JSONObject) -> Inspection {
        var found = Inspection("post_policy")
        found.decoded = ["document": .object(document)]
        let expiration = document["expiration"]?.stringValue.flatMap { Timestamp(iso8601: $0) }
        found.check("expiration", expiration != nil, "the expiration is \(document["expiration"]?.serialized() ?? "").")
        if let expiration {
            let isOver = expiration <= cloud.clock.now
            found.check("times", !isOver, "the policy \(isOver ? "expired" : "expires") at \(expiration.iso8601); it is \(now).")
        }
        let isList = document["conditions"]?.arrayValue != nil
        found.check("conditions", isList, isList ? "the conditions are a list." : "'conditions' must be a list.")
        found.conclude("A valid policy of an upload form. Its signature is a field of its own.")
        return found
    }

    /// Inspects a presigned URL of S3 or OSS; `nil` for another text.
    func presignedURL(_ text: String) -> Inspection? {
        guard let mark = text.firstIndex(of: "?"), text.hasPrefix("/") || text.hasPrefix("http://") || text.hasPrefix("https://") else {
            return nil
        }
        let origin = Origin(url: text)
        let target = origin.map { String($0.path) } ?? text
        guard let fields = FormFields(parsing: String(text[text.index(after: mark)...])) else { return nil }
        let authority = origin?.authority ?? call.authority
        func request(_ method: String) -> SignableRequest { SignableRequest(method: method, target: target, authority: authority) }
        let key: String
        let token: String?
        let verify: (SignableRequest, String) -> Bool
        var found: Inspection
        if let presented = try? SignatureV4.Presented(request("GET")) {
            found = Inspection("presigned_url")
            found.decoded = ["signature": "v4", "signedHeaders": .array(presented.signedHeaders.map(JSONValue.string))]
            (key, token) = (presented.accessKey, presented.sessionToken)
            verify = { request, secret in
                guard let payload = try? presented.payloadHash(of: request) else { return false }
                let key = ScopedSigningKey(secret: secret, scope: presented.scope)
                return (try? presented.verify(request, payload: payload, path: .asReceived, key: key)) != nil
            }
            check(start: presented.timestamp, lifetime: presented.expires, &found)
        } else if let presented = try? SignatureV2.Presented(request("GET")), presented.isPresigned {
            found = Inspection("presigned_url")
            found.decoded = ["signature": "v2"]
            (key, token) = (presented.accessKey, presented.sessionToken)
            verify = { request, secret in (try? presented.verify(request, bucket: nil, secret: secret)) != nil }
            check(end: fields.first("Expires").flatMap { Int64(digits: $0) }, &found)
        } else if let presented = try? OSSSignature.Presented(request("GET")), presented.isPresigned {
            found = Inspection("presigned_url")
            found.decoded = ["signature": "oss"]
            (key, token) = (presented.accessKey, presented.sessionToken)
            let parts = target.prefix { $0 != "?" }.dropFirst().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            let resource = OSSResource(
                bucket: parts.first.flatMap { percentDecoded($0) }, key: parts.count > 1 ? percentDecoded(parts[1]) : nil)
            verify = { request, secret in
                (try? presented.verify(request, resource: resource, secret: secret) { ScopedSigningKey(secret: secret, scope: $0) }) != nil
            }
            if case .lasting(let lifetime, from: let start) = presented.validity { check(start: start, lifetime: lifetime, &found) }
            if case .until(let end) = presented.validity { check(end: end.seconds, &found) }
        } else {
            return nil
        }
        found.decoded["target"] = .string(target)
        found.decoded["host"] = .string(authority)
        let (secret, holder) = self.secret(of: key, token)
        found.check("key", secret != nil, "the access key \(key) is \(holder.map { "of \($0)" } ?? "not known here").")
        if let secret {
            let methods = ["GET", "PUT", "DELETE", "HEAD", "POST"].filter { verify(request($0), secret) }
            found.decoded["methods"] = .array(methods.map(JSONValue.string))
            found.check(
                "signature", !methods.isEmpty,
                methods.isEmpty
                    ? "the signature does not match, unless signed headers are missing here." : "the signature is for \(methods[0]).")
        }
        found.subject = holder.map { ["arn": .string($0)] }
        found.conclude("A valid presigned URL.")
        return found
    }

    private func check(start: Timestamp, lifetime: Duration?, _ found: inout Inspection) {
        guard let lifetime else { return found.check("times", nil, "the URL has no lifetime.") }
        let end = cloud.clock.effective(cloud.clock.moment(ofWall: start)) + lifetime
        let isOver = end <= cloud.clock.now
        found.check("times", !isOver, "the URL \(isOver ? "expired" : "expires") at \(end.iso8601); it is \(now).")
    }

    private func check(end seconds: Int64?, _ found: inout Inspection) {
        guard let seconds else { return found.check("times", false, "the URL has no expiry.") }
        let end = Timestamp(seconds: seconds)
        let isOver = end < cloud.clock.wall
        found.check("times", !isOver, "the URL \(isOver ? "expired" : "expires") at \(end.iso8601) in real time.")
    }

    /// Returns the secret of an access key, and the ARN of its holder.
    private func secret(of key: String, _ token: String?) -> (secret: String?, holder: String?) {
        if let token {
            guard let session = services?.session(token), session.accessKeyID == key else { return (nil, nil) }
            switch session.holder {
            case .role(let arn, _, _), .user(let arn, _): return (session.secretAccessKey, arn)
            case .root(let account), .federatedUser(_, let account, _): return (session.secretAccessKey, account)
            }
        }
        switch cloud.directory.keys[key] {
        case .root(let account, let key): return (key.secret, account.rootARN)
        case .user(let user, let key): return (key.secret, user.arn)
        case nil: return (nil, nil)
        }
    }
}
