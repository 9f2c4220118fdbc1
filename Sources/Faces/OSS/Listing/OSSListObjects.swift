import Calls
import Cloud
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    /// GetBucket (ListObjects).
    func listObjects(_ bucket: Bucket) async throws(OSSError) -> Response {
        try authorize(.listObjects, on: bucket)
        let input = try input(ListObjectsInput.self)
        let (parameters, marker) = (input.parameters, input.marker)
        await objects.listingTurns.take()
        defer { objects.listingTurns.end() }
        let page = try await page(parameters, after: marker, in: bucket)
        return answer(root: "ListBucketResult", capacity: ListingParameters.roughSize(page.entries.count)) { xml in
            xml.element("Name", bucket.name)
            xml.element("Prefix", parameters.spelled(parameters.prefix))
            xml.element("Marker", parameters.spelled(marker))
            parameters.encodeLimits(isTruncated: page.isTruncated, absent: .empty, into: &xml)
            if page.isTruncated, let last = page.last { xml.element("NextMarker", parameters.spelled(last)) }
            encode(page, parameters, in: bucket, showsOwner: true, into: &xml)
        }
    }

    /// ListObjectsV2 (GetBucketV2).
    func listObjectsV2(_ bucket: Bucket) async throws(OSSError) -> Response {
        try authorize(.listObjects, on: bucket)
        let input = try input(ListObjectsV2Input.self)
        let (parameters, startAfter, token) = (input.parameters, input.startAfter, input.token)
        await objects.listingTurns.take()
        defer { objects.listingTurns.end() }
        let page = try await page(parameters, after: input.after, in: bucket)
        return answer(root: "ListBucketResult", capacity: ListingParameters.roughSize(page.entries.count)) { xml in
            xml.element("Name", bucket.name)
            xml.element("Prefix", parameters.spelled(parameters.prefix))
            if !startAfter.isEmpty { xml.element("StartAfter", parameters.spelled(startAfter)) }
            parameters.encodeLimits(isTruncated: page.isTruncated, absent: .empty, into: &xml)
            if !token.isEmpty { xml.element("ContinuationToken", token) }
            if page.isTruncated, let last = page.last {
                xml.element("NextContinuationToken", ContinuationToken.token(after: last))
            }
            xml.element("KeyCount", page.entries.count)
            encode(page, parameters, in: bucket, showsOwner: input.fetchesOwners, into: &xml)
        }
    }

    /// - Parameter after: the key that the page begins after; empty for the first page.
    private func page(_ parameters: ListingParameters, after: String, in bucket: Bucket) async throws(OSSError) -> ListPage {
        do {
            return try await objects.list(parameters.objects(after: after.isEmpty ? nil : after), in: bucket.id)
        } catch {
            throw OSSError(error, bucket: bucket.name)
        }
    }

    /// Writes the members that both versions share, keys before common prefixes.
    private func encode(
        _ page: ListPage, _ parameters: ListingParameters, in bucket: Bucket, showsOwner: Bool, into xml: inout XMLWriter
    ) {
        for case .object(let object) in page.entries {
            xml.element("Contents") { xml in
                xml.element("Key", parameters.spelled(object.key))
                encodeMembers(of: object, into: &xml)
                if showsOwner { encodeOwner(bucket.account, into: &xml) }
            }
        }
        parameters.encode(commonPrefixes: page.commonPrefixes, into: &xml)
    }

    /// Writes the properties of an object in listings, except key and owner.
    func encodeMembers(of object: ListedObject, into xml: inout XMLWriter) {
        xml.element("LastModified", clock.effective(object.modified).ossText)
        xml.element("ETag", object.entityTag.ossQuoted)
        xml.element("Type", OSSObjectType(object.kind, object.entityTag).rawValue)
        xml.element("Size", object.size)
        xml.element("StorageClass", OSSStorageClass(stored: object.storageClass).rawValue)
        if let text = object.restoration?.ossHeader(by: clock) { xml.element("RestoreInfo", text) }
    }
}
