import Calls
import Cloud
import Cryptography
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import Policy
import WireFormats

/// What the operations on the configurations of a bucket share.
extension OSSRequest {
    /// Rules by the thousand of the longest kind.
    private static let configurationLimit = 4 << 20

    /// The whole body of a request that carries a document, compared with the digest that the request gives.
    /// - Throws: `InvalidDigest`, `EntityTooLarge`.
    func document(upTo limit: Int) async throws -> [UInt8] {
        let bytes: [UInt8]
        do { bytes = try await call.collectBody(upTo: limit) } catch is BodyTooLarge { throw OSSError(.entityTooLarge) }
        if let declared = headers.value(of: .contentMD5), declared != MD5.hash(bytes).base64 {
            throw OSSError(.invalidDigest, nil, ["ClientComputedContentMD5": declared, "OSSComputedContentMD5": MD5.hash(bytes).base64])
        }
        return bytes
    }

    /// The document that the request carries, as XML with this root.
    /// - Throws: `MalformedXML`, and what ``document(upTo:)`` finds.
    func xmlDocument(_ root: String) async throws -> XMLElement {
        let bytes = try await document(upTo: Self.configurationLimit)
        guard let element = try? XMLElement(parsing: bytes), element.name == root else {
            throw OSSError(.malformedXML)
        }
        return element
    }

    /// The document that the request carries, held against a schema.
    /// - Returns: the document with its flags in small letters, which clients send in any.
    func xmlDocument(_ root: String, holding schema: [DocumentSchema.Member]) async throws -> XMLElement {
        let element = DocumentSchema.withSmallBooleans(try await xmlDocument(root), .members(schema))
        guard DocumentSchema.holds(element, .members(schema)) else { throw OSSError(.malformedXML) }
        return element
    }

    /// The text that is kept of a configuration.
    func storedText(_ element: XMLElement) -> String {
        var xml = XMLWriter()
        element.encode(into: &xml)
        return String(decoding: xml.bytes, as: UTF8.self)
    }

