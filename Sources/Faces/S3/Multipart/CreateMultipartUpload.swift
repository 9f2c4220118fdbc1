import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectStore
import WireFormats

extension S3Request {
    func createMultipartUpload(_ address: ObjectAddress) async throws(S3Error) -> Response {
        let bucket = try bucket(address.bucket)
        try authorize(.putObject, on: bucket, key: address.key)
        try refuseAnonymous("Anonymous users cannot initiate multipart uploads.  Please authenticate.")
        let input = try input(CreateMultipartUploadInput.self)
        let declared = try declaredObject(address.key, input.object, in: bucket)
        if keys != nil { try await useKey(of: declared.properties.encryption, to: .encrypt, address.key, in: bucket) }
        let checksum = try input.checksum.get()
        let upload: MultipartUpload
        do {
            upload = try await objects.createUpload(
                NewUpload(
                    key: address.key, attributes: declared.attributes, owner: declared.owner, initiated: clock.now,
                    checksumAlgorithm: checksum?.algorithm, checksumCoverage: checksum?.coverage ?? .fullObject,
                    properties: declared.properties, initiator: caller.arn),
                in: bucket.id)
        } catch {
            throw S3Error(error, bucket: bucket.name, key: address.key)
        }
        var fields = HTTPFields()
        append(upload.properties.encryption, to: &fields, .written)
        if let checksum {
            fields.append(HTTPField(name: .checksumAlgorithm, value: checksum.algorithm.name))
            fields.append(HTTPField(name: .checksumType, value: checksum.coverage.name))
        }
        try appendAbortDate(of: upload, in: bucket, to: &fields)
        return answer(.ok, fields, root: "InitiateMultipartUploadResult") { xml in
            xml.element("Bucket", bucket.name)
            xml.element("Key", address.key)
            xml.element("UploadId", upload.id)
        }
    }

    /// The upload with this identifier, of this key.
    /// - Throws: `NoSuchUpload`.
    func upload(_ id: String, of key: String, in bucket: Bucket) throws(S3Error) -> MultipartUpload {
        let upload: MultipartUpload?
        do { upload = try objects.upload(id, of: key, in: bucket.id) } catch {
            throw S3Error(error, bucket: bucket.name, key: key, uploadID: id)
        }
        guard let upload else { throw .noSuchUpload(id) }
        return upload
    }

    func abortMultipartUpload(_ address: ObjectAddress) async throws(S3Error) -> Response {
        let bucket = try bucket(address.bucket)
        try authorize(.abortMultipartUpload, on: bucket, key: address.key)
        let upload = try upload(try input(UploadInput.self).uploadID, of: address.key, in: bucket)
        do { try await objects.abort(upload) } catch {
            throw S3Error(error, bucket: bucket.name, key: address.key, uploadID: upload.id)
        }
        return answer(.noContent)
    }
}

/// The checksum of a multipart upload. (S3 API Reference, CreateMultipartUpload, `x-amz-checksum-type`.)
struct UploadChecksum: Hashable {
    var algorithm: Checksum.Algorithm
    var coverage: Checksum.Coverage

    /// Parses the headers.
    /// - Returns: `nil` if the client specifies no algorithm.
    /// - Throws: `InvalidRequest`.
    init?(_ headers: HTTPFields) throws(S3Error) {
        let typeName = headers[.checksumType]?.uppercased()
        guard let name = headers[.checksumAlgorithm] else {
            guard typeName == nil else {
                throw S3Error(
                    .invalidRequest,
                    "The x-amz-checksum-type header can only be used with the x-amz-checksum-algorithm header.")
            }
            return nil
        }
        algorithm = try Checksum.Algorithm(named: name)
        guard let typeName else {
            coverage = algorithm == .crc64nvme ? .fullObject : .composite
            return
        }
        guard let coverage = Checksum.Coverage(named: typeName) else {
            throw S3Error(.invalidRequest, "Value for x-amz-checksum-type header is invalid.")
        }
        let fits = coverage == .fullObject ? algorithm.isCyclicRedundancyCheck : algorithm != .crc64nvme
        guard fits else {
            throw S3Error(
                .invalidRequest,
                "The \(typeName) checksum type cannot be used with the \(algorithm.lowercaseName) checksum algorithm.")
        }
        self.coverage = coverage
    }
}
