import Cloud
import ObjectServing
import ObjectStore
import Policy
import WireFormats

/// The checks of documents that the schemas allow and the service does not, by kind of configuration.
extension OSSDocumentKind {
    /// The resource group of a bucket that has no other one.
    static let defaultResourceGroup = "rg-acfmy7mo47b3adq"

    /// (OSS API Reference, "PutBucketEncryption".)
    static let checkEncryption: Check = { element, _, _ throws(OSSError) in
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
        // Other methods have no data encryption algorithm, so it is not stored.
        return algorithm == "KMS" ? element : element.without("KMSDataEncryption")
    }

    /// Checks that an enabled TLS configuration lists versions.
    static let checkHTTPS: Check = { element, _, _ throws(OSSError) in
        if let tls = element.child("TLS"), tls.child("Enable")?.text.trimmed == "true", tls.child("TLSVersion") == nil {
            throw OSSError(.malformedXML)
        }
        return element.withoutRepeatedVersions
    }

    /// Logs go to a bucket of the same owner in the same region. (OSS API Reference, "PutBucketLogging".)
    static let checkLogging: Check = { element, bucket, request throws(OSSError) in
        guard let rule = element.child("LoggingEnabled"), let target = rule.child("TargetBucket")?.text else { return element }
        guard let found = request.objects.bucket(named: target, for: .alibaba) else {
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
        return element
    }

    /// (OSS API Reference, "PutBucketObjectWormConfiguration".)
    static let checkObjectWorm: Check = { element, bucket, _ throws(OSSError) in
        guard bucket.configuration.versioning == .enabled else {
            throw OSSError(.invalidBucketState, "Object WORM needs a bucket whose versioning is enabled.")
        }
        guard let retention = element.child("Rule")?.child("DefaultRetention") else { return element }
        let (days, years) = (retention.integer("Days"), retention.integer("Years"))
        guard (days == nil) != (years == nil), (1...36_500).contains(days ?? 1), (1...100).contains(years ?? 1) else {
            throw OSSError(.malformedXML)
        }
        return element
    }

    /// An empty group is the standard one. (OSS API Reference, "PutBucketResourceGroup".)
    static let checkResourceGroup: Check = { element, _, _ throws(OSSError) in
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

    /// Checks the capacity; -1 means no limit.
    static let checkStorageCapacity: Check = { element, _, _ throws(OSSError) in
        let text = element.child("StorageCapacity")?.text.trimmed ?? ""
        guard Int64(decimal: text).map({ $0 >= -1 }) == true else {
            throw .invalidArgument("The StorageCapacity is invalid.", name: "StorageCapacity", value: text)
        }
        return element
    }

    /// Adds the default of `AllowTruncateQueryString` to a document without it.
    static let checkReferer: Check = { element, _, _ in
        guard element.child("AllowTruncateQueryString") == nil else { return element }
        var copy = element
        copy.content.append(.element(XMLElement("AllowTruncateQueryString", in: "", text: "true")))
        return copy
    }

    static let checkWebsite: Check = { element, _, _ throws(OSSError) in
        try OSSWebsite.check(element)
        return element.withMirroredQueries
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

    /// Returns the element without repeated `TLSVersion` elements.
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
