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
        guard isUnambiguous(request.query) else {
            throw SignatureMismatch(canonicalRequest: nil, stringToSign: stringToSign, signatureProvided: signature)
        }
        if constantTimeEquals(hmacSHA1(key: key, stringToSign).base64, signature) { return }
        // A bucket's name without the trailing slash: AWS's own clients for Python send one form and sign the other.
        if resource.utf8.dropFirst().contains(0x2F) == false, resource.utf8.count > 1 {
            resource.append("/")
            if constantTimeEquals(hmacSHA1(key: key, self.stringToSign(request, resource)).base64, signature) { return }
        }
        throw SignatureMismatch(canonicalRequest: nil, stringToSign: stringToSign, signatureProvided: signature)
    }

    /// Returns whether a query can be read in one way only.
    ///
    /// No source says what S3 does with a repeated header, or a repeated parameter of the signature. Neither matches here.
    private func isUnambiguous(_ query: RawQuery) -> Bool {
        guard let query = FormFields(parsing: query.text), PresignedHeaders(query).isUnambiguous else { return false }
        guard isPresigned else { return true }
        return ["AWSAccessKeyId", "Signature", "Expires"].allSatisfy { name in
            query.fields.count { $0.name.equals(name) } == 1
        }
    }

    private func stringToSign(_ request: SignableRequest, _ resource: String) -> [UInt8] {
        let headers = CanonicalHeaders(request)
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
        bytes.append(subResourcesOf: request.query, isPresigned: isPresigned)
        return bytes
    }
}

/// The headers that the signature covers. A presigned request may also have them in its query, where the SDKs put them.
private struct CanonicalHeaders {
    var contentMD5: String
    var contentType: String
    var amz: [String: String]

    init(_ request: SignableRequest) {
        var values: [String: String] = [:]
        for field in FormFields(parsing: request.query.text).map(PresignedHeaders.init)?.fields ?? [] {
            values[field.name] = values[field.name].map { "\($0),\(field.value)" } ?? field.value
        }
        var inFields: Set<String> = []
        for field in request.fields {
            let name = field.name.canonicalName
            guard name.hasPrefix("x-amz-") || name == "content-md5" || name == "content-type" else { continue }
            // A repeated header has both values.
            if inFields.insert(name).inserted {
                values[name] = field.value
            } else {
                values[name, default: ""] += ",\(field.value)"
            }
        }
        contentMD5 = values["content-md5"] ?? ""
        contentType = values["content-type"] ?? ""
        amz = values.filter { $0.key.hasPrefix("x-amz-") }
    }
}

extension [UInt8] {
    /// Appends the parameters that are part of the resource, sorted by name, with decoded values.
    /// - Parameter isPresigned: whether the signature is in the query, so that the user of the URL could add a parameter.
    fileprivate mutating func append(subResourcesOf query: RawQuery, isPresigned: Bool) {
        guard !query.items.isEmpty else { return }
        let items = query.items.compactMap { item in
            item.decodedName.flatMap { name in
                subResources.contains(name) || isPresigned && newerSubResources.contains(name) ? (name: name, item: item) : nil
            }
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

/// The sub-resources that neither the guide nor botocore has. A presigned URL must cover them: otherwise its user could turn it into
/// another operation. RGW signs some of them, too (`signed_subresources` in ceph/ceph, rgw_auth_s3.cc).
private let newerSubResources: Set = [
    "abac", "annotation", "attributes", "encryption", "intelligent-tiering", "legal-hold", "metadataAnnotationTable",
    "metadataConfiguration", "metadataInventoryTable", "metadataJournalTable", "metadataTable", "ownershipControls", "policyStatus",
    "publicAccessBlock", "renameObject", "retention", "session",
]

extension SignatureV2 {
    /// Returns the signature of a string to sign, in base 64, as a client computes it.
    package static func signature(of stringToSign: String, secret: String) -> String {
        hmacSHA1(key: Array(secret.utf8), stringToSign).base64
    }
}
