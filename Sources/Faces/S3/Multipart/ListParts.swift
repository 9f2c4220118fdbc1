import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    func listParts(_ address: ObjectAddress) async throws(S3Error) -> Response {
        let bucket = try bucket(address.bucket)
        try authorize(.listMultipartUploadParts, on: bucket, key: address.key)
        let upload = try upload(try input(UploadInput.self).uploadID, of: address.key, in: bucket)
        let input = try input(ListPartsInput.self)
        let parts: [StoredPart]
        let isTruncated: Bool
        do { (parts, isTruncated) = try await objects.parts(of: upload, after: input.marker, limit: input.limit) } catch {
            throw S3Error(error, bucket: bucket.name, key: address.key, uploadID: upload.id)
        }
        let owner = canonicalUser(bucket.shownOwner(upload.owner))
        var fields = HTTPFields()
        try appendAbortDate(of: upload, in: bucket, to: &fields)
        return answer(.ok, fields, root: "ListPartsResult") { xml in
            xml.element("Bucket", bucket.name)
            if input.encoding != .plain { xml.element("EncodingType", input.encodingName) }
            xml.element("Key", input.encoding.encoded(address.key))
            xml.element("UploadId", upload.id)
            initiator(of: upload, in: bucket).encode(as: "Initiator", into: &xml)
            owner.encode(as: "Owner", into: &xml)
            xml.element("StorageClass", upload.attributes.storageClass ?? StorageClass.standard.rawValue)
            xml.element("PartNumberMarker", input.marker)
            xml.element("NextPartNumberMarker", parts.last?.number ?? 0)
            xml.element("MaxParts", input.limit)
            xml.element("IsTruncated", isTruncated)
            if let algorithm = upload.checksumAlgorithm {
                xml.element("ChecksumAlgorithm", algorithm.name)
                xml.element("ChecksumType", upload.checksumCoverage.name)
            }
            for part in parts { encode(part, of: upload, into: &xml) }
        }
    }

    private func encode(_ part: StoredPart, of upload: MultipartUpload, into xml: inout XMLWriter) {
        xml.element("Part") { xml in
            xml.element("PartNumber", part.number)
            xml.element("LastModified", clock.effective(part.modified).iso8601WholeSeconds)
            xml.element("ETag", EntityTag(md5: part.md5).quoted)
            xml.element("Size", part.size)
            guard upload.checksumAlgorithm != nil else { return }
            for checksum in part.checksums.shown { xml.element(checksum.algorithm.element, checksum.bytes.base64) }
        }
    }
}
