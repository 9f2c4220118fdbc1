import Calls
import Cloud
import Federation
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    func listMultipartUploads(_ name: String) async throws(S3Error) -> Response {
        let bucket = try bucket(name)
        try authorize(.listBucketMultipartUploads, on: bucket)
        let input = try input(ListMultipartUploadsInput.self)
        let (parameters, keyMarker, idMarker) = (input.parameters, input.keyMarker, input.idMarker)
        if !idMarker.isEmpty {
            let marked: MultipartUpload?
            do { marked = try objects.upload(idMarker, of: parameters.place(of: keyMarker), in: bucket.id) } catch {
                throw S3Error(error, bucket: bucket.name)
            }
            guard marked != nil else {
                throw .invalidArgument("Invalid uploadId marker", name: "upload-id-marker", value: idMarker)
            }
        }
        let page: UploadPage
        do {
            page = try await objects.uploads(parameters.uploads(afterKey: parameters.place(of: keyMarker), id: idMarker), in: bucket.id)
        } catch {
            throw S3Error(error, bucket: bucket.name)
        }
        // AWS returns no next marker if the page ends with a common prefix; Ceph does if the listing is truncated.
        let namesLast = page.lastID != nil || page.isTruncated && dialect == .ceph
        return answer(root: "ListMultipartUploadsResult") { xml in
            xml.element("Bucket", bucket.name)
            parameters.encodeUploads(
                page, keyMarker: keyMarker, idMarker: idMarker, nextKey: namesLast ? page.lastKey : nil,
                showsPrefix: input.namesPrefix, absent: .leftOut, into: &xml
            ) { upload, xml in
                initiator(of: upload, in: bucket).encode(as: "Initiator", into: &xml)
                canonicalUser(bucket.shownOwner(upload.owner)).encode(as: "Owner", into: &xml)
                xml.element("StorageClass", upload.attributes.storageClass ?? StorageClass.standard.rawValue)
                xml.element("Initiated", clock.effective(upload.initiated).iso8601WholeSeconds)
                if let algorithm = upload.checksumAlgorithm {
                    xml.element("ChecksumAlgorithm", algorithm.name)
                    xml.element("ChecksumType", upload.checksumCoverage.name)
                }
            }
        }
    }
}
