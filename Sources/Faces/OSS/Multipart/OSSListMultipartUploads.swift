import Calls
import Cloud
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    /// ListMultipartUploads. The response contains the next markers even if it is complete.
    func listMultipartUploads(_ bucket: Bucket) async throws(OSSError) -> Response {
        try authorize(.listMultipartUploads, on: bucket)
        let input = try input(ListMultipartUploadsInput.self)
        let (parameters, keyMarker, idMarker) = (input.parameters, input.keyMarker, input.idMarker)
        let page: UploadPage
        do {
            page = try await objects.uploads(parameters.uploads(afterKey: keyMarker, id: idMarker), in: bucket.id)
        } catch {
            throw OSSError(error, bucket: bucket.name)
        }
        return answer(root: "ListMultipartUploadsResult", capacity: ListingParameters.roughSize(page.entries.count)) { xml in
            xml.element("Bucket", bucket.name)
            parameters.encodeUploads(
                page, keyMarker: keyMarker, idMarker: idMarker, nextKey: page.lastKey, showsPrefix: true, absent: .empty, into: &xml
            ) { upload, xml in
                xml.element("StorageClass", OSSStorageClass(stored: upload.attributes.storageClass).rawValue)
                xml.element("Initiated", clock.effective(upload.initiated).ossText)
            }
        }
    }
}
