import Calls
import Cloud
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    /// ListObjectVersions. Lists versions and delete markers in the order of keys, the newest of each key first.
    func listObjectVersions(_ name: String) async throws(S3Error) -> Response {
        let (bucket, input) = try listed(name, by: .listBucketVersions, ListObjectVersionsInput.self)
        let parameters = input.parameters
        await objects.listingTurns.take()
        defer { objects.listingTurns.end() }
        let page: VersionPage
        do {
            var query = parameters.versions(afterKey: parameters.place(of: input.keyMarker), input.after)
            if input.isPastEnd { query.limit = 0 }
            page = try await objects.listVersions(query, in: bucket.id)
        } catch {
            throw S3Error(error, bucket: bucket.name)
        }
        return answer(root: "ListVersionsResult", capacity: ListingParameters.roughSize(page.entries.count)) { xml in
            xml.element("Name", bucket.name)
            xml.element("Prefix", parameters.spelled(parameters.prefix))
            xml.element("KeyMarker", parameters.spelled(input.keyMarker))
            xml.element("VersionIdMarker", input.versionMarker)
            if page.isTruncated, let key = page.lastKey {
                xml.element("NextKeyMarker", parameters.spelled(key))
                if let version = page.lastVersion {
                    xml.element("NextVersionIdMarker", VersionID.text(version, of: key))
                }
            }
            parameters.encodeLimits(isTruncated: page.isTruncated, absent: input.namesDelimiter ? .empty : .leftOut, into: &xml)
            encode(page, parameters, in: bucket, into: &xml)
        }
    }

    private func encode(_ page: VersionPage, _ parameters: ListingParameters, in bucket: Bucket, into xml: inout XMLWriter) {
        var owners: [String: CanonicalUser] = [:]
        let showsOwner = showsOwners
        for entry in page.entries {
            switch entry {
            case .version(let version):
                xml.element("Version") { xml in
                    let object = version.object
                    xml.element("Key", parameters.spelled(object.key))
                    xml.element("VersionId", VersionID.text(version.version, of: object.key))
                    xml.element("IsLatest", version.isLatest)
                    xml.element("LastModified", wholeSecondsOf: clock.effective(object.modified))
                    object.entityTag.encode(as: "ETag", into: &xml)
                    let checksums = object.checksums.shown
                    for checksum in checksums { xml.element("ChecksumAlgorithm", checksum.algorithm.name) }
                    if let checksum = checksums.first { xml.element("ChecksumType", checksum.coverage.name) }
                    xml.element("Size", object.size)
                    xml.element("StorageClass", object.storageClass ?? StorageClass.standard.rawValue)
                    if showsOwner { owner(bucket.shownOwner(object.owner), &owners).encode(as: "Owner", into: &xml) }
                }
            case .deleteMarker(let marker):
                xml.element("DeleteMarker") { xml in
                    xml.element("Key", parameters.spelled(marker.object.key))
                    xml.element("VersionId", VersionID.text(marker.version, of: marker.object.key))
                    xml.element("IsLatest", marker.isLatest)
                    xml.element("LastModified", wholeSecondsOf: clock.effective(marker.object.modified))
                    if showsOwner { owner(bucket.shownOwner(marker.object.owner), &owners).encode(as: "Owner", into: &xml) }
                }
            case .commonPrefix: break
            }
        }
        parameters.encode(commonPrefixes: page.commonPrefixes, into: &xml)
    }

    private func owner(_ account: String, _ known: inout [String: CanonicalUser]) -> CanonicalUser {
        if let owner = known[account] { return owner }
        let owner = canonicalUser(account)
        known[account] = owner
        return owner
    }
}
