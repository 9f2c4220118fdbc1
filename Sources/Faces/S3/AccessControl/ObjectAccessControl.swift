import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    func getObjectAcl(_ address: ObjectAddress) async throws -> Response {
        let bucket = try bucket(address.bucket)
        let record = try addressedObject(address, in: bucket, .getObjectAcl, ofVersion: .getObjectVersionAcl)
        let owner = bucket.ignoresLists ? bucket.account : bucket.shownOwner(record.owner)
        var response = answer(bucket.ignoresLists ? nil : record.properties.accessControl, ownedBy: owner)
        append(record.version, of: address.key, in: bucket, to: &response.headers)
        return response
    }

    func putObjectAcl(_ address: ObjectAddress) async throws -> Response {
        let bucket = try bucket(address.bucket)
        let record = try addressedObject(address, in: bucket, .putObjectAcl, ofVersion: .putObjectVersionAcl)
        let list = try await listToPut(ownedBy: bucket.shownOwner(record.owner), bucketOwner: bucket.account)
        guard !bucket.ignoresLists else { throw S3Error(.accessControlListNotSupported) }
        try check(list, for: .putObjectAcl, "arn:aws:s3:::\(bucket.name)/\(address.key)", in: bucket)
        let changed = try await change(address, in: bucket, as: .objectACLPut) { record throws(ObjectStoreError) in
            record.properties.accessControl = list
        }
        var fields = HTTPFields()
        append(changed.version, of: address.key, in: bucket, to: &fields)
        return answer(.ok, fields)
    }
}
