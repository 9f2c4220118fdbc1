import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

/// The operations on configurations of which a bucket can have many. They are stored and returned; no reports are generated.
extension S3Request {
    /// The number of configurations in one page of a listing.
    private static let pageSize = 100

    /// GetBucket…Configuration, ListBucket…Configurations, PutBucket…Configuration, DeleteBucket…Configuration.
    func perform(_ operation: ConfigurationOperation, on name: String) async throws -> Response {
        let bucket = try bucket(name)
        let kind = operation.kind
        switch operation.verb {
        case .get, .list: try authorize(kind.descriptor.actions.get, on: bucket)
        case .put, .delete: try authorize(kind.descriptor.actions.put, on: bucket)
        }
        switch operation.verb {
        case .get: return try getConfiguration(kind, bucket)
        case .list: return try listConfigurations(kind, bucket)
        case .put: return try await putConfiguration(kind, bucket)
        case .delete: return try await deleteConfiguration(kind, bucket)
        }
    }

    private func getConfiguration(_ kind: ConfigurationKind, _ bucket: Bucket) throws(S3Error) -> Response {
        let id = try input(ConfigurationInput.self).id
        guard let element = try configurations(kind, of: bucket).byID[id] else { throw S3Error(.noSuchConfiguration) }
        return answer(root: kind.descriptor.root) { xml in for child in element.children { child.encode(into: &xml) } }
    }

    private func listConfigurations(_ kind: ConfigurationKind, _ bucket: Bucket) throws(S3Error) -> Response {
        let input = try input(ListConfigurationsInput.self)
        let all = try configurations(kind, of: bucket).sorted
        var rest = all[...]
        if let last = input.after {
            rest = rest.drop { !last.utf8.lexicographicallyPrecedes($0.id.utf8) }
        }
        let page = rest.prefix(Self.pageSize)
        return answer(root: kind.descriptor.listRoot) { xml in
            if let token = input.token { xml.element("ContinuationToken", token) }
            for (_, element) in page { element.encode(into: &xml) }
            xml.element("IsTruncated", page.count < rest.count)
            if page.count < rest.count, let last = page.last {
                xml.element("NextContinuationToken", ContinuationToken.token(after: last.id))
            }
        }
    }

    private func putConfiguration(_ kind: ConfigurationKind, _ bucket: Bucket) async throws -> Response {
        let id = try input(ConfigurationInput.self).id
        let element = try await configurationDocument(kind.descriptor.root, needsDigest: false)
        guard DocumentSchema.holds(element, .members(kind.descriptor.schema)) else { throw S3Error(.malformedXML) }
        try kind.check(element, id: id)
        try configurations(kind, of: bucket).checkRoom(for: id)
        try await change(kind, of: bucket) { $0.byID[id] = element }
        return answer(.noContent)
    }

    private func deleteConfiguration(_ kind: ConfigurationKind, _ bucket: Bucket) async throws(S3Error) -> Response {
        let id = try input(ConfigurationInput.self).id
        guard try configurations(kind, of: bucket).byID[id] != nil else { throw S3Error(.noSuchConfiguration) }
        try await change(kind, of: bucket) { $0.byID[id] = nil }
        return answer(.noContent)
    }

    private func configurations(_ kind: ConfigurationKind, of bucket: Bucket) throws(S3Error) -> IdentifiedConfigurations {
        try bucket.document(kind.descriptor.document) { try IdentifiedConfigurations(stored: $0) } ?? IdentifiedConfigurations()
    }

    private func change(
        _ kind: ConfigurationKind, of bucket: Bucket, _ change: @escaping @Sendable (inout IdentifiedConfigurations) -> Void
    ) async throws(S3Error) {
        do {
            try await objects.configure(bucket.id) { configuration throws(ObjectStoreError) in
                var all: IdentifiedConfigurations
                do { all = try IdentifiedConfigurations(of: kind, in: configuration) } catch { throw ObjectStoreError(error) }
                change(&all)
                configuration.documents[kind.descriptor.document] = all.text
            }
        } catch {
            throw S3Error(error, bucket: bucket.name)
        }
    }
}

extension ConfigurationKind {
    /// Rejects values that the schema allows and S3 does not.
    /// - Parameter id: the identifier in the query.
    /// - Throws: `MalformedXML` or `IdMismatch` for an identifier other than the query's, `InvalidS3DestinationBucket`, `InvalidArgument`.
    fileprivate func check(_ element: XMLElement, id: String) throws(S3Error) {
        guard element.child("Id")?.text == id else { throw S3Error(descriptor.mismatch) }
        if self == .intelligentTiering { try Self.checkTierings(element.children(named: "Tiering")) }
        let destination = element.child("Destination") ?? element.child("StorageClassAnalysis")?.child("DataExport")?.child("Destination")
        if let bucket = destination?.child("S3BucketDestination")?.child("Bucket")?.text {
            if bucket.hasPrefix("arn:aws:s3:"), !bucket.hasPrefix("arn:aws:s3:::") {
                throw S3Error(.invalidS3DestinationBucket, "Bucket ARN should not specify a namespace.")
            }
            guard bucket.hasPrefix("arn:aws:s3:::"), isValidBucketName(String(bucket.dropFirst("arn:aws:s3:::".count))) else {
                throw S3Error(.invalidS3DestinationBucket)
            }
        }
    }

    /// Checks the tierings. (S3 API Reference, "Tiering", on `Days`; aws-cloudformation/cfn-lint#3992 for too few. The other messages are
    /// guesses.)
    private static func checkTierings(_ tierings: [XMLElement]) throws(S3Error) {
        var tiers: Set<String> = []
        for tiering in tierings {
            let tier = tiering.child("AccessTier")?.text.trimmed ?? ""
            let days = try tiering.integer(of: "Days") ?? 0
            let least: Int64 = tier == "ARCHIVE_ACCESS" ? 90 : 180
            guard days >= least else {
                throw .invalidArgument(
                    "Days specified in \(tier) tier should not be less than \(least)", name: "Days", value: String(days))
            }
            guard days <= 730 else {
                throw .invalidArgument(
                    "Days specified in \(tier) tier should not be more than 730", name: "Days", value: String(days))
            }
            guard tiers.insert(tier).inserted else {
                throw .invalidArgument("A configuration names an access tier once.", name: "AccessTier", value: tier)
            }
        }
    }
}
