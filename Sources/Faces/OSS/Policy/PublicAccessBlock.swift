import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

/// The operations on the public access block of a bucket and of the account. (OSS User Guide, "Block public access".)
extension OSSRequest {
    private static let publicAccessBlock = "PublicAccessBlockConfiguration"

    func getPublicAccessBlock(_ bucket: Bucket) throws(OSSError) -> Response {
        try authorize(.getBucketPublicAccessBlock, on: bucket)
        return answer(root: Self.publicAccessBlock) { xml in
            xml.element("BlockPublicAccess", bucket.configuration.documents[.ossPublicAccessBlock] == "true")
        }
    }

    func putPublicAccessBlock(_ bucket: Bucket) async throws -> Response {
        try authorize(.putBucketPublicAccessBlock, on: bucket)
        try await store(try await blocked() ? "true" : "false", as: .ossPublicAccessBlock, in: bucket)
        return answer()
    }

    func deletePublicAccessBlock(_ bucket: Bucket) async throws(OSSError) -> Response {
        try authorize(.deleteBucketPublicAccessBlock, on: bucket)
        try await store("false", as: .ossPublicAccessBlock, in: bucket)
        return answer(.noContent)
    }

    /// GetPublicAccessBlock.
    func getAccountPublicAccessBlock() throws(OSSError) -> Response {
        try authorize(.getPublicAccessBlock, onService: "*")
        let account = caller.account.flatMap { call.cloud.directory.accounts[$0] }
        return answer(root: Self.publicAccessBlock) { xml in xml.element("BlockPublicAccess", account?.blocksPublicAccess == true) }
    }

    /// PutPublicAccessBlock.
    func putAccountPublicAccessBlock() async throws -> Response {
        try authorize(.putPublicAccessBlock, onService: "*")
        try await set(publicAccessBlock: try await blocked())
        return answer()
    }

    /// DeletePublicAccessBlock.
    func deleteAccountPublicAccessBlock() async throws -> Response {
        try authorize(.deletePublicAccessBlock, onService: "*")
        try await set(publicAccessBlock: nil)
        return answer(.noContent)
    }

    private func set(publicAccessBlock blocks: Bool?) async throws {
        guard let id = caller.account else { throw Self.anonymousForbidden }
        try await call.cloud.edit { directory in
            guard var account = directory.accounts[id] else { return }
            account.blocksPublicAccess = blocks
            directory.put(.account(account))
        }
    }

    /// Returns the setting in the document.
    /// - Throws: `MalformedXML`.
    private func blocked() async throws -> Bool {
        let element = try await xmlDocument(Self.publicAccessBlock, holding: [.init("BlockPublicAccess", .boolean)])
        return element.child("BlockPublicAccess")?.text.trimmed == "true"
    }
}
