import Cloud
import HTTPTypes
import WireFormats

/// A command that sends a request again with curl.
///
/// A signature of Version 4 is computed by curl, with keys from the usual variables of AWS, because a copied signature is valid only for
/// minutes. Other signatures are copied.
struct CurlCommand {
    /// A body that is longer is not part of the command.
    private static let longestBody = 65_536
    /// Headers that curl computes, in lower case.
    private static let computed: Set<String> = ["content-length", "transfer-encoding", "connection", "expect"]
    /// Headers of a Version 4 signature, which curl computes as well.
    private static let ofSignatureV4: Set<String> = ["authorization", "x-amz-date", "x-amz-content-sha256", "x-amz-security-token"]
    /// Parameters of a presigned request.
    private static let ofPresignedV4: Set<String> = [
        "x-amz-algorithm", "x-amz-credential", "x-amz-date", "x-amz-expires", "x-amz-signedheaders", "x-amz-signature",
        "x-amz-security-token",
    ]

    /// How the request shows who sends it.
    enum Authentication {
        /// The headers are sent as they are.
        case asSent
        /// Signature Version 4, computed by curl.
        case signatureV4(service: String, region: String, hasSessionToken: Bool)
    }

    var method: String
    var origin: String
    var target: String
    var fields: [(name: String, value: String)]
    var body: [UInt8] = []
    /// Whether `body` is the whole body.
    var isWhole = true
    var authentication = Authentication.asSent

    /// The command, in several lines.
    var text: String {
        var parts: [String] = []
        let request = "--request \(word(method))"
        if method == "HEAD" { parts.append("--head") } else if method != "GET" || !body.isEmpty { parts.append(request) }
        var target = target
        var hidden = Self.computed
        if case .signatureV4(let service, let region, let hasSessionToken) = authentication {
            hidden.formUnion(Self.ofSignatureV4)
            target = Self.canonical(Self.withoutSignature(target))
            parts.append("--aws-sigv4 \(quoted("aws:amz:\(region):\(service)"))")
            // S3 requires the header, which curl adds from version 8 on.
            if service == "s3" { parts.append("--header 'x-amz-content-sha256: UNSIGNED-PAYLOAD'") }
            parts.append("--user \"$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY\"")
            if hasSessionToken { parts.append("--header \"x-amz-security-token: $AWS_SESSION_TOKEN\"") }
        }
        for field in fields where !hidden.contains(field.name.lowercased()) {
            // A header without a value ends with a semicolon.
            parts.append("--header \(quoted(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"))")
        }
        var start = "curl --globoff --path-as-is"
        if !body.isEmpty || !isWhole {
            if !isWhole || body.count > Self.longestBody {
                parts.append("--data-binary @body")
            } else if let text = String(validating: body, as: UTF8.self), !text.contains("\0"), !text.hasPrefix("@") {
                parts.append("--data-binary \(quoted(text))")
            } else {
                start = "printf %s \(quoted(body.base64)) | base64 --decode | " + start
                parts.append("--data-binary @-")
            }
            if !fields.contains(where: { $0.name.lowercased() == "content-type" }) { parts.append("--header 'Content-Type:'") }
        }
        parts.append(quoted(origin + target))
        return ([start] + parts).joined(separator: " \\\n  ")
    }

    /// Returns a method as a word of the shell. HTTP allows `|`, `&`, `$` and a grave accent in methods, and HTTP/2 delivers them.
    private func word(_ method: String) -> String {
        method.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 } ? method : quoted(method)
    }

    private func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }

    /// Returns a target whose path is encoded as signatures require: curl signs it as it is.
    private static func canonical(_ target: String) -> String {
        let path = target.prefix { $0 != "?" }
        guard let decoded = percentDecoded(path) else { return target }
        return percentEncoded(decoded, keepingSlash: true) + target.dropFirst(path.count)
    }

    /// Returns a target without the parameters of a presigned request.
    private static func withoutSignature(_ target: String) -> String {
        guard let mark = target.firstIndex(of: "?") else { return target }
        let parameters = target[target.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let kept = parameters.filter { parameter in !ofPresignedV4.contains(parameter.prefix { $0 != "=" }.lowercased()) }
        return kept.isEmpty ? String(target[..<mark]) : target[...mark] + kept.joined(separator: "&")
    }
}

extension CurlCommand {
    /// Creates the command for an entry of the journal. It has the headers and the body if they were captured.
    /// - Parameters:
    ///   - origin: the origin to which the command sends the request.
    ///   - authority: the host and port in it.
    init(_ entry: JournalEntry, origin: String, authority: String) {
        var fields = (entry.captured?.request.fields ?? []).filter { $0.name != "Host" }.map { (name: $0.name, value: $0.value) }
        // The name of another host need not lead to this process.
        if entry.host != authority { fields.append((name: "Host", value: entry.host)) }
        self.init(method: entry.method, origin: origin, target: entry.maskedTarget, fields: fields)
        if let captured = entry.captured?.request.body {
            body = captured.start
            isWhole = Int64(captured.start.count) == captured.total
        } else {
            isWhole = (entry.requestBytes ?? 0) == 0
        }
        guard ["s3", "sts", "iam"].contains(entry.face), let caller = entry.caller else { return }
        let scope = fields.first { $0.name.lowercased() == "authorization" }?.value.split(separator: "/").map(String.init)
        let region = scope.flatMap { $0.count > 2 ? $0[2] : nil } ?? "us-east-1"
        let isSession = caller.contains(":sts:") || fields.contains { $0.name.lowercased() == "x-amz-security-token" }
        authentication = .signatureV4(service: entry.face, region: region, hasSessionToken: isSession)
    }
}
