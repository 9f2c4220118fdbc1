import Cloud
import Exchange
import HTTPTypes

extension OSSRequest {
    func perform(_ operation: OSSServiceOperation) async throws -> Response {
        switch operation {
        case .listBuckets: throw OSSError(.notImplemented)
        }
    }

    func perform(_ operation: OSSBucketOperation, on bucket: Bucket) async throws -> Response {
        switch operation {
        case .deleteBucket, .listObjects, .putBucketAcl: throw OSSError(.notImplemented)
        }
    }

    /// PutBucket.
    func createBucket(_ name: String) async throws -> Response { throw OSSError(.notImplemented) }

    /// OptionObject.
    func preflight(_ name: String, isObject: Bool) throws(OSSError) -> Response { throw OSSError(.notImplemented) }
}
