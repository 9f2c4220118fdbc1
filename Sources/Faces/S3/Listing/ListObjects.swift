import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    /// ListObjects, version 1.
    func listObjects(_ name: String) async throws(S3Error) -> Response {
        let (bucket, input) = try listed(name, by: .listBucket, ListObjectsInput.self)
        let parameters = input.parameters
        await objects.listingTurns.take()
        defer { objects.listingTurns.end() }
        let page = try await page(parameters, after: input.after, in: bucket)
        return answer(.ok, bucket.regionField, root: "ListBucketResult", capacity: ListingParameters.roughSize(page.entries.count)) { xml in
            xml.element("Name", bucket.name)
            // Unlike the other members in version 1, the prefix is not URL-encoded, because SDKs do not decode it.
            xml.element("Prefix", parameters.prefix)
            xml.element("Marker", parameters.spelled(input.marker))
            // Without a delimiter the last key serves, which the client has.
            if page.isTruncated, parameters.delimiter != nil, let last = page.last {
                xml.element("NextMarker", parameters.spelled(last))
            }
            encode(page, parameters, in: bucket, showsOwner: showsOwners, into: &xml)
        }
    }

    func listObjectsV2(_ name: String) async throws(S3Error) -> Response {
        let (bucket, input) = try listed(name, by: .listBucket, ListObjectsV2Input.self)
        let parameters = input.parameters
        await objects.listingTurns.take()
        defer { objects.listingTurns.end() }
        let page = try await page(parameters, after: input.after, in: bucket)
        let showsOwner = input.fetchesOwners && showsOwners
        return answer(.ok, bucket.regionField, root: "ListBucketResult", capacity: ListingParameters.roughSize(page.entries.count)) { xml in
            xml.element("Name", bucket.name)
            xml.element("Prefix", parameters.spelled(parameters.prefix))
            // With a token, the page does not begin at `start-after`.
            if let startAfter = input.startAfter, input.token == nil || dialect == .ceph {
                xml.element("StartAfter", parameters.spelled(startAfter))
            }
            if let token = input.token { xml.element("ContinuationToken", token) }
            if page.isTruncated, let last = page.last {
                xml.element("NextContinuationToken", ContinuationToken.token(after: last))
            }
            xml.element("KeyCount", page.entries.count)
            encode(page, parameters, in: bucket, showsOwner: showsOwner, into: &xml)
        }
    }

    private func page(
        _ parameters: ListingParameters, after: String?, in bucket: Bucket
    ) async throws(S3Error) -> ListPage {
        do {
            return try await objects.list(parameters.objects(after: after), in: bucket.id)
        } catch {
            throw S3Error(error, bucket: bucket.name)
        }
    }

    /// Writes the members that both versions share, keys before common prefixes.
    private func encode(
        _ page: ListPage, _ parameters: ListingParameters, in bucket: Bucket, showsOwner: Bool, into xml: inout XMLWriter
    ) {
        parameters.encodeLimits(isTruncated: page.isTruncated, absent: .leftOut, into: &xml)
        var owners: [String: CanonicalUser] = [:]
        for case .object(let object) in page.entries {
            xml.element("Contents") { xml in
                xml.element("Key", parameters.spelled(object.key))
                xml.element("LastModified", wholeSecondsOf: clock.effective(object.modified))
                object.entityTag.encode(as: "ETag", into: &xml)
                let checksums = object.checksums.shown
                for checksum in checksums { xml.element("ChecksumAlgorithm", checksum.algorithm.name) }
                if let checksum = checksums.first { xml.element("ChecksumType", checksum.coverage.name) }
                xml.element("Size", object.size)
                if showsOwner {
                    let owner =
                        owners[object.owner]
                        ?? canonicalUser(bucket.shownOwner(object.owner))
                    owners[object.owner] = owner
                    owner.encode(as: "Owner", into: &xml)
                }
                xml.element("StorageClass", object.storageClass ?? StorageClass.standard.rawValue)
            }
        }
        parameters.encode(commonPrefixes: page.commonPrefixes, into: &xml)
    }
}
