import Calls
import Cloud
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    /// ListObjectVersions. Lists versions and delete markers in the order of keys, the newest of each key first.
    func listObjectVersions(_ bucket: Bucket) async throws(OSSError) -> Response {
        try authorize(.listObjectVersions, on: bucket)
        let input = try input(ListObjectVersionsInput.self)
        let (parameters, keyMarker) = (input.parameters, input.keyMarker)
        await objects.listingTurns.take()
        defer { objects.listingTurns.end() }
        let page: VersionPage
        do {
            page = try await objects.listVersions(parameters.versions(afterKey: keyMarker, input.after), in: bucket.id)
        } catch {
            throw OSSError(error, bucket: bucket.name)
        }
        return answer(root: "ListVersionsResult", capacity: ListingParameters.roughSize(page.entries.count)) { xml in
            xml.element("Name", bucket.name)
            xml.element("Prefix", parameters.spelled(parameters.prefix))
            xml.element("KeyMarker", parameters.spelled(keyMarker))
            xml.element("VersionIdMarker", input.versionMarker)
            parameters.encodeLimits(isTruncated: page.isTruncated, absent: .empty, into: &xml)
            if page.isTruncated, let key = page.lastKey {
                xml.element("NextKeyMarker", parameters.spelled(key))
                xml.element("NextVersionIdMarker", page.lastVersion.map { OSSVersionID.text($0, of: key) } ?? "")
            }
            encode(page, parameters, in: bucket, into: &xml)
        }
    }

    private func encode(_ page: VersionPage, _ parameters: ListingParameters, in bucket: Bucket, into xml: inout XMLWriter) {
        for entry in page.entries {
            let (root, listed): (String, ListedVersion)
            switch entry {
            case .version(let version): (root, listed) = ("Version", version)
            case .deleteMarker(let marker): (root, listed) = ("DeleteMarker", marker)
            case .commonPrefix: continue
            }
            xml.element(root) { xml in
                xml.element("Key", parameters.spelled(listed.object.key))
                xml.element("VersionId", OSSVersionID.text(listed.version, of: listed.object.key))
                xml.element("IsLatest", listed.isLatest)
                if root == "Version" {
                    encodeMembers(of: listed.object, into: &xml)
                } else {
                    xml.element("LastModified", clock.effective(listed.object.modified).ossText)
                }
                encodeOwner(bucket.account, into: &xml)
            }
        }
        parameters.encode(commonPrefixes: page.commonPrefixes, into: &xml)
    }
}
