import Calls
import Cloud
import Cryptography
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import Policy
import WireFormats

/// Shared code of the operations on bucket configurations.
extension OSSRequest {
    /// The maximum size of a document in bytes: a thousand rules of maximum length.
    private static let configurationLimit = 4 << 20

    /// Reads the whole body of a request that carries a document, and verifies its MD5 if the request has one.
    /// - Throws: `InvalidDigest`, `EntityTooLarge`.
    func document(upTo limit: Int) async throws -> [UInt8] {
        let bytes: [UInt8]
        do { bytes = try await call.collectBody(upTo: limit) } catch is BodyTooLarge { throw OSSError(.entityTooLarge) }
        if let declared = headers.value(of: .contentMD5), declared != MD5.hash(bytes).base64 {
            throw OSSError(.invalidDigest, nil, ["ClientComputedContentMD5": declared, "OSSComputedContentMD5": MD5.hash(bytes).base64])
        }
        return bytes
    }

    /// Reads and parses the XML document of the request, with the given root element.
    /// - Throws: `MalformedXML`, and the errors of ``document(upTo:)``.
    func xmlDocument(_ root: String) async throws -> XMLElement {
        let bytes = try await document(upTo: Self.configurationLimit)
        guard let element = try? XMLElement(parsing: bytes), element.name == root else {
            throw OSSError(.malformedXML)
        }
        return element
    }

    /// Reads, parses and validates the XML document of the request.
    /// - Returns: the document with its boolean values in lowercase, which clients send in any case.
    func xmlDocument(_ root: String, holding schema: [DocumentSchema.Member]) async throws -> XMLElement {
        let element = DocumentSchema.withLowercaseBooleans(try await xmlDocument(root), .members(schema))
        guard DocumentSchema.holds(element, .members(schema)) else { throw OSSError(.malformedXML) }
        return element
    }

    /// Returns the text of a configuration to store.
    func storedText(_ element: XMLElement) -> String {
        var xml = XMLWriter()
        element.encode(into: &xml)
        return String(decoding: xml.bytes, as: UTF8.self)
    }

    /// Returns a response with a stored configuration.
    func answer(stored text: String) -> Response {
        var response = answer(.ok, [.contentType: "application/xml"])
        response.body = ResponseBody(byteBuffer: ByteBuffer(string: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(text)"))
        return response
    }

    /// Changes the configuration of a bucket in one transaction.
    /// - Throws: `NoSuchBucket`, and the errors of the store.
    func configure(_ bucket: Bucket, _ change: @escaping @Sendable (inout BucketConfiguration) -> Void) async throws(OSSError) {
        do {
            try await objects.configure(bucket.id) { configuration throws(ObjectStoreError) in change(&configuration) }
        } catch {
            throw OSSError(error, bucket: bucket.name)
        }
    }

    /// Replaces or removes a configuration.
    func store(_ text: String?, as document: BucketDocument, in bucket: Bucket) async throws(OSSError) {
        try await configure(bucket) { $0.documents[document] = text }
    }

    /// Returns the values derived from the bucket's configuration.
    func rules(of bucket: Bucket) -> OSSBucketRules { face.bucketRules.rules(of: bucket) }

    /// Returns a configuration of a bucket as XML, parsed once for each revision; `nil` if the bucket has none.
    func configuration(_ document: BucketDocument, of bucket: Bucket) throws(OSSError) -> XMLElement? {
        try rules(of: bucket).document(document) { try XMLElement(parsing: Array($0.utf8)) }
    }

    /// Performs an operation on a configuration of which a bucket has at most one.
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

    /// Rejects values that the schema allows and OSS does not.
    /// - Returns: the document to store, which can have additional elements.
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
            // If TLS is enabled, the accepted versions are required.
            if let tls = element.child("TLS"), tls.child("Enable")?.text.trimmed == "true", tls.child("TLSVersion") == nil {
                throw OSSError(.malformedXML)
            }
            return element.withoutRepeatedVersions
        case .storageCapacity:
            // -1 means no limit.
            let text = element.child("StorageCapacity")?.text.trimmed ?? ""
            guard Int64(decimal: text).map({ $0 >= -1 }) == true else {
                throw .invalidArgument("The StorageCapacity is invalid.", name: "StorageCapacity", value: text)
            }
        case .referer:
            // The default of `AllowTruncateQueryString` is added.
            guard element.child("AllowTruncateQueryString") == nil else { break }
            var copy = element
            copy.content.append(.element(XMLElement("AllowTruncateQueryString", in: "", text: "true")))
            return copy
        case .accessMonitor, .archiveDirectRead, .callbackPolicy, .overwriteConfig, .transferAcceleration, .userDefinedLogFieldsConfig:
            break
        }
        return element
    }

    /// Validates the encryption rule. (OSS API Reference, "PutBucketEncryption".)
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
        // `KMSDataEncryption` does not apply to other algorithms and is not stored.
        return algorithm == "KMS" ? element : element.without("KMSDataEncryption")
    }

    /// Checks that the target bucket has the same owner and region. (OSS API Reference, "PutBucketLogging".)
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

    /// Validates the default retention. (OSS API Reference, "PutBucketObjectWormConfiguration".)
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

    /// Validates the resource group; an empty one is replaced by the default. (OSS API Reference, "PutBucketResourceGroup".)
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
    /// Returns the element without descendants of the given name.
    fileprivate func without(_ name: String) -> XMLElement {
        var copy = self
        copy.content = content.compactMap { node in
            guard case .element(let element) = node else { return node }
            return element.name == name ? nil : .element(element.without(name))
        }
        return copy
    }

    /// The element with each distinct `TLSVersion` once.
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
