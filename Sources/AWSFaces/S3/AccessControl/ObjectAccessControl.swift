import Cloud
import HTTPTypes
import HummingbirdCore
import WireFormats

extension S3Request {
    /// GetObjectAcl.
    func getObjectAcl(_ address: ObjectAddress) async throws -> Response {
        let bucket = try bucket(address.bucket)
        let (record, _) = try listedObject(address, in: bucket, .getObjectAcl, ofVersion: .getObjectVersionAcl)
        let owner = bucket.ignoresLists ? bucket.account : record.owner
        var response = answer(bucket.ignoresLists ? nil : record.properties.accessControl, ownedBy: owner)
        append(record.version, of: address.key, in: bucket, to: &response.headers)
        return response
    }

    /// PutObjectAcl.
    func putObjectAcl(_ address: ObjectAddress) async throws -> Response {
        let bucket = try bucket(address.bucket)
        let (record, version) = try listedObject(address, in: bucket, .putObjectAcl, ofVersion: .putObjectVersionAcl)
        let list = try await listToPut(ownedBy: record.owner, bucketOwner: bucket.account)
        guard !bucket.ignoresLists else { throw S3Error(.accessControlListNotSupported) }
        try check(list, for: .putObjectAcl, "arn:aws:s3:::\(bucket.name)/\(address.key)", in: bucket)
        let changed: ObjectRecord
        do {
            changed = try await objects.update(address.key, version: version, in: bucket.id) { record throws(ObjectStoreError) in
                record.properties.accessControl = list
            }
        } catch {
            throw S3Error(error, bucket: bucket.name, key: address.key)
        }
        var fields = HTTPFields()
        append(changed.version, of: address.key, in: bucket, to: &fields)
        return answer(.ok, fields)
    }

    /// The object whose list is asked for, if the caller may.
    /// - Returns: the version as the request names it beside the record.
    private func listedObject(
        _ address: ObjectAddress, in bucket: Bucket, _ action: S3Action, ofVersion versionAction: S3Action
    ) throws(S3Error) -> (record: ObjectRecord, version: VersionSelector) {
        let version = try version(of: address.key)
        let found: Found<ObjectRecord>
        do { found = try objects.head(address.key, version: version, in: bucket.id) } catch {
            throw S3Error(error, bucket: bucket.name, key: address.key)
        }
        let record = try object(found, address, version, in: bucket)
        try authorize(version == .current ? action : versionAction, on: bucket, object: record)
        return (record, version)
    }
}
