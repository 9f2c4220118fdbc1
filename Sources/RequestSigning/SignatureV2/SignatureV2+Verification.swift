import Cryptography
import HTTPTypes
import WireFormats

extension SignatureV2.Presented {
    /// Verifies that the presented signature equals the one that `secret` gives for `request`.
    /// - Parameter bucket: the bucket of a virtual-hosted request, which is not in the path.
    package func verify(_ request: SignableRequest, bucket: String?, secret: String) throws(SignatureMismatch) {
        let key = Array(secret.utf8)
        var resource = bucket.map { "/\($0.lowercased())\(request.path)" } ?? request.path
        let stringToSign = stringToSign(request, resource)
        if constantTimeEquals(hmacSHA1(key: key, stringToSign).base64, signature) { return }
        // A bucket's name without the trailing slash: AWS's own clients for Python send one form and sign the other.
        if resource.utf8.dropFirst().contains(0x2F) == false, resource.utf8.count > 1 {
            resource.append("/")
            if constantTimeEquals(hmacSHA1(key: key, self.stringToSign(request, resource)).base64, signature) { return }
        }
        throw SignatureMismatch(canonicalRequest: nil, stringToSign: stringToSign, signatureProvided: signature)
    }

    private func stringToSign(_ request: SignableRequest, _ resource: String) -> [UInt8] {
        let headers = CanonicalHeaders(request, isPresigned: isPresigned)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        bytes.append(line: request.method)
        bytes.append(line: headers.contentMD5)
        bytes.append(line: headers.contentType)
        bytes.append(line: dateLine)
        for (name, value) in headers.amz.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            bytes.append(line: "\(name):\(value)")
        }
        bytes.append(contentsOf: resource.utf8)
        bytes.append(subResourcesOf: request.query)
        return bytes
    }
}

/// The headers that the signature covers. A presigned request may also have them in its query, where the SDKs put them.
private struct CanonicalHeaders {
    var contentMD5 = ""
    var contentType = ""
    var amz: [String: String] = [:]

    init(_ request: SignableRequest, isPresigned: Bool) {
        if isPresigned {
            for item in request.query.items {
                let name = item.name.lowercased()
                guard let value = item.decodedValue else { continue }
                switch name {
                case "content-md5": contentMD5 = value
                case "content-type": contentType = value
                default: if name.hasPrefix("x-amz-") { amz[name] = value }
                }
            }
        }
        var inFields: Set<String> = []
        for field in request.fields {
            let name = field.name.canonicalName
            switch name {
            case "content-md5": contentMD5 = field.value
            case "content-type": contentType = field.value
            default:
                guard name.hasPrefix("x-amz-") else { continue }
                // A repeated header has both values.
                if inFields.insert(name).inserted {
                    amz[name] = field.value
                } else {
                    amz[name, default: ""] += ",\(field.value)"
                }
            }
        }
    }
}

extension [UInt8] {
    /// Appends the parameters that are part of the resource, sorted by name, with decoded values.
    fileprivate mutating func append(subResourcesOf query: RawQuery) {
        guard !query.items.isEmpty else { return }
        let items = query.items.compactMap { item in
            item.decodedName.flatMap { name in subResources.contains(name) ? (name: name, item: item) : nil }
        }
        for (index, entry) in items.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }).enumerated() {
            append(index == 0 ? 0x3F : 0x26)
            append(contentsOf: entry.name.utf8)
            guard let raw = entry.item.value else { continue }
            append(0x3D)
            append(contentsOf: (entry.item.decodedValue ?? String(raw)).utf8)
        }
    }
}

/// The sub-resources, and the overrides of response headers, that the resource includes: those of the guide, and those that
/// the SDKs have added to their signatures since then.
private let subResources: Set = [
    "accelerate", "acl", "analytics", "cors", "defaultObjectAcl", "delete", "inventory", "lifecycle", "location", "logging",
    "metrics", "notification", "object-lock", "partNumber", "policy", "replication", "requestPayment", "response-cache-control",
    "response-content-disposition", "response-content-encoding", "response-content-language", "response-content-type",
    "response-expires", "restore", "select", "select-type", "storageClass", "tagging", "torrent", "uploadId", "uploads",
    "versionId", "versioning", "versions", "website",
]

extension SignatureV2 {
    /// Returns the signature of a string to sign, in base 64, as a client computes it.
    package static func signature(of stringToSign: String, secret: String) -> String {
        hmacSHA1(key: Array(secret.utf8), stringToSign).base64
    }
}
