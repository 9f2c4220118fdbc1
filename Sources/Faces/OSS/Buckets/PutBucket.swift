import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import Policy
import WireFormats

/// The document that PutBucket may carry. (OSS API Reference, "PutBucket", CreateBucketConfiguration.)
private struct OSSBucketConfiguration {
    var storageClass = OSSStorageClass.standard
    var redundancy = "LRS"

    init() {}

    /// Parses the document.
    /// - Throws: `MalformedXML`, `InvalidStorageClass`, `InvalidArgument`.
    init(_ element: XMLElement) throws(OSSError) {
        for child in element.children {
            switch child.name {
            case "StorageClass":
                guard let named = OSSStorageClass(rawValue: child.text) else { throw OSSError(.invalidStorageClass) }
                storageClass = named
            case "DataRedundancyType":
                guard ["LRS", "ZRS"].contains(child.text) else {
                    throw .invalidArgument("DataRedundancyType is invalid.", name: "DataRedundancyType", value: child.text)
                }
                redundancy = child.text
            default: throw OSSError(.malformedXML)
            }
        }
    }
}

extension OSSRequest {
    private static let creationLimit = 64 << 10
    /// The maximum number of buckets of one account in one region. (OSS documentation, "Limits".)
    private static let mostBuckets = 100
    private static let defaultRegion = "cn-hangzhou"

    /// PutBucket. The owner may repeat it, which changes the bucket's ACL.
    func createBucket(_ name: String) async throws -> Response {
        guard let account = caller.account else { throw Self.anonymousForbidden }
        let region = newRegion
        let input = try input(PutBucketInput.self)
        // The list is a condition key of a request that makes a bucket.
        let keys: [OperationKey] = input.accessName.map { [("oss:x-oss-acl", $0)] } ?? []
        try authorize(.putBucket, onService: name, region: "oss-\(region)", keys: keys)
        let access = try input.access?.get()
        let body = try await document(upTo: Self.creationLimit)
        let asked = try Self.configuration(in: body)
        let configuration = try newConfiguration(asked, input, access ?? .private, account)
        if let found = objects.bucket(named: name) {
            guard let bucket = found.shown(by: .alibaba), bucket.account == account else {
                throw OSSError(.bucketAlreadyExists, nil, ["BucketName": name])
            }
            try await repeatCreation(of: bucket, access)
        } else {
            guard objects.buckets(of: account).lazy.filter({ $0.region == region }).count < Self.mostBuckets else {
                throw OSSError(.tooManyBuckets)
            }
            do {
                _ = try await objects.createBucket(
                    named: name, account: account, region: region, created: clock.now, configuration: configuration)
            } catch {
                // A concurrent request has created the bucket; this is an error unless it had the same account.
                guard case .bucketExists(let owner) = error, owner == account else { throw OSSError(error, bucket: name) }
            }
        }
        return answer(.ok, [.location: "/\(name)"])
    }

    /// Where the bucket is to be: the region that the host names, or that the request is signed for.
    private var newRegion: String {
        let labels = call.host.split(separator: ".")
        for label in labels where label.hasPrefix("oss-") && !label.hasPrefix("oss-accelerate") {
            let region = label.dropFirst("oss-".count)
            return String(region.hasSuffix("-internal") ? region.dropLast("-internal".count) : region)
        }
        guard let region = authenticated?.region, !region.isEmpty else { return Self.defaultRegion }
        return region
    }

    private static func configuration(in body: [UInt8]) throws(OSSError) -> OSSBucketConfiguration {
        guard !body.isEmpty else { return OSSBucketConfiguration() }
        guard let element = try? XMLElement(parsing: body), element.name == "CreateBucketConfiguration" else {
            throw OSSError(.malformedXML)
        }
        return try OSSBucketConfiguration(element)
    }

    private func newConfiguration(
        _ asked: OSSBucketConfiguration, _ input: PutBucketInput, _ access: OSSBucketAccess, _ account: String
    ) throws(OSSError) -> BucketConfiguration {
        var configuration = BucketConfiguration()
        if access != .private, call.cloud.directory.accounts[account]?.blocksPublicAccess == true { throw Self.publicACLBlocked }
        configuration.accessControl = access.list(owner: account)
        if asked.storageClass != .standard { configuration.documents[.ossStorageClass] = asked.storageClass.rawValue }
        if asked.redundancy != "LRS" { configuration.documents[.ossDataRedundancy] = asked.redundancy }
        configuration.documents[.ossEncryption] = try newEncryption(input.encryption)
        let group = input.resourceGroup
        if !group.isEmpty {
            var xml = XMLWriter()
            xml.element("BucketResourceGroupConfiguration") { xml in xml.element("ResourceGroupId", group) }
            configuration.documents[.ossResourceGroup] = String(decoding: xml.bytes, as: UTF8.self)
        }
        return configuration
    }

    /// Returns the encryption document of the new bucket in the form of PutBucketEncryption; `nil` if the request specifies none.
    /// (OSS API Reference, "PutBucket", `x-oss-server-side-encryption`.)
    private func newEncryption(_ fields: OSSEncryptionFields) throws(OSSError) -> String? {
        guard let name = fields.method else { return nil }
        guard ["AES256", "KMS", "SM4"].contains(name) else { throw OSSError(.invalidEncryptionAlgorithmError) }
        let isKeyService = name == "KMS"
        var xml = XMLWriter()
        xml.element("ServerSideEncryptionRule") { xml in
            xml.element("ApplyServerSideEncryptionByDefault") { xml in
                xml.element("SSEAlgorithm", name)
                if isKeyService, let keyID = fields.keyID { xml.element("KMSMasterKeyID", keyID) }
                if isKeyService, fields.dataCipher == "SM4" { xml.element("KMSDataEncryption", "SM4") }
            }
        }
        return String(decoding: xml.bytes, as: UTF8.self)
    }

    /// Repeats the creation of an existing bucket. Only the ACL in the header, if any, is changed.
    private func repeatCreation(of bucket: Bucket, _ access: OSSBucketAccess?) async throws(OSSError) {
        guard let access else { return }
        try await set(access, of: bucket)
    }
}
