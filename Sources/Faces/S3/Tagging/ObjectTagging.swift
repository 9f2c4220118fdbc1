import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import Policy
import WireFormats

extension S3Request {
    /// The maximum size of the document in bytes: ten tags of maximum length with every character escaped.
    private static let objectTaggingLimit = 64 << 10

    func getObjectTagging(_ address: ObjectAddress) throws(S3Error) -> Response {
        let bucket = try bucket(address.bucket)
        let record: ObjectRecord
        do {
            record = try addressedObject(address, in: bucket, .getObjectTagging, ofVersion: .getObjectVersionTagging)
        } catch {
            // Unlike elsewhere, S3's error contains the bucket as well as the missing key.
            throw error.code == .noSuchKey ? .noSuchKey("\(address.bucket)/\(address.key)") : error
        }
        return answer(.ok, versionField(record, in: bucket), root: "Tagging") { xml in
            xml.tagSet(record.properties.tags)
        }
    }

    func putObjectTagging(_ address: ObjectAddress) async throws -> Response {
        let bucket = try bucket(address.bucket)
        let declaration = try declaredBody()
        try checkDigest(declaration)
        let body = try await document(upTo: Self.objectTaggingLimit, declaration)
        let tags = try [Tag](tagging: try xml("Tagging", body), of: .object, dialect)
        _ = try addressedObject(
            address, in: bucket, .putObjectTagging, ofVersion: .putObjectVersionTagging, keys: tags.conditionKeys)
        let record = try await change(address, in: bucket, as: .objectTaggingPut) { record throws(ObjectStoreError) in
            record.properties.tags = tags
        }
        return answer(.ok, versionField(record, in: bucket))
    }

    func deleteObjectTagging(_ address: ObjectAddress) async throws(S3Error) -> Response {
        let bucket = try bucket(address.bucket)
        _ = try addressedObject(address, in: bucket, .deleteObjectTagging, ofVersion: .deleteObjectVersionTagging)
        let record = try await change(address, in: bucket, as: .objectTaggingDelete) { record throws(ObjectStoreError) in
            record.properties.tags = []
        }
        return answer(.noContent, versionField(record, in: bucket))
    }

    private func versionField(_ record: ObjectRecord, in bucket: Bucket) -> HTTPFields {
        var fields = HTTPFields()
        append(record.version, of: record.key, in: bucket, to: &fields)
        return fields
    }
}
