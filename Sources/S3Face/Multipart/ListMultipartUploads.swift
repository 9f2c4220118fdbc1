import Cloud
import Exchange
import Federation
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    /// ListMultipartUploads.
    func listMultipartUploads(_ name: String) async throws(S3Error) -> Response {
        let bucket = try bucket(name)
        try authorize(.listBucketMultipartUploads, on: bucket)
        let parameters = try ListingParameters(query, limitName: "max-uploads")
        let keyMarker = query["key-marker"] ?? ""
        let idMarker = keyMarker.isEmpty ? "" : query["upload-id-marker"] ?? ""
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
            page = try await objects.uploads(
                UploadQuery(
                    prefix: parameters.prefix, delimiter: parameters.delimiter,
                    afterKey: keyMarker.isEmpty ? nil : parameters.place(of: keyMarker), afterID: idMarker.isEmpty ? nil : idMarker,
                    limit: parameters.limit),
                in: bucket.id)
        } catch {
            throw S3Error(error, bucket: bucket.name)
        }
        // AWS names no place to go on from after a common prefix; Ceph does where the listing goes on.
        let namesLast = page.lastID != nil || page.isTruncated && dialect == .ceph
        return answer(root: "ListMultipartUploadsResult") { xml in
            xml.element("Bucket", bucket.name)
            xml.element("KeyMarker", parameters.spelled(keyMarker))
            xml.element("UploadIdMarker", idMarker)
            xml.element("NextKeyMarker", namesLast ? parameters.spelled(page.lastKey ?? "") : "")
            xml.element("NextUploadIdMarker", page.lastID ?? "")
            if let delimiter = parameters.delimiter { xml.element("Delimiter", parameters.spelled(delimiter)) }
            if query["prefix"] != nil { xml.element("Prefix", parameters.spelled(parameters.prefix)) }
            if parameters.isEncoded { xml.element("EncodingType", "url") }
            xml.element("MaxUploads", parameters.limit)
            xml.element("IsTruncated", page.isTruncated)
            for case .upload(let upload) in page.entries { encode(upload, parameters, in: bucket, into: &xml) }
            for case .commonPrefix(let prefix) in page.entries {
                xml.element("CommonPrefixes") { xml in xml.element("Prefix", parameters.spelled(prefix)) }
            }
        }
    }

    private func encode(_ upload: MultipartUpload, _ parameters: ListingParameters, in bucket: Bucket, into xml: inout XMLWriter) {
        let owner = canonicalUser(bucket.shownOwner(upload.owner))
        xml.element("Upload") { xml in
            xml.element("Key", parameters.spelled(upload.key))
            xml.element("UploadId", upload.id)
            initiator(of: upload, in: bucket).encode(as: "Initiator", into: &xml)
            owner.encode(as: "Owner", into: &xml)
            xml.element("StorageClass", upload.attributes.storageClass ?? StorageClass.standard.rawValue)
            xml.element("Initiated", clock.effective(upload.initiated).iso8601WholeSeconds)
            if let algorithm = upload.checksumAlgorithm {
                xml.element("ChecksumAlgorithm", algorithm.name)
                xml.element("ChecksumType", upload.checksumCoverage.name)
            }
        }
    }
}