    /// Gives a kept configuration back.
    func answer(stored text: String) -> Response {
        var response = answer(.ok, [.contentType: "application/xml"])
        response.body = ResponseBody(byteBuffer: ByteBuffer(string: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(text)"))
        return response
    }

    /// Changes what the owner can change of a bucket, all at once.
    /// - Throws: `NoSuchBucket`, and what the store finds.
    func configure(_ bucket: Bucket, _ change: @escaping @Sendable (inout BucketConfiguration) -> Void) async throws(OSSError) {
        do {
            try await objects.configure(bucket.id) { configuration throws(ObjectStoreError) in change(&configuration) }
        } catch {
            throw OSSError(error, bucket: bucket.name)
        }
    }

    /// Replaces a configuration, or removes it.
    func store(_ text: String?, as document: BucketDocument, in bucket: Bucket) async throws(OSSError) {
        try await configure(bucket) { $0.documents[document] = text }
    }

    /// What this face derived from the bucket's configuration.
    func rules(of bucket: Bucket) -> OSSBucketRules { face.bucketRules.rules(of: bucket) }

    /// A configuration of a bucket as XML, read once for each revision; `nil` if the bucket has none.
    func configuration(_ document: BucketDocument, of bucket: Bucket) throws(OSSError) -> XMLElement? {
        try rules(of: bucket).document(document) { try XMLElement(parsing: Array($0.utf8)) }
    }

    /// The operations on a configuration that a bucket has once.
    func perform(_ verb: OSSDocumentVerb, _ kind: OSSDocumentKind, on bucket: Bucket) async throws -> Response {
        if verb == .delete, !kind.canBeDeleted { throw .methodNotAllowed(.delete, on: kind.rawValue) as OSSError }
        try authorize("oss:\(verb.rawValue)\(kind.name)", on: bucket)
        switch verb {
        case .get:
            if let text = bucket.configuration.documents[kind.document] { return answer(stored: text) }
            switch kind.missing {
            case .standard(let content): return answer(stored: "<\(kind.root)>\(content)</\(kind.root)>")
            case .error(let code): throw OSSError(code, nil, ["BucketName": bucket.name])
            }
        case .put:
            let element = try await xmlDocument(kind.root, holding: kind.schema)
            let text = storedText(try check(element, kind, bucket))
            try await configure(bucket) { configuration in
                configuration.documents[kind.document] = text
                if kind == .objectWorm { configuration.hasObjectLock = true }
            }
            return answer()
        case .delete:
            try await store(nil, as: kind.document, in: bucket)
            return answer(.noContent)
        }
    }

    /// Refuses what the schema allows and the service does not take.
    /// - Returns: what is kept, which may be more than what was sent.
    private func check(_ element: XMLElement, _ kind: OSSDocumentKind, _ bucket: Bucket) throws(OSSError) -> XMLElement {
        switch kind {
        case .encryption: return try checkedEncryption(element)
        case .logging: try checkLogging(element, of: bucket)
        case .objectWorm: try checkObjectWorm(element, of: bucket)
        case .resourceGroup: return try checkedResourceGroup(element)
        case .website:
            try OSSWebsite.check(element)
            return element.withMirroredQueries
        case .httpsConfig:
            // TLS that is on names the versions that it takes.
            if let tls = element.child("TLS"), tls.child("Enable")?.text.trimmed == "true", tls.child("TLSVersion") == nil {
                throw OSSError(.malformedXML)
            }
            return element.withoutRepeatedVersions
        case .storageCapacity:
            // -1 stands for no limit.
            let text = element.child("StorageCapacity")?.text.trimmed ?? ""
            guard Int64(decimal: text).map({ $0 >= -1 }) == true else {
                throw .invalidArgument("The StorageCapacity is invalid.", name: "StorageCapacity", value: text)
            }
        case .referer:
            // Whoever says nothing of the query gets what holds then.
            guard element.child("AllowTruncateQueryString") == nil else { break }
            var copy = element
            copy.content.append(.element(XMLElement("AllowTruncateQueryString", in: "", text: "true")))
            return copy
        case .accessMonitor, .archiveDirectRead, .callbackPolicy, .overwriteConfig, .transferAcceleration, .userDefinedLogFieldsConfig:
            break
        }
        return element
    }

    /// (OSS API Reference, "PutBucketEncryption".)
    private func checkedEncryption(_ element: XMLElement) throws(OSSError) -> XMLElement {
        let rule = element.child("ApplyServerSideEncryptionByDefault")
        let algorithm = rule?.child("SSEAlgorithm")?.text ?? ""
        guard ["AES256", "KMS", "SM4"].contains(algorithm) else { throw OSSError(.invalidEncryptionAlgorithmError) }
        let data = rule?.child("KMSDataEncryption")?.text ?? ""
        guard algorithm != "KMS" || data.isEmpty || data == "SM4" else {
            throw .invalidArgument("KMSDataEncryption is invalid.", name: "KMSDataEncryption", value: data)
        }
        if let key = rule?.child("KMSMasterKeyID")?.text, !key.isEmpty, algorithm != "KMS" {
            throw .invalidArgument("KMSMasterKeyID is not applicable if SSEAlgorithm is not KMS.", name: "KMSMasterKeyID", value: key)
        }
        // A data encryption means nothing with the other methods, and is not kept.
        return algorithm == "KMS" ? element : element.without("KMSDataEncryption")
    }

    /// Logs go to a bucket of the same owner in the same region. (OSS API Reference, "PutBucketLogging".)
    private func checkLogging(_ element: XMLElement, of bucket: Bucket) throws(OSSError) {
        guard let rule = element.child("LoggingEnabled"), let target = rule.child("TargetBucket")?.text else { return }
        guard let found = objects.bucket(named: target, for: .alibaba) else {
            throw OSSError(.invalidTargetBucketForLogging, nil, ["TargetBucket": target])
        }
        guard found.account == bucket.account, found.region == bucket.region else {
            throw OSSError(
                .invalidTargetBucketForLogging, "The owner for the bucket to be logged and the target bucket must be the same.",
                ["TargetBucket": target])
        }
        if let prefix = rule.child("TargetPrefix")?.text, prefix.utf8.count > 32 {
            throw .invalidArgument("TargetPrefix is invalid.", name: "TargetPrefix", value: prefix)
        }
    }

    /// (OSS API Reference, "PutBucketObjectWormConfiguration".)
    private func checkObjectWorm(_ element: XMLElement, of bucket: Bucket) throws(OSSError) {
        guard bucket.configuration.versioning == .enabled else {
            throw OSSError(.invalidBucketState, "Object WORM needs a bucket whose versioning is enabled.")
        }
        guard let retention = element.child("Rule")?.child("DefaultRetention") else { return }
        let (days, years) = (retention.integer("Days"), retention.integer("Years"))
        guard (days == nil) != (years == nil), (1...36_500).contains(days ?? 1), (1...100).contains(years ?? 1) else {
            throw OSSError(.malformedXML)
        }
    }

    /// An empty group is the standard one. (OSS API Reference, "PutBucketResourceGroup".)
    private func checkedResourceGroup(_ element: XMLElement) throws(OSSError) -> XMLElement {
        let group = element.child("ResourceGroupId")?.text.trimmed ?? ""
        if group.isEmpty {
            return XMLElement(
                element.name, in: "", [.element(XMLElement("ResourceGroupId", in: "", text: OSSDocumentKind.defaultResourceGroup))])
        }
        let rest = group.dropFirst(3)
        guard group.hasPrefix("rg-"), (1...61).contains(rest.utf8.count),
            rest.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) })
        else { throw OSSError(.resourceGroupIDPreCheckError, nil, ["ResourceGroupId": group]) }
        return element
    }
}

extension XMLElement {
    /// The element without the elements of a name, wherever they stand.
    fileprivate func without(_ name: String) -> XMLElement {
        var copy = self
        copy.content = content.compactMap { node in
            guard case .element(let element) = node else { return node }
            return element.name == name ? nil : .element(element.without(name))
        }
        return copy
    }

    /// The element with each `TLSVersion` once.
    fileprivate var withoutRepeatedVersions: XMLElement {
        var (copy, seen) = (self, Set<String>())
        copy.content = content.compactMap { node in
            guard case .element(let element) = node else { return node }
            guard element.name == "TLSVersion" else { return .element(element.withoutRepeatedVersions) }
            return seen.insert(element.text.trimmed).inserted ? node : nil
        }
        return copy
    }
}
