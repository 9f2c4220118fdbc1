import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension PublicAccessBlock {
    /// The members of the document, in the order in which S3 writes them.
    private static let members: [(name: String, flag: PublicAccessBlock)] = [
        ("BlockPublicAcls", .blocksPublicACLs), ("IgnorePublicAcls", .ignoresPublicACLs),
        ("BlockPublicPolicy", .blocksPublicPolicy), ("RestrictPublicBuckets", .restrictsPublicBuckets),
    ]

    private static let schema = members.map { DocumentSchema.Member($0.name, .boolean, .optional) }

    /// Parses the document. Absent members are false.
    /// - Throws: `MalformedXML`, `InvalidRequest`.
    init(_ element: XMLElement) throws(S3Error) {
        let element = try DocumentSchema.withLowercaseBooleans(element, .members(Self.schema)).holding(Self.schema)
        guard !element.children.isEmpty else {
            throw S3Error(.invalidRequest, "Must specify at least one configuration.")
        }
        self = []
        for member in Self.members where element.child(member.name)?.text == "true" { insert(member.flag) }
    }

    fileprivate func encode(into xml: inout XMLWriter) {
        for member in Self.members { xml.element(member.name, contains(member.flag)) }
    }
}

extension S3Request {
    private static let blockLimit = 4 << 10

    func getPublicAccessBlock(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.getBucketPublicAccessBlock, on: bucket)
        guard let block = bucket.configuration.publicAccessBlock else {
            throw S3Error(.noSuchPublicAccessBlock, nil, ["BucketName": name])
        }
        return answer(root: "PublicAccessBlockConfiguration") { xml in block.encode(into: &xml) }
    }

    func putPublicAccessBlock(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putBucketPublicAccessBlock, on: bucket)
        let block = try PublicAccessBlock(
            try xml("PublicAccessBlockConfiguration", try await document(upTo: Self.blockLimit, try declaredBody())))
        try await configure(bucket) { $0.publicAccessBlock = block }
        return answer(.ok)
    }

    /// DeletePublicAccessBlock. Succeeds even if there is no block.
    func deletePublicAccessBlock(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putBucketPublicAccessBlock, on: bucket)
        try await configure(bucket) { $0.publicAccessBlock = nil }
        return answer(.noContent)
    }

    func getBucketPolicyStatus(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.getBucketPolicyStatus, on: bucket)
        if bucket.policy == nil, dialect == .aws { throw S3Error(.noSuchBucketPolicy, nil, ["BucketName": name]) }
        let access = try rules(of: bucket).access { call.cloud.directory }
        let isPublic = access.isPolicyPublic || dialect == .ceph && bucket.listInForce?.isPublic == true
        return answer(root: "PolicyStatus") { xml in xml.element("IsPublic", isPublic) }
    }
}
