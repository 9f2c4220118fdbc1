import Calls
import Cloud
import Federation
import HTTPTypes
import RequestSigning
import WireFormats

extension Inspector {
    /// What the signature of a presigned URL says.
    private struct Presented {
        var version: String
        var accessKey: String
        /// The signed headers that a URL does not contain.
        var otherHeaders: [String] = []
        /// When the URL expires, in words for a check that passed.
        var end: String
    }

    private static let methods: [HTTPRequest.Method] = [.get, .put, .delete, .head, .post]

    /// Inspects a presigned URL of S3, OSS or STS, with the bucket in the path or in the host; `nil` for another text.
    func presignedURL(_ text: String) -> Inspection? {
        guard text.hasPrefix("/") || text.hasPrefix("http://") || text.hasPrefix("https://") else { return nil }
        let url = String(text.filter { !$0.isWhitespace }.prefix { $0 != "#" })
        guard let mark = url.firstIndex(of: "?"), let fields = FormFields(parsing: String(url[url.index(after: mark)...])) else {
            return nil
        }
        let origin = Origin(url: url)
        var target = origin.map { String($0.path) } ?? url
        if target.hasPrefix("?") { target = "/" + target }
        let authority = origin?.authority ?? call.authority
        guard let presented = presented(SignableRequest(method: "GET", target: target, authority: authority)) else { return nil }
        var found = Inspection("presigned_url")
        found.decoded["signature"] = .string(presented.version)
        found.decoded["target"] = .string(target)
        found.decoded["host"] = .string(authority)
        if let bucket = ControlFace.bucket(ofHost: authority, call) { found.decoded["bucketOfHost"] = .string(bucket) }
        found.decoded["parameters"] = .array(
            fields.fields.map { field in
                let isSecret = field.name.lowercased().hasSuffix("security-token")
                return ["name": .string(field.name), "value": .string(isSecret ? "…" : field.value)]
            })
        verify(presented, target, at: authority, &found)
        found.conclude("A valid presigned URL.")
        return found
    }

    /// Adds the checks of the addressed service: those for a method for which all pass, or else those for GET.
    private func verify(_ presented: Presented, _ target: String, at authority: String, _ found: inout Inspection) {
        // Clients do not send the default port of a scheme, but people may paste it.
        let port = [":80", ":443"].first(where: authority.hasSuffix)
        let authorities = [authority] + [port.map { String(authority.dropLast($0.count)) }].compactMap(\.self)
        let verifications = Self.methods.compactMap { method -> (method: HTTPRequest.Method, verification: RequestVerification)? in
            let all = authorities.compactMap { services?.verifyPresigned(request(method, target, at: $0)) }
            return (all.first(where: \.isPassed) ?? all.first).map { (method, $0) }
        }
        let accepted = verifications.filter(\.verification.isPassed)
        found.decoded["methods"] = .array(accepted.map { .string($0.method.rawValue) })
        guard let (method, verification) = accepted.first ?? verifications.first else {
            return found.check("service", false, "no service of this process accepts presigned requests for this address.")
        }
        let holder = verification.caller?.arn
        found.subject = holder.map { ["arn": .string($0)] }
        for check in verification.checks {
            if check.name == "signature", check.refusal != nil, !presented.otherHeaders.isEmpty {
                found.isUndecided = true
                found.check(
                    "signature", nil,
                    "the signature also covers the headers \(presented.otherHeaders.joined(separator: ", ")), which are not part of a URL.")
            } else {
                let words = Self.words(for: check.name, presented, method, holder)
                found.check(check, passed: words)
            }
        }
    }

    /// Returns a request as a client without further headers sends it.
    private func request(_ method: HTTPRequest.Method, _ target: String, at authority: String) -> Call {
        let request = Request(method: method, target: target, authority: authority, headers: HTTPFields(), body: RequestBody())
        return Call(request: request, peer: call.peer, isSecure: call.isSecure, cloud: cloud, names: call.names)
    }

    /// Says what a check that passed has found.
    private static func words(for check: String, _ presented: Presented, _ method: HTTPRequest.Method, _ holder: String?) -> String {
        switch check {
        case "key": "the access key \(presented.accessKey) is of \(holder ?? "this sandbox")."
        case "times": presented.end
        case "signature": "the signature is for \(method.rawValue), by the secret of \(presented.accessKey)."
        case "format": "the signature can be read."
        case "service": "the signature is for this service."
        case "region": "the region of the signature is accepted."
        case "payload": "the hash of the body is well-formed."
        case "expiry": "the URL has a lifetime."
        case "headers": "the signature covers the headers that it must."
        default: "accepted."
        }
    }

    /// Reads the signature in the query, in any version. The service says what is wrong with a Version 4 that cannot be read.
    private func presented(_ request: SignableRequest) -> Presented? {
        do {
            if let presented = try SignatureV4.Presented(request) {
                return Presented(
                    version: "v4", accessKey: presented.accessKey, otherHeaders: presented.signedHeaders.filter { $0 != "host" },
                    end: end(presented.expires, from: presented.timestamp))
            }
        } catch { return Presented(version: "v4", accessKey: "", end: "") }
        if let presented = try? SignatureV2.Presented(request), presented.isPresigned {
            guard case .until(let end) = presented.validity else { return nil }
            return Presented(version: "v2", accessKey: presented.accessKey, end: Self.end(end))
        }
        guard let presented = try? OSSSignature.Presented(request), presented.isPresigned else { return nil }
        let version =
            switch presented.version {
            case .v1: "oss-v1"
            case .v2: "oss-v2"
            case .v4: "oss-v4"
            }
        let end =
            switch presented.validity {
            case .lasting(let lifetime, from: let start): end(lifetime, from: start)
            case .signed(let start, _): end(nil, from: start)
            case .until(let end): Self.end(end)
            }
        return Presented(
            version: version, accessKey: presented.accessKey, otherHeaders: presented.additionalHeaders.filter { $0 != "host" }, end: end)
    }

    private func end(_ lifetime: Duration?, from start: Timestamp) -> String {
        guard let lifetime else { return "the URL was signed at \(start.iso8601); it is \(now)." }
        return "the URL expires at \((cloud.clock.effective(cloud.clock.moment(ofWall: start)) + lifetime).iso8601); it is \(now)."
    }

    private static func end(_ end: Timestamp) -> String { "the URL expires at \(end.iso8601) in real time." }
}
