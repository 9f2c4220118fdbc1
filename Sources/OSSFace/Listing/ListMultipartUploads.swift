import Cloud
import Exchange
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    /// Uploads in a page where nobody says.
    private static let standardUploads = 1000

    /// ListMultipartUploads. The place to go on from is named even where there is nothing more.
    func listMultipartUploads(_ bucket: Bucket) async throws(OSSError) -> Response {
        try authorize("oss:ListMultipartUploads", on: bucket)
        let parameters = try ListingParameters(query, limitName: "max-uploads", standard: Self.standardUploads)
        let keyMarker = query["key-marker"] ?? ""
        let idMarker = keyMarker.isEmpty ? "" : query["upload-id-marker"] ?? ""
        let page: UploadPage
        do {
            page = try await objects.uploads(
                UploadQuery(
                    prefix: parameters.prefix, delimiter: parameters.delimiter, afterKey: keyMarker.isEmpty ? nil : keyMarker,
                    afterID: idMarker.isEmpty ? nil : idMarker, limit: parameters.limit),
                in: bucket.id)
        } catch {
            throw OSSError(error, bucket: bucket.name)
        }
        return answer(root: "ListMultipartUploadsResult", capacity: Self.roughSize(ofListing: page.entries.count)) { xml in
            xml.element("Bucket", bucket.name)
            xml.element("KeyMarker", parameters.spelled(keyMarker))
            xml.element("UploadIdMarker", idMarker)
            xml.element("NextKeyMarker", parameters.spelled(page.lastKey ?? ""))
            xml.element("NextUploadIdMarker", page.lastID ?? "")
            xml.element("Delimiter", parameters.spelled(parameters.delimiter ?? ""))
            xml.element("Prefix", parameters.spelled(parameters.prefix))
            if parameters.isEncoded { xml.element("EncodingType", "url") }
            xml.element("MaxUploads", parameters.limit)
            xml.element("IsTruncated", page.isTruncated)
            for case .upload(let upload) in page.entries {
                xml.element("Upload") { xml in
                    xml.element("Key", parameters.spelled(upload.key))
                    xml.element("UploadId", upload.id)
                    xml.element("StorageClass", OSSStorageClass(stored: upload.attributes.storageClass).rawValue)
                    xml.element("Initiated", clock.effective(upload.initiated).ossText)
                }
            }
            for case .commonPrefix(let prefix) in page.entries {
                xml.element("CommonPrefixes") { xml in xml.element("Prefix", parameters.spelled(prefix)) }
            }
        }
    }
}
