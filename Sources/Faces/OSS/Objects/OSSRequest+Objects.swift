import Calls
import Cloud
import HTTPTypes
import ObjectStore
import WireFormats

extension OSSRequest {
    func perform(_ operation: OSSObjectOperation, on address: OSSObjectAddress, in bucket: Bucket) async throws -> Response {
        let key = address.key
        switch operation {
        case .putObject: return try await putObject(key, in: bucket)
        case .copyObject: return try await copyObject(key, in: bucket)
        case .appendObject: return try await appendObject(key, in: bucket)
        case .sealAppendObject: return try await sealAppendObject(key, in: bucket)
        case .getObject: return try await getObject(key, in: bucket)
        case .headObject: return try headObject(key, in: bucket)
        case .getObjectMeta: return try getObjectMeta(key, in: bucket)
        case .deleteObject: return try await deleteObject(key, in: bucket)
        case .restoreObject: return try await restoreObject(key, in: bucket)
        case .cleanRestoredObject: return try await cleanRestoredObject(key, in: bucket)
        case .putSymlink: return try await putSymlink(key, in: bucket)
        case .getSymlink: return try getSymlink(key, in: bucket)
        case .getObjectACL: return try getObjectACL(key, in: bucket)
        case .putObjectACL: return try await putObjectACL(key, in: bucket)
        case .getObjectTagging: return try getObjectTagging(key, in: bucket)
        case .putObjectTagging: return try await putObjectTagging(key, in: bucket)
        case .deleteObjectTagging: return try await deleteObjectTagging(key, in: bucket)
        case .getObjectRetention: return try getObjectRetention(key, in: bucket)
        case .putObjectRetention: return try await putObjectRetention(key, in: bucket)
        case .getObjectLegalHold: return try getObjectLegalHold(key, in: bucket)
        case .putObjectLegalHold: return try await putObjectLegalHold(key, in: bucket)
        case .initiateMultipartUpload: return try await initiateMultipartUpload(key, in: bucket)
        case .uploadPart: return try await uploadPart(key, in: bucket)
        case .uploadPartCopy: return try await uploadPartCopy(key, in: bucket)
        case .completeMultipartUpload: return try await completeMultipartUpload(key, in: bucket)
        case .abortMultipartUpload: return try await abortMultipartUpload(key, in: bucket)
        case .listParts: return try await listParts(key, in: bucket)
        case .selectObject(let isJSON): return try await selectObject(key, isJSON: isJSON, in: bucket)
        case .createSelectObjectMeta(let isJSON): return try await createSelectObjectMeta(key, isJSON: isJSON, in: bucket)
        case .unimplemented(let name):
            throw OSSError(.notImplemented, "The operation is not implemented.", ["SubResource": name])
        }
    }
}
